//! Random structured programs: functions of nested statements.

use clew_verifier::cfa::{Havoc, LocId, LocationKind, Op, Program, Scope};
use clew_verifier::expr::{BinaryOp, Expr, Sort, Var};

use super::world::{Callee, Frame, Maker};

/// The maximum nesting depth of statements.
const NESTING: u32 = 3;

impl Maker {
    /// Several functions that call each other; the first is the start.
    pub fn structured(mut self, size: usize) -> Program {
        let others = self.random.below(1 + size.min(8) / 2);
        self.declare("start", &[], None, false);
        for i in 0..others.min(3) {
            self.declare_random(&format!("f{i}"));
        }
        let start = self.callees[0].id;
        let mut frame = self.enter(0);
        let mut at = self.b.function(start).entry;
        for _ in 0..self.random.between(1, 3) {
            at = self.declare_scalar(&mut frame, at, Scope::Global);
        }
        for _ in 0..self.random.below(3) {
            at = self.declare_memory(&mut frame, at, Scope::Global);
        }
        self.body(frame, at, size);
        for position in 1..self.callees.len() {
            let frame = self.enter(position);
            let entry = self.b.function(frame.callee.id).entry;
            let at = self.guard_recursion(&frame, entry);
            self.body(frame, at, size.div_ceil(2));
        }
        self.finish(start)
    }

    /// A function with a random signature.
    pub fn declare_random(&mut self, name: &str) {
        let recursive = self.random.one_in(4);
        let mut params: Vec<Sort> = (0..self.random.below(3)).map(|_| self.sort()).collect();
        if recursive {
            params.insert(0, Sort::Bits(2));
        }
        let result = if self.random.one_in(4) { None } else { Some(self.sort()) };
        self.declare(name, &params, result, recursive);
    }

    /// A recursive function returns when its first parameter is zero.
    pub fn guard_recursion(&mut self, frame: &Frame, at: LocId) -> LocId {
        if !frame.callee.recursive {
            return at;
        }
        let depth = self.b.function(frame.callee.id).params[0];
        let (depth, zero) = (self.b.read(depth), self.b.pool.bits(2, 0));
        let done = self.b.pool.eq(depth, zero);
        let (yes, no) = self.branch(at, done);
        self.give_back(frame, yes);
        no
    }

    /// Declarations, statements, and the end of the function.
    pub fn body(&mut self, mut frame: Frame, mut at: LocId, size: usize) {
        let scope = Scope::Local(frame.callee.id);
        for _ in 0..self.random.between(1, 3) {
            at = self.declare_scalar(&mut frame, at, scope);
        }
        if self.random.one_in(4) {
            at = self.declare_memory(&mut frame, at, scope);
        }
        let Some(mut at) = self.block(&mut frame, at, size, NESTING) else { return };
        // At least one check.
        if frame.first_callee == 1 && self.checks_left > 0 {
            at = self.check(&frame, at);
        }
        self.give_back(&frame, at);
    }

    pub fn give_back(&mut self, frame: &Frame, at: LocId) {
        let value = frame.callee.result.map(|sort| self.expr(frame, sort, 2));
        self.end(at, value);
    }

    /// About `size` statements in sequence; `None` if control does not reach their end.
    pub fn block(&mut self, frame: &mut Frame, mut at: LocId, size: usize, nesting: u32) -> Option<LocId> {
        let mut left = size;
        while left > 0 {
            let used = self.random.between(1, left.min(4));
            at = self.statement(frame, at, used, nesting)?;
            left -= used;
        }
        Some(at)
    }

