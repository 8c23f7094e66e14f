//! Summaries: proofs for recursive programs by contracts of their recursive functions.
//!
//! A contract is guessed from concrete runs of the program, and then proved by induction over calls (see `prove`). With
//! the contracts, each body is executed once, however deep the recursion is. What is not proved is dropped, so that a
//! guess can only cost time. Errors are not found here: a program that is not proved is left to other analyses.

mod body;
mod contract;
mod guards;
mod guess;
mod interface;
mod observe;
mod prove;
mod table;

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::guess::inputs::constants;
use crate::cfa::{FuncId, LocId, Op, Program};
use crate::evidence::{Reason, Verdict};
use crate::expr::Expr;
use crate::facts::{Constants, Facts, Flow};
use crate::monitor::{Monitor, Phase, StopReason};
use body::Bodies;
pub use contract::{Contract, Contracts, Part, Sample};
use guess::{Guess, Level};
pub use interface::{Interface, Place, Slot, When};
pub use observe::{Observed, observe};
use prove::Prover;

/// Tries to prove that no location of `errors` is reached in the program of `facts`.
pub fn check(facts: &Facts<'_>, errors: Vec<LocId>, monitor: &Monitor) -> Verdict {
    match infer(facts, errors, monitor) {
        Ok((_, true)) => Verdict::Safe,
        Ok((_, false)) => Verdict::Unknown(Reason::NoSummary),
        Err(stop) => Verdict::Unknown(Reason::Stopped(stop)),
    }
}

/// Proved contracts of the recursive functions, and whether they exclude all errors.
pub fn infer(facts: &Facts<'_>, mut errors: Vec<LocId>, monitor: &Monitor) -> Result<(Contracts, bool), StopReason> {
    errors.sort_unstable();
    let (flow, loops, liveness) = (facts.flow(), facts.loops(), facts.liveness());
    let mut contracts = empty(facts.program, &flow);
    // Where a loop is entered beside its head, its body has no state that stands for any iteration.
    if !loops.is_reducible() {
        return Ok((contracts, false));
    }
    monitor.enter(Phase::Exploring);
    let bodies = Bodies::new(facts, (&flow, &loops, &liveness), &errors, monitor);
    let prover = Prover::new(&bodies, monitor);
    if prover.excludes_targets(&contracts)? {
        return Ok((contracts, true));
    }
    let constants = constants(facts.program);
    let observed = observe(facts.program, &contracts, &constants, monitor)?;
    let mut tried = FxHashSet::default();
    for stage in [Stage::Guess(Level::Linear), Stage::Table, Stage::Guess(Level::Nonlinear)] {
        monitor.enter(Phase::Refining);
        match stage {
            Stage::Guess(level) => {
                let (samples, level) = ((&observed, constants.as_slice()), (level, &mut tried));
                guess(facts.program, &flow, &mut contracts, samples, level, monitor);
            }
            Stage::Table => table::tabulate(&bodies, &mut contracts, monitor)?,
        }
        // Whatever was guessed, only what this pass proves is used.
        prover.prune(&mut contracts)?;
        monitor.enter(Phase::Checking);
        if prover.excludes_targets(&contracts)? {
            return Ok((contracts, true));
        }
    }
    Ok((contracts, false))
}

/// Whether all clauses of `contracts` are proved by induction.
pub fn is_proved(facts: &Facts<'_>, contracts: &Contracts, monitor: &Monitor) -> Result<bool, StopReason> {
    let (flow, loops, liveness) = (facts.flow(), facts.loops(), facts.liveness());
    let bodies = Bodies::new(facts, (&flow, &loops, &liveness), &[], monitor);
    Ok(loops.is_reducible() && Prover::new(&bodies, monitor).is_proved(contracts)?)
}

/// How clauses are found.
#[derive(Clone, Copy)]
enum Stage {
    /// From samples.
    Guess(Level),
    /// By tables of results.
    Table,
}

/// Contracts without clauses for all recursive functions that the program can call.
fn empty(program: &Program, flow: &Flow) -> Contracts {
    let constants = Constants::new(program);
    let mut contracts = Contracts::default();
    let mut first = 0;
    for function in called(program).into_iter().filter(|&function| flow.is_recursive(function)) {
        if let Some(interface) = Interface::new(program, &constants, function, first) {
            first += interface.slots.len() as u32;
            let contract = Contract { interface, requires: Vec::new(), ensures: Vec::new() };
            contracts.of.insert(function, contract);
        }
    }
    contracts
}

/// The functions that the start function can call, itself included.
fn called(program: &Program) -> BTreeSet<FuncId> {
    let mut found = BTreeSet::new();
    let mut worklist = vec![program.start];
    while let Some(function) = worklist.pop() {
        if found.insert(function) {
            worklist.extend(program.edges_of(function).filter_map(|(_, edge)| match edge.op {
                Op::Call { callee, .. } => Some(callee),
                _ => None,
            }));
        }
    }
    found
}

/// Adds guesses to all contracts.
fn guess(
    program: &Program,
    flow: &Flow,
    contracts: &mut Contracts,
    (observed, constants): (&Observed, &[i128]),
    (level, tried): (Level, &mut FxHashSet<(FuncId, Part, Expr)>),
    monitor: &Monitor,
) {
    let functions: Vec<FuncId> = contracts.of.keys().copied().collect();
    for function in functions {
        let interface = contracts.of[&function].interface.clone();
        let mut guards = guards::guards(program, flow, &interface, &mut contracts.pool);
        guards.retain(|guard| !contracts.of[&function].requires.contains(guard));
        let limit = monitor.tuning.summary.max_clauses;
        for part in [Part::Requires, Part::Ensures] {
            let (pool, interface) = (&mut contracts.pool, &interface);
            let mut guess = Guess { pool, interface, constants, found: Vec::new(), limit };
            match part {
                Part::Requires => guess.requires(observed.entered.get(&function).map_or(&[], Vec::as_slice), &guards),
                Part::Ensures => {
                    guess.ensures(observed.returned.get(&function).map_or(&[], Vec::as_slice), &guards, level);
                }
            }
            for clause in guess.found {
                // What was refuted once is not tried again with more assumptions: that rarely helps.
                if tried.insert((function, part, clause)) {
                    contracts.add(function, part, clause);
                }
            }
        }
    }
}
