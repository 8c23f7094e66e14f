//! Claims that no run reaches: they hold, but perhaps not as their author thinks.

use super::options::CheckOptions;
use super::{Verdict, check, selected_errors};
use crate::cfa::{Checks, LocId, Program, Property};
use crate::monitor::Monitor;
use crate::simplify::with_targets;

/// More claims than this are not looked at: each that is reached takes another analysis.
const MAX_CLAIMS: usize = 32;

/// The claims of a safe program that no run reaches, as far as `monitor` leaves time to prove that of all others.
pub fn unreached_claims(program: &Program, options: &CheckOptions, monitor: &Monitor) -> Vec<Property> {
    let entering = entering(program);
    let mut claims: Vec<(LocId, Property)> = Vec::new();
    for error in selected_errors(program, options) {
        if let Some(property) = program.location(error).kind.property()
            && property.kind.checks() == Checks::Calls
            && let Some(decision) = decision(program, &entering, error)
            && claims.iter().all(|(known, _)| *known != decision)
        {
            claims.push((decision, property.clone()));
        }
    }
    if claims.len() > MAX_CLAIMS {
        return Vec::new();
    }
    // Without replays: whether a path exists matters, not whether a native run repeats it.
    let mut options = options.clone();
    while !claims.is_empty() {
        let asked = with_targets(program, &claims);
        options.except.clear();
        match check(&asked, &options, monitor) {
            Verdict::Safe => return claims.into_iter().map(|(_, property)| property).collect(),
            Verdict::Unsafe(found) => {
                let before = claims.len();
                claims.retain(|(decision, _)| *decision != found.violation.location);
                if claims.len() == before {
                    return Vec::new();
                }
            }
            Verdict::Unknown(_) => return Vec::new(),
        }
    }
    Vec::new()
}

/// For each location, the locations from which an edge leads there.
fn entering(program: &Program) -> Vec<Vec<LocId>> {
    let mut entering = vec![Vec::new(); program.locations.len()];
    for (at, _) in program.locations.iter().enumerate() {
        let from = LocId(at as u32);
        for (_, edge) in program.leaving(from) {
            entering[edge.to.index()].push(from);
        }
    }
    entering
}

/// Where it is decided whether the claim holds: the last branch before its error location. `None` if there is none, so
/// that reaching the claim is the violation.
fn decision(program: &Program, entering: &[Vec<LocId>], error: LocId) -> Option<LocId> {
    let mut at = error;
    for _ in 0..program.locations.len() {
        let [before] = entering[at.index()].as_slice() else { return None };
        if program.leaving(*before).count() > 1 {
            return Some(*before);
        }
        at = *before;
    }
    None
}
