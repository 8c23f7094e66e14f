//! An exploration with the finest precision beside one that refines: with a few values tracked there may be far more states
//! than with all.

use std::time::Duration;

use super::explore::Explorer;
use super::hunt::{Confirmed, Hunted, Hunter, Witness};
use crate::cpa::Cpa;
use crate::cpa::composite::{Exchange, Pair};
use crate::cpa::control::{ControlCpa, Event};
use crate::monitor::{Monitor, Phase};

/// An exploration that can be interrupted and taken up again. It ends at the first path that it would have to refine.
pub struct Survey<'a, 'p, D: Cpa, X: Exchange<ControlCpa<'p>, D>, W> {
    explorer: Explorer<'a, 'p, D, X>,
    precision: <Pair<ControlCpa<'p>, D, X> as Cpa>::Precision,
    witness: W,
}

impl<'a, 'p, D: Cpa, X: Exchange<ControlCpa<'p>, D>, W> Survey<'a, 'p, D, X, W> {
    /// Explores with this precision.
    pub fn new(
        explorer: Explorer<'a, 'p, D, X>,
        precision: <Pair<ControlCpa<'p>, D, X> as Cpa>::Precision,
        witness: W,
    ) -> Self {
        Survey { explorer, precision, witness }
    }
}

impl<'p, D: Cpa, X: Exchange<ControlCpa<'p>, D>, W: Witness> Hunter<W::Evidence> for Survey<'_, 'p, D, X, W> {
    fn run(&mut self, time: Duration, monitor: &Monitor) -> Hunted<W::Evidence> {
        monitor.enter(Phase::Exploring);
        let start = monitor.elapsed();
        while monitor.elapsed() - start < time {
            if let Err(stop) = monitor.check() {
                return Hunted::Stopped(stop);
            }
            if let Some(target) = self.explorer.next_target(|event| event == Event::Error) {
                return match self.witness.confirm(&self.explorer.path_to(target.node).steps) {
                    Confirmed::Yes(evidence) => Hunted::Error(evidence),
                    Confirmed::No | Confirmed::Perhaps => Hunted::Exhausted,
                };
            }
            match self.explorer.next_waiting() {
                Some(node) => self.explorer.expand(node, &self.precision),
                None if self.explorer.next_target(|_| true).is_some() => return Hunted::Exhausted,
                None => return Hunted::Safe,
            }
        }
        Hunted::Paused
    }
}

/// Several who take turns, until there is nowhere else to look for any of them.
pub struct InTurn<'h, E> {
    /// Those who have not looked everywhere.
    pub hunters: Vec<Box<dyn Hunter<E> + 'h>>,
}

impl<E> Hunter<E> for InTurn<'_, E> {
    fn run(&mut self, time: Duration, monitor: &Monitor) -> Hunted<E> {
        let share = time / self.hunters.len().max(1) as u32;
        let mut at = 0;
        while let Some(hunter) = self.hunters.get_mut(at) {
            match hunter.run(if time == Duration::MAX { time } else { share }, monitor) {
                Hunted::Exhausted => drop(self.hunters.remove(at)),
                Hunted::Paused => at += 1,
                ended => return ended,
            }
        }
        if self.hunters.is_empty() { Hunted::Exhausted } else { Hunted::Paused }
    }
}
