//! Dynamic precision adjustment: variables that take too many values along a path are not worth tracking by value.
//!
//! Values are looked at where loops begin. There a variable beyond the threshold is forgotten from then on, on all paths,
//! so that its loop is not unrolled any further; what must be known of it is left to another analysis.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use super::cells::CellId;
use super::{ValueState, Values};
use crate::cfa::{LocId, Step};
use crate::cpa::composite::{Exchange, Pair};
use crate::cpa::{Cpa, Successors};

/// Values with a limit to how many of them a variable or a cell may have on a path.
pub type LimitedValues<'p> = Pair<Values<'p>, Histories, Turnover>;

/// Decides which cells are left to others.
#[derive(Debug)]
pub struct Turnover {
    threshold: u32,
    moved: RefCell<BTreeMap<CellId, LocId>>,
}

impl Turnover {
    /// A cell may have so many values on a path.
    pub fn new(threshold: u32) -> Turnover {
        Turnover { threshold, moved: RefCell::default() }
    }

    /// The largest number of values that is allowed.
    pub fn threshold(&self) -> u32 {
        self.threshold
    }

    /// Is a cell left to others?
    pub fn has_moved(&self, cell: CellId) -> bool {
        self.moved.borrow().contains_key(&cell)
    }

    /// The cells that are left to others, with the location where each was found to have too many values.
    pub fn moved(&self) -> Vec<(CellId, LocId)> {
        self.moved.borrow().iter().map(|(&cell, &location)| (cell, location)).collect()
    }
}

impl Exchange<Values<'_>, Histories> for Turnover {
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
        let mut moved = self.moved.borrow_mut();
        for (cell, word) in state.entries() {
            let has_moved = moved.contains_key(&cell);
            if has_moved || history.add(cell, word) > self.threshold {
                moved.entry(cell).or_insert(location);
                state.remove(cell);
            }
        }
        true
    }
}

/// Remembers the values that cells had along the path.
#[derive(Clone, Copy, Debug, Default)]
pub struct Histories;

/// The values that cells had where loops begin. It says nothing about concrete states, so all histories are alike.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// Ordered by cells.
    of_cells: Rc<Vec<(CellId, Rc<Past>)>>,
}

/// Different values of a cell, the last one first.
#[derive(Debug)]
struct Past {
    word: u64,
    count: u32,
    before: Option<Rc<Past>>,
}

impl History {
    /// Adds a value, and says how many there are for the cell.
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

/// Many values make a long chain: it is let go of link by link, not by recursion.
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

    /// A loop may begin right behind an assumption.
    const KEEPS_KNOWN: bool = false;

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
