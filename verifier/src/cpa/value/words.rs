//! Encoding of values in 64 bits: narrow values directly, wide ones by an interned index.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::expr::{FloatFormat, Sort, Value};

/// Whether values of this sort fit a word.
#[inline]
pub const fn is_narrow(sort: Sort) -> bool {
    match sort {
        Sort::Bool => true,
        Sort::Bits(width) => width <= 64,
        Sort::Float(format) => !matches!(format, FloatFormat::X87 | FloatFormat::Quad),
        Sort::Memory(_) => false,
    }
}

/// Interned wide values.
#[derive(Debug, Default)]
pub struct Words {
    wide: RefCell<(Vec<u128>, FxHashMap<u128, u64>)>,
}

impl Words {
    /// The word for a raw value of `sort`.
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

    /// The raw value that a word of `sort` encodes.
    #[inline]
    pub fn raw(&self, sort: Sort, word: u64) -> u128 {
        if is_narrow(sort) { word.into() } else { self.wide.borrow().0[word as usize] }
    }

    /// The value that a word of `sort` encodes; `None` for memories.
    pub fn value(&self, sort: Sort, word: u64) -> Option<Value> {
        Value::from_raw(sort, self.raw(sort, word))
    }
}
