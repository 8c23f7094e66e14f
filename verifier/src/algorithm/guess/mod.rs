//! Guesses from concrete runs: what seems to hold at the heads of loops. Proofs are made elsewhere (`bmc::houdini`).
//!
//! Whatever is guessed here, only what a proof keeps is used. So a guess can only cost time.

mod atoms;
pub mod fit;
pub mod inputs;
mod monomials;
mod samples;
pub mod terms;

use std::collections::BTreeMap;

use crate::cfa::{LocId, Program};
use crate::expr::{Expr, Pool, Var};
use crate::facts::{Constants, Facts};
use crate::monitor::{Monitor, StopReason};
use atoms::Guess;
use inputs::constants;
use samples::Head;

/// A candidate for an invariant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clause {
    /// The statement, over the variables of the program.
    pub expr: Expr,
    /// Candidates of one family follow each other at a head; each implies all later ones.
    pub family: u32,
}

/// Candidates for invariants at the heads of loops.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    /// The expressions of the clauses.
    pub pool: Pool,
    /// The clauses of each head.
    pub at: BTreeMap<LocId, Vec<Clause>>,
}

/// Variables that a rewriting has added (see `cells`). Facts about cells depend on where the index is.
#[derive(Clone, Debug, Default)]
pub struct Ghosts {
    /// Indices of distinguished cells; they never change.
    pub indices: Vec<Var>,
    /// The contents of distinguished cells.
    pub cells: Vec<Var>,
}

/// Guesses invariants at the heads of all loops from runs of `runs`, a program with the same locations and variables.
/// `None` if a run violates one of `errors`: then nothing can be proved.
pub fn guess(
    facts: &Facts<'_>,
    runs: &Program,
    ghosts: &Ghosts,
    errors: &[LocId],
    monitor: &Monitor,
) -> Result<Option<Candidates>, StopReason> {
    let program = facts.program;
    let tuning = monitor.tuning.guess;
    let mut heads = samples::heads(facts, &Constants::new(program), ghosts, tuning.max_vars);
    let constants = constants(program);
    if !samples::observe(runs, &mut heads, errors, &constants, monitor)? {
        return Ok(None);
    }
    let mut candidates = Candidates::default();
    let limit = tuning.max_clauses.min(tuning.max_all_clauses / heads.len().max(1));
    for head in &heads {
        let found = clauses(program, head, ghosts, &constants, &mut candidates.pool, limit);
        candidates.at.insert(head.location, found);
    }
    Ok(Some(candidates))
}

fn clauses(
    program: &Program,
    head: &Head,
    ghosts: &Ghosts,
    constants: &[i128],
    pool: &mut Pool,
    limit: usize,
) -> Vec<Clause> {
    let terms = head.terms(program, ghosts, pool);
    let places = head.places(program, ghosts, pool);
    let guards = head.guards(program, pool);
    let mut guess = Guess::new(pool, &head.samples, constants, limit);
    guess.all(&terms, &guards, &places);
    guess.found
}
