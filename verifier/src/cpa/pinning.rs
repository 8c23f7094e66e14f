//! Values and predicates in lock step, with an exchange of facts at the start of a block.
//!
//! A known value is a constant in formulas, and a variable that the abstraction pins has a known value.

use super::composite::{Exchange, Pair};
use super::predicate::precision::PredicatePrecision;
use super::predicate::state::PredicateState;
use super::predicate::{Known, Predicates};
use super::show::{Show, Tracked};
use super::value::cells::CellKey;
use super::value::precision::ValuePrecision;
use super::value::threshold::{History, LimitedValues};
use super::value::{ValueState, Values};
use crate::cfa::Step;
use crate::expr::Sort;
use crate::print::{Names, Printer};

/// Values and predicates in lock step.
pub type ValuesAndPredicates<'m, 'p> = Pair<LimitedValues<'p>, Predicates<'m, 'p>, Pinning>;
/// The precision of both.
pub type PinnedPrecision = ((ValuePrecision, ()), PredicatePrecision);
/// The state of both.
pub type PinnedState = ((ValueState, History), PredicateState);

/// Known values strengthen predicate states, and vice versa.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pinning;

/// The key of a cell with a known value, and the word that states hold for it. `None` if states cannot hold it.
pub fn tracked_key(values: &Values<'_>, known: &Known) -> Option<(CellKey, u64)> {
    let sort = values.sort_of(known.var);
    // Equality of floats is not identity of bits: 0.0 == -0.0.
    let is_told = !matches!(sort, Sort::Float(_)) && known.value.sort() == sort;
    let key = CellKey { var: known.var, address: known.address };
    is_told.then(|| (key, values.semantics.words.word(sort, known.value.raw())))
}

impl<'m, 'p> Exchange<LimitedValues<'p>, Predicates<'m, 'p>> for Pinning {
    /// Sets the values that the abstraction pins; precision adjustment keeps the tracked ones.
    fn strengthen(
        &self,
        (limited, _): (&LimitedValues<'p>, &Predicates<'m, 'p>),
        (values, _): &mut (ValueState, History),
        state: &mut PredicateState,
        _: Step,
    ) -> bool {
        if !state.is_abstract() {
            return true;
        }
        let of = &limited.first;
        state.block.pinned.iter().filter_map(|known| tracked_key(of, known)).all(|(key, word)| {
            // Cells without a number are not tracked.
            let Some(cell) = of.cells.get(key).filter(|&cell| !limited.exchange.is_dropped(cell)) else {
                return true;
            };
            if let (Some(address), Sort::Memory(memory)) = (key.address, of.program().var(key.var).sort) {
                of.cells.is_on_grid(key.var, address, memory.cell.bytes());
            }
            let before = values.get(cell);
            values.set(cell, word);
            before.is_none_or(|before| before == word)
        })
    }

    fn adjusted(
        &self,
        (limited, predicates): (&LimitedValues<'p>, &Predicates<'m, 'p>),
        (values, _): &(ValueState, History),
        state: &mut PredicateState,
    ) {
        if !state.is_abstract() || values.is_empty() {
            return;
        }
        let of = &limited.first;
        let known = values.entries().into_iter().filter_map(|(cell, word)| {
            let (key, outer) = of.cells.key(cell);
            let sort = of.sort_of(key.var);
            // Equality of floats is not identity of bits, and formulas have no variables for sums.
            let is_sum = of.semantics.sums.parts(key.var).is_some();
            let is_told = outer == 0 && !is_sum && !matches!(sort, Sort::Float(_));
            let value = is_told.then(|| of.semantics.words.value(sort, word))??;
            Some(Known { var: key.var, address: key.address, value })
        });
        predicates.pin(state, known);
    }
}

impl Show for ValuesAndPredicates<'_, '_> {
    fn facts(&self, state: &PinnedState, precision: &PinnedPrecision, printer: &Printer<'_>) -> Vec<String> {
        let mut facts = self.first.facts(&state.0, &precision.0, printer);
        facts.extend(self.second.facts(&state.1, &precision.1, printer));
        facts
    }

    fn tracked(&self, precision: &PinnedPrecision, names: &Names<'_>) -> Tracked {
        self.first.tracked(&precision.0, names).with(self.second.tracked(&precision.1, names))
    }
}
