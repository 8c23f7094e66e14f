//! Numbering of the locations of a function for printing.

use crate::cfa::program::{FuncId, LocId, Program};

/// The locations of a function in reverse postorder: `L0` is the entry, and only back edges lead to lower numbers.
#[derive(Clone, Debug)]
pub struct Numbering {
    order: Vec<LocId>,
    numbers: Vec<u32>,
    first: u32,
    reachable: usize,
    shown: usize,
}

impl Numbering {
    /// Numbers the locations of `function`; unreachable ones come last.
    pub fn new(program: &Program, function: FuncId) -> Self {
        let function = program.function(function);
        let first = function.locations.start;
        let mut seen = vec![false; function.locations.len()];
        let mut order = Vec::with_capacity(seen.len());
        // Successors are visited from last to first, so that the target of the first edge gets the lowest number.
        let mut stack = vec![(function.entry, program.location(function.entry).leaving.end)];
        seen[(function.entry.0 - first) as usize] = true;
        while let Some((location, next)) = stack.last_mut() {
            if *next == program.location(*location).leaving.start {
                order.push(*location);
                stack.pop();
                continue;
            }
            *next -= 1;
            let target = program.edges[*next as usize].to;
            if !std::mem::replace(&mut seen[(target.0 - first) as usize], true) {
                stack.push((target, program.location(target).leaving.end));
            }
        }
        order.reverse();
        let reachable = order.len();
        order.extend(function.locations.clone().map(LocId).filter(|l| !seen[(l.0 - first) as usize]));
        let mut numbers = vec![0; order.len()];
        for (number, location) in order.iter().enumerate() {
            numbers[(location.0 - first) as usize] = number as u32;
        }
        // Simplification keeps the ids of what it removes.
        let shown = if program.unsimplified.is_some() { reachable } else { order.len() };
        Numbering { order, numbers, first, reachable, shown }
    }

    /// The locations in order, without what simplification has removed.
    pub fn locations(&self) -> &[LocId] {
        &self.order[..self.shown]
    }

    /// The number of a location of the function.
    pub fn number(&self, location: LocId) -> u32 {
        self.numbers[(location.0 - self.first) as usize]
    }

    /// Whether a location is reachable from the entry.
    pub fn reaches(&self, location: LocId) -> bool {
        (self.number(location) as usize) < self.reachable
    }
}
