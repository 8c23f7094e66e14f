//! What values and predicates have to show where they run together.

use super::super::combined::{Both, BothPrecisions};
use super::super::options::CheckOptions;
use super::{Graph, Moved, Names, Precision, View, predicate, value};
use crate::algorithm::Explorer;

/// What the analysis has built.
pub struct Built<'a, 'm, 'p> {
    /// The graph.
    pub explorer: &'a Explorer<'a, 'p, Both<'m, 'p>>,
    /// The precisions.
    pub precision: &'a BothPrecisions,
    /// What was asked for.
    pub options: &'a CheckOptions,
}

impl View for Built<'_, '_, '_> {
    fn graph(&self, names: &Names<'_>) -> Graph {
        let both = &self.explorer.cpa.second;
        let tools = both.second.tools();
        Graph::of(self.explorer, names, |((values, _), state), printer| {
            let mut facts = value::facts(&both.first.first, values, printer);
            facts.extend(predicate::facts(&tools, &self.precision.1, state, printer));
            facts
        })
    }

    fn precision(&self, names: &Names<'_>) -> Precision {
        let both = &self.explorer.cpa.second;
        let values = &both.first.first;
        let tracked = value::tracked(values, &self.precision.0.0, super::super::value::sharing(self.options), names);
        let sharing = super::super::predicate::sharing(self.options);
        let predicates = predicate::tracked(&both.second.tools(), &self.precision.1, sharing, names);
        let turnover = &both.first.exchange;
        let moved = turnover.moved().into_iter().map(|(cell, location)| Moved {
            name: value::name(values, cell, names.inside(location)),
            location,
            threshold: turnover.threshold(),
        });
        Precision { moved: moved.collect(), ..tracked.with(predicates) }
    }
}
