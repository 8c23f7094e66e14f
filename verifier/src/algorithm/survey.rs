//! An exploration with the finest precision beside one that refines: tracking few values can mean far more states.

use std::time::Duration;

use super::explore::{Exploration, Explorer};
use super::hunt::{Hunted, Hunter};
use crate::cpa::Index;
use crate::cpa::control::Event;
use crate::evidence::{Checker, PathCheck};
use crate::monitor::{Monitor, Phase};

/// An exploration that can be paused and resumed. It ends at the first path that would have to be refined.
pub struct Survey<'a, 'p, D: Index> {
    explorer: Explorer<'a, 'p, D>,
    precision: D::Precision,
    checker: Checker<'a>,
    /// Whether some path ends at a step that cannot be followed, which may lead to an error.
    is_doubtful: bool,
}

impl<'a, 'p, D: Index> Survey<'a, 'p, D> {
    /// Explores with this precision.
    pub fn new(explorer: Explorer<'a, 'p, D>, precision: D::Precision, checker: Checker<'a>) -> Self {
        Survey { explorer, precision, checker, is_doubtful: false }
    }
}

impl<D: Index> Hunter for Survey<'_, '_, D> {
    fn run(&mut self, time: Duration, monitor: &Monitor) -> Hunted {
        monitor.enter(Phase::Exploring);
        let end = monitor.elapsed().saturating_add(time);
        loop {
            let explored = self.explorer.explore_choosing(&self.precision, |explorer| {
                if monitor.elapsed() < end { explorer.next_waiting() } else { None }
            });
            return match explored {
                Exploration::Stopped(stop) => Hunted::Stopped(stop),
                Exploration::Target(target) if target.event == Event::Error => {
                    match self.checker.confirm(&self.explorer.path_to(target.node).steps) {
                        PathCheck::Feasible(counterexample) => Hunted::Error(counterexample),
                        PathCheck::Infeasible { .. } | PathCheck::Undecided(_) => Hunted::Exhausted,
                    }
                }
                Exploration::Target(_) => {
                    self.is_doubtful = true;
                    continue;
                }
                Exploration::Complete | Exploration::Paused if monitor.elapsed() >= end => Hunted::Paused,
                Exploration::Complete | Exploration::Paused if self.is_doubtful => Hunted::Exhausted,
                Exploration::Complete | Exploration::Paused => Hunted::Safe,
            };
        }
    }
}

/// Several hunters that take turns, until all are exhausted.
pub struct InTurn<'h> {
    /// Those that are not exhausted.
    pub hunters: Vec<Box<dyn Hunter + 'h>>,
}

impl Hunter for InTurn<'_> {
    fn run(&mut self, time: Duration, monitor: &Monitor) -> Hunted {
        let share = time / self.hunters.len().max(1) as u32;
        let mut at = 0;
        while let Some(hunter) = self.hunters.get_mut(at) {
            match hunter.run(share, monitor) {
                Hunted::Exhausted => drop(self.hunters.remove(at)),
                Hunted::Paused => at += 1,
                ended => return ended,
            }
        }
        if self.hunters.is_empty() { Hunted::Exhausted } else { Hunted::Paused }
    }
}
