//! Inputs of the runs that guesses are taken from.

use std::collections::BTreeSet;

use crate::cfa::{EdgeId, Havoc, Op, Program};
use crate::expr::{Node, Sort, Value};
use crate::interpreter::{Inputs, SeededInputs, Unknown};

/// Larger constants are taken for addresses.
const MAX_CONSTANT: u128 = 1 << 32;

/// The maximum number of constants.
const MAX_CONSTANTS: usize = 32;

/// The constants of the program, which bounds and inputs are near to, with both signs; smaller ones first.
pub fn constants(program: &Program) -> Vec<i128> {
    let mut found = BTreeSet::from([0, 1]);
    let space = &program.address_space;
    let is_address = |bits: u128| bits >= space.fixed.start.into() && bits < space.fixed.end.into();
    for edge in &program.edges {
        let mut roots = Vec::new();
        match &edge.op {
            Op::Assume(_) | Op::Call { .. } | Op::Return(_) => edge.op.for_each_expr(|expr| roots.push(expr)),
            Op::Assign(_, value) => roots.push(*value),
            _ => {}
        }
        while let Some(expr) = roots.pop() {
            if let Node::Const(Value::Bits { width, bits }) = program.pool.node(expr) {
                let number = crate::expr::value::signed(width, bits);
                if number.unsigned_abs() < MAX_CONSTANT && !is_address(bits) {
                    found.extend([number, -number]);
                }
            }
            roots.extend(program.pool.children(expr));
        }
    }
    let mut found: Vec<i128> = found.into_iter().collect();
    found.sort_by_key(|number| number.unsigned_abs());
    found.truncate(MAX_CONSTANTS);
    found.sort_unstable();
    found
}

/// Small numbers and the constants of the program: recursion on others is too deep to be watched.
pub struct NearConstants<'c> {
    random: SeededInputs,
    /// Whether all inputs are small.
    small: bool,
    constants: &'c [i128],
}

impl<'c> NearConstants<'c> {
    /// The sequence for `seed`.
    pub fn new(seed: u64, constants: &'c [i128]) -> NearConstants<'c> {
        NearConstants { random: SeededInputs::new(seed), small: seed % 4 != 3, constants }
    }

    fn below(&mut self, bound: u128, unknown: Unknown) -> u128 {
        let wide = Unknown { sort: Sort::Bits(64), ..unknown };
        // The upper bits of a product spread the values that the generator prefers.
        let raw = self.random.next(wide).map_or(0, Value::raw).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (raw >> 32 & 0xffff_ffff) % bound
    }
}

impl Inputs for NearConstants<'_> {
    fn next(&mut self, unknown: Unknown) -> Option<Value> {
        let number = match self.below(if self.small { 8 } else { 16 }, unknown) {
            0..=6 => self.below(12, unknown) as i128,
            7 => -(self.below(4, unknown) as i128),
            8..=12 if !self.constants.is_empty() => {
                let at = self.below(self.constants.len() as u128, unknown) as usize;
                self.constants[at] + self.below(3, unknown) as i128 - 1
            }
            _ => return self.random.next(unknown),
        };
        match unknown.sort {
            Sort::Float(_) => self.random.next(unknown),
            _ if matches!(unknown.kind, Havoc::Undefined) => self.random.next(unknown),
            sort => Value::from_raw(sort, number as u128),
        }
    }

    fn choose(&mut self, options: &[EdgeId]) -> usize {
        self.random.choose(options)
    }
}
