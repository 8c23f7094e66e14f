// A switch with fall-through, a range and a default.
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    int kind = 0;
    switch (__VERIFIER_nondet_uchar()) {
    case 'a':
        kind = 1;
        break;
    case '0' ... '9':
        kind = 2;
    case ' ':
        kind += 10;
        break;
    default:
        kind = -1;
    }
    return kind;
}
