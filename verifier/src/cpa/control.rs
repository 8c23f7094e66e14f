//! Control: the composite of location and callstack, which every analysis runs beside.

use smallvec::SmallVec;

use super::Cpa;
use super::callstack::{Callstacks, StackId};
use super::composite::{Apart, Pair};
use super::location::Locations;
use crate::cfa::{LocId, LocationKind, Op, Program, Step};

/// Where control is and which calls are under way.
pub type Control = (LocId, StackId);

/// The location and the callstack analysis in lock step.
pub type ControlCpa<'p> = Pair<Locations<'p>, Callstacks<'p>>;

/// What ends a path at a state, beyond the program's own end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    /// An error location.
    Error,
    /// The step is not modelled.
    Unsupported,
    /// The step calls a function more often than the bound on recursion allows.
    Recursion,
}

/// The control analysis of `program` with a bound on recursion.
pub fn control(program: &Program, recursion: u32) -> ControlCpa<'_> {
    Pair { first: Locations::new(program), second: Callstacks::new(program, recursion), exchange: Apart }
}

impl<'p> ControlCpa<'p> {
    /// The program.
    #[inline]
    pub fn program(&self) -> &'p Program {
        self.first.program()
    }

    /// The steps that leave a state, in the order of the edges.
    #[inline]
    pub fn steps(&self, (location, stack): Control) -> SmallVec<[Step; 2]> {
        self.program()
            .leaving(location)
            .filter_map(|(id, edge)| match edge.op {
                Op::Return(_) => self.second.top(stack).map(|call| Step::back(id, call)),
                _ => Some(Step::along(id)),
            })
            .collect()
    }

    /// What ends the path at a state where `step` would go on.
    #[inline]
    pub fn event_of_step(&self, (_, stack): Control, step: Step) -> Option<Event> {
        match self.program().edge(step.edge).op {
            Op::Unsupported(_) => Some(Event::Unsupported),
            Op::Call { .. } if self.second.exceeds(stack, step) => Some(Event::Recursion),
            _ => None,
        }
    }

    /// Is it an error location?
    #[inline]
    pub fn is_error(&self, location: LocId) -> bool {
        matches!(self.program().location(location).kind, LocationKind::Error(_))
    }

    /// Where `step` leads.
    pub fn after(&self, control: Control, step: Step) -> Option<Control> {
        self.transfer(control, &((), ()), step).pop()
    }
}
