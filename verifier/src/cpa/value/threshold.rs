//! Dynamic precision adjustment: variables that take too many values along a path are dropped from the value domain.
//!
//! Values are counted at loop heads. A variable beyond the threshold is dropped there, from then on and on all paths,
//! so that its loop is not unrolled further. What must be known of it is left to the predicate domain.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use super::cells::CellId;
use super::precision::ValuePrecision;
use super::{ValueState, Values};
use crate::cfa::{LocId, Step};
use crate::cpa::composite::{Exchange, Pair};
use crate::cpa::show::{Dropped, Tracked};
use crate::cpa::{Cpa, Index, Show, Successors};
use crate::print::{Names, Printer};

/// The value domain with a limit on the number of values that a cell may take on a path.
pub type LimitedValues<'p> = Pair<Values<'p>, Histories, ValueThreshold>;

/// The limit, and the cells that have exceeded it.
#[derive(Debug)]
pub struct ValueThreshold {
    threshold: u32,
    dropped: RefCell<BTreeMap<CellId, LocId>>,
}

impl ValueThreshold {
    /// Allows `threshold` values for each cell along a path.
    pub fn new(threshold: u32) -> ValueThreshold {
        ValueThreshold { threshold, dropped: RefCell::default() }
    }

    /// The largest number of values that a cell may take on a path.
    pub fn threshold(&self) -> u32 {
        self.threshold
    }

    /// Whether `cell` is no longer tracked by value.
    pub fn is_dropped(&self, cell: CellId) -> bool {
        self.dropped.borrow().contains_key(&cell)
    }

    /// The dropped cells, each with the loop head where it exceeded the threshold.
    pub fn dropped(&self) -> Vec<(CellId, LocId)> {
        self.dropped.borrow().iter().map(|(&cell, &location)| (cell, location)).collect()
    }
}

impl Exchange<Values<'_>, Histories> for ValueThreshold {
    fn strengthen(
        &self,
        (values, _): (&Values<'_>, &Histories),
        state: &mut ValueState,
        history: &mut History,
        step: Step,
    ) -> bool {
        let location = step.target(values.program());
        if !values.program().location(location).loop_head {
            return true;
        }
        let mut dropped = self.dropped.borrow_mut();
        for (cell, word) in state.entries() {
            let is_dropped = dropped.contains_key(&cell);
            if is_dropped || history.add(cell, word) > self.threshold {
                dropped.entry(cell).or_insert(location);
                state.remove(cell);
            }
        }
        true
    }
}

/// Records the values that cells took along the path.
#[derive(Clone, Copy, Debug, Default)]
pub struct Histories;

/// The values that cells had at loop heads. It restricts no concrete states, so all histories are equal.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// Sorted by cell.
    of_cells: Rc<Vec<(CellId, Rc<Past>)>>,
}

/// A list of distinct values of a cell, latest first.
#[derive(Debug)]
struct Past {
    word: u64,
    count: u32,
    before: Option<Rc<Past>>,
}

impl History {
    /// Adds a value. Returns the number of different values of the cell.
    fn add(&mut self, cell: CellId, word: u64) -> u32 {
        let place = self.of_cells.binary_search_by_key(&cell, |&(cell, _)| cell);
        let before = place.ok().map(|at| Rc::clone(&self.of_cells[at].1));
        let mut past = before.as_ref();
        while let Some(one) = past {
            if one.word == word {
                return before.map_or(0, |before| before.count);
            }
            past = one.before.as_ref();
        }
        let count = before.as_ref().map_or(1, |before| before.count + 1);
        let entry = (cell, Rc::new(Past { word, count, before }));
        let of_cells = Rc::make_mut(&mut self.of_cells);
        match place {
            Ok(at) => of_cells[at] = entry,
            Err(at) => of_cells.insert(at, entry),
        }
        count
    }
}

impl PartialEq for History {
    fn eq(&self, _: &History) -> bool {
        true
    }
}

impl Eq for History {}

impl Hash for History {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// Drops the chain link by link: recursion would overflow the stack on long ones.
impl Drop for Past {
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(past) = next {
            next = Rc::into_inner(past).and_then(|mut past| past.before.take());
        }
    }
}

impl Cpa for Histories {
    type State = History;
    type Precision = ();

    fn initial(&self) -> History {
        History::default()
    }

    fn transfer(&self, state: History, (): &(), _: Step) -> Successors<History> {
        Successors::from_buf([state])
    }

    fn covers(&self, _: &History, _: &History) -> bool {
        true
    }
}

/// A decided assumption may lead to a loop head, where [`ValueThreshold`] counts.
impl Index for Histories {
    const MERGES: bool = false;
}

impl Show for LimitedValues<'_> {
    fn facts(
        &self,
        (values, _): &(ValueState, History),
        (precision, ()): &(ValuePrecision, ()),
        printer: &Printer<'_>,
    ) -> Vec<String> {
        self.first.facts(values, precision, printer)
    }

    fn tracked(&self, (precision, ()): &(ValuePrecision, ()), names: &Names<'_>) -> Tracked {
        let dropped = self.exchange.dropped().into_iter().map(|(cell, location)| Dropped {
            name: self.first.name(cell, names.inside(location)),
            location,
            threshold: self.exchange.threshold(),
        });
        Tracked { dropped: dropped.collect(), ..self.first.tracked(precision, names) }
    }
}
