//! Interpolants of infeasible paths for the predicate analysis: random paths through small programs.

mod small;

use std::time::{Duration, Instant};

use clew_verifier::cfa::{EdgeId, LocId, Op, Program, Step};
use clew_verifier::expr::{Expr, Node};
use clew_verifier::facts::DomainTypes;
use clew_verifier::formula::{Execution, State, Symbol};
use clew_verifier::monitor::Monitor;
use clew_verifier::refine::predicate::{
    Core, Feasibility, InterpolationResult, Interpolator, Interpolators, Slices, Spacer, StrongestPostconditions,
    Trace, WeakestPreconditions, check,
};
use clew_verifier::refine::select::{Heuristic, Selection};
use clew_verifier::smt::{Answer, Options, Solver};
use small::Random;

const PROGRAMS: u64 = 25;
const WALKS: u64 = 5;

/// The location at each position of a path, with the active calls.
fn places(program: &Program, path: &[Step]) -> Vec<(LocId, Vec<EdgeId>)> {
    let mut calls = Vec::new();
    let mut places = vec![(program.function(program.start).entry, calls.clone())];
    for step in path {
        match program.edge(step.edge).op {
            Op::Call { .. } => calls.push(step.edge),
            Op::Return(_) => drop(calls.pop()),
            _ => {}
        }
        places.push((step.target(program), calls.clone()));
    }
    places
}

/// What is wrong with interpolants, by executing the segments of the path again with a separate solver.
fn violation(execution: &mut Execution<'_>, path: &[Step], cuts: &[usize], interpolants: &[Expr]) -> Option<String> {
    let monitor = Monitor::new(None);
    let mut solver = Solver::new(&monitor, Options { time: Some(Duration::from_secs(20)), memory: None });
    let places = places(execution.program(), path);
    let start = State::initial(execution.program());
    for &interpolant in interpolants {
        let mut open = vec![interpolant];
        while let Some(expr) = open.pop() {
            if let Node::Var(var) = execution.pool.node(expr)
                && !matches!(execution.symbols.symbol(var), None | Some((Symbol::Outer { .. }, _)))
            {
                return Some("it speaks of inputs".into());
            }
            open.extend(execution.pool.children(expr));
        }
    }
    let mut from = 0;
    for (i, to) in cuts.iter().copied().chain([path.len()]).enumerate() {
        let (location, calls) = places[from].clone();
        execution.state = if i == 0 { start.clone() } else { execution.state_at(location, calls) };
        for &step in &path[from..to] {
            execution.step(step).expect("it has been executed before");
        }
        let mut conditions = Vec::new();
        if let Some(&after) = interpolants.get(i) {
            let after = execution.express(after).expect("about what is under way");
            conditions.push(execution.pool.not(after));
        }
        conditions.extend(i.checked_sub(1).map(|before| interpolants[before]));
        conditions.extend(execution.conditions(&execution.state));
        if !matches!(solver.check_once(&execution.pool, &conditions), Answer::Unsat(_)) {
            return Some(format!("it does not hold after segment {i}"));
        }
        from = to;
    }
    None
}

#[test]
fn interpolants_of_random_paths_fulfil_their_conditions() {
    let mut all: [Box<dyn Interpolator>; 3] =
        [Box::new(WeakestPreconditions), Box::new(StrongestPostconditions), Box::new(Spacer)];
    let (mut successes, mut infeasible) = ([0; 3], 0);
    for (seed, size) in small::programs(PROGRAMS) {
        let program = small::generate(seed, size);
        let mut random = Random::new(seed);
        for _ in 0..WALKS {
            let path = small::walk(&program, &mut random, (5, 60));
            let cuts: Vec<usize> = (1..path.len()).filter(|_| random.below(4) == 0).collect();
            let monitor = Monitor::new(Some(Instant::now() + Duration::from_secs(60)));
            let mut solver = Solver::new(&monitor, Options::default());
            let mut execution = Execution::new(&program, Default::default());
            let Ok(mut trace) = Trace::of_path(&mut execution, &path, &cuts) else { continue };
            let core = match Core::find(&mut execution, &mut solver, &mut trace) {
                Ok(Feasibility::Infeasible(core)) => core,
                Ok(_) => continue,
                Err(why) => panic!("seed {seed}: {why}"),
            };
            infeasible += 1;
            for (interpolator, successes) in all.iter_mut().zip(&mut successes) {
                let found = interpolator.interpolate(&mut execution, &mut solver, &trace, &core);
                let found = found.and_then(|interpolants| {
                    check(&mut execution, &mut solver, &trace, &interpolants).map(|()| interpolants)
                });
                match found {
                    Ok(interpolants) => {
                        *successes += 1;
                        assert_eq!(violation(&mut execution, &path, &cuts, &interpolants), None, "seed {seed}");
                    }
                    Err(why) => eprintln!("seed {seed}, {}: {why}", interpolator.name()),
                }
            }
        }
    }
    eprintln!("{successes:?} of {infeasible}");
    assert!(infeasible > PROGRAMS * WALKS / 2, "only {infeasible} paths are infeasible");
    assert!(successes[0] * 20 >= infeasible * 19, "weakest preconditions: {successes:?} of {infeasible}");
    assert!(successes[1] * 10 >= infeasible * 9, "strongest postconditions: {successes:?} of {infeasible}");
    assert!(successes[2] * 3 >= infeasible, "Spacer: {successes:?} of {infeasible}");
}

/// The interpolants of any infeasible sliced prefix exclude the whole path.
#[test]
fn interpolants_of_every_sliced_prefix_exclude_the_path() {
    for slices in [Slices::Steps, Slices::Blocks] {
        every_sliced_prefix_excludes_the_path(slices);
    }
}

fn every_sliced_prefix_excludes_the_path(slices: Slices) {
    let (mut infeasible, mut found, mut different) = (0, 0, 0_u64);
    for (seed, size) in small::programs(PROGRAMS) {
        let program = small::generate(seed, size);
        let mut random = Random::new(seed);
        let path = small::walk(&program, &mut random, (5, 60));
        let cuts: Vec<usize> = (1..path.len()).filter(|_| random.below(4) == 0).collect();
        let monitor = Monitor::new(Some(Instant::now() + Duration::from_secs(60)));
        let mut solver = Solver::new(&monitor, Options::default());
        let mut execution = Execution::new(&program, Default::default());
        let mut chain = Interpolators::of(None, DomainTypes::new(&program, |_| true).into()).slicing(slices);
        let mut selected = Vec::new();
        for heuristic in [Heuristic::Short, Heuristic::Long, Heuristic::Random(seed)] {
            let Ok(trace) = Trace::of_path(&mut execution, &path, &cuts) else { continue };
            let mut selection = Selection::new(&[heuristic]);
            match chain.interpolate(&mut execution, &mut solver, trace, &mut selection) {
                Ok(InterpolationResult::Interpolants(interpolants)) => {
                    assert_eq!(violation(&mut execution, &path, &cuts, &interpolants), None, "seed {seed}");
                    selected.push(interpolants);
                }
                Ok(InterpolationResult::Hints(_)) => infeasible += 1,
                Ok(_) => {}
                Err(why) => panic!("seed {seed}: {why}"),
            }
        }
        infeasible += selected.len();
        found += selected.len();
        different += u64::from(selected.windows(2).any(|pair| pair[0] != pair[1]));
    }
    eprintln!("{slices:?}: {found} of {infeasible}, {different} paths with different ones");
    assert!(infeasible > PROGRAMS as usize && found * 20 >= infeasible * 19 && different > PROGRAMS / 10);
}
