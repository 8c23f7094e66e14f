//! Hunters that run beside an analysis. They track all values, independently of its precision.

use std::cell::Cell;
use std::time::Duration;

use crate::algorithm::{Explorer, Hunt, Hunted, Hunter, InTurn, Proofs, Survey};
use crate::arg::Order;
use crate::cpa::value::Values;
use crate::cpa::value::precision::ValuePrecision;
use crate::evidence::Checker;
use crate::monitor::{Monitor, StopReason};

/// A hunt for errors, and a survey for a proof unless the analysis itself tracks all values.
pub(super) fn hunters<'a, 'p: 'a>(
    explorer: &Explorer<'a, 'p, Values<'p>>,
    full: bool,
    proofs: Proofs,
    monitor: &'a Monitor,
) -> InTurn<'a> {
    let checker = || Checker::new(explorer.cpa.program(), monitor);
    let all = ValuePrecision::full();
    let hunt = Hunt::new(explorer.another(Order::Alternating), all.clone(), checker(), proofs);
    let mut hunters: Vec<Box<dyn Hunter + 'a>> = vec![Box::new(hunt)];
    if !full {
        hunters.push(Box::new(Survey::new(explorer.another(Order::DepthFirst), all, checker())));
    }
    InTurn { hunters }
}

/// Hunts, but stops an analysis that unrolls loops, in favour of predicates.
pub(super) struct UnrollLimit<'h> {
    pub hunter: &'h mut dyn Hunter,
    /// Whether the analysis tracks a counter.
    pub tracks_counter: &'h Cell<bool>,
}

impl Hunter for UnrollLimit<'_> {
    fn run(&mut self, time: Duration, monitor: &Monitor) -> Hunted {
        if self.tracks_counter.get() {
            return Hunted::Stopped(StopReason::Turn);
        }
        match self.hunter.run(time, monitor) {
            // Unrolling a loop may still take long.
            Hunted::Exhausted => Hunted::Paused,
            hunted => hunted,
        }
    }
}
