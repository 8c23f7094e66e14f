//! How values are kept in 64 bits: as they are where they fit, else by a number that stands for them.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::cfa::{FloatFormat, Sort, Value};

/// Does a value of this sort fit into a word?
#[inline]
pub const fn is_narrow(sort: Sort) -> bool {
    match sort {
        Sort::Bool => true,
        Sort::Bits(width) => width <= 64,
        Sort::Float(format) => !matches!(format, FloatFormat::X87 | FloatFormat::Quad),
        Sort::Memory(_) => false,
    }
}

/// Numbers for wide values. Equal values have equal numbers.
#[derive(Debug, Default)]
pub struct Words {
    wide: RefCell<(Vec<u128>, FxHashMap<u128, u64>)>,
}

impl Words {
    /// The word for a representation of `sort`.
    #[inline]
    pub fn word(&self, sort: Sort, raw: u128) -> u64 {
        if is_narrow(sort) {
            return raw as u64;
        }
        let (values, numbers) = &mut *self.wide.borrow_mut();
        *numbers.entry(raw).or_insert_with(|| {
            values.push(raw);
            values.len() as u64 - 1
        })
    }

    /// The representation that a word of `sort` stands for.
    #[inline]
    pub fn raw(&self, sort: Sort, word: u64) -> u128 {
        if is_narrow(sort) { word.into() } else { self.wide.borrow().0[word as usize] }
    }

    /// The value that a word of `sort` stands for; memories have none.
    pub fn value(&self, sort: Sort, word: u64) -> Option<Value> {
        Value::from_raw(sort, self.raw(sort, word))
    }
}
