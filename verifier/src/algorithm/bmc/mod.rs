//! Bounded model checking: all ways through the program up to a bound for its loops, which grows.
//!
//! A loop may be gone through as often as the bound says each time it is entered, and a function may be under way so often
//! at the same time; iterations in which control has only one way to go do not count, since they cost little. What exceeds
//! the bound waits and goes on with the next one, so that no way is taken twice. When nothing waits any more, all runs have
//! been looked at, and the program is safe if none of them can reach an error or anything that is not modelled.

mod induction;
mod position;
mod query;
mod unroll;

pub use query::Doubt;
pub use unroll::Invariants;

use crate::cfa::{EdgeId, LocId, Program};
use crate::evidence::Counterexample;
use crate::formula::State;
use crate::monitor::{Monitor, Phase, Stop};
use induction::Induction;
use query::{Judgement, PATIENCE};
use unroll::{Facts, Mode, Target, Unrolling};

/// What is to be done.
pub struct Settings<'i> {
    /// The error locations that count.
    pub errors: Vec<LocId>,
    /// The largest bound, if there is one.
    pub bound: Option<u32>,
    /// How often a function may be under way at the same time.
    pub recursion: u32,
    /// Is induction tried after each bound, and with which invariants?
    pub induction: Option<Invariants<'i>>,
}

/// What came out.
#[derive(Debug)]
pub enum Outcome {
    /// No error can be reached.
    Safe,
    /// An error is reached.
    Unsafe(Box<Counterexample>),
    /// Somebody wanted it to stop.
    Stopped(Stop),
    /// The largest bound was not enough, here: at the head of a loop, or the entry of a recursive function.
    Bound(u32, LocId),
    /// This edge cannot be followed, for this reason if it does not say so itself.
    Blocked(EdgeId, Option<String>),
    /// It is not known whether an error can be reached.
    Doubtful(Doubt),
}

/// Checks `program` with growing bounds.
pub fn check(program: &Program, settings: Settings<'_>, monitor: &Monitor) -> Outcome {
    let facts = Facts::new(program, settings.errors);
    let unrolling = Unrolling::new(program, &facts, settings.recursion, monitor);
    let induction = settings
        .induction
        .and_then(|invariants| Induction::new(program, &facts, settings.recursion, invariants, monitor));
    let search = Search { unrolling, induction, doubtful: Vec::new(), blocked: Vec::new(), monitor };
    search.run(settings.bound).unwrap_or_else(Outcome::Stopped)
}

struct Search<'a, 'p> {
    unrolling: Unrolling<'a, 'p>,
    induction: Option<Induction<'a, 'p>>,
    /// Errors of which is not known whether they can be reached.
    doubtful: Vec<State>,
    /// Edges that cannot be followed.
    blocked: Vec<(State, EdgeId, Option<String>)>,
    monitor: &'a Monitor,
}

impl Search<'_, '_> {
    fn run(mut self, largest: Option<u32>) -> Result<Outcome, Stop> {
        let mut bound = 1;
        loop {
            self.monitor.enter(Phase::Exploring);
            self.monitor.bound.store(bound.into(), std::sync::atomic::Ordering::Relaxed);
            if let Some(found) = self.unroll(bound)? {
                return Ok(Outcome::Unsafe(found));
            }
            if self.unrolling.later.is_empty() {
                return self.conclude();
            }
            if self.is_proved(bound)? {
                return self.conclude();
            }
            if largest == Some(bound) {
                return match self.first_open() {
                    Some(location) => Ok(Outcome::Bound(bound, location)),
                    None => self.conclude(),
                };
            }
            bound = largest.map_or(bound * 2, |largest| largest.min(bound * 2));
            self.unrolling.resume();
        }
    }

    /// Unrolls up to the bound, and looks at all targets that come up.
    fn unroll(&mut self, bound: u32) -> Result<Option<Box<Counterexample>>, Stop> {
        loop {
            self.unrolling.run(Mode::Bounded(bound))?;
            let mut errors = Vec::new();
            for (state, target) in self.unrolling.reached.drain(..) {
                match target {
                    Target::Error => errors.push(state),
                    Target::Blocked(edge, why) => self.blocked.push((state, edge, why)),
                }
            }
            if let Some(found) = self.judge(errors)? {
                return Ok(Some(found));
            }
            if self.unrolling.pending.is_empty() {
                return Ok(None);
            }
        }
    }

    fn judge(&mut self, errors: Vec<State>) -> Result<Option<Box<Counterexample>>, Stop> {
        if errors.is_empty() {
            return Ok(None);
        }
        let Unrolling { questions, execution, .. } = &mut self.unrolling;
        let states: Vec<&State> = errors.iter().collect();
        match questions.judge(execution, &states, Some(PATIENCE))? {
            Judgement::Unreachable => Ok(None),
            Judgement::Reached(found) => Ok(Some(found)),
            Judgement::Undecided(positions, _) => {
                self.doubtful.extend(positions.into_iter().map(|i| errors[i].clone()));
                Ok(None)
            }
        }
    }

    /// Does induction show that nothing is reached beyond the bound?
    fn is_proved(&mut self, bound: u32) -> Result<bool, Stop> {
        match &mut self.induction {
            Some(induction) => induction.is_proved(bound),
            None => Ok(false),
        }
    }

    /// Where a way goes on beyond the largest bound.
    fn first_open(&mut self) -> Option<LocId> {
        let Unrolling { questions, execution, later, .. } = &mut self.unrolling;
        let open = later.values().find(|waiting| questions.can_reach(execution, &waiting.state, Some(PATIENCE)));
        open.map(|waiting| waiting.state.location)
    }

    /// All runs have been looked at, or no others can reach an error. What is still open decides.
    fn conclude(mut self) -> Result<Outcome, Stop> {
        let Unrolling { questions, execution, .. } = &mut self.unrolling;
        for state in &self.doubtful {
            match questions.judge(execution, &[state], None)? {
                Judgement::Unreachable => {}
                Judgement::Reached(found) => return Ok(Outcome::Unsafe(found)),
                Judgement::Undecided(_, doubt) => return Ok(Outcome::Doubtful(doubt)),
            }
        }
        for (state, edge, why) in self.blocked {
            let is_open = questions.can_reach(execution, &state, None);
            self.monitor.check()?;
            if is_open {
                return Ok(Outcome::Blocked(edge, why));
            }
        }
        Ok(Outcome::Safe)
    }
}
