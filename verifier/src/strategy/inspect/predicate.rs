//! What the predicate analysis has to show: predicates and abstractions, in the terms of the source.

use super::{Graph, Names, Precision, Scope, View};
use crate::algorithm::Explorer;
use crate::cfa::print::Printer;
use crate::cpa::predicate::precision::PredicatePrecision;
use crate::cpa::predicate::state::PredicateState;
use crate::cpa::predicate::{Predicates, Tools};
use crate::cpa::sharing::Sharing;

/// So many cases of an abstraction are written down.
const MOST_CASES: usize = 16;

/// What the analysis has built.
pub struct Built<'a, 'm, 'p> {
    /// The graph.
    pub explorer: &'a Explorer<'a, 'p, Predicates<'m, 'p>>,
    /// The precision.
    pub precision: &'a PredicatePrecision,
    /// How far it is shared.
    pub sharing: Sharing,
}

impl View for Built<'_, '_, '_> {
    fn graph(&self, names: &Names<'_>) -> Graph {
        let tools = self.explorer.cpa.second.tools();
        Graph::of(self.explorer, names, |state, printer| facts(&tools, self.precision, state, printer))
    }

    fn precision(&self, names: &Names<'_>) -> Precision {
        tracked(&self.explorer.cpa.second.tools(), self.precision, self.sharing, names)
    }
}

/// What a precision, shared as `sharing` says, tracks.
pub(super) fn tracked(
    tools: &Tools<'_, '_>,
    precision: &PredicatePrecision,
    sharing: Sharing,
    names: &Names<'_>,
) -> Precision {
    let sets = precision.sets().map(|(number, set)| {
        let scope = Scope::of(sharing, number);
        let printer = scope.printer(names).with_pool(&tools.execution.pool);
        let mut texts: Vec<String> = set.iter().map(|&id| printer.expr(precision.predicate(id))).collect();
        texts.sort();
        (scope, texts)
    });
    Precision::these(sets.collect())
}

/// What is known where a block begins: `x == 0`, or the cases of a disjunction. Inside of blocks, formulas are not shown.
pub(super) fn facts(
    tools: &Tools<'_, '_>,
    precision: &PredicatePrecision,
    state: &PredicateState,
    printer: &Printer<'_>,
) -> Vec<String> {
    if !state.is_abstract() {
        return Vec::new();
    }
    let printer = printer.with_pool(&tools.execution.pool);
    let literal = |&(id, holds): &(u32, bool)| {
        let text = printer.expr(precision.predicate(id));
        if holds { text } else { format!("!({text})") }
    };
    match tools.regions.cubes(&state.block.region, MOST_CASES) {
        None => vec![format!("more than {MOST_CASES} cases")],
        Some(cubes) => match &cubes[..] {
            [only] => only.iter().map(literal).collect(),
            _ => cubes.iter().map(|cube| cube.iter().map(literal).collect::<Vec<_>>().join(" && ")).collect(),
        },
    }
}
