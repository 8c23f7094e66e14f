//! Path formulas and replay agree with the interpreter on small random programs.
//!
//! A program is a list of statements, some of which branch to an error. Every path to an error is checked: one taken by
//! a random run must be feasible, and a feasible one must replay.

mod trees;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use clew_verifier::cfa::program::AddressSpace;
use clew_verifier::cfa::{
    EdgeId, FuncId, Havoc, InitialCells, LocId, LocationKind, Op, Program, ProgramBuilder, Property, PropertyKind,
    Scope, Segment, SourceId, Step,
};
use clew_verifier::evidence::{PathCheck, Reason, check_path};
use clew_verifier::expr::{BinaryOp, Cell, MemorySort, Sort, TernaryOp, UnaryOp, Value, Var};
use clew_verifier::formula::Execution;
use clew_verifier::interpreter::{Interpreter, Limits, RunEnd, SeededInputs, State};
use clew_verifier::monitor::Monitor;
use clew_verifier::smt::{Answer, Options, Solver};
use proptest::prelude::*;
use trees::{Maker, Tree, build};

const BYTES: Sort = Sort::Memory(MemorySort { address: 64, cell: Cell::Bits(8) });
const BASE: u64 = 0x2000;

/// A statement before the variables of the program are declared.
#[derive(Debug)]
enum Statement {
    Assign(Var, Tree),
    Havoc(Var),
    Branch(Tree),
    Store(Var, Tree, Tree),
    Forget(Var, Tree, Tree),
    Fill(Var, Tree, Tree, Tree),
    Copy(Var, Tree, Var, Tree, Tree),
    Initialize(Var, u32),
    /// Calls a function that returns its tree, which does not use the parameter.
    Call(Var, Tree),
}

fn var(tree: &Tree) -> Var {
    match tree {
        Tree::Var(var, _) => *var,
        _ => unreachable!("a variable was asked for"),
    }
}

fn constant(width: u16, bits: u64) -> Tree {
    Tree::Const(Value::bits(width, bits.into()))
}

struct Writer<'a> {
    maker: Maker<'a>,
}

impl Writer<'_> {
    fn scalar(&mut self) -> Sort {
        let width = self.maker.width();
        self.maker.pick(&[Sort::Bits(width), Sort::Bits(8), Sort::Bits(32), Sort::Bool])
    }

    fn memory(&mut self) -> Var {
        var(&self.maker.var(BYTES))
    }

    /// An address that is constant, or has one of a few values.
    fn address(&mut self) -> Tree {
        let offset = u64::from(self.maker.byte() % 8);
        if self.maker.byte().is_multiple_of(2) {
            return constant(64, BASE + offset);
        }
        let few = Tree::Binary(BinaryOp::BitAnd, Box::new(self.maker.var(Sort::Bits(64))), Box::new(constant(64, 7)));
        Tree::Binary(BinaryOp::Add, Box::new(few), Box::new(constant(64, BASE + offset)))
    }

    fn length(&mut self) -> Tree {
        let length = u64::from(self.maker.byte() % 6);
        match self.maker.byte() % 4 {
            0 => Tree::Unary(
                UnaryOp::ZeroExtend(64),
                Box::new(Tree::Unary(UnaryOp::Extract { low: 0, width: 3 }, Box::new(self.maker.var(Sort::Bits(8))))),
            ),
            1 => constant(64, 3000 + length),
            _ => constant(64, length),
        }
    }

    fn statement(&mut self) -> Statement {
        let depth = 2;
        match self.maker.byte() % 16 {
            0..=2 => {
                let sort = self.scalar();
                let target = var(&self.maker.var(sort));
                Statement::Assign(target, self.maker.tree(sort, depth))
            }
            3 => {
                let sort = self.scalar();
                Statement::Havoc(var(&self.maker.var(sort)))
            }
            4..=6 => Statement::Branch(self.maker.tree(Sort::Bool, depth)),
            7..=8 => {
                let (memory, address) = (self.memory(), self.address());
                let width = self.maker.pick(&[8, 16, 32]);
                Statement::Store(memory, address, self.maker.tree(Sort::Bits(width), depth))
            }
            9 => Statement::Forget(self.memory(), self.address(), self.length()),
            10 => {
                let (memory, address, length) = (self.memory(), self.address(), self.length());
                Statement::Fill(memory, address, self.maker.tree(Sort::Bits(8), 1), length)
            }
            11 => {
                let (target, to, source, from) = (self.memory(), self.address(), self.memory(), self.address());
                Statement::Copy(target, to, source, from, self.length())
            }
            12 => Statement::Initialize(self.memory(), u32::from(self.maker.byte() % 2)),
            13 => {
                let (target, source) = (self.memory(), self.maker.var(BYTES));
                Statement::Assign(target, source)
            }
            14 => Statement::Havoc(self.memory()),
            _ => {
                let sort = self.scalar();
                let target = var(&self.maker.var(sort));
                Statement::Call(target, self.maker.tree(sort, depth))
            }
        }
    }
}

