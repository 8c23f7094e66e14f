// expect: value UNSAFE, value-full UNSAFE, bmc UNSAFE, k-induction UNSAFE, predicate UNSAFE
// truth: unsafe
// inputs: 1,200
// The derived class does not keep what its base promises: that a step is at most 100.
extern "C" void reach_error(void);
extern "C" bool __VERIFIER_nondet_bool(void);
extern "C" int __VERIFIER_nondet_int(void);
class Counter {
  public:
    virtual ~Counter() {}
    virtual void step(int by) {
        if (by <= 100)
            value += by;
    }
    int value = 0;
};
class Fast : public Counter {
  public:
    void step(int by) override { value += by; }
};
int main() {
    Counter slow;
    Fast fast;
    Counter &counter = __VERIFIER_nondet_bool() ? fast : slow;
    counter.step(__VERIFIER_nondet_int());
    if (counter.value == 200)
        reach_error();
}
