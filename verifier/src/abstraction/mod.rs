//! Predicate abstraction of formulas.
//!
//! [`Regions`] holds sets of truth assignments to numbered predicates. [`Abstraction`] computes the region of a
//! formula. This module depends on expressions and the solver, but not on edges or the origin of predicates.

mod compute;
mod groups;
mod regions;
mod search;

pub use compute::{Abstraction, Method, Statistics};
pub use regions::{Cube, Region, Regions};
