// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE, k-induction UNSAFE, predicate UNSAFE
// truth: unsafe
// inputs: 1,1,2,1
// A vending machine that gives two drinks for three coins, after the right four events.
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
enum event { COIN = 1, BUTTON = 2, REFUND = 3 };
int main(void) {
    int credit = 0, given = 0, paid = 0;
    while (1) {
        int event = __VERIFIER_nondet_int();
        if (event == COIN && credit < 2) {
            credit = credit + 1;
            paid = paid + 1;
            if (given == 1 && paid == 3)
                reach_error();
        } else if (event == BUTTON && credit == 2) {
            given = given + 1;
            credit = 0;
            if (given > 1)
                return 0;
        } else if (event == REFUND) {
            paid = paid - credit;
            credit = 0;
        } else {
            return 1;
        }
    }
}
