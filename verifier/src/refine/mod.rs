//! Refinement: from an infeasible path to a precision that excludes it.

pub mod predicate;
pub mod select;
pub mod value;
