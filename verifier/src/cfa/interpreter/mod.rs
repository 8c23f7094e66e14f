//! The concrete interpreter: the reference semantics of programs.
//!
//! It runs one path. Whatever the program does not determine comes from [`Inputs`]: what it asks for, variables and
//! memory that were never written (drawn when they are first read, and kept), results that the language leaves
//! undefined, and the choice among several edges that can be taken. All that was drawn is recorded, so that a run can be
//! repeated by [`ReplayInputs`].

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

use super::eval::Undefined;
use super::program::{EdgeId, LocId, Program};
use super::value::Value;
use machine::{Machine, Stop};
use tables::Tables;

/// A program prepared for running, many times if need be.
pub struct Interpreter<'p> {
    tables: Tables<'p>,
}

/// How far a run may go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How many edges it may take; operations on large pieces of memory count more than once.
    pub steps: u64,
    /// How many functions may be under way at once.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 1_000_000_000, depth: 100_000 }
    }
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The start function returned.
    Returned(Option<Value>),
    /// The program ended at a halt location.
    Halted(LocId),
    /// A property is violated at this location.
    Error(LocId),
    /// A machine would have stopped the program.
    Crash {
        /// Why.
        why: Crash,
        /// The edge that could not be taken.
        at: EdgeId,
    },
    /// Something is not modelled.
    Unsupported {
        /// What.
        why: Box<str>,
        /// The edge.
        at: EdgeId,
    },
    /// No edge of this location can be taken: an assumption does not hold.
    Stuck(LocId),
    /// Too many steps.
    StepLimit,
    /// Too many functions under way.
    DepthLimit,
    /// The inputs had no more values.
    OutOfInputs,
}

/// Why a machine stops a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Crash {
    /// A division has no result.
    Division(Undefined),
    /// No object can live at this address.
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

/// A run that has ended.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// How many steps it took.
    pub steps: u64,
    /// What it drew from the inputs.
    pub record: Record,
}

/// Watches a run.
pub trait Observer {
    /// `edge` was taken, which led to `state`.
    fn edge(&mut self, edge: EdgeId, state: &State<'_>);
}

/// Watches nothing.
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
    pub fn run(&self, inputs: &mut dyn Inputs, limits: Limits) -> Run {
        self.run_observed(inputs, limits, &mut ())
    }

    /// Runs the program from its start under the eyes of `observer`.
    pub fn run_observed(&self, inputs: &mut dyn Inputs, limits: Limits, observer: &mut impl Observer) -> Run {
        let mut machine = Machine::new(&self.tables, inputs, limits);
        loop {
            if let Err(stop) = machine.step(observer) {
                let outcome = machine.outcome(stop);
                return Run { outcome, steps: machine.steps, record: machine.record };
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
        self.tell(edge)
    }
}
