//! Numeric abstract domains: sets of assignments of mathematical integers to variables. Independent of programs.
//!
//! A domain behind [`NumericDomain`] knows nothing of machine integers; [`congruences`] stands beside it.
//! Its user restricts variables to the ranges of their types, and decides whether an operation wraps around.

pub mod boxes;
pub mod congruences;
pub mod linear;
pub mod octagon;

pub use boxes::Boxes;
pub use linear::{Linear, Range};
pub use octagon::Octagon;

use crate::expr::Var;
use crate::tuning::Numeric;

/// The largest finite bound; beyond it, a domain has no bound. Sums of a few such bounds fit into 128 bits.
pub const MAX_BOUND: i128 = 1 << 96;

/// An abstract domain: each value stands for a set of assignments of integers to variables.
///
/// Every operation over-approximates the operation on sets, unless it says that it is exact.
pub trait NumericDomain: Clone + std::fmt::Debug {
    // 1. Lattice

    /// All assignments.
    fn top(tuning: Numeric) -> Self;

    /// Whether there is no assignment; exact.
    fn is_bottom(&self) -> bool;

    /// Makes it the empty set.
    fn set_bottom(&mut self);

    /// Whether all assignments of `self` are in `other`; exact, provided that `self` is closed.
    fn leq(&self, other: &Self) -> bool;

    /// The smallest value that includes both, which must be closed.
    fn join(&self, other: &Self) -> Self;

    /// The intersection; exact.
    fn meet(&self, other: &Self) -> Self;

    // 2. Transfer: images of edges

    /// `var := value`, where the constant of `value` is any number of its range.
    fn assign(&mut self, var: Var, value: &Linear);

    /// Keeps the assignments for which `form <= 0` holds for some number of the range of its constant.
    fn assume(&mut self, form: &Linear);

    /// `var` takes any value; exact.
    fn forget(&mut self, var: Var);

    /// The variable `from` is called `to`, of which nothing may be known; exact.
    fn rename(&mut self, from: Var, to: Var);

    // 3. Preimages of edges

    /// The assignments from which `var := value` may lead into `self`. `fresh` must occur in neither.
    fn unassign(&mut self, var: Var, value: &Linear, fresh: Var) {
        self.rename(var, fresh);
        let mut difference = value.minus(&Linear::var(fresh));
        self.assume(&difference);
        difference = difference.negated();
        self.assume(&difference);
        self.forget(fresh);
    }

    /// Whether the image and the preimage of `var := value` are exact.
    fn is_exact(value: &Linear) -> bool;

    // 4. Widening

    /// A value that includes both. Bounds of `self` that `newer` exceeds move to the next of the sorted `thresholds`, or
    /// vanish. The result is not closed. Repeated widening ends if `self` is the last result, not closed in between.
    fn widen(&self, newer: &Self, thresholds: &[i128]) -> Self;

    /// The same set, with all implied constraints.
    fn closed(&self) -> Self;

    // 5. Projection

    /// Forgets all variables but those that `keeps` accepts; exact.
    fn project(&mut self, keeps: &dyn Fn(Var) -> bool) {
        for var in self.vars() {
            if !keeps(var) {
                self.forget(var);
            }
        }
    }

    // 6. Queries and conversion

    /// The variables of which something is known, in order.
    fn vars(&self) -> Vec<Var>;

    /// Bounds of a form. Exact for the forms that [`NumericDomain::constraints`] consist of.
    fn bounds(&self, form: &Linear) -> Range;

    /// Constraints `form <= 0` that describe the value, without obvious redundancy. [`Linear`] to expressions is the
    /// business of the user, who knows the types of variables.
    fn constraints(&self) -> Vec<Linear>;

    /// The number of bounds that are stored: a measure of the work of an operation.
    fn size(&self) -> usize;
}
