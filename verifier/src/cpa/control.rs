//! Control: location and callstack, and the composite of them with a domain.

use smallvec::SmallVec;

use super::callstack::{Callstacks, StackId};
use super::composite::{Apart, Pair};
use super::location::Locations;
use super::{Cpa, Index, Successors};
use crate::cfa::{LocId, LocationKind, Op, Program, Step};
use crate::expr::Expr;

/// The location and the callstack.
pub type Control = (LocId, StackId);

/// The location and the callstack analysis in lock step.
pub type ControlCpa<'p> = Pair<Locations<'p>, Callstacks<'p>>;

/// Why exploration ends a path early.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    /// An error location.
    Error,
    /// The next step is not modelled.
    Unsupported,
    /// The next step exceeds the bound on recursion.
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

    /// Why a path ends before `step`, if it does.
    #[inline]
    pub fn event_of_step(&self, (_, stack): Control, step: Step) -> Option<Event> {
        match self.program().edge(step.edge).op {
            Op::Unsupported(_) => Some(Event::Unsupported),
            Op::Call { .. } if self.second.exceeds(stack, step) => Some(Event::Recursion),
            _ => None,
        }
    }

    /// Whether `location` violates a property.
    #[inline]
    pub fn is_error(&self, location: LocId) -> bool {
        matches!(self.program().location(location).kind, LocationKind::Error(_))
    }

    /// The control state after `step`.
    pub fn after(&self, control: Control, step: Step) -> Option<Control> {
        self.transfer(control, &((), ()), step).pop()
    }
}

/// The analysis that Algorithm 1 runs: control in lock step with a domain. The domain sees only the step.
#[derive(Debug)]
pub struct Controlled<'p, D> {
    /// Location and callstack.
    pub control: ControlCpa<'p>,
    /// The abstract domain.
    pub domain: D,
}

impl<'p, D> Controlled<'p, D> {
    /// Runs `domain` on `program`, with a bound on recursion.
    pub fn new(program: &'p Program, recursion: u32, domain: D) -> Controlled<'p, D> {
        Controlled { control: control(program, recursion), domain }
    }

    /// The program.
    #[inline]
    pub fn program(&self) -> &'p Program {
        self.control.program()
    }
}

impl<D: Cpa> Cpa for Controlled<'_, D> {
    type State = (Control, D::State);
    type Precision = D::Precision;

    fn initial(&self) -> Self::State {
        (self.control.initial(), self.domain.initial())
    }

    #[inline]
    fn transfer(&self, state: Self::State, precision: &D::Precision, step: Step) -> Successors<Self::State> {
        let Some(control) = self.control.after(state.0, step) else { return Successors::new() };
        self.domain.transfer(state.1, precision, step).into_iter().map(|state| (control, state)).collect()
    }

    fn merge(&self, new: &Self::State, old: &Self::State, precision: &D::Precision) -> Option<Self::State> {
        if new.0 != old.0 {
            return None;
        }
        self.domain.merge(&new.1, &old.1, precision).map(|state| (old.0, state))
    }

    #[inline]
    fn covers(&self, old: &Self::State, new: &Self::State) -> bool {
        old.0 == new.0 && self.domain.covers(&old.1, &new.1)
    }

    #[inline]
    fn adjust(&self, state: Self::State, precision: &D::Precision, location: LocId) -> Self::State {
        (state.0, self.domain.adjust(state.1, precision, location))
    }
}

impl<D: Index> Index for Controlled<'_, D> {
    const MERGES: bool = D::MERGES;
    const SKIPS_DECIDED: bool = D::SKIPS_DECIDED;

    #[inline]
    fn evaluate(&self, state: &Self::State, expr: Expr) -> Option<u128> {
        self.domain.evaluate(&state.1, expr)
    }

    fn shape(&self, state: &Self::State) -> u64 {
        self.domain.shape(&state.1)
    }

    fn digest(&self, state: &Self::State) -> u64 {
        self.domain.digest(&state.1)
    }

    fn digest_as(&self, state: &Self::State, like: &Self::State) -> Option<u64> {
        self.domain.digest_as(&state.1, &like.1)
    }
}
