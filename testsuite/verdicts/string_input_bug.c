// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE, k-induction UNSAFE, predicate UNSAFE
// truth: unsafe
// inputs: 107,101,121
// Three characters from outside must not be the secret word.
extern void reach_error(void);
char __VERIFIER_nondet_char(void);
#include <string.h>
int main(void) {
    char word[4];
    for (int i = 0; i < 3; i++)
        word[i] = __VERIFIER_nondet_char();
    word[3] = 0;
    if (strcmp(word, "key") == 0)
        reach_error();
    return 0;
}
