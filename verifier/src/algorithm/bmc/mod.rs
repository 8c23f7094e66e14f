//! Bounded model checking: unrolls all paths of the program up to a growing bound.
//!
//! The bound limits the iterations of a loop each time it is entered, and the activations of a function on the stack.
//! Iterations without a fork do not count, since they are cheap. States beyond the bound are deferred to the next one, so
//! that no path is unrolled twice. When none is deferred, all runs are covered. The program is then safe if no run reaches
//! an error or an operation that is not modelled.

mod houdini;
mod induction;
pub(in crate::algorithm) mod position;
mod query;
mod unroll;

pub use unroll::Invariants;

use std::cell::RefCell;
use std::time::Duration;

use super::guess::{self, Candidates, Ghosts};
use crate::cfa::{EdgeId, LocId, Program, SourceId};
use crate::evidence::{Counterexample, Reason, Verdict};
use crate::facts::Facts;
use crate::formula::State;
use crate::monitor::{Monitor, Phase, StopReason};
use induction::Induction;
use query::Judgement;
use unroll::{Mode, Outlook, Target, Unrolling};

/// Parameters of bounded model checking.
pub struct Settings<'i> {
    /// The error locations to check.
    pub errors: Vec<LocId>,
    /// The largest bound, if there is one.
    pub bound: Option<u32>,
    /// The maximum number of activations of a function on the stack.
    pub recursion: u32,
    /// The invariants for induction, which is tried after each bound; `None` for no induction.
    pub induction: Option<Invariants<'i>>,
    /// What invariants that help induction are guessed from; `None` for no guesses.
    pub guesses: Option<Guesses<'i>>,
}

/// What invariants are guessed from.
#[derive(Clone, Copy)]
pub struct Guesses<'g> {
    /// The program that is run. It has the locations and variables of the one that is checked.
    pub runs: &'g Program,
    /// Variables that a rewriting has added.
    pub ghosts: &'g Ghosts,
    /// Time after which their proof is given up at first, unless the search before took longer.
    pub time: Duration,
    /// What an earlier proof rests on, which is tried first.
    pub known: Option<&'g Candidates>,
    /// Receives what this proof rests on.
    pub proved: Option<&'g RefCell<Candidates>>,
}

/// Checks the program of `facts` with growing bounds.
pub fn check(facts: &Facts<'_>, settings: Settings<'_>, monitor: &Monitor) -> Verdict {
    let program = facts.program;
    let outlook = Outlook::new(facts, settings.errors);
    let unrolling = Unrolling::new(program, &outlook, settings.recursion, monitor);
    let new_induction = || {
        let invariants = settings.induction?;
        Induction::new(program, &outlook, settings.recursion, invariants, monitor)
    };
    let strengthen = |source: Source, time: Duration| -> Result<Option<(Induction<'_, '_>, bool)>, StopReason> {
        let Some(induction) = new_induction() else { return Ok(None) };
        let Some(Guesses { runs, ghosts, known, proved: result, .. }) = settings.guesses else { return Ok(None) };
        let candidates = match source {
            Source::Known => known.cloned(),
            Source::Runs => guess::guess(facts, runs, ghosts, &outlook.errors, monitor)?,
        };
        let Some(candidates) = candidates else { return Ok(None) };
        let proved = houdini::prove(program, &outlook, settings.recursion, candidates, time, monitor)?;
        if let Some(result) = result {
            result.replace(proved.candidates.clone());
        }
        Ok(Some((induction.with(&proved), proved.was_cut)))
    };
    let mut sources = Vec::new();
    if let Some(guesses) = settings.guesses {
        sources.push(Source::Runs);
        sources.extend(guesses.known.map(|_| Source::Known));
    }
    let search = Search {
        unrolling,
        induction: new_induction(),
        strengthen: &strengthen,
        sources,
        guess_time: settings.guesses.map_or(Duration::ZERO, |guesses| guesses.time),
        start: monitor.elapsed(),
        spent: Duration::ZERO,
        undecided: Vec::new(),
        blocked: Vec::new(),
        monitor,
    };
    search.run(settings.bound).unwrap_or_else(|stop| Verdict::Unknown(Reason::Stopped(stop)))
}

/// Makes an induction with guessed invariants, which are proved within some time. Says whether that was too short.
type Strengthen<'s, 'a, 'p> = &'s dyn Fn(Source, Duration) -> Result<Option<(Induction<'a, 'p>, bool)>, StopReason>;

/// Where guesses come from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// From concrete runs.
    Runs,
    /// From an earlier proof.
    Known,
}

/// Guessed invariants at loop heads that are inductive. They hold at each visit from which a location in `errors` or an
/// operation that is not modelled may be reached. `None` if the program has no induction or violates the property.
pub fn invariants(
    facts: &Facts<'_>,
    errors: Vec<LocId>,
    recursion: u32,
    monitor: &Monitor,
) -> Result<Option<Candidates>, StopReason> {
    let outlook = Outlook::new(facts, errors);
    if !induction::is_supported(facts.program, &outlook) {
        return Ok(None);
    }
    let candidates = guess::guess(facts, facts.program, &Ghosts::default(), &outlook.errors, monitor)?;
    let Some(candidates) = candidates else { return Ok(None) };
    houdini::prove(facts.program, &outlook, recursion, candidates, monitor.tuning.guess.time, monitor)
        .map(|proved| Some(proved.candidates))
}

