//! Programs that ask whether a location is reached: those locations become the only errors.

use super::rebuild::rebuild;
use crate::cfa::Property;
use crate::cfa::program::{LocId, LocationKind, Program};

/// The program in which execution ends at each of the `targets`, as a violation of the property given with it. There are
/// no other errors.
pub fn with_targets(program: &Program, targets: &[(LocId, Property)]) -> Program {
    let mut changed = program.clone();
    changed.unsimplified = None;
    for location in &mut changed.locations {
        if matches!(location.kind, LocationKind::Error(_)) {
            location.kind = LocationKind::Halt;
        }
    }
    let mut keeps = vec![true; changed.edges.len()];
    for (target, property) in targets {
        for edge in changed.locations[target.index()].leaving.clone() {
            keeps[edge as usize] = false;
        }
        changed.locations[target.index()].kind = LocationKind::Error(property.clone());
    }
    rebuild(&mut changed, keeps);
    changed
}
