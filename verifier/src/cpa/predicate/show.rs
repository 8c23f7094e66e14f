//! What the predicate domain shows: predicates and abstractions, in the terms of the source.

use super::Predicates;
use super::precision::PredicatePrecision;
use super::state::PredicateState;
use crate::cpa::show::{Scope, Show, Tracked};
use crate::print::{Names, Printer};

/// Number of cases of an abstraction that are shown.
const MAX_CASES: usize = 16;

impl Show for Predicates<'_, '_> {
    /// At the start of a block: `x == 0`, or the cases of a disjunction. Formulas inside of blocks are not shown.
    fn facts(&self, state: &PredicateState, precision: &PredicatePrecision, printer: &Printer<'_>) -> Vec<String> {
        let tools = self.tools();
        if !state.is_abstract() {
            return Vec::new();
        }
        let printer = printer.with_pool(&tools.execution.pool);
        let literal = |&(id, holds): &(u32, bool)| {
            let text = printer.expr(precision.predicate(id));
            if holds { text } else { format!("!({text})") }
        };
        match tools.regions.cubes(&state.block.region, MAX_CASES) {
            None => vec![format!("more than {MAX_CASES} cases")],
            Some(cubes) => match &cubes[..] {
                [only] => only.iter().map(literal).collect(),
                _ => cubes.iter().map(|cube| cube.iter().map(literal).collect::<Vec<_>>().join(" && ")).collect(),
            },
        }
    }

    fn tracked(&self, precision: &PredicatePrecision, names: &Names<'_>) -> Tracked {
        let tools = self.tools();
        let sets = precision.sets().map(|(number, set)| {
            let scope = Scope::of(precision.sharing(), number);
            let printer = scope.printer(names).with_pool(&tools.execution.pool);
            let mut texts: Vec<String> = set.iter().map(|&id| printer.expr(precision.predicate(id))).collect();
            texts.sort();
            (scope, texts)
        });
        Tracked::these(sets.collect())
    }
}
