//! How long the parts of an analysis take: value transfer, path formulas, boolean abstraction, covering, and the lifter.
//!
//! `cargo bench --package clew-testsuite --bench parts` runs them; `scripts/callgrind` counts instructions of whole runs.

use std::hint::black_box;

use clew_frontend_llvm::compile::{Cache, CompileOptions, Context, Loaded, MODELS, link_models, load, prepare};
use clew_frontend_llvm::{LiftOptions, lift};
use clew_verifier::abstraction::{Abstraction, Method, Regions};
use clew_verifier::arg::{Draft, Reached};
use clew_verifier::cfa::{Program, Step};
use clew_verifier::cpa::Cpa;
use clew_verifier::cpa::control::{Control, Controlled};
use clew_verifier::cpa::value::precision::ValuePrecision;
use clew_verifier::cpa::value::{ValueState, Values};
use clew_verifier::expr::{BinaryOp, Expr, Pool, Sort, Var};
use clew_verifier::facts::Facts;
use clew_verifier::formula::PathFormula;
use clew_verifier::monitor::Monitor;
use clew_verifier::smt::{Options, Solver};
use clew_verifier::tuning::Tuning;
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};

/// How many states and steps the inputs of the benchmarks have.
const STATES: usize = 5_000;
const STEPS: usize = 500;

fn compile<'c>(context: &'c Context, file: &str) -> Loaded<'c> {
    let file = clew_testsuite::testsuite().join(file);
    let loaded = load(context, &[file], &CompileOptions::default()).expect("the program compiles");
    link_models(context, &loaded.module, loaded.data_model, MODELS, &Cache::of_user()).expect("models are linked");
    prepare(&loaded.module, "main").expect("the program has a main");
    loaded
}

fn program(file: &str) -> Program {
    let context = Context::create();
    lift(&compile(&context, file).module, &LiftOptions::default()).expect("the program is lifted")
}

type State = (Control, ValueState);

/// The first states that breadth-first exploration without covering reaches, and the steps from them.
fn walk(cpa: &Controlled<'_, Values<'_>>) -> Vec<(State, Step)> {
    let precision = ValuePrecision::full();
    let mut states = vec![cpa.initial()];
    let mut steps = Vec::new();
    let mut next = 0;
    while next < states.len() && steps.len() < STATES {
        for step in cpa.control.steps(states[next].0) {
            let state = states[next].clone();
            steps.push((state.clone(), step));
            states.extend(cpa.transfer(state, &precision, step));
        }
        next += 1;
    }
    steps
}

/// A feasible path: the first successor that has one, step by step.
fn path(cpa: &Controlled<'_, Values<'_>>) -> Vec<Step> {
    let precision = ValuePrecision::full();
    let mut state = cpa.initial();
    let mut path = Vec::new();
    while path.len() < STEPS {
        let successors = cpa.control.steps(state.0).into_iter().find_map(|step| {
            let after = cpa.transfer(state.clone(), &precision, step).pop()?;
            (!cpa.control.is_error(after.0.0)).then_some((step, after))
        });
        let Some((step, after)) = successors else { break };
        path.push(step);
        state = after;
    }
    path
}

fn values(c: &mut Criterion) {
    let program = program("benches/programs/states.c");
    let tuning = Tuning::default();
    let facts = Facts::new(&program, &tuning);
    let cpa = Controlled::new(&program, 100, Values::new(&facts));
    let steps = walk(&cpa);
    let precision = ValuePrecision::full();
    c.bench_function("value transfer, 5000 steps", |b| {
        b.iter_batched(
            || steps.clone(),
            |steps| steps.into_iter().map(|(state, step)| cpa.transfer(state, &precision, step).len()).sum::<usize>(),
            BatchSize::LargeInput,
        );
    });
    c.bench_function("covering, 5000 states", |b| {
        b.iter(|| {
            let mut reached = Reached::new(8);
            let mut covered = 0;
            let mut parent = None;
            for (state, _) in &steps {
                if reached.stop(&cpa, state).is_some() {
                    covered += 1;
                } else {
                    let draft = Draft::default();
                    parent = Some(reached.add(&cpa, parent.map(|node| (node, &draft)), state.clone()));
                }
            }
            black_box(covered)
        });
    });
}

fn formulas(c: &mut Criterion) {
    let program = program("benches/programs/locks.c");
    let tuning = Tuning::default();
    let facts = Facts::new(&program, &tuning);
    let cpa = Controlled::new(&program, 100, Values::new(&facts));
    let path = path(&cpa);
    assert!(path.len() >= 20, "the path has {} steps", path.len());
    c.bench_function("path formula", |b| {
        b.iter(|| PathFormula::new(&program, black_box(&path), tuning.formula).expect("the path can be expressed"));
    });
}

/// `x < limit`, for a variable of 32 bits.
fn below(pool: &mut Pool, var: u32, limit: u128) -> Expr {
    let (var, limit) = (pool.var(Var(var), Sort::Bits(32)), pool.bits(32, limit));
    pool.binary(BinaryOp::UnsignedLess, var, limit)
}

fn abstractions(c: &mut Criterion) {
    let monitor = Monitor::new(None);
    c.bench_function("boolean abstraction, 8 predicates", |b| {
        b.iter(|| {
            let (mut pool, regions) = (Pool::default(), Regions::new(1 << 16));
            let mut solver = Solver::new(&monitor, Options::default());
            let (x, y) = (pool.var(Var(0), Sort::Bits(32)), pool.var(Var(1), Sort::Bits(32)));
            let sum = pool.binary(BinaryOp::Add, x, y);
            let limit = pool.bits(32, 100);
            let formula =
                [below(&mut pool, 0, 50), below(&mut pool, 1, 50), pool.binary(BinaryOp::UnsignedLess, sum, limit)];
            let predicates: Vec<(u32, Expr)> =
                (0..8).map(|n| (n, below(&mut pool, n % 2, u128::from(n) * 10 + 5))).collect();
            let found =
                Abstraction::new().compute(&mut solver, &mut pool, &regions, &formula, &predicates, Method::Boolean);
            regions.nodes(&found.expect("nothing stops it"))
        });
    });
}

fn lifter(c: &mut Criterion) {
    let context = Context::create();
    for file in ["programs/sorting.c", "programs/containers.cpp"] {
        let loaded = compile(&context, file);
        c.bench_function(&format!("lift {file}"), |b| {
            b.iter(|| lift(&loaded.module, &LiftOptions::default()).expect("the program is lifted"));
        });
    }
}

criterion_group! {
    name = parts;
    config = Criterion::default().sample_size(20);
    targets = values, formulas, abstractions, lifter
}
criterion_main!(parts);