struct Search<'s, 'a, 'p> {
    unrolling: Unrolling<'a, 'p>,
    induction: Option<Induction<'a, 'p>>,
    strengthen: Strengthen<'s, 'a, 'p>,
    /// Where guesses that help the induction can still come from, the next one last.
    sources: Vec<Source>,
    /// The time for the next proof of guessed invariants.
    guess_time: Duration,
    start: Duration,
    /// The time of induction and of proofs of invariants.
    spent: Duration,
    /// Error states whose reachability the solver has not decided.
    undecided: Vec<State>,
    /// States before edges that cannot be followed.
    blocked: Vec<(State, EdgeId, Option<String>)>,
    monitor: &'a Monitor,
}

impl Search<'_, '_, '_> {
    fn run(mut self, largest: Option<u32>) -> Result<Verdict, StopReason> {
        let mut bound = 1;
        loop {
            self.monitor.enter(Phase::Exploring);
            self.monitor.bound.store(bound.into(), std::sync::atomic::Ordering::Relaxed);
            if let Some(found) = self.unroll(bound)? {
                return Ok(Verdict::Unsafe(found));
            }
            if self.unrolling.later.is_empty() {
                return self.conclude();
            }
            if self.is_proved(bound)? {
                return self.conclude();
            }
            if largest == Some(bound) {
                return match self.first_open() {
                    Some(location) => Ok(Verdict::Unknown(Reason::Bound { bound, place: self.place(location) })),
                    None => self.conclude(),
                };
            }
            bound = largest.map_or(bound * 2, |largest| largest.min(bound * 2));
            self.unrolling.resume();
        }
    }

    /// Unrolls up to the bound, and checks the targets that are reached.
    fn unroll(&mut self, bound: u32) -> Result<Option<Box<Counterexample>>, StopReason> {
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

    fn judge(&mut self, errors: Vec<State>) -> Result<Option<Box<Counterexample>>, StopReason> {
        if errors.is_empty() {
            return Ok(None);
        }
        let time = self.monitor.tuning.bmc.error_time;
        let Unrolling { questions, execution, .. } = &mut self.unrolling;
        let states: Vec<&State> = errors.iter().collect();
        match questions.judge(execution, &states, Some(time))? {
            Judgement::Unreachable => Ok(None),
            Judgement::Reached(found) => Ok(Some(found)),
            Judgement::Undecided(positions, _) => {
                self.undecided.extend(positions.into_iter().map(|i| errors[i].clone()));
                Ok(None)
            }
        }
    }

    /// Whether induction proves that no target is reached beyond the bound. It is left out while it has had more time than
    /// the search for errors.
    fn is_proved(&mut self, bound: u32) -> Result<bool, StopReason> {
        let before = self.monitor.elapsed();
        let searched = before.saturating_sub(self.start).saturating_sub(self.spent);
        let allowed = searched.max(self.monitor.tuning.bmc.first_induction);
        if self.spent > allowed {
            return Ok(false);
        }
        let result = self.induct(bound, before + allowed - self.spent);
        self.spent += self.monitor.elapsed().saturating_sub(before);
        result
    }

    fn induct(&mut self, bound: u32, end: Duration) -> Result<bool, StopReason> {
        let Some(induction) = &mut self.induction else { return Ok(false) };
        if induction.is_proved(bound, end)? {
            return Ok(true);
        }
        let may_guess = bound >= self.monitor.tuning.guess.after_bound;
        while let Some(&source) = self.sources.last()
            && (may_guess || source == Source::Known)
            && self.monitor.elapsed() <= end
        {
            let time = self.guess_time.max(end.saturating_sub(self.monitor.elapsed()));
            let found = (self.strengthen)(source, time)?;
            let was_cut = source == Source::Runs && found.as_ref().is_some_and(|(_, was_cut)| *was_cut);
            if was_cut {
                self.guess_time *= 2;
            } else {
                self.sources.pop();
            }
            if let Some((mut stronger, _)) = found {
                let is_proved = stronger.is_proved(bound, end)?;
                self.induction = Some(stronger);
                if is_proved {
                    return Ok(true);
                }
            }
            if was_cut {
                break;
            }
        }
        Ok(false)
    }

    /// The first location where a feasible path exceeds the largest bound.
    fn first_open(&mut self) -> Option<LocId> {
        let time = self.monitor.tuning.bmc.error_time;
        let Unrolling { questions, execution, later, .. } = &mut self.unrolling;
        let open = later.values().find(|waiting| questions.can_reach(execution, &waiting.state, Some(time)));
        open.map(|waiting| waiting.state.location)
    }

    /// The source place of a location: that of its first leaving edge with one, else that of its function.
    fn place(&self, location: LocId) -> SourceId {
        let program = self.unrolling.program;
        let mut places = program.leaving(location).map(|(_, edge)| edge.source);
        let function = program.location(location).function;
        places.find(|&place| place != SourceId::NONE).unwrap_or(program.function(function).declared)
    }

    /// The verdict if all runs are covered, or no other run reaches a target. Undecided states are checked again.
    fn conclude(mut self) -> Result<Verdict, StopReason> {
        let Unrolling { questions, execution, .. } = &mut self.unrolling;
        for state in &self.undecided {
            match questions.judge(execution, &[state], None)? {
                Judgement::Unreachable => {}
                Judgement::Reached(found) => return Ok(Verdict::Unsafe(found)),
                Judgement::Undecided(_, reason) => return Ok(Verdict::Unknown(reason)),
            }
        }
        for (state, edge, why) in self.blocked {
            let is_open = questions.can_reach(execution, &state, None);
            self.monitor.check()?;
            if is_open {
                return Ok(Verdict::Unknown(self.unrolling.blocked(edge, why)));
            }
        }
        Ok(Verdict::Safe)
    }
}