/// Initial contents with data, and with a long run of zeros.
fn contents() -> Vec<InitialCells> {
    let segments = vec![
        Segment { address: BASE, bytes: 3, data: [7, 8, 9].into() },
        Segment { address: BASE + 5, bytes: 100_000, data: [1].into() },
    ];
    vec![InitialCells { segments }, InitialCells { segments: vec![] }]
}

fn program(bytes: &[u8]) -> (Program, Vec<Statement>) {
    let mut maker = Maker { plain_memories: true, base: BASE.into(), ..Maker::new(bytes) };
    let checked = maker.byte() % 2 == 1;
    let mut writer = Writer { maker };
    let count = 2 + writer.maker.byte() % 8;
    let statements: Vec<Statement> = (0..count).map(|_| writer.statement()).collect();
    let sorts = writer.maker.sorts;
    let mut b = ProgramBuilder::new(64);
    let start = b.add_function("start", "start", None, SourceId::NONE);
    for (i, &sort) in sorts.iter().enumerate() {
        let scope = if i % 3 == 0 { Scope::Local(start) } else { Scope::Global };
        b.add_temporary(&format!("v{i}"), sort, scope);
    }
    b.initial = contents();
    let heap_top = b.add_temporary("heap.top", Sort::Bits(64), Scope::Global);
    if checked {
        b.address_space = AddressSpace {
            fixed: BASE..BASE + 8,
            heap_base: BASE + 16,
            heap_top: Some(heap_top),
            ..AddressSpace::default()
        };
    }
    let top = b.pool.bits(64, (BASE + 20).into());
    let mut at = b.function(start).entry;
    at = b.add_step(at, Op::Assign(heap_top, top), SourceId::NONE);
    for statement in &statements {
        at = add(&mut b, start, at, statement);
    }
    let error = error(&mut b, start);
    b.add_edge(at, Op::Skip, error, SourceId::NONE);
    (b.finish(FuncId(0)), statements)
}

fn error(b: &mut ProgramBuilder, function: FuncId) -> LocId {
    let property = Property::new(PropertyKind::Assert, "reached", SourceId::NONE);
    b.add_location(function, LocationKind::Error(property))
}

fn add(b: &mut ProgramBuilder, start: FuncId, at: LocId, statement: &Statement) -> LocId {
    let op = match statement {
        Statement::Assign(var, tree) => Op::Assign(*var, build(tree, &mut b.pool)),
        Statement::Havoc(var) => Op::Havoc(*var, Havoc::Input),
        Statement::Branch(tree) => {
            let condition = build(tree, &mut b.pool);
            let negation = b.pool.not(condition);
            let other = b.add_step(at, Op::Assume(negation), SourceId::NONE);
            let error = error(b, start);
            b.add_edge(other, Op::Skip, error, SourceId::NONE);
            Op::Assume(condition)
        }
        Statement::Store(memory, address, value) => {
            let (address, value) = (build(address, &mut b.pool), build(value, &mut b.pool));
            Op::Store { memory: *memory, address, value }
        }
        Statement::Forget(memory, address, bytes) => {
            let (address, bytes) = (build(address, &mut b.pool), build(bytes, &mut b.pool));
            Op::Forget { memory: *memory, address, bytes }
        }
        Statement::Fill(memory, address, byte, bytes) => {
            let (address, bytes) = (build(address, &mut b.pool), build(bytes, &mut b.pool));
            Op::Fill { memory: *memory, address, byte: build(byte, &mut b.pool), bytes }
        }
        Statement::Copy(target, to, source, from, bytes) => {
            let (to, from) = (build(to, &mut b.pool), build(from, &mut b.pool));
            Op::Copy { target: *target, to, source: *source, from, bytes: build(bytes, &mut b.pool) }
        }
        Statement::Initialize(memory, contents) => Op::Initialize { memory: *memory, contents: *contents },
        Statement::Call(result, tree) => {
            let sort = b.var(*result).sort;
            let callee = b.add_function("f", "f", Some(sort), SourceId::NONE);
            let (param, local) =
                (b.add_temporary("x", sort, Scope::Local(callee)), b.add_temporary("y", sort, Scope::Local(callee)));
            b.add_param(param);
            let arg = build(tree, &mut b.pool);
            let (x, y) = (b.read(param), b.read(local));
            let which = b.pool.eq(x, y);
            let value = b.pool.ternary(TernaryOp::Ite, which, x, y);
            let entry = b.function(callee).entry;
            b.add_return(entry, Some(value), SourceId::NONE);
            Op::Call { callee, args: [arg].into(), result: Some(*result) }
        }
    };
    b.add_step(at, op, SourceId::NONE)
}

/// The path of a run with random inputs, if it ends with an error.
fn random_path(program: &Program, seed: u64) -> Option<Vec<Step>> {
    let mut edges = Vec::new();
    let mut observe = |edge: EdgeId, _: &State<'_>| edges.push(edge);
    let limits = Limits { steps: 10_000, depth: 10 };
    let run = Interpreter::new(program).run_observed(&mut SeededInputs::new(seed), limits, &mut observe);
    matches!(run.end, RunEnd::Error(_)).then(|| steps(program, edges))
}

