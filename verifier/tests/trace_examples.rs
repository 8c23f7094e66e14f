//! Interpolants of the infeasible traces of paper 004, in programs of our own, and of traces that exercise one rule
//! each.

use clew_verifier::cfa::{EdgeId, FuncId, Havoc, LocationKind, Op, ProgramBuilder, Scope, SourceId, Step};
use clew_verifier::expr::{BinaryOp, Cell, Expr, MemorySort, Sort, Var};
use clew_verifier::facts::DomainTypes;
use clew_verifier::formula::Execution;
use clew_verifier::monitor::Monitor;
use clew_verifier::print::Printer;
use clew_verifier::refine::predicate::{
    InterpolationResult, Interpolator, Interpolators, Spacer, StrongestPostconditions, Trace, WeakestPreconditions,
    predicates,
};
use clew_verifier::refine::select::Selection;
use clew_verifier::smt::{Options, Solver};

const WORD: Sort = Sort::Bits(32);

/// All interpolators.
fn interpolators() -> [Box<dyn Interpolator>; 3] {
    [Box::new(WeakestPreconditions), Box::new(StrongestPostconditions), Box::new(Spacer)]
}

/// A path, built step by step.
struct Path {
    b: ProgramBuilder,
    start: FuncId,
    steps: Vec<Op>,
    cuts: Vec<usize>,
}

impl Path {
    fn new() -> Path {
        let mut b = ProgramBuilder::new(32);
        let start = b.add_function("main", "main", None, SourceId::NONE);
        Path { b, start, steps: Vec::new(), cuts: Vec::new() }
    }

    fn var(&mut self, name: &str, sort: Sort) -> (Var, Expr) {
        let var = self.b.add_temporary(name, sort, Scope::Global);
        (var, self.b.read(var))
    }

    fn number(&mut self, number: i128) -> Expr {
        self.b.pool.bits(32, number as u128)
    }

    fn assign(&mut self, var: Var, value: Expr) {
        self.steps.push(Op::Assign(var, value));
    }

    fn set(&mut self, var: Var, number: i128) {
        let value = self.number(number);
        self.assign(var, value);
    }

    /// `var = var + number`.
    fn increase(&mut self, var: Var, number: i128) {
        let (old, number) = (self.b.read(var), self.number(number));
        let value = self.b.pool.add(old, number);
        self.assign(var, value);
    }

    fn input(&mut self, var: Var) {
        self.steps.push(Op::Havoc(var, Havoc::Input));
    }

    fn assume(&mut self, op: BinaryOp, a: Expr, b: Expr) {
        let condition = self.b.pool.binary(op, a, b);
        self.steps.push(Op::Assume(condition));
    }

    fn cut(&mut self) {
        self.cuts.push(self.steps.len());
    }

    /// The steps, with the result of each interpolator at the cuts, and its predicates.
    fn show(mut self) -> String {
        let mut at = self.b.function(self.start).entry;
        for op in &self.steps {
            let next = self.b.add_location(self.start, LocationKind::Normal);
            self.b.add_edge(at, op.clone(), next, SourceId::NONE);
            at = next;
        }
        let mut program = self.b.finish(self.start);
        let mut at = program.function(program.start).entry;
        let mut path = Vec::new();
        for _ in 0..self.steps.len() {
            let (edge, to): (EdgeId, _) = program.leaving(at).map(|(id, edge)| (id, edge.to)).next().expect("a step");
            path.push(Step::along(edge));
            at = to;
        }
        let monitor = Monitor::new(None);
        let mut found = Vec::new();
        let pool = {
            let mut execution = Execution::new(&program, Default::default());
            let mut solver = Solver::new(&monitor, Options::default());
            for interpolator in interpolators() {
                let name = interpolator.name();
                let mut chain = Interpolators::new(vec![interpolator], DomainTypes::new(&program, |_| true).into());
                let trace = Trace::of_path(&mut execution, &path, &self.cuts).expect("it can be expressed");
                let result = chain
                    .interpolate(&mut execution, &mut solver, trace, &mut Selection::new(&[]))
                    .expect("it can be expressed");
                let interpolants = match result {
                    InterpolationResult::Interpolants(interpolants) => Ok(interpolants),
                    InterpolationResult::Hints(_) => {
                        Err(format!("{:?}", chain.counts().next().and_then(|c| c.last_failure.clone())))
                    }
                    result => panic!("{result:?}"),
                };
                let with_atoms = interpolants
                    .map(|list| list.into_iter().map(|i| (i, predicates(&mut execution, i, 32))).collect::<Vec<_>>());
                found.push((name, with_atoms));
            }
            execution.pool
        };
        program.pool = pool;
        let printer = Printer::new(&program).inside(program.start);
        let mut text = String::new();
        for (i, step) in path.iter().enumerate() {
            if let Some(cut) = self.cuts.iter().position(|&cut| cut == i) {
                for (name, interpolants) in &found {
                    let line = match interpolants {
                        Ok(list) => {
                            let atoms: Vec<String> = list[cut].1.iter().map(|&atom| printer.expr(atom)).collect();
                            format!("{}   [{}]", printer.expr(list[cut].0), atoms.join("; "))
                        }
                        Err(why) => why.clone(),
                    };
                    text += &format!("    {name}: {line}\n");
                }
            }
            text += &format!("{}\n", printer.op(&program.edge(step.edge).op));
        }
        text
    }
}

