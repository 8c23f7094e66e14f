//! Algorithms 3 and 4 of paper 000 line by line, as an oracle for the interpolation that Clew ships.
//!
//! Slow on purpose. Lines are counted as the paper prints them, without input, output and variables. The strongest
//! post-operator is the transfer relation of the value analysis with all cells tracked.

use std::collections::BTreeSet;

use clew_verifier::cfa::Step;
use clew_verifier::cpa::Cpa;
use clew_verifier::cpa::value::cells::CellId;
use clew_verifier::cpa::value::precision::ValuePrecision;
use clew_verifier::cpa::value::{ValueState, Values};

/// A constraint of a constraint sequence.
#[derive(Clone, Copy, Debug)]
pub enum Constraint {
    /// An operation of the path.
    Operation(Step),
    /// The assumption `[x = z]` of an interpolant.
    Equals(CellId, u64),
}

/// An abstract variable assignment; `None` is a contradicting one.
pub type Assignment = Option<ValueState>;

/// What the algorithms compute with.
pub struct Literal<'a, 'p> {
    pub values: &'a Values<'p>,
}

impl Literal<'_, '_> {
    /// `SP_γ(v)`: the strongest post-operator, constraint by constraint.
    pub fn sp(&self, gamma: &[Constraint], v: &ValueState) -> Assignment {
        let full = ValuePrecision::full();
        gamma.iter().try_fold(v.clone(), |mut v, constraint| match *constraint {
            Constraint::Operation(step) => self.values.transfer(v, &full, step).pop(),
            Constraint::Equals(x, z) => {
                if v.get(x).is_some_and(|known| known != z) {
                    return None;
                }
                v.set(x, z);
                Some(v)
            }
        })
    }

    /// `SP_γ(∅)`.
    pub fn sp_of_nothing(&self, gamma: &[Constraint]) -> Assignment {
        self.sp(gamma, &self.values.initial())
    }

    /// Algorithm 3: an interpolant for `γ−` and `γ+`, whose conjunction must be contradicting and `γ−` must not.
    pub fn interpolate(&self, gamma_minus: &[Constraint], gamma_plus: &[Constraint]) -> Vec<Constraint> {
        // Line 1: v := SP_γ−(∅)
        let mut v = self.sp_of_nothing(gamma_minus).expect("γ− is not contradicting");
        // Line 2: for each x ∈ def(v) do
        for (x, _) in v.entries() {
            // Line 3: if SP_γ+(v|def(v)∖{x}) is contradicting then
            let without_x = without(&v, x);
            if self.sp(gamma_plus, &without_x).is_none() {
                // Line 4: v := v|def(v)∖{x}
                v = without_x;
            }
        }
        // Line 5: Γ := ⟨⟩
        let mut interpolant = Vec::new();
        // Line 6: for each x ∈ def(v) do
        for (x, z) in v.entries() {
            // Line 7: Γ := Γ ∧ ⟨[x = v(x)]⟩
            interpolant.push(Constraint::Equals(x, z));
        }
        // Line 8: return Γ
        interpolant
    }

    /// Algorithm 4: the precision `Π(l_i)` for i = 1 to n−1, and the interpolants that it was taken from.
    ///
    /// The last operation of `path` has to be the one that contradicts those before.
    pub fn refine(&self, path: &[Step]) -> Vec<(BTreeSet<CellId>, Vec<Constraint>)> {
        let operations: Vec<Constraint> = path.iter().map(|&step| Constraint::Operation(step)).collect();
        // Line 1: Γ := ⟨⟩; Π(l) := ∅, for all program locations l
        let (mut interpolant, mut precision) = (Vec::new(), Vec::new());
        // Line 2: for i := 1 to n−1 do
        for i in 1..operations.len() {
            // Line 3: γ+ := ⟨op_i+1, ..., op_n⟩
            let gamma_plus = &operations[i..];
            // Line 4: Γ := Interpolate(Γ ∧ op_i, γ+)
            interpolant.push(operations[i - 1]);
            interpolant = self.interpolate(&interpolant, gamma_plus);
            // Line 5: Π(l_i) := {x | (x, z) ∈ SP_Γ(∅) and ⊥ ≠ z ≠ ⊤}
            let v = self.sp_of_nothing(&interpolant).expect("an interpolant is not contradicting");
            precision.push((v.entries().into_iter().map(|(x, _)| x).collect(), interpolant.clone()));
        }
        // Line 6: return Π
        precision
    }
}

/// `v|def(v)∖{x}`.
pub fn without(v: &ValueState, x: CellId) -> ValueState {
    let mut v = v.clone();
    v.remove(x);
    v
}
