//! Compares what came out with what was accepted.

use std::io;

use super::harness::Harness;
use super::runner::{Broken, Outcome};
use super::snapshot;
use super::verdict::Verdict;

/// A checked harness, compared with its snapshot.
#[derive(Clone, Debug)]
pub struct Compared {
    /// What became of it.
    pub outcome: Outcome,
    /// The accepted text, if there is one.
    pub expected: Option<String>,
    /// How both compare.
    pub state: State,
}

/// How a verdict compares with its snapshot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// It is the same.
    Expected,
    /// It is another one.
    Different,
    /// There is no snapshot.
    New,
    /// It is another one or a new one, and was accepted.
    Accepted,
    /// There is no verdict, since the harness could not be checked.
    Broken,
}

impl State {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            State::Expected => "expected",
            State::Different => "different",
            State::New => "new",
            State::Accepted => "accepted",
            State::Broken => "broken",
        }
    }
}

impl Compared {
    /// Compares the outcome with the snapshot.
    pub fn new(harness: &Harness, outcome: Outcome) -> io::Result<Compared> {
        let expected = snapshot::read(harness)?;
        let state = match (&outcome.result, &expected) {
            (Err(_), _) => State::Broken,
            (Ok(_), None) => State::New,
            (Ok(verdict), Some(expected)) if verdict.text() == *expected => State::Expected,
            (Ok(_), Some(_)) => State::Different,
        };
        Ok(Compared { outcome, expected, state })
    }

    /// The verdict, if there is one.
    pub fn verdict(&self) -> Option<&Verdict> {
        self.outcome.result.as_ref().ok()
    }

    /// Why there is none.
    pub fn broken(&self) -> Option<&Broken> {
        self.outcome.result.as_ref().err()
    }

    /// Whether it can be accepted.
    pub fn is_pending(&self) -> bool {
        matches!(self.state, State::Different | State::New)
    }

    /// Writes what is pending next to the snapshot, and removes what is pending no more.
    pub fn keep(&self, harness: &Harness) -> io::Result<()> {
        match self.verdict() {
            Some(verdict) if self.is_pending() => snapshot::suggest(harness, &verdict.text()),
            Some(_) => snapshot::clear(harness),
            None => Ok(()),
        }
    }

    /// Makes the verdict the accepted one.
    pub fn accept(&mut self, harness: &Harness) -> io::Result<()> {
        if let Some(verdict) = self.verdict() {
            snapshot::accept(harness, &verdict.text())?;
            self.state = State::Accepted;
        }
        Ok(())
    }
}
