// expect: value SAFE, value-full SAFE, bmc SAFE, k-induction SAFE, predicate SAFE
// truth: safe
// Exceptions are caught by the handler of their class, and destructors run on the way.
extern "C" void reach_error(void);
extern "C" int __VERIFIER_nondet_int(void);
static int open = 0;
struct File {
    File() { open++; }
    ~File() { open--; }
};
struct Error {
    int code;
};
struct Fatal : Error {};
static int read(int what) {
    File file;
    if (what == 1)
        throw Error{7};
    if (what == 2)
        throw 42;
    if (what == 3)
        throw Fatal{{9}};
    return open;
}
int main() {
    int result = 0;
    try {
        result = read(__VERIFIER_nondet_int());
    } catch (const Error &error) {
        result = error.code;
    } catch (int number) {
        result = number;
    }
    if (open != 0)
        reach_error();
    if (result != 1 && result != 7 && result != 42 && result != 9)
        reach_error();
}
