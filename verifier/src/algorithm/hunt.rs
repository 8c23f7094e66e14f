//! The hunt for an error where a proof is out of reach: symbolic execution along the abstract reachability graph.

use rustc_hash::FxHashSet;

use super::cegar::{Answer, Refine};
use super::explore::Explorer;
use crate::arg::Order;
use crate::cpa::Cpa;
use crate::cpa::composite::{Exchange, Pair};
use crate::cpa::control::{ControlCpa, Event};
use crate::monitor::{Monitor, Phase};

/// Looks for a path to an error that can be confirmed. There will be no proof, because of `reason`.
///
/// Whether a node can be reached is asked where paths part, before it is expanded. One that cannot be reached is cut off.
/// Then those above it do not stand for other nodes any more, as these may be reached where it cannot. Deep and wide
/// search take turns: many errors are found soon in any direction, others only near the start.
pub(super) fn hunt<'p, D, X, R>(
    explorer: &mut Explorer<'_, 'p, D, X>,
    precision: &<Pair<ControlCpa<'p>, D, X> as Cpa>::Precision,
    refiner: &mut R,
    reason: R::Reason,
    monitor: &Monitor,
) -> Answer<R::Evidence, R::Reason>
where
    D: Cpa,
    X: Exchange<ControlCpa<'p>, D>,
    R: Refine<Pair<ControlCpa<'p>, D, X>>,
{
    explorer.restart_in(Order::Alternating);
    let mut released = FxHashSet::default();
    loop {
        while let Some(target) = explorer.next_target(|event| event == Event::Error) {
            let path = explorer.path_to(target.node);
            if let Some(evidence) = refiner.confirm(&path.steps) {
                return Answer::Unsafe(evidence);
            }
            explorer.cut(target.node, &mut released);
        }
        monitor.enter(Phase::Exploring);
        if let Err(stop) = monitor.check() {
            return Answer::Stopped(stop, Some(reason));
        }
        let Some(node) = explorer.next_waiting() else { return Answer::Unknown(reason) };
        if explorer.has_siblings(node) && !refiner.is_possible(&explorer.path_to(node).steps) {
            explorer.cut(node, &mut released);
        } else {
            explorer.expand(node, precision);
        }
    }
}
