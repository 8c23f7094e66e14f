//! Counterexamples as text and as JSON.

use clew_verifier::cfa::program::AddressSpace;
use clew_verifier::cfa::{
    FuncId, Havoc, LocationKind, Op, Program, ProgramBuilder, Property, PropertyKind, PropertySet, Scope, SourceId,
    SourcePlace, Step, VarInfo, VarKind,
};
use clew_verifier::evidence::{Counterexample, PathCheck, check_path};
use clew_verifier::expr::{BinaryOp, Cell, MemorySort, Sort, Var};
use clew_verifier::monitor::{Monitor, Phase};
use clew_verifier::report::{FORMATS, Options, Rendering, Report, Sources, Statistics, Trace, Usage, Violation};

const INT: Sort = Sort::Bits(32);
const SOURCE: &str = "\
int plus5(int n) {
  return n + 5;
}
int table[2];
int main(void) {
  int x = nondet();
\tfor (unsigned i = 0; i < 3; i++) table[1] = i;
  if (plus5(x) == 10 && table[1] == 2) reach_error();
}
";

struct Writer {
    b: ProgramBuilder,
}

impl Writer {
    fn place(&mut self, line: u32, column: u32, function: &str) -> SourceId {
        let file = self.b.sources.file("plus5.c");
        let function = function.into();
        self.b.sources.intern(SourcePlace { file, line, column, function, inlined_at: SourceId::NONE })
    }

    fn variable(&mut self, name: &str, type_name: &str, scope: Scope, line: u32) -> Var {
        let declared = self.place(line, 1, "");
        self.b.add_var(VarInfo {
            name: name.into(),
            sort: INT,
            scope,
            kind: VarKind::Source,
            type_name: Some(type_name.into()),
            declared,
            address: None,
        })
    }
}

/// The program of `SOURCE`, with `table` in memory, and the path of its only run to the error.
fn program() -> (Program, Vec<Step>) {
    let mut w = Writer { b: ProgramBuilder::new(64) };
    let main = w.b.add_function("main", "main", None, SourceId::NONE);
    let x = w.variable("x", "int", Scope::Local(main), 6);
    let i = w.variable("i#2", "unsigned int", Scope::Local(main), 7);
    let result = w.b.add_temporary("t", INT, Scope::Local(main));
    let sort = MemorySort { address: 64, cell: Cell::Bits(32) };
    let memory = w.b.add_temporary("table", Sort::Memory(sort), Scope::Global);
    w.b.address_space = AddressSpace {
        fixed: 0x10000..0x10008,
        objects: vec![(0x10000, 8, "table".into())],
        ..AddressSpace::default()
    };

    let plus5 = w.b.add_function("plus5", "plus5", Some(INT), SourceId::NONE);
    let n = w.variable("n", "int", Scope::Local(plus5), 1);
    w.b.add_param(n);
    let value = w.b.read(n);
    let five = w.b.pool.bits(32, 5);
    let sum = w.b.pool.add(value, five);
    let (place, entry) = (w.place(2, 3, "plus5"), w.b.function(plus5).entry);
    w.b.add_return(entry, Some(sum), place);

    let mut at = w.b.function(main).entry;
    let place = w.place(6, 11, "main");
    at = w.b.add_step(at, Op::Havoc(x, Havoc::Input), place);
    let (place, zero) = (w.place(7, 6, "main"), w.b.pool.bits(32, 0));
    at = w.b.add_step(at, Op::Assign(i, zero), place);
    let head = at;
    let (count, limit, one) = (w.b.read(i), w.b.pool.bits(32, 3), w.b.pool.bits(32, 1));
    let more = w.b.pool.binary(BinaryOp::UnsignedLess, count, limit);
    let done = w.b.pool.not(more);
    let body = w.b.add_step(head, Op::Assume(more), place);
    let (address, next) = (w.b.pool.bits(64, 0x10004), w.b.pool.add(count, one));
    let stored = w.b.add_step(body, Op::Store { memory, address, value: count }, place);
    w.b.add_edge(stored, Op::Assign(i, next), head, place);
    at = w.b.add_step(head, Op::Assume(done), place);

    let place = w.place(8, 7, "main");
    let argument = w.b.read(x);
    at = w.b.add_step(at, Op::Call { callee: plus5, args: [argument].into(), result: Some(result) }, place);
    let (returned, ten, table, two) = (w.b.read(result), w.b.pool.bits(32, 10), w.b.read(memory), w.b.pool.bits(32, 2));
    let cell = w.b.pool.read(table, address, 1);
    let (first, second) = (w.b.pool.eq(returned, ten), w.b.pool.eq(cell, two));
    let both = w.b.pool.and(first, second);
    let place = w.place(8, 40, "main");
    let property = Property::new(PropertyKind::UnreachCall, "reach_error is reached", place);
    let error = w.b.add_location(main, LocationKind::Error(property));
    w.b.add_edge(at, Op::Assume(both), error, place);
    let program = w.b.finish(FuncId(0));
    let path = path(&program);
    (program, path)
}