    fn statement(&mut self, frame: &mut Frame, at: LocId, size: usize, nesting: u32) -> Option<LocId> {
        if self.random.one_in(6) {
            frame.labels.push(at);
        }
        let nests = nesting > 0 && size > 1;
        Some(match self.random.below(100) {
            0..=6 => self.input(frame, at),
            7..=19 if nests => return self.conditional(frame, at, size, nesting),
            20..=24 if nests => return self.choice(frame, at, size, nesting),
            25..=30 if nests => return self.switch(frame, at, size, nesting),
            31..=42 if nests => return self.counted_loop(frame, at, size, nesting),
            43..=46 if nests => return self.open_loop(frame, at, size, nesting),
            47..=54 => self.call(frame, at),
            55..=69 => self.memory_operation(frame, at),
            70 | 71 => {
                let condition = self.condition(frame, 2);
                self.step(at, Op::Assume(condition))
            }
            72..=75 => self.check(frame, at),
            76..=80 => return self.watched(frame, at, size, nesting),
            81 => {
                let (end, on) = self.rarely(frame, at);
                let halt = self.b.add_location(frame.callee.id, LocationKind::Halt);
                self.edge(end, Op::Skip, halt);
                on
            }
            82 | 83 if !frame.loops.is_empty() => self.leave_or_repeat(frame, at),
            84 => {
                let (end, on) = self.rarely(frame, at);
                self.give_back(frame, end);
                on
            }
            85 if !frame.labels.is_empty() => {
                let label = self.random.pick(&frame.labels);
                let (jump, on) = self.rarely(frame, at);
                self.edge(jump, Op::Skip, label);
                on
            }
            86..=91 if self.flavour.unsupported => {
                let condition = self.condition(frame, 2);
                let (strange, on) = self.branch(at, condition);
                self.edge(strange, Op::Unsupported("a strange instruction".into()), on);
                on
            }
            _ => self.assign(frame, at),
        })
    }

    fn assign(&mut self, frame: &Frame, at: LocId) -> LocId {
        let var = self.random.pick(&frame.scalars);
        let value = self.expr(frame, self.b.var(var).sort, 3);
        self.step(at, Op::Assign(var, value))
    }

    /// Havocs a variable, unless the program already has many inputs.
    pub fn input(&mut self, frame: &Frame, at: LocId) -> LocId {
        let narrow = |v: &Var| matches!(self.b.var(*v).sort, Sort::Bool | Sort::Bits(1..=5));
        let vars: Vec<Var> = frame.scalars.iter().copied().filter(narrow).collect();
        if vars.is_empty() || self.inputs_left == 0 {
            return at;
        }
        self.inputs_left -= 1;
        let external = Havoc::External(self.b.external("outside", false));
        let kinds = [Havoc::Input, Havoc::Input, Havoc::Input, external, Havoc::Undefined, Havoc::Uninitialized];
        let op = Op::Havoc(self.random.pick(&vars), self.random.pick(&kinds));
        self.step(at, op)
    }

    /// The locations where `condition` holds, and where it does not.
    pub fn branch(&mut self, at: LocId, condition: Expr) -> (LocId, LocId) {
        let negated = self.b.pool.not(condition);
        let yes = self.step(at, Op::Assume(condition));
        (yes, self.step(at, Op::Assume(negated)))
    }

    /// A branch on a condition that rarely holds: two variables have specific values.
    fn rarely(&mut self, frame: &Frame, at: LocId) -> (LocId, LocId) {
        let mut condition = self.b.pool.bool(true);
        for _ in 0..self.random.between(1, 2) {
            let var = self.random.pick(&frame.scalars);
            let (value, constant) = (self.b.read(var), self.constant(self.b.var(var).sort));
            let is = self.b.pool.eq(value, constant);
            condition = self.b.pool.and(condition, is);
        }
        self.branch(at, condition)
    }

    /// Joins paths, some of which may have ended.
    fn join(&mut self, frame: &Frame, ways: &[Option<LocId>]) -> Option<LocId> {
        let open: Vec<LocId> = ways.iter().copied().flatten().collect();
        if open.is_empty() {
            return None;
        }
        let join = self.location(frame);
        open.into_iter().for_each(|way| self.edge(way, Op::Skip, join));
        Some(join)
    }

    fn conditional(&mut self, frame: &mut Frame, at: LocId, size: usize, nesting: u32) -> Option<LocId> {
        let condition = self.condition(frame, 3);
        let (yes, no) = self.branch(at, condition);
        let then = self.block(frame, yes, size / 2, nesting - 1);
        let otherwise = if self.random.coin() { self.block(frame, no, size / 2, nesting - 1) } else { Some(no) };
        self.join(frame, &[then, otherwise])
    }

