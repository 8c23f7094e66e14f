//! The bytes of a state by address: memory variables, and plain variables that have an address.

use rustc_hash::FxHashMap;

use crate::cfa::program::{Program, Scope, VarKind};
use crate::expr::eval::{self, Env, Undefined, evaluate};
use crate::expr::{Expr, MemorySort, Sort, Value, Var};
use crate::interpreter::State;
use crate::print::addresses::{Addresses, Object};
use crate::print::values;

/// Where the bytes of objects are.
pub(super) struct Contents {
    /// Plain variables with an address: first byte, length. Sorted.
    plain: Vec<(u64, u64, Var)>,
    /// The memories in which parts of an object were written, by its address.
    holders: FxHashMap<u64, Vec<Var>>,
}

impl Contents {
    pub(super) fn of(program: &Program) -> Contents {
        let vars = program.vars.iter().enumerate();
        let mut plain: Vec<(u64, u64, Var)> = vars
            .filter(|(_, info)| info.kind == VarKind::Source && info.scope == Scope::Global)
            .filter_map(|(index, info)| Some((info.address?, scalar_bytes(info.sort), Var(index as u32))))
            .collect();
        plain.sort_unstable();
        Contents { plain, holders: FxHashMap::default() }
    }

    /// Records that `memory` holds a part of `object`.
    pub(super) fn hold(&mut self, object: &Object, memory: Var) {
        let holders = self.holders.entry(object.base).or_default();
        if !holders.contains(&memory) {
            holders.push(memory);
        }
    }

    /// A byte, if it is known. `state` is that of a run of the program.
    ///
    /// Objects of the dynamic stack are not read, since others may have been at their addresses before.
    pub(super) fn byte(&self, state: &State<'_>, addresses: &Addresses<'_>, address: u64) -> Option<u8> {
        if let Some(known) = self.plain_byte(state, address) {
            return known;
        }
        // A memory may have bytes of members that other memories hold: only what all say is known.
        let holders = self.holders.get(&addresses.object(address)?.base)?;
        let mut bytes = holders.iter().map(|&memory| state.byte(memory, address).filter(|_| is_active(state, memory)));
        let first = bytes.next()??;
        bytes.all(|byte| byte == Some(first)).then_some(first)
    }

    /// The number of memories that hold an object.
    pub(super) fn holders(&self, object: &Object) -> usize {
        self.holders.get(&object.base).map_or(0, Vec::len)
    }

    /// The byte of a plain variable, if one is at the address.
    pub(super) fn plain_byte(&self, state: &State<'_>, address: u64) -> Option<Option<u8>> {
        let after = self.plain.partition_point(|&(start, ..)| start <= address);
        let &(start, bytes, var) = &self.plain[after.checked_sub(1)?];
        let value = || values::bytes(state.value(var)?).get((address - start) as usize).copied();
        (address - start < bytes).then(value)
    }
}

/// Whether a memory belongs to the whole program or to the innermost function.
pub(super) fn is_active(state: &State<'_>, memory: Var) -> bool {
    match state.program().var(memory).scope {
        Scope::Global => true,
        Scope::Local(function) => state.call_stack().next_back() == Some(function),
    }
}

/// The size of a scalar in memory.
pub(super) fn scalar_bytes(sort: Sort) -> u64 {
    match sort {
        Sort::Bool => 1,
        Sort::Bits(width) => u64::from(width.div_ceil(8)),
        Sort::Float(format) => u64::from(format.bits().div_ceil(8)),
        Sort::Memory(_) => 0,
    }
}

/// The value of an expression in a state, if nothing unknown takes part.
pub(in crate::evidence) fn value_of(state: &State<'_>, expr: Expr) -> Option<Value> {
    evaluate(&state.program().pool, expr, &mut Known { state }).ok()
}

/// A value in memory, if all its bytes are known.
pub(super) fn read(state: &State<'_>, memory: Var, sort: Sort, address: u64) -> Option<Value> {
    let bytes = (0..scalar_bytes(sort)).map(|i| state.byte(memory, address.wrapping_add(i)));
    let raw = bytes.rev().try_fold(0_u128, |raw, byte| Some(raw << 8 | u128::from(byte?)))?;
    Value::from_raw(sort, raw)
}

/// Evaluates expressions in a state, without drawing values.
struct Known<'a, 'p> {
    state: &'a State<'p>,
}

/// There is no value.
struct NoValue;

impl From<Undefined> for NoValue {
    fn from(_: Undefined) -> NoValue {
        NoValue
    }
}

impl Env for Known<'_, '_> {
    type Stop = NoValue;

    fn var(&mut self, var: Var) -> Result<Value, NoValue> {
        self.state.value(var).ok_or(NoValue)
    }

    fn read(&mut self, memory: Var, sort: MemorySort, address: u128, cells: u16) -> Result<Value, NoValue> {
        read(self.state, memory, eval::read_sort(sort, cells), address as u64).ok_or(NoValue)
    }

    fn undefined(&mut self, _: Expr, _: Undefined) -> Result<Value, NoValue> {
        Err(NoValue)
    }
}
