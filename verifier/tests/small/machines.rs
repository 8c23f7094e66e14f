//! Random programs of specific shapes: state machines, errors after some iterations, locks, modes.

use clew_verifier::cfa::{Havoc, LocId, Op, Program, Scope};
use clew_verifier::expr::{Sort, Value, Var};

use super::world::{Frame, Maker};

impl Maker {
    fn global(&mut self, name: &str, sort: Sort) -> Var {
        let var = self.variable(name, sort, Scope::Global);
        self.globals.push(var);
        var
    }

    fn set(&mut self, at: LocId, var: Var, number: u128) -> LocId {
        let value = Value::from_raw(self.b.var(var).sort, number).expect("a scalar");
        let value = self.b.pool.constant(value);
        self.step(at, Op::Assign(var, value))
    }

    fn is(&mut self, var: Var, number: u128) -> clew_verifier::expr::Expr {
        let value = Value::from_raw(self.b.var(var).sort, number).expect("a scalar");
        let (var, value) = (self.b.read(var), self.b.pool.constant(value));
        self.b.pool.eq(var, value)
    }

    /// Branches to an error if the variables have these values.
    fn fail_if(&mut self, frame: &Frame, at: LocId, conditions: &[(Var, u128)]) -> LocId {
        let mut all = self.b.pool.bool(true);
        for &(var, number) in conditions {
            let is = self.is(var, number);
            all = self.b.pool.and(all, is);
        }
        let (bad, good) = self.branch(at, all);
        let error = self.error_location(frame);
        self.edge(bad, Op::Skip, error);
        good
    }

    /// An endless loop that reads an input and calls `step`, which changes states and keeps flags.
    pub fn state_machine(mut self, size: usize) -> Program {
        let start = self.declare("start", &[], None, false);
        let step = self.declare("step", &[Sort::Bits(2)], None, false);
        let (state, flag, count) =
            (self.global("state", Sort::Bits(3)), self.global("flag", Sort::Bool), self.global("count", Sort::Bits(3)));
        let frame = self.enter(0);
        let mut at = self.b.function(start.id).entry;
        for var in [state, flag, count] {
            at = self.set(at, var, 0);
        }
        let input = self.variable("in", Sort::Bits(2), Scope::Local(start.id));
        let head = self.location(&frame);
        self.edge(at, Op::Skip, head);
        let at = self.step(head, Op::Havoc(input, Havoc::Input));
        let argument = self.b.read(input);
        let at = self.step(at, Op::Call { callee: step.id, args: [argument].into(), result: None });
        let (bad_state, bad_flag) = (self.random.below(7) as u128, self.random.below(2) as u128);
        let at = self.fail_if(&frame, at, &[(state, bad_state), (flag, bad_flag)]);
        self.edge(at, Op::Skip, head);

        let frame = self.enter(1);
        let entry = self.b.function(step.id).entry;
        let input = self.b.function(step.id).params[0];
        let mut at = entry;
        for _ in 0..size.clamp(3, 12) {
            at = self.transition(&frame, at, (state, flag, count), input);
        }
        self.end(at, None);
        self.finish(start.id)
    }

    /// `if (state == s && input == i) { state = t; …; return; }`
    fn transition(&mut self, frame: &Frame, at: LocId, vars: (Var, Var, Var), input: Var) -> LocId {
        let (state, flag, count) = vars;
        let (from, with, to) = (self.random.below(5), self.random.below(4), self.random.below(7));
        let (is_state, is_input) = (self.is(state, from as u128), self.is(input, with as u128));
        let both = self.b.pool.and(is_state, is_input);
        let (mut yes, no) = self.branch(at, both);
        if self.random.one_in(3) {
            let guard = self.random.below(4) as u128;
            let is_count = self.is(count, guard);
            let (go, stay) = self.branch(yes, is_count);
            self.end(stay, None);
            yes = go;
        }
        yes = self.set(yes, state, to as u128);
        match self.random.below(4) {
            0 => yes = self.set(yes, flag, u128::from(to % 2 == 0)),
            1 => {
                let (old, one) = (self.b.read(count), self.b.pool.bits(3, 1));
                let more = self.b.pool.add(old, one);
                yes = self.step(yes, Op::Assign(count, more));
            }
            2 if self.random.one_in(3) => yes = self.fail_if(frame, yes, &[(count, 3)]),
            _ => {}
        }
        self.end(yes, None);
        no
    }