    /// Several edges that can be taken at the same time.
    fn choice(&mut self, frame: &mut Frame, at: LocId, size: usize, nesting: u32) -> Option<LocId> {
        let mut ways = Vec::new();
        for _ in 0..self.random.between(2, 3) {
            let op = match self.random.below(3) {
                0 => Op::Skip,
                1 => Op::Assume(self.safe_condition(frame, 2)),
                _ => {
                    let var = self.random.pick(&frame.scalars);
                    Op::Assign(var, self.constant(self.b.var(var).sort))
                }
            };
            let way = self.step(at, op);
            ways.push(self.block(frame, way, size / 3, nesting - 1));
        }
        self.join(frame, &ways)
    }

    /// Cases by constants, some with a common target, usually with a default.
    fn switch(&mut self, frame: &mut Frame, at: LocId, size: usize, nesting: u32) -> Option<LocId> {
        let sort = Sort::Bits(self.width());
        let subject = self.expr(frame, sort, 1);
        let (mut ways, mut other) = (Vec::new(), self.b.pool.bool(true));
        for case in 0..self.random.between(2, 4) as u128 {
            let mut condition = self.b.pool.bool(false);
            for label in [case, case + 4].into_iter().take(self.random.between(1, 2)) {
                let constant =
                    self.b.pool.constant(clew_verifier::expr::Value::from_raw(sort, label).expect("a scalar"));
                let is = self.b.pool.eq(subject, constant);
                condition = self.b.pool.or(condition, is);
            }
            let not = self.b.pool.not(condition);
            // Labels of narrow subjects may repeat: the first one applies.
            let taken = self.b.pool.and(other, condition);
            let way = self.step(at, Op::Assume(taken));
            other = self.b.pool.and(other, not);
            ways.push(self.block(frame, way, size / 3, nesting - 1));
        }
        if !self.random.one_in(6) {
            let way = self.step(at, Op::Assume(other));
            ways.push(Some(way));
        }
        self.join(frame, &ways)
    }

    /// `for (i = 0; i != n; i++)`, or the same with the test at the end.
    fn counted_loop(&mut self, frame: &mut Frame, at: LocId, size: usize, nesting: u32) -> Option<LocId> {
        let width = self.random.pick(&[3, 4, 8]);
        let counter = self.variable("i", Sort::Bits(width), Scope::Local(frame.callee.id));
        let (zero, one) = (self.b.pool.bits(width, 0), self.b.pool.bits(width, 1));
        let bound = self.random.between(1, 5) as u128;
        let bound = self.b.pool.bits(width, bound);
        let (i, tests_first) = (self.b.read(counter), !self.random.one_in(4));
        let more = if self.random.coin() {
            self.b.pool.binary(BinaryOp::UnsignedLess, i, bound)
        } else {
            let same = self.b.pool.eq(i, bound);
            self.b.pool.not(same)
        };
        let next = self.b.pool.add(i, one);
        let (head, after, latch) = (self.location(frame), self.location(frame), self.location(frame));
        let body = self.location(frame);
        let done = self.b.pool.not(more);
        let at = self.step(at, Op::Assign(counter, zero));
        self.edge(at, Op::Skip, if tests_first { head } else { body });
        self.edge(head, Op::Assume(more), body);
        self.edge(head, Op::Assume(done), after);
        frame.loops.push((after, latch));
        let end = self.block(frame, body, size - 1, nesting - 1);
        frame.loops.pop();
        if let Some(end) = end {
            self.edge(end, Op::Skip, latch);
        }
        self.edge(latch, Op::Assign(counter, next), head);
        if self.checks_left > 0 && self.random.one_in(3) {
            let same = self.b.pool.eq(i, bound);
            return Some(self.check_that(frame, after, same));
        }
        Some(after)
    }

