//! Random programs with one or two recursive functions over numbers of four bits, whose results are claimed to be small.

use clew_verifier::cfa::{
    FuncId, Havoc, LocId, LocationKind, Op, Program, ProgramBuilder, Property, PropertyKind, Scope, SourceId,
};
use clew_verifier::expr::{BinaryOp, Expr, Sort, Var};

use super::Random;

const NOWHERE: SourceId = SourceId::NONE;
const WIDTH: u16 = 4;
const NUMBER: Sort = Sort::Bits(WIDTH);

/// The program of `seed`. It calls a recursive function on two inputs, fails if the result is greater than `limit`, and
/// returns it otherwise.
pub fn recursive_program(seed: u64, limit: u128) -> Program {
    let mut maker =
        Maker { b: ProgramBuilder::new(64), random: Random::new(seed), functions: Vec::new(), globals: vec![] };
    let globals = 1 + maker.random.below(2);
    for _ in 0..globals {
        let global = maker.b.add_temporary("g", NUMBER, Scope::Global);
        maker.globals.push(global);
    }
    let count = 1 + maker.random.below(2);
    for _ in 0..count {
        let function = maker.b.add_function("f", "f", Some(NUMBER), NOWHERE);
        let params = ["n", "m"].map(|name| maker.b.add_temporary(name, NUMBER, Scope::Local(function)));
        params.iter().for_each(|&param| maker.b.add_param(param));
        maker.functions.push((function, params));
    }
    for at in 0..count {
        maker.body(at);
    }
    maker.main(limit)
}

struct Maker {
    b: ProgramBuilder,
    random: Random,
    functions: Vec<(FuncId, [Var; 2])>,
    globals: Vec<Var>,
}

impl Maker {
    fn number(&mut self) -> Expr {
        let number = self.random.below(4) as u128;
        self.b.pool.bits(WIDTH, number)
    }

    /// A term over `vars` and global variables.
    fn term(&mut self, vars: &[Var]) -> Expr {
        let mut vars = vars.to_vec();
        if self.random.one_in(3) {
            vars.extend(&self.globals);
        }
        let first = self.b.read(vars[self.random.below(vars.len())]);
        let second = if self.random.coin() { self.number() } else { self.b.read(vars[self.random.below(vars.len())]) };
        let ops = [BinaryOp::Add, BinaryOp::Add, BinaryOp::Sub, BinaryOp::BitAnd, BinaryOp::BitOr, BinaryOp::Mul];
        match self.random.below(8) {
            0 => self.number(),
            1 => first,
            at => self.b.pool.binary(ops[at - 2], first, second),
        }
    }

    /// Sometimes changes a global variable.
    fn side_effect(&mut self, at: LocId, vars: &[Var]) -> LocId {
        if !self.random.one_in(3) {
            return at;
        }
        let global = self.globals[self.random.below(self.globals.len())];
        let value = self.term(vars);
        self.b.add_step(at, Op::Assign(global, value), NOWHERE)
    }

    /// `if (n == 0) return …;` and then one or two calls with smaller arguments.
    fn body(&mut self, at: usize) {
        let (function, params) = self.functions[at];
        let entry = self.b.function(function).entry;
        let (n, zero) = (self.b.read(params[0]), self.b.pool.bits(WIDTH, 0));
        let is_zero = self.b.pool.eq(n, zero);
        let more = self.b.pool.not(is_zero);
        let last = self.b.add_step(entry, Op::Assume(is_zero), NOWHERE);
        let last = self.side_effect(last, &params);
        let value = self.term(&params);
        self.b.add_return(last, Some(value), NOWHERE);
        let mut here = self.b.add_step(entry, Op::Assume(more), NOWHERE);
        let mut vars = params.to_vec();
        for _ in 0..if self.random.one_in(4) { 2 } else { 1 } {
            here = self.side_effect(here, &vars);
            let one = self.b.pool.bits(WIDTH, 1);
            let less = self.b.pool.binary(BinaryOp::Sub, n, one);
            let args = [less, self.term(&vars)];
            let result = self.b.add_temporary("t", NUMBER, Scope::Local(function));
            let (callee, _) = self.functions[self.random.below(self.functions.len())];
            here = self.b.add_step(here, Op::Call { callee, args: args.into(), result: Some(result) }, NOWHERE);
            vars.push(result);
        }
        let value = self.term(&vars[1..]);
        self.b.add_return(here, Some(value), NOWHERE);
    }

    fn main(mut self, limit: u128) -> Program {
        let main = self.b.add_function("main", "main", Some(NUMBER), NOWHERE);
        let [x, y, r] = ["x", "y", "r"].map(|name| self.b.add_temporary(name, NUMBER, Scope::Local(main)));
        let mut at = self.b.function(main).entry;
        for global in self.globals.clone() {
            let zero = self.b.pool.bits(WIDTH, 0);
            at = self.b.add_step(at, Op::Assign(global, zero), NOWHERE);
        }
        for input in [x, y] {
            at = self.b.add_step(at, Op::Havoc(input, Havoc::Input), NOWHERE);
        }
        let args = [self.b.read(x), self.b.read(y)];
        let (callee, _) = self.functions[0];
        at = self.b.add_step(at, Op::Call { callee, args: args.into(), result: Some(r) }, NOWHERE);
        let (value, limit) = (self.b.read(r), self.b.pool.bits(WIDTH, limit));
        let is_small = self.b.pool.binary(BinaryOp::UnsignedLessEq, value, limit);
        let is_large = self.b.pool.not(is_small);
        let property = Property::new(PropertyKind::Assert, "", NOWHERE);
        let error = self.b.add_location(main, LocationKind::Error(property));
        self.b.add_edge(at, Op::Assume(is_large), error, NOWHERE);
        let fine = self.b.add_step(at, Op::Assume(is_small), NOWHERE);
        self.b.add_return(fine, Some(value), NOWHERE);
        self.b.finish(main)
    }
}