    /// Counts inputs in a bounded or unbounded loop: the error occurs after a few iterations, or never.
    pub fn counters(mut self, size: usize) -> Program {
        let start = self.declare("start", &[], None, false);
        let mut frame = self.enter(0);
        let local = Scope::Local(start.id);
        let (count, input) = (self.variable("n", Sort::Bits(4), local), self.variable("in", Sort::Bits(2), local));
        let (steps, noise) = (self.variable("s", Sort::Bits(5), local), self.variable("z", Sort::Bits(8), local));
        let mut at = self.b.function(start.id).entry;
        for var in [count, steps, noise] {
            at = self.set(at, var, 0);
        }
        frame.scalars.push(noise);
        let head = self.location(&frame);
        self.edge(at, Op::Skip, head);
        let bounded = self.random.coin();
        let limit = self.random.between(2, 6) as u128;
        let mut at = head;
        if bounded {
            let done = self.is(steps, limit);
            let (out, on) = self.branch(at, done);
            self.end(out, None);
            at = on;
        }
        at = self.step(at, Op::Havoc(input, Havoc::Input));
        let wanted = self.random.below(4) as u128;
        let is_wanted = self.is(input, wanted);
        let (counted, other) = self.branch(at, is_wanted);
        for (from, var, by) in [(counted, count, 1), (other, noise, self.random.between(0, 64))] {
            let old = self.b.read(var);
            let width = self.b.pool.width(old);
            let by = self.b.pool.bits(width, by as u128);
            let more = self.b.pool.add(old, by);
            let end = self.step(from, Op::Assign(var, more));
            let end = self.block(&mut frame, end, size / 4, 0);
            let Some(end) = end else { continue };
            let threshold = self.random.between(2, 7) as u128;
            let end = self.fail_if(&frame, end, &[(count, threshold)]);
            let old = self.b.read(steps);
            let one = self.b.pool.bits(5, 1);
            let next = self.b.pool.add(old, one);
            self.edge(end, Op::Assign(steps, next), head);
        }
        self.finish(start.id)
    }

    /// Acquires and releases locks under conditions, as drivers do; acquiring one twice is an error.
    pub fn locks(mut self, size: usize) -> Program {
        let start = self.declare("start", &[], None, false);
        let local = Scope::Local(start.id);
        let frame = self.enter(0);
        let pairs: Vec<(Var, Var)> = (0..size.clamp(1, 4))
            .map(|_| (self.variable("want", Sort::Bool, local), self.variable("lock", Sort::Bits(2), local)))
            .collect();
        let mut at = self.b.function(start.id).entry;
        let head = self.location(&frame);
        for &(_, lock) in &pairs {
            at = self.set(at, lock, 0);
        }
        self.edge(at, Op::Skip, head);
        let mut at = head;
        for &(want, _) in &pairs {
            at = self.step(at, Op::Havoc(want, Havoc::Input));
        }
        // A lock may be guarded by the wrong variable, or not be released.
        for taking in [true, false] {
            for i in 0..pairs.len() {
                let lock = pairs[i].1;
                let want = if self.random.one_in(12) { self.random.pick(&pairs).0 } else { pairs[i].0 };
                let is_wanted = self.b.read(want);
                let (yes, no) = self.branch(at, is_wanted);
                let yes = self.fail_if(&frame, yes, &[(lock, u128::from(taking))]);
                let yes = self.set(yes, lock, u128::from(taking));
                let join = self.location(&frame);
                self.edge(yes, Op::Skip, join);
                self.edge(no, Op::Skip, join);
                at = join;
            }
        }
        if self.random.coin() {
            self.edge(at, Op::Skip, head);
        } else {
            self.end(at, None);
        }
        self.finish(start.id)
    }

    /// Modes that are set under conditions, and loop heads directly at joins and after checks: what a state drops or
    /// takes over there must hold on all paths.
    pub fn modes(mut self, size: usize) -> Program {
        let start = self.declare("start", &[], None, false);
        let local = Scope::Local(start.id);
        let frame = self.enter(0);
        let modes = self.random.between(1, 2);
        let modes: Vec<Var> = (0..modes).map(|_| self.variable("mode", Sort::Bits(3), local)).collect();
        let input = self.variable("in", Sort::Bits(1), local);
        let mut at = self.b.function(start.id).entry;
        for &mode in &modes {
            let first = self.random.below(3) as u128;
            at = self.set(at, mode, first);
        }
        let mut head = self.location(&frame);
        at = self.step(at, Op::Havoc(input, Havoc::Input));
        let condition = self.is(input, 1);
        let (yes, no) = self.branch(at, condition);
        let (mode, to) = (self.random.pick(&modes), self.random.below(4) as u128);
        let yes = self.set(yes, mode, to);
        self.edge(yes, Op::Skip, head);
        self.edge(no, Op::Skip, head);
        let loops = size.clamp(2, 4);
        for i in 1..=loops {
            // Iterations of the loop may change a mode.
            let round = self.step(head, Op::Havoc(input, Havoc::Input));
            let condition = self.is(input, 1);
            let (mut again, out) = self.branch(round, condition);
            if self.random.one_in(3) {
                let (other, to) = (self.random.pick(&modes), self.random.below(4) as u128);
                again = self.set(again, other, to);
            }
            self.edge(again, Op::Skip, head);
            // All checks but the last hold: a mode must be tracked up to its check, and is dropped after it.
            let bad = if i < loops { 5 } else { self.random.pick(&[to, 0, 4]) };
            let checked = self.random.pick(&modes);
            let is_bad = self.is(checked, bad);
            let is_good = self.b.pool.not(is_bad);
            let error = self.error_location(&frame);
            head = self.location(&frame);
            self.edge(out, Op::Assume(is_bad), error);
            self.edge(out, Op::Assume(is_good), head);
        }
        at = head;
        self.end(at, None);
        self.finish(start.id)
    }
}