    /// A loop with a nondeterministic exit, or none.
    fn open_loop(&mut self, frame: &mut Frame, at: LocId, size: usize, nesting: u32) -> Option<LocId> {
        let (head, after) = (self.location(frame), self.location(frame));
        self.edge(at, Op::Skip, head);
        let condition = match self.random.below(4) {
            0 => self.b.pool.bool(true),
            _ => self.condition(frame, 2),
        };
        let ends = self.b.pool.not(condition);
        let body = self.step(head, Op::Assume(condition));
        self.edge(head, Op::Assume(ends), after);
        frame.loops.push((after, head));
        let body = self.leave_or_repeat(frame, body);
        let end = self.block(frame, body, size - 1, nesting - 1);
        frame.loops.pop();
        if let Some(end) = end {
            self.edge(end, Op::Skip, head);
        }
        Some(after)
    }

    fn leave_or_repeat(&mut self, frame: &Frame, at: LocId) -> LocId {
        let Some(&(after, next)) = frame.loops.last() else { return at };
        let (out, on) = self.rarely(frame, at);
        let goal = if self.random.one_in(3) { next } else { after };
        self.edge(out, Op::Skip, goal);
        on
    }

    fn call(&mut self, frame: &Frame, at: LocId) -> LocId {
        let itself = frame.callee.recursive && self.random.coin();
        let callee = match &self.callees[frame.first_callee..] {
            _ if itself => frame.callee.clone(),
            [] => return self.assign(frame, at),
            callees => {
                let callees = callees.to_vec();
                self.random.pick(&callees)
            }
        };
        let mut args: Vec<Expr> = callee.params.iter().map(|&sort| self.expr(frame, sort, 2)).collect();
        if callee.recursive {
            args[0] = self.depth(&callee, itself);
        }
        let results = callee.result.map(|sort| self.scalars(frame, sort)).unwrap_or_default();
        let result = if results.is_empty() { None } else { Some(self.random.pick(&results)) };
        self.step(at, Op::Call { callee: callee.id, args: args.into(), result })
    }

    /// The depth argument of a call of a recursive function. Recursive calls usually decrease it.
    pub fn depth(&mut self, callee: &Callee, itself: bool) -> Expr {
        if !itself || self.random.one_in(20) {
            let depth = self.random.between(1, 3) as u128;
            return self.b.pool.bits(2, depth);
        }
        let depth = self.b.function(callee.id).params[0];
        let (depth, one) = (self.b.read(depth), self.b.pool.bits(2, 1));
        self.b.pool.binary(BinaryOp::Sub, depth, one)
    }

    /// A check that may be violated: usually that variables do not have specific values, or a random condition.
    pub fn check(&mut self, frame: &Frame, at: LocId) -> LocId {
        if self.checks_left == 0 {
            return self.assign(frame, at);
        }
        self.checks_left -= 1;
        let (bad, good) = if self.random.one_in(3) {
            let condition = self.condition(frame, 3);
            self.branch(at, condition)
        } else {
            self.rarely(frame, at)
        };
        let error = self.error_location(frame);
        self.edge(bad, Op::Skip, error);
        good
    }

    fn check_that(&mut self, frame: &Frame, at: LocId, condition: Expr) -> LocId {
        self.checks_left = self.checks_left.saturating_sub(1);
        let (good, bad) = self.branch(at, condition);
        let error = self.error_location(frame);
        self.edge(bad, Op::Skip, error);
        good
    }

    /// Saves a variable, executes statements, and checks that it is unchanged.
    fn watched(&mut self, frame: &mut Frame, at: LocId, size: usize, nesting: u32) -> Option<LocId> {
        let var = self.random.pick(&frame.scalars);
        let copy = self.variable("c", self.b.var(var).sort, Scope::Local(frame.callee.id));
        let value = self.b.read(var);
        let at = self.step(at, Op::Assign(copy, value));
        let at = self.block(frame, at, size - 1, nesting.saturating_sub(1))?;
        if self.checks_left == 0 {
            return Some(at);
        }
        let (now, before) = (self.b.read(var), self.b.read(copy));
        let same = self.b.pool.eq(now, before);
        Some(self.check_that(frame, at, same))
    }
}
