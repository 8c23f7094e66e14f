//! The concrete interpreter: the reference semantics of programs.
//!
//! An interpreter executes one path. Everything that the program does not determine comes from [`Inputs`]: requested
//! inputs, variables and memory that are read before they are written, undefined results, and choices among several
//! feasible edges. All values drawn are recorded, so that [`ReplayInputs`] can repeat a run.

mod inputs;
mod machine;
mod memory;
mod narrow;
mod operations;
mod state;
mod tables;
#[cfg(test)]
mod tests;

use std::fmt;

pub use inputs::{Drawn, Given, GivenInputs, Inputs, Record, ReplayInputs, SeededInputs, Unknown, What, ZeroInputs};
pub use state::State;

use crate::cfa::program::{EdgeId, LocId, Program};
use crate::expr::Value;
use crate::expr::eval::Undefined;
use machine::{Machine, Stop};
use tables::Tables;

/// A program prepared for any number of runs.
pub struct Interpreter<'p> {
    tables: Tables<'p>,
}

/// Limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum number of edges; operations on large ranges count as several.
    pub steps: u64,
    /// The maximum depth of the call stack.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 1_000_000_000, depth: 100_000 }
    }
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// The start function returned.
    Returned(Option<Value>),
    /// The program ended at a halt location.
    Halted(LocId),
    /// A property is violated at this location.
    Error(LocId),
    /// The machine would have stopped the program.
    Crash {
        /// The reason.
        why: Crash,
        /// The edge that crashed.
        at: EdgeId,
    },
    /// An operation that is not modelled.
    Unsupported {
        /// The reason.
        why: Box<str>,
        /// The edge.
        at: EdgeId,
    },
    /// No edge of this location can be taken: an assumption fails.
    Stuck(LocId),
    /// The limit of steps was exceeded.
    StepLimit,
    /// The limit of the call depth was exceeded.
    DepthLimit,
    /// The inputs ended the run.
    OutOfInputs,
}

/// Why the machine stops a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Crash {
    /// An undefined division.
    Division(Undefined),
    /// An access to an address outside all objects.
    InvalidAccess {
        /// The address.
        address: u64,
    },
}

impl fmt::Display for Crash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Crash::Division(undefined) => undefined.fmt(f),
            Crash::InvalidAccess { address } => write!(f, "invalid access to address {address:#x}"),
        }
    }
}

/// A finished run.
#[derive(Clone, Debug)]
pub struct FinishedRun {
    /// How it ended.
    pub end: RunEnd,
    /// The number of steps.
    pub steps: u64,
    /// Everything drawn from the inputs.
    pub record: Record,
}

/// Observes a run.
pub trait Observer {
    /// Called after `edge` was taken, with the state that it led to.
    fn edge(&mut self, edge: EdgeId, state: &State<'_>);
}

/// Observes nothing.
impl Observer for () {
    #[inline]
    fn edge(&mut self, _: EdgeId, _: &State<'_>) {}
}

impl<F: FnMut(EdgeId, &State<'_>)> Observer for F {
    fn edge(&mut self, edge: EdgeId, state: &State<'_>) {
        self(edge, state);
    }
}

impl<'p> Interpreter<'p> {
    /// Prepares `program`.
    pub fn new(program: &'p Program) -> Interpreter<'p> {
        Interpreter { tables: Tables::new(program) }
    }

    /// Runs the program from its start.
    pub fn run(&self, inputs: &mut dyn Inputs, limits: Limits) -> FinishedRun {
        self.run_observed(inputs, limits, &mut ())
    }

    /// Runs the program from its start and reports each edge to `observer`.
    pub fn run_observed(&self, inputs: &mut dyn Inputs, limits: Limits, observer: &mut impl Observer) -> FinishedRun {
        let mut machine = Machine::new(&self.tables, inputs, limits);
        loop {
            if let Err(stop) = machine.step(observer) {
                let end = machine.end(stop);
                return FinishedRun { end, steps: machine.steps, record: machine.record };
            }
        }
    }
}

impl Machine<'_, '_> {
    #[inline]
    fn step(&mut self, observer: &mut impl Observer) -> Result<(), Stop> {
        let edge = self.choose_edge()?;
        self.count(1)?;
        self.take(edge)?;
        observer.edge(edge, &self.state);
        self.notify(edge)
    }
}