/// The path with three iterations of the loop.
fn path(program: &Program) -> Vec<Step> {
    let (mut path, mut at, mut calls, mut rounds) = (Vec::new(), program.function(program.start).entry, Vec::new(), 0);
    while !matches!(program.location(at).kind, LocationKind::Error(_)) {
        let mut edges = program.leaving(at);
        let (first, edge) = edges.next().expect("the path goes on");
        let step = match (&edge.op, edges.next()) {
            (Op::Return(_), _) => Step::back(first, calls.pop().expect("a call")),
            (_, Some((second, _))) if rounds == 3 => Step::along(second),
            (_, Some(_)) => {
                rounds += 1;
                Step::along(first)
            }
            _ => Step::along(first),
        };
        if let Op::Call { .. } = edge.op {
            calls.push(first);
        }
        path.push(step);
        at = step.target(program);
    }
    path
}

fn counterexample(program: &Program, path: &[Step]) -> Counterexample {
    let monitor = Monitor::new(None);
    monitor.enter(Phase::Refining);
    match check_path(program, path, &monitor) {
        PathCheck::Feasible(counterexample) => {
            assert_eq!(monitor.phase(), Phase::Refining);
            *counterexample
        }
        other => panic!("{other:?}"),
    }
}

/// The report of one violation in a format.
fn render(format: &str, program: &Program, found: &Counterexample, sources: &dyn Sources) -> String {
    let run = |inputs: &[String]| format!("clew run plus5.c --inputs {}", inputs.join(","));
    let monitor = Monitor::new(None);
    let report = Report {
        violations: vec![Violation::new(program, found, &run, sources)],
        undecided: None,
        kinds: PropertySet::of(&[PropertyKind::UnreachCall]),
        assumptions: &[],
        notes: &[],
        statistics: Statistics::of(&monitor, Usage::default()),
        options: &Options::default(),
        version: "0",
    };
    let format = FORMATS.iter().find(|each| each.name == format).expect("it is in the table");
    let mut out = Vec::new();
    let rendering = Rendering { sources, color: false, statistics: false, trace: Trace::Short };
    (format.render)(&report, rendering, &mut out).expect("a vector takes all");
    String::from_utf8(out).expect("text")
}

#[test]
fn text() {
    let (program, path) = program();
    let source = |path: &str, line: u32| {
        assert_eq!(path, "plus5.c");
        SOURCE.lines().nth(line as usize - 1).map(str::to_string)
    };
    insta::assert_snapshot!(render("text", &program, &counterexample(&program, &path), &source));
}

#[test]
fn json() {
    let (program, path) = program();
    let text = render("json", &program, &counterexample(&program, &path), &|_: &str, _| None);
    let document: serde_json::Value = serde_json::from_str(&text).expect("one document");
    insta::assert_json_snapshot!(document["counterexample"]);
}

#[test]
fn a_path_that_no_run_takes() {
    let (program, path) = program();
    // With one iteration less, the table does not hold what the error needs; the loop condition fails first.
    let (head, length) = (2, 3);
    let mut short = path.clone();
    short.drain(head..head + length);
    match check_path(&program, &short, &Monitor::new(None)) {
        PathCheck::Infeasible { core } => assert_eq!(core, [head + 2 * length]),
        other => panic!("{other:?}"),
    }
    // An invalid path is not reported as infeasible.
    assert!(matches!(check_path(&program, &path[1..], &Monitor::new(None)), PathCheck::Undecided(_)));
}
