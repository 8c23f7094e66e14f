//! The bytes of a state by address: memory variables, and plain variables that have an address.

use rustc_hash::FxHashMap;

use crate::cfa::program::{FuncId, Program, Scope, VarKind};
use crate::expr::{Expr, MemorySort, Sort, Value, Var};
use crate::expr::eval::{self, Env, Undefined, evaluate};
use crate::interpreter::State;
use crate::print::values;

/// Where the bytes of objects are.
pub(super) struct Contents {
    /// Plain variables with an address: first byte, length. Sorted.
    plain: Vec<(u64, u64, Var)>,
    /// Memories of the whole program.
    memories: Vec<Var>,
    /// Memories of single functions.
    local: FxHashMap<FuncId, Vec<Var>>,
}

impl Contents {
    pub(super) fn of(program: &Program) -> Contents {
        let (mut plain, mut memories, mut local) = (Vec::new(), Vec::new(), FxHashMap::<FuncId, Vec<Var>>::default());
        for (index, info) in program.vars.iter().enumerate() {
            let var = Var(index as u32);
            if info.kind != VarKind::Source {
                continue;
            }
            match (info.sort, info.scope, info.address) {
                (Sort::Memory(_), Scope::Global, _) => memories.push(var),
                (Sort::Memory(_), Scope::Local(function), _) => local.entry(function).or_default().push(var),
                (sort, Scope::Global, Some(address)) => plain.push((address, scalar_bytes(sort), var)),
                _ => {}
            }
        }
        plain.sort_unstable();
        Contents { plain, memories, local }
    }

    /// A byte, if it is known. `state` is that of a run of the program.
    ///
    /// Objects of the dynamic stack are not read, since others may have been at their addresses before.
    pub(super) fn byte(&self, state: &State<'_>, address: u64) -> Option<u8> {
        let space = &state.program().address_space;
        if address >= space.stack_base && !space.fixed.contains(&address) {
            return None;
        }
        let after = self.plain.partition_point(|&(start, ..)| start <= address);
        if let Some(&(start, bytes, var)) = after.checked_sub(1).map(|at| &self.plain[at])
            && address - start < bytes
        {
            let value = state.value(var)?;
            return values::bytes(value).get((address - start) as usize).copied();
        }
        let function = state.call_stack().next_back();
        let local = function.and_then(|function| self.local.get(&function));
        let memories = local.into_iter().flatten().chain(&self.memories);
        memories.copied().find_map(|memory| state.byte(memory, address))
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
pub(super) fn value_of(state: &State<'_>, expr: Expr) -> Option<Value> {
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
