//! Guessed invariants of loops: those that are proved hold at every visit of every loop head.

mod small;

use std::time::{Duration, Instant};

use clew_verifier::algorithm::bmc::invariants;
use clew_verifier::algorithm::guess::Candidates;
use clew_verifier::cfa::{EdgeId, LocId, Program};
use clew_verifier::expr::eval::{self, Env, Undefined};
use clew_verifier::expr::{Expr, MemorySort, Value, Var};
use clew_verifier::facts::Facts;
use clew_verifier::interpreter::{Interpreter, Limits, SeededInputs, State};
use clew_verifier::monitor::Monitor;
use clew_verifier::tuning::Tuning;

const PROGRAMS: u64 = 60;
const RUNS: u64 = 60;

/// Ends a proof that hangs; all others end long before.
const HANG: Duration = Duration::from_secs(60);

/// A state, as far as it is known.
struct Known<'a, 'p>(&'a State<'p>);

struct Unknown;

impl From<Undefined> for Unknown {
    fn from(_: Undefined) -> Unknown {
        Unknown
    }
}

impl Env for Known<'_, '_> {
    type Stop = Unknown;

    fn var(&mut self, var: Var) -> Result<Value, Unknown> {
        self.0.value(var).ok_or(Unknown)
    }

    fn read(&mut self, _: Var, _: MemorySort, _: u128, _: u16) -> Result<Value, Unknown> {
        Err(Unknown)
    }
}

/// The first clause that a run violates.
fn violation(program: &Program, candidates: &Candidates) -> Option<(u64, LocId, Expr)> {
    let interpreter = Interpreter::new(program);
    for seed in 0..RUNS {
        let mut found = None;
        let mut look = |_: EdgeId, state: &State<'_>| {
            for clause in candidates.at.get(&state.location()).into_iter().flatten() {
                let value = eval::evaluate(&candidates.pool, clause.expr, &mut Known(state)).ok();
                if value == Some(Value::Bool(false)) {
                    found.get_or_insert((seed, state.location(), clause.expr));
                }
            }
        };
        let limits = Limits { steps: 3_000, depth: 20 };
        interpreter.run_observed(&mut SeededInputs::new(seed), limits, &mut look);
        if found.is_some() {
            return found;
        }
    }
    None
}

#[test]
fn proved_invariants_hold_in_all_runs() {
    let mut clauses = 0;
    for (seed, size) in small::programs(PROGRAMS) {
        let program = small::generate(seed, size);
        let mut tuning = Tuning::default();
        (tuning.guess.time, tuning.guess.clauses_time, tuning.guess.clause_time) = (HANG, HANG, HANG);
        // Short runs see less, and guess as much.
        (tuning.guess.long_runs, tuning.guess.run_steps) = (0, 2_000);
        let monitor = Monitor::new(Some(Instant::now() + HANG)).with_tuning(tuning);
        let facts = Facts::new(&program, &monitor.tuning);
        // Invariants are proved only where one of these locations is ahead.
        let everywhere = (0..program.locations.len() as u32).map(LocId).collect();
        let Ok(Some(proved)) = invariants(&facts, everywhere, 8, &monitor) else { continue };
        clauses += proved.at.values().map(Vec::len).sum::<usize>();
        let violation = violation(&program, &proved);
        assert!(violation.is_none(), "seed {seed}, size {size}: {violation:?}\n{}", small::show(&program));
    }
    eprintln!("{clauses} clauses");
    assert!(clauses >= 200, "only {clauses} clauses were proved");
}