fn steps(program: &Program, edges: Vec<EdgeId>) -> Vec<Step> {
    let mut calls = Vec::new();
    let step = |edge| match program.edge(edge).op {
        Op::Call { .. } => {
            calls.push(edge);
            Step::along(edge)
        }
        Op::Return(_) => Step::back(edge, calls.pop().expect("a call")),
        _ => Step::along(edge),
    };
    edges.into_iter().map(step).collect()
}

/// All paths to errors; there are no loops.
fn all_paths(program: &Program) -> Vec<Vec<Step>> {
    let (mut done, mut open) = (Vec::new(), vec![(program.function(program.start).entry, Vec::new(), Vec::new())]);
    while let Some((location, path, calls)) = open.pop() {
        if let LocationKind::Error(_) = program.location(location).kind {
            done.push(path);
            continue;
        }
        for (id, edge) in program.leaving(location) {
            let (mut path, mut calls): (Vec<Step>, Vec<EdgeId>) = (path.clone(), calls.clone());
            let step = match edge.op {
                Op::Return(_) => match calls.pop() {
                    Some(call) => Step::back(id, call),
                    None => continue,
                },
                _ => Step::along(id),
            };
            if let Op::Call { .. } = edge.op {
                calls.push(id);
            }
            path.push(step);
            open.push((step.target(program), path, calls));
        }
    }
    done
}

fn check(bytes: &[u8], seed: u64) {
    let (program, statements) = program(bytes);
    let taken: BTreeSet<Vec<Step>> = (0..60).filter_map(|i| random_path(&program, seed ^ i)).collect();
    for path in all_paths(&program) {
        // Some floating-point queries take very long.
        let monitor = Monitor::new(Some(Instant::now() + Duration::from_millis(500)));
        match check_path(&program, &path, &monitor) {
            PathCheck::Feasible(counterexample) => {
                assert_eq!(counterexample.path, path);
                assert_eq!(counterexample.records.len(), path.len());
            }
            PathCheck::Infeasible { core } => {
                assert!(core.iter().all(|&step| step < path.len()) && !core.is_empty());
                assert!(!taken.contains(&path), "a run takes {path:?} of {statements:#?}");
            }
            PathCheck::Undecided(Reason::Stopped(_)) => {}
            PathCheck::Undecided(Reason::Solver { why, .. }) => {
                // The remainder of large floats is over-approximated.
                let expected = ["approximated", "timeout", "canceled"].iter().any(|word| why.contains(word))
                    || why.contains("does not satisfy") && format!("{statements:?}").contains("FloatRem");
                assert!(expected, "{why}: {path:?} of {statements:#?}");
            }
            PathCheck::Undecided(reason) => panic!("{reason:?}: {path:?} of {statements:#?}"),
        }
    }
    assert!(taken.iter().all(|path| !path.is_empty()));
}

/// Whether a path is feasible, with memories as arrays or with cells as variables. `None` if that is not known.
fn is_feasible(program: &Program, path: &[Step], tracks_cells: bool) -> Option<bool> {
    let monitor = Monitor::new(Some(Instant::now() + Duration::from_millis(500)));
    let mut execution = Execution::new(program, monitor.tuning.formula);
    if tracks_cells {
        execution.track_cells();
    }
    let mut conditions = Vec::new();
    for &step in path {
        if let Some(condition) = execution.step(step).expect("all steps are supported") {
            conditions.push(condition);
            if execution.pool.as_const(condition).is_some() {
                return Some(false);
            }
        }
    }
    match Solver::new(&monitor, Options::default()).check_once(&execution.pool, &conditions) {
        Answer::Unsat(_) => Some(false),
        Answer::Sat(_) if execution.inexact.is_none() => Some(true),
        _ => None,
    }
}

fn compare(bytes: &[u8], seed: u64) {
    let (program, statements) = program(bytes);
    let taken: BTreeSet<Vec<Step>> = (0..60).filter_map(|i| random_path(&program, seed ^ i)).collect();
    for path in all_paths(&program).into_iter().take(20) {
        let with_cells = is_feasible(&program, &path, true);
        if taken.contains(&path) {
            assert_ne!(with_cells, Some(false), "a run takes {path:?} of {statements:#?}");
        } else if let (Some(with_cells), Some(with_arrays)) = (with_cells, is_feasible(&program, &path, false)) {
            assert_eq!(with_cells, with_arrays, "{path:?} of {statements:#?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, max_shrink_iters: 300, ..ProptestConfig::default() })]

    #[test]
    fn cells_as_variables_agree_with_arrays(bytes in prop::collection::vec(any::<u8>(), 0..300), seed in any::<u64>()) {
        compare(&bytes, seed);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, max_shrink_iters: 300, cases: ProptestConfig::default().cases / 2, ..ProptestConfig::default() })]

    #[test]
    fn formulas_and_replay_agree_with_the_interpreter(bytes in prop::collection::vec(any::<u8>(), 0..300), seed in any::<u64>()) {
        check(&bytes, seed);
    }
}
