//! Distinguished cells: proofs about all cells of arrays by the contents of a few, as Monniaux and Gonnord propose.
//!
//! The program is rewritten to a scalar one. Some locations that read memory are *watched*. For each term of an address
//! there, such as the index `i` of `a[i]`, a ghost index `k` is chosen at the start and never changes. For each array, a
//! ghost scalar holds the contents of the cell at the ghost index. Every write updates it if it hits that cell. A read
//! of that cell gives the scalar, and any other read gives any value. So `a[i] == 0 for all i < n` becomes
//! `k < n implies cell == 0`, which is inductive without quantifiers.
//!
//! Every choice of `k` gives an over-approximation of the program: writes that may touch the cell in part make it
//! unknown, and so does each operation that is not modelled here. It therefore suffices to exclude errors for one choice
//! for each run. For a run to an error, `k` is the value that the term had at the last visit of its watched location.
//! So a flag for each watched location tells whether at its last visit all terms there were equal to their ghost
//! indices. Runs whose flags do not all hold at the error are dropped: the run with the right choice is left. Each
//! watched location has ghost indices of its own, so all of them can be right at once.
//!
//! Addresses may also contain *anchors*: variables that hold the address of an object, such as a pointer to an array on
//! the heap. Where an anchor is written, the cell becomes unknown, for its address has changed.
//!
//! Only proofs carry over; an error of the scalar program says nothing.

mod access;
mod rewrite;
mod watch;

use std::collections::BTreeSet;

use super::bmc::{self, Guesses, Settings};
use super::guess::Ghosts;
use crate::cfa::{LocId, Program};
use crate::evidence::{Reason, Verdict};
use crate::expr::{Expr, Pool};
use crate::facts::Facts;
use crate::monitor::{Monitor, StopReason};
pub use rewrite::{Contents, Rewritten, rewrite};
pub use watch::watched;

/// Tries to prove that no location of `errors` is reached in the program of `facts`.
pub fn check(facts: &Facts<'_>, errors: &[LocId], recursion: u32, monitor: &Monitor) -> Verdict {
    match prove(facts, errors, recursion, monitor) {
        Ok(true) => Verdict::Safe,
        Ok(false) => Verdict::Unknown(Reason::NoCells),
        Err(stop) => Verdict::Unknown(Reason::Stopped(stop)),
    }
}

fn prove(facts: &Facts<'_>, errors: &[LocId], recursion: u32, monitor: &Monitor) -> Result<bool, StopReason> {
    let program = facts.program;
    let errors: BTreeSet<LocId> = errors.iter().copied().collect();
    let watched = watched(program, &errors, monitor.tuning.cells.max_watched);
    if watched.is_empty() {
        return Ok(false);
    }
    let (loops, limit) = (facts.loops(), monitor.tuning.cells.max_cells);
    let Some(scalar) = rewrite(program, &loops, &errors, &watched, Contents::Ghosts, limit) else { return Ok(false) };
    // Reads of other cells give any value in the scalar program, so that its runs say little.
    let Some(exact) = rewrite(program, &loops, &errors, &watched, Contents::All, limit) else { return Ok(false) };
    if !has_same_shape(&scalar.program, &exact.program) {
        return Ok(false);
    }
    let ghosts = Ghosts { indices: scalar.indices, cells: scalar.cells };
    let none = |_: LocId, _: &mut Pool| -> Vec<Expr> { Vec::new() };
    let settings = Settings {
        errors: scalar.program.error_locations().map(|(location, _)| location).collect(),
        bound: Some(monitor.tuning.cells.bound),
        recursion,
        induction: Some(&none),
        guesses: Some(Guesses {
            runs: &exact.program,
            ghosts: &ghosts,
            time: monitor.tuning.cells.time,
            known: None,
            proved: None,
        }),
    };
    let facts = Facts::new(&scalar.program, &facts.tuning);
    let verdict = bmc::check(&facts, settings, monitor);
    monitor.check()?;
    Ok(matches!(verdict, Verdict::Safe))
}

/// Whether locations and variables of both programs are the same.
fn has_same_shape(a: &Program, b: &Program) -> bool {
    let edges = a.edges.iter().map(|edge| (edge.from, edge.to));
    a.locations.len() == b.locations.len()
        && a.vars.len() == b.vars.len()
        && edges.eq(b.edges.iter().map(|edge| (edge.from, edge.to)))
}