/// The start, one iteration of the loop, and the error of the motivating example: a counter decreases while a number
/// grows by even amounts.
#[test]
fn motivating_example() {
    let mut path = Path::new();
    let ((x, x_now), (y, y_now), (k, k_now)) = (path.var("x", WORD), path.var("y", WORD), path.var("k", WORD));
    path.set(x, 1000);
    path.set(y, 0);
    path.cut();
    let zero = path.number(0);
    path.assume(BinaryOp::SignedLess, zero, x_now);
    path.input(k);
    path.increase(x, -1);
    let double = path.b.pool.add(k_now, k_now);
    let sum = path.b.pool.add(y_now, double);
    path.assign(y, sum);
    path.cut();
    let one = path.number(1);
    let odd = path.b.pool.binary(BinaryOp::BitAnd, y_now, one);
    path.assume(BinaryOp::Eq, odd, one);
    insta::assert_snapshot!(path.show());
}

/// The trace scheme of §5 with two iterations of its loop: the conditions on x and y are irrelevant.
#[test]
fn irrelevant_conditions() {
    let mut path = Path::new();
    let ((x, x_now), (y, y_now), (z, z_now)) = (path.var("x", WORD), path.var("y", WORD), path.var("z", WORD));
    path.set(z, 0);
    path.assume(BinaryOp::SignedLess, x_now, y_now);
    path.cut();
    for _ in 0..2 {
        path.increase(z, 2);
        path.increase(x, 1);
        path.increase(y, 1);
        path.cut();
    }
    let five = path.number(5);
    path.assume(BinaryOp::Eq, z_now, five);
    path.assume(BinaryOp::SignedLess, y_now, x_now);
    insta::assert_snapshot!(path.show());
}

/// The input does not outlive its variable, but the bound does.
#[test]
fn bounded_input() {
    let mut path = Path::new();
    let ((n, n_now), (x, x_now), (y, y_now)) = (path.var("n", WORD), path.var("x", WORD), path.var("y", WORD));
    path.input(n);
    let (ten, twenty) = (path.number(10), path.number(20));
    path.assume(BinaryOp::UnsignedLess, n_now, ten);
    path.assign(x, n_now);
    path.set(n, 0);
    path.cut();
    path.assign(y, x_now);
    path.increase(y, 1);
    path.cut();
    path.assume(BinaryOp::UnsignedLess, twenty, y_now);
    insta::assert_snapshot!(path.show());
}

/// Each input lies between two others.
#[test]
fn inputs_in_between() {
    let mut path = Path::new();
    let ((a, a_now), (b, b_now), (c, c_now)) = (path.var("a", WORD), path.var("b", WORD), path.var("c", WORD));
    path.input(a);
    path.input(b);
    path.assume(BinaryOp::SignedLess, b_now, a_now);
    path.cut();
    path.input(c);
    path.assume(BinaryOp::SignedLessEq, a_now, c_now);
    path.assume(BinaryOp::SignedLessEq, c_now, b_now);
    insta::assert_snapshot!(path.show());
}

/// A cell written and read through two pointers that may be equal.
#[test]
fn cells_behind_pointers() {
    let mut path = Path::new();
    let bytes = Sort::Memory(MemorySort { address: 32, cell: Cell::Bits(8) });
    let (m, m_now) = path.var("m", bytes);
    let ((_, p), (_, q)) = (path.var("p", WORD), path.var("q", WORD));
    let one = path.b.pool.bits(8, 1);
    path.steps.push(Op::Store { memory: m, address: p, value: one });
    path.assume(BinaryOp::Eq, p, q);
    path.cut();
    let two = path.b.pool.bits(8, 2);
    let cell = path.b.pool.read(m_now, q, 1);
    path.assume(BinaryOp::Eq, cell, two);
    insta::assert_snapshot!(path.show());
}

