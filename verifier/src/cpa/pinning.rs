//! What values and predicates tell each other where a block begins: what has a known value is a constant in formulas, and
//! what the abstraction pins is a known value.

use super::composite::Exchange;
use super::predicate::state::PredicateState;
use super::predicate::{Known, Predicates};
use super::value::cells::Place;
use super::value::turnover::{History, LimitedValues};
use super::value::{ValueState, Values};
use crate::cfa::{Sort, Step};

/// Known values strengthen predicate states, and the reverse.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pinning;

/// The place of something whose value is known, with that value as states hold it, if they can.
pub fn tracked_place(values: &Values<'_>, known: &Known) -> Option<(Place, u64)> {
    let sort = values.sort_of(known.var);
    // Equal floats are not the same ones.
    let is_told = !matches!(sort, Sort::Float(_)) && known.value.sort() == sort;
    let place = Place { var: known.var, address: known.address };
    is_told.then(|| (place, values.semantics.words.word(sort, known.value.raw())))
}

impl<'m, 'p> Exchange<LimitedValues<'p>, Predicates<'m, 'p>> for Pinning {
    /// Takes over what the abstraction pins; precision adjustment keeps what is tracked.
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
        state.block.pinned.iter().filter_map(|known| tracked_place(of, known)).all(|(place, word)| {
            // What has no number is not tracked.
            let Some(cell) = of.cells.get(place).filter(|&cell| !limited.exchange.has_moved(cell)) else { return true };
            if let (Some(address), Sort::Memory(memory)) = (place.address, of.program().var(place.var).sort) {
                of.cells.is_on_grid(place.var, address, memory.cell.bytes());
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
            let (place, outer) = of.cells.place(cell);
            let sort = of.sort_of(place.var);
            // Equal floats are not the same ones; formulas know no sums.
            let is_sum = of.semantics.sums.parts(place.var).is_some();
            let is_told = outer == 0 && !is_sum && !matches!(sort, Sort::Float(_));
            let value = is_told.then(|| of.semantics.words.value(sort, word))??;
            Some(Known { var: place.var, address: place.address, value })
        });
        predicates.pin(state, known);
    }
}
