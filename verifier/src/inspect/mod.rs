//! Inspection of a finished analysis: its abstract reachability graph and its precision.
//!
//! Domains describe their states by [`Show`]; everything else is independent of the domain.

mod dot;
mod graph;
mod json;
mod labels;
mod precision;
mod svg;
mod text;

pub use graph::{Edge, Fate, Graph, Node};
pub use svg::TooLarge;

use crate::algorithm::Explorer;
use crate::cpa::show::Tracked;
use crate::cpa::{Index, Show};
use crate::print::Names;

/// The result of an analysis that can be inspected.
pub trait View {
    /// The abstract reachability graph.
    fn graph(&self, names: &Names<'_>) -> Graph;

    /// The precision.
    fn precision(&self, names: &Names<'_>) -> Tracked;
}

/// The graph and the precision of a finished exploration.
pub struct Built<'a, 'p, D: Index> {
    /// The exploration.
    pub explorer: &'a Explorer<'a, 'p, D>,
    /// The precision at its end.
    pub precision: &'a D::Precision,
}

impl<D: Index + Show> View for Built<'_, '_, D> {
    fn graph(&self, names: &Names<'_>) -> Graph {
        let domain = &self.explorer.cpa.domain;
        Graph::of(self.explorer, names, |state, printer| domain.facts(state, self.precision, printer))
    }

    fn precision(&self, names: &Names<'_>) -> Tracked {
        self.explorer.cpa.domain.tracked(self.precision, names)
    }
}
