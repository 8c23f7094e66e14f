//! What values tell predicates: where a block begins, what has a known value is a constant in its formulas.

use super::composite::Exchange;
use super::predicate::state::PredicateState;
use super::predicate::{Known, Predicates};
use super::value::ValueState;
use super::value::turnover::{History, LimitedValues};
use crate::cfa::Sort;

/// Known values strengthen predicate states.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pinning;

impl<'m, 'p> Exchange<LimitedValues<'p>, Predicates<'m, 'p>> for Pinning {
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
            let sort = match of.program().var(place.var).sort {
                Sort::Memory(memory) => memory.cell.sort(),
                sort => sort,
            };
            // Equal floats are not the same ones.
            let is_told = outer == 0 && !matches!(sort, Sort::Float(_));
            let value = is_told.then(|| of.semantics.words.value(sort, word))??;
            Some(Known { var: place.var, address: place.address, value })
        });
        predicates.pin(state, known);
    }
}
