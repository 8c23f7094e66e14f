//! Random programs about related variables: copies of inputs, differences between variables, and their changes by
//! calls.

use clew_verifier::cfa::{Havoc, LocId, Op, Program, Scope};
use clew_verifier::expr::{BinaryOp, Expr, Sort, UnaryOp, Var};

use super::world::{Callee, Frame, Maker};

impl Maker {
    /// A loop that moves input values around, adds and subtracts, and compares variables with each other.
    pub fn relations(mut self, size: usize) -> Program {
        let sort = Sort::Bits(self.random.between(2, 4) as u16);
        let start = self.declare("start", &[], None, false);
        let recursive = self.random.one_in(3);
        let params = [Sort::Bits(2), sort, sort];
        let helper = self.declare("helper", &params[usize::from(!recursive)..], Some(sort), recursive);
        let global = self.variable("g", sort, Scope::Global);
        let mut vars: Vec<Var> = (0..3).map(|_| self.variable("x", sort, Scope::Local(start.id))).collect();
        vars.push(global);
        let frame = self.enter(0);
        let mut at = self.b.function(start.id).entry;
        for &var in &vars {
            let value = self.related(&vars[..1], sort);
            let op = if self.random.coin() { Op::Havoc(var, Havoc::Input) } else { Op::Assign(var, value) };
            at = self.step(at, op);
        }
        let head = self.location(&frame);
        self.edge(at, Op::Skip, head);
        at = head;
        for _ in 0..size.clamp(3, 10) {
            at = self.relation(&frame, at, &vars, &helper);
        }
        if self.random.one_in(3) {
            self.end(at, None);
        } else {
            self.edge(at, Op::Skip, head);
        }

        let frame = self.enter(1);
        let mut inside = frame.scalars.clone();
        inside.extend([global, self.variable("y", sort, Scope::Local(helper.id))]);
        let mut at = self.guard_recursion(&frame, self.b.function(helper.id).entry);
        for _ in 0..self.random.below(5) {
            at = self.relation(&frame, at, &inside, &helper);
        }
        let result = self.related(&inside[..3], sort);
        self.end(at, Some(result));
        self.finish(start.id)
    }

    /// A variable, usually with something added; rarely a sum, a product or a negation.
    fn related(&mut self, vars: &[Var], sort: Sort) -> Expr {
        let mut pick = || self.b.read(self.random.pick(vars));
        let (a, b) = (pick(), pick());
        let constant = self.constant(sort);
        let pool = &mut self.b.pool;
        match self.random.below(10) {
            0 => constant,
            1..=2 => a,
            3..=5 => pool.add(a, constant),
            6 => pool.add(a, b),
            7 => pool.binary(BinaryOp::Sub, a, b),
            8 => pool.unary(UnaryOp::Neg, a),
            _ => pool.binary(BinaryOp::Mul, a, b),
        }
    }

    fn relation(&mut self, frame: &Frame, at: LocId, vars: &[Var], helper: &Callee) -> LocId {
        let sort = self.b.var(vars[0]).sort;
        let var = self.random.pick(vars);
        let (a, b) = (self.related(vars, sort), self.related(vars, sort));
        match self.random.below(8) {
            0 if self.inputs_left > 0 => {
                self.inputs_left -= 1;
                self.step(at, Op::Havoc(var, Havoc::Input))
            }
            4 if helper.recursive || frame.callee.id != helper.id => {
                let mut args = vec![a, b];
                if helper.recursive {
                    args.insert(0, self.depth(helper, frame.callee.id == helper.id));
                }
                self.step(at, Op::Call { callee: helper.id, args: args.into(), result: Some(var) })
            }
            0..=4 => self.step(at, Op::Assign(var, a)),
            5 => {
                let (equal, other) = (self.b.pool.eq(a, b), self.location(frame));
                let (yes, no) = self.branch(at, equal);
                let value = self.related(vars, sort);
                self.edge(yes, Op::Assign(var, value), other);
                self.edge(no, Op::Skip, other);
                other
            }
            _ => {
                let equal = self.b.pool.eq(a, b);
                let (bad, good) = self.branch(at, equal);
                let error = self.error_location(frame);
                self.edge(bad, Op::Skip, error);
                good
            }
        }
    }
}