/// Two alternatives of a conditional: predicates contain none.
#[test]
fn choices() {
    let mut path = Path::new();
    let ((a, a_now), (b, b_now)) = (path.var("a", WORD), path.var("b", WORD));
    path.input(a);
    path.cut();
    let (five, three, seven) = (path.number(5), path.number(3), path.number(7));
    let less = path.b.pool.binary(BinaryOp::SignedLess, a_now, five);
    let chosen = path.b.pool.ite(less, three, a_now);
    path.assign(b, chosen);
    path.cut();
    path.assume(BinaryOp::SignedLess, b_now, three);
    path.assume(BinaryOp::SignedLess, b_now, seven);
    insta::assert_snapshot!(path.show());
}

/// Two joined paths form one block: the interpolant at the cut holds after both.
#[test]
fn blocks() {
    let mut b = ProgramBuilder::new(32);
    let main = b.add_function("main", "main", None, SourceId::NONE);
    let [x, y, z] = ["x", "y", "z"].map(|name| b.add_temporary(name, WORD, Scope::Global));
    let [x_now, y_now, z_now] = [x, y, z].map(|var| b.read(var));
    let (zero, ten) = (b.pool.bits(32, 0), b.pool.bits(32, 10));
    let entry = b.function(main).entry;
    let negative = b.pool.binary(BinaryOp::SignedLess, x_now, zero);
    let positive = b.pool.not(negative);
    let minus = b.pool.unary(clew_verifier::expr::UnaryOp::Neg, x_now);
    let small = b.pool.binary(BinaryOp::UnsignedLess, x_now, ten);
    let known = b.add_step(entry, Op::Assume(small), SourceId::NONE);
    let (one, other) = (
        b.add_step(known, Op::Assume(negative), SourceId::NONE),
        b.add_step(known, Op::Assume(positive), SourceId::NONE),
    );
    let meet = b.add_step(one, Op::Assign(y, minus), SourceId::NONE);
    b.add_edge(other, Op::Assign(y, x_now), meet, SourceId::NONE);
    let input = b.add_step(meet, Op::Havoc(z, Havoc::Input), SourceId::NONE);
    let between = b.pool.binary(BinaryOp::SignedLess, z_now, y_now);
    let below = b.add_step(input, Op::Assume(between), SourceId::NONE);
    let above = b.pool.binary(BinaryOp::SignedLess, ten, z_now);
    b.add_step(below, Op::Assume(above), SourceId::NONE);
    let mut program = b.finish(main);
    let monitor = Monitor::new(None);
    let (interpolants, pool) = {
        let mut execution = Execution::new(&program, Default::default());
        let step = |execution: &mut Execution<'_>, way: usize| {
            let (edge, _) = execution.program().leaving(execution.state.location).nth(way).expect("a step");
            execution.step(Step::along(edge)).expect("it can be expressed");
        };
        step(&mut execution, 0);
        let parting = execution.state.clone();
        let ways = [0, 1].map(|way| {
            execution.state = parting.clone();
            step(&mut execution, way);
            step(&mut execution, 0);
            execution.state.clone()
        });
        execution.join(&ways[0], &ways[1]);
        let first = execution.state.clone();
        execution.state = execution.state_at(first.location, []);
        (0..3).for_each(|_| step(&mut execution, 0));
        let blocks = [first, execution.state.clone()];
        let mut solver = Solver::new(&monitor, Options::default());
        let found = interpolators().map(|interpolator| {
            let trace = Trace::of_blocks(&mut execution, &blocks).expect("it can be expressed");
            let mut chain = Interpolators::new(vec![interpolator], DomainTypes::new(&program, |_| true).into());
            match chain.interpolate(&mut execution, &mut solver, trace, &mut Selection::new(&[])) {
                Ok(InterpolationResult::Interpolants(interpolants)) => interpolants[0],
                result => panic!("{result:?}: {:?}", chain.counts().collect::<Vec<_>>()),
            }
        });
        (found, execution.pool)
    };
    program.pool = pool;
    let printer = Printer::new(&program);
    let text = interpolants.map(|interpolant| printer.expr(interpolant)).join("\n");
    insta::assert_snapshot!(text);
}
