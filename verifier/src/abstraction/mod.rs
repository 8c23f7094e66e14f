//! Predicate abstraction: what a formula says about a set of predicates.
//!
//! [`Regions`] holds sets of truth assignments to predicates, which are known by their numbers alone. [`Abstraction`]
//! computes the region of a formula. Knows expressions and the solver, but neither edges nor where predicates come from.

mod compute;
mod groups;
mod regions;
mod search;

pub use compute::{Abstraction, Method, Statistics};
pub use regions::{Cube, Region, Regions};
