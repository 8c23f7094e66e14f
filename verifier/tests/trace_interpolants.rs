//! Interpolants of infeasible paths for the predicate analysis: the traces of paper 004, and random ones.

mod small;

use std::time::{Duration, Instant};

use clew_verifier::cfa::{EdgeId, Expr, LocId, Node, Op, Program, Step};
use clew_verifier::cpa::control::control;
use clew_verifier::formula::{Execution, Symbol};
use clew_verifier::monitor::Monitor;
use clew_verifier::refine::predicate::{
    Interpolator, Interpolators, Outcome, StrongestPostconditions, Trace, WeakestPreconditions,
};
use clew_verifier::smt::{Answer, Options, Solver};
use small::Random;

/// A path through the automaton, calls and returns matched, whether or not anything can take it.
fn walk(program: &Program, random: &mut Random) -> Vec<Step> {
    let cpa = control(program, 4);
    let (mut at, mut path) = (clew_verifier::cpa::Cpa::initial(&cpa), Vec::new());
    for _ in 0..random.between(5, 60) {
        let mut steps = cpa.steps(at);
        steps.retain(|step| cpa.event_of_step(at, *step).is_none());
        if steps.is_empty() {
            break;
        }
        let step = steps[random.below(steps.len())];
        let Some(next) = cpa.after(at, step) else { break };
        path.push(step);
        at = next;
    }
    path
}

/// Where control is at each position of a path, and which calls are under way.
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

/// What is wrong with interpolants, found by executing the segments of the path anew with a solver of its own.
fn violation(execution: &mut Execution<'_>, path: &[Step], cuts: &[usize], interpolants: &[Expr]) -> Option<String> {
    let monitor = Monitor::new(None);
    let mut solver = Solver::new(&monitor, Options { time: Some(Duration::from_secs(20)), memory: None });
    let places = places(execution.program(), path);
    let start = Execution::new(execution.program()).state;
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

/// How often each interpolator alone finds interpolants for random paths through small programs.
fn success(interpolator: fn() -> Box<dyn Interpolator>, programs: u64) -> (u64, u64) {
    let (mut successes, mut infeasible) = (0, 0);
    for (seed, size) in small::programs(programs) {
        let program = small::generate(seed, size);
        let mut random = Random::new(seed);
        for _ in 0..5 {
            let path = walk(&program, &mut random);
            let cuts: Vec<usize> = (1..path.len()).filter(|_| random.below(4) == 0).collect();
            let monitor = Monitor::new(Some(Instant::now() + Duration::from_secs(20)));
            let mut solver = Solver::new(&monitor, Options::default());
            let mut execution = Execution::new(&program);
            let Ok(trace) = Trace::of_path(&mut execution, &path, &cuts) else { continue };
            let mut chain = Interpolators::new(vec![interpolator()]);
            match chain.interpolate(&mut execution, &mut solver, trace) {
                Ok(Outcome::Interpolants(interpolants)) => {
                    infeasible += 1;
                    successes += 1;
                    assert_eq!(violation(&mut execution, &path, &cuts, &interpolants), None, "seed {seed}");
                }
                Ok(Outcome::Hints(_)) => {
                    infeasible += 1;
                    eprintln!("seed {seed}: {:?}", chain.counts().collect::<Vec<_>>());
                }
                Ok(Outcome::Feasible | Outcome::Unknown(_)) => {}
                Err(why) => panic!("seed {seed}: {why}"),
            }
        }
    }
    (successes, infeasible)
}

#[test]
fn weakest_preconditions_find_interpolants() {
    let (successes, infeasible) = success(|| Box::new(WeakestPreconditions), 60);
    eprintln!("weakest preconditions: {successes} of {infeasible}");
    assert!(infeasible > 100 && successes * 10 >= infeasible * 9, "{successes} of {infeasible}");
}

#[test]
fn strongest_postconditions_find_interpolants() {
    let (successes, infeasible) = success(|| Box::new(StrongestPostconditions), 60);
    eprintln!("strongest postconditions: {successes} of {infeasible}");
    assert!(infeasible > 100 && successes * 10 >= infeasible * 8, "{successes} of {infeasible}");
}
