//! Facts about a program that analyses share: control flow, loops, liveness, domain types, constants and sums.

pub mod constants;
pub mod domain;
pub mod flow;
pub mod live;
pub mod loops;
pub mod sums;
pub mod ways;

use std::cell::OnceCell;
use std::rc::Rc;

pub use constants::Constants;
pub use domain::{DomainType, DomainTypes};
pub use flow::Flow;
pub use live::Liveness;
pub use loops::Loops;
pub use sums::Sums;
pub use ways::Ways;

use crate::cfa::{LocId, Program};
use crate::tuning::Tuning;

/// The facts about one program, each computed when it is first asked for.
#[derive(Debug)]
pub struct Facts<'p> {
    /// The program.
    pub program: &'p Program,
    /// The numbers that steer what is computed of it.
    pub tuning: Tuning,
    flow: OnceCell<Rc<Flow>>,
    liveness: OnceCell<Rc<Liveness>>,
    loops: OnceCell<Rc<Loops>>,
    types: OnceCell<Rc<DomainTypes>>,
    sums: OnceCell<Rc<Sums>>,
    ways: OnceCell<Rc<[Ways]>>,
}

impl<'p> Facts<'p> {
    /// Computes nothing yet.
    pub fn new(program: &'p Program, tuning: &Tuning) -> Facts<'p> {
        Facts {
            program,
            tuning: *tuning,
            flow: OnceCell::new(),
            liveness: OnceCell::new(),
            loops: OnceCell::new(),
            types: OnceCell::new(),
            sums: OnceCell::new(),
            ways: OnceCell::new(),
        }
    }

    /// Joins, loop depths, recursion.
    pub fn flow(&self) -> Rc<Flow> {
        Rc::clone(self.flow.get_or_init(|| Rc::new(Flow::new(self.program))))
    }

    /// Where local variables die.
    pub fn liveness(&self) -> Rc<Liveness> {
        Rc::clone(self.liveness.get_or_init(|| Rc::new(Liveness::new(self.program))))
    }

    /// Loops and what they change.
    pub fn loops(&self) -> Rc<Loops> {
        Rc::clone(self.loops.get_or_init(|| Rc::new(Loops::new(self.program))))
    }

    /// What variables are used for.
    pub fn types(&self) -> Rc<DomainTypes> {
        let compute = || {
            let flow = self.flow();
            Rc::new(DomainTypes::new(self.program, |location| flow.loop_depth(location) > 0))
        };
        Rc::clone(self.types.get_or_init(compute))
    }

    /// Sums of variables that are compared.
    pub fn sums(&self) -> Rc<Sums> {
        let compute = || {
            let flow = self.flow();
            Rc::new(Sums::new(self.program, self.tuning.sums, |function| flow.is_recursive(function)))
        };
        Rc::clone(self.sums.get_or_init(compute))
    }

    /// How control leaves each location.
    pub fn ways(&self) -> Rc<[Ways]> {
        let locations = (0..self.program.locations.len() as u32).map(LocId);
        Rc::clone(self.ways.get_or_init(|| locations.map(|location| Ways::new(self.program, location)).collect()))
    }
}
