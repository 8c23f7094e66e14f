//! Constraints of instructions on the points-to graph.

use rustc_hash::{FxHashMap, FxHashSet};

use super::PointsTo;
use super::external::Outside;
use super::graph::{AccessKind, Cell, Gaps, Graph, Object};
use super::truth::{reads_truth, writes_truth};
use crate::ir::{Constant, Layout, Module, Opcode, Type, TypeKind, Value};

/// A copy of a range of bytes.
pub(super) struct CopyRange {
    pub(super) to: Cell,
    pub(super) from: Cell,
    pub(super) bytes: Option<u64>,
}

pub(super) struct Solver {
    pub(super) layout: Layout,
    pub(super) pointer_bytes: u64,
    pub(super) module: Module,
    pub(super) graph: Graph,
    pub(super) values: FxHashMap<Value, Cell>,
    /// The result of each function.
    pub(super) results: FxHashMap<Value, Cell>,
    /// The cell of thrown exceptions.
    pub(super) varargs: FxHashMap<Value, Cell>,
    /// What is thrown.
    pub(super) exception: Cell,
    pub(super) copies: Vec<CopyRange>,
    /// Copies of arguments passed by value.
    pub(super) copied: FxHashMap<Object, Cell>,
    /// Integer operations that may compute with pointers.
    pub(super) arithmetic: Vec<Value>,
    /// Address computations with variable distances.
    pub(super) moves: Vec<Value>,
    /// Numbers that are converted to pointers.
    pub(super) casts: Vec<Value>,
    /// Where numbers are stored without a cell of their own: initial values and fills, with their lengths in bytes.
    pub(super) numbers: Vec<(Cell, u64)>,
    pub(super) outside: Outside,
    pub(super) indirect: Vec<Value>,
    pub(super) bound: FxHashSet<(Value, Value)>,
    pub(super) calls: FxHashMap<Value, Vec<Value>>,
}

impl Solver {
    pub(super) fn analyze(module: Module, entry: Value, gaps: Option<Gaps>) -> PointsTo {
        let layout = module.layout();
        let mut graph = Graph::new(gaps);
        let exception = graph.fresh();
        let mut solver = Solver {
            layout,
            pointer_bytes: u64::from(layout.pointer_bits() / 8),
            module,
            graph,
            values: FxHashMap::default(),
            results: FxHashMap::default(),
            varargs: FxHashMap::default(),
            exception,
            copies: Vec::new(),
            copied: FxHashMap::default(),
            arithmetic: Vec::new(),
            moves: Vec::new(),
            casts: Vec::new(),
            numbers: Vec::new(),
            outside: Outside::default(),
            indirect: Vec::new(),
            bound: FxHashSet::default(),
            calls: FxHashMap::default(),
        };
        for global in module.globals() {
            solver.global(global);
        }
        for function in module.functions() {
            for instruction in function.body() {
                solver.instruction(instruction);
            }
        }
        for param in entry.params() {
            solver.entry_argument(param, entry.name() == "main");
        }
        solver.solve(module);
        let (written_outside, whole_numbers) = (solver.written_outside(), solver.whole_numbers());
        let world = solver.world_node();
        let Solver { graph, values, varargs, calls, results, exception, .. } = solver;
        let unforeseen = FxHashSet::default();
        PointsTo {
            layout,
            graph,
            values,
            varargs,
            calls,
            results,
            exception,
            unforeseen,
            written_outside,
            whole_numbers,
            world,
        }
    }

    /// The cell of an instruction, an argument or an object.
    pub(super) fn variable(&mut self, value: Value) -> Cell {
        match self.values.get(&value) {
            Some(&cell) => self.graph.find(cell),
            None => {
                let cell = self.graph.fresh();
                self.values.insert(value, cell);
                cell
            }
        }
    }

    /// The cell of any value; `None` for constants without a target.
    pub(super) fn cell(&mut self, value: Value) -> Option<Cell> {
        match value.constant() {
            None if value.is_metadata() || value.is_inline_assembly() => None,
            None => Some(self.variable(value)),
            Some(Constant::Global) => Some(self.variable(value)),
            Some(Constant::Function) => {
                let cell = self.variable(value);
                self.graph.add_function(cell, value);
                Some(cell)
            }
            Some(Constant::Alias) => self.cell(value.aliasee()),
            Some(Constant::Expression(Opcode::LLVMGetElementPtr)) => {
                let base = self.cell(value.operand(0))?;
                let (offset, _) = gep_offset(value, self.layout);
                Some(self.graph.shifted(base, offset))
            }
            Some(constant @ (Constant::Expression(_) | Constant::Aggregate)) => {
                let parts: Vec<Cell> = value.operands().filter_map(|v| self.cell(v)).collect();
                let (&first, rest) = parts.split_first()?;
                for &other in rest {
                    self.graph.unify(first, other);
                }
                if matches!(constant, Constant::Expression(op) if !keeps_bits(op)) {
                    self.graph.blur(first, 1);
                    self.graph.set_numeric(first);
                }
                Some(self.graph.find(first))
            }
            Some(_) => None,
        }
    }

    pub(super) fn flow(&mut self, to: Cell, from: Value) {
        match self.cell(from) {
            Some(from) => self.graph.unify(to, from),
            None if is_number(from) => self.graph.set_numeric(to),
            None => {}
        }
    }

    /// The cell of a value that is stored: numbers may be read as pointers.
    pub(super) fn stored(&mut self, value: Value) -> Option<Cell> {
        let known = self.cell(value);
        if known.is_some() || !is_number(value) {
            return known;
        }
        let cell = self.graph.fresh();
        self.graph.set_numeric(cell);
        Some(cell)
    }

    fn global(&mut self, global: Value) {
        let cell = self.variable(global);
        self.graph.add_object(cell, Object::Global(global));
        match global.initializer() {
            Some(initial) if !global.is_declaration() => self.initial(cell, 0, initial),
            _ => self.declared(global, cell),
        }
    }

    /// Adds the pointers in an initial value at `offset` of an object.
    fn initial(&mut self, object: Cell, offset: i64, value: Value) {
        match value.constant() {
            Some(Constant::Aggregate) => {
                let ty = value.ty();
                for i in 0..value.operand_count() {
                    let at = offset + self.layout.element_offset(ty, u64::from(i)) as i64;
                    self.initial(object, at, value.operand(i));
                }
            }
            Some(Constant::Integer(n)) if n != 0 => {
                // Links are only needed if pointers are stored there as well; see `mark_numbers`.
                self.numbers.push((self.graph.shifted(object, offset), self.layout.store_size(value.ty())));
            }
            Some(Constant::Data | Constant::WideInteger) => {
                self.numbers.push((self.graph.shifted(object, offset), self.layout.alloc_size(value.ty())));
            }
            Some(Constant::Function | Constant::Global | Constant::Alias | Constant::Expression(_)) => {
                if let Some(target) = self.cell(value) {
                    let link = self.graph.shifted(object, offset);
                    let link = self.graph.link(link);
                    self.graph.unify(link, target);
                }
            }
            _ => {}
        }
    }

    /// An access of type `ty` through `pointer`; the pointers read or written are those of `value`.
    pub(super) fn access(&mut self, pointer: Value, ty: Type, value: Option<Cell>) {
        if let Some(cell) = self.cell(pointer) {
            self.access_at(cell, ty, value);
        }
    }

    /// The same for an access that only uses the lowest bit.
    pub(super) fn access_truth(&mut self, pointer: Value, value: Option<Cell>) {
        if let Some(cell) = self.cell(pointer) {
            self.access_as(cell, 1, AccessKind::Truth, value);
        }
    }

    pub(super) fn access_at(&mut self, cell: Cell, ty: Type, value: Option<Cell>) {
        if ty.is_aggregate() {
            for i in 0..ty.element_count() {
                let at = self.graph.shifted(cell, self.layout.element_offset(ty, i) as i64);
                self.access_at(at, ty.element(i), value);
            }
            return;
        }
        let kind = match ty.kind() {
            TypeKind::Float(Some(format)) => AccessKind::Float(format),
            _ => AccessKind::Bits,
        };
        self.access_as(cell, self.layout.store_size(ty), kind, value);
    }

    pub(super) fn access_as(&mut self, cell: Cell, bytes: u64, kind: AccessKind, value: Option<Cell>) {
        self.graph.access(cell, bytes, kind);
        // Floats are linked too: a copy of eight bytes may be a copy of a double.
        let link = self.graph.link(cell);
        if let Some(value) = value {
            self.graph.unify(link, value);
        }
    }

    fn instruction(&mut self, i: Value) {
        use Opcode::*;
        match i.opcode() {
            LLVMAlloca => {
                let cell = self.variable(i);
                self.graph.add_object(cell, Object::Alloca(i));
            }
            LLVMLoad => {
                let result = self.variable(i);
                if reads_truth(i) {
                    self.access_truth(i.operand(0), Some(result));
                } else {
                    self.access(i.operand(0), i.ty(), Some(result));
                }
            }
            LLVMStore => {
                let stored = i.operand(0);
                let value = self.stored(stored);
                if writes_truth(i) {
                    self.access_truth(i.operand(1), value);
                } else {
                    self.access(i.operand(1), stored.ty(), value);
                    self.stored_number(i.operand(1), stored.ty());
                }
            }
            LLVMAtomicRMW => {
                let result = self.variable(i);
                self.flow(result, i.operand(1));
                if i.ty().kind() != TypeKind::Pointer {
                    self.graph.set_numeric(result); // the new value is computed
                }
                self.access(i.operand(0), i.ty(), Some(result));
                self.stored_number(i.operand(0), i.ty());
            }
            LLVMAtomicCmpXchg => {
                let result = self.variable(i);
                self.flow(result, i.operand(1));
                self.flow(result, i.operand(2));
                self.access(i.operand(0), i.operand(1).ty(), Some(result));
            }
            LLVMGetElementPtr => {
                let Some(base) = self.cell(i.operand(0)) else { return };
                let (offset, mut strides) = gep_offset(i, self.layout);
                if i.ty().is_aggregate() {
                    strides.push(1); // a vector of distances
                }
                for stride in strides {
                    self.graph.blur(base, stride);
                }
                let moved = self.graph.shifted(base, offset);
                let result = self.variable(i);
                self.graph.unify(result, moved);
                self.moves.push(i);
            }
            LLVMPHI => {
                let result = self.variable(i);
                let incoming: Vec<Value> = i.incoming().map(|(v, _)| v).collect();
                for value in incoming {
                    self.flow(result, value);
                }
            }
            LLVMSelect => {
                let result = self.variable(i);
                self.flow(result, i.operand(1));
                self.flow(result, i.operand(2));
            }
            LLVMBitCast | LLVMAddrSpaceCast | LLVMPtrToInt | LLVMIntToPtr | LLVMTrunc | LLVMZExt | LLVMSExt
            | LLVMFreeze | LLVMExtractValue | LLVMExtractElement => {
                let result = self.variable(i);
                self.flow(result, i.operand(0));
                if i.opcode() == LLVMIntToPtr {
                    self.casts.push(i);
                }
            }
            LLVMInsertValue | LLVMInsertElement | LLVMShuffleVector => {
                let result = self.variable(i);
                self.flow(result, i.operand(0));
                self.flow(result, i.operand(1));
            }
            LLVMAdd | LLVMSub | LLVMMul | LLVMSDiv | LLVMUDiv | LLVMAnd | LLVMOr | LLVMXor | LLVMShl | LLVMLShr
            | LLVMAShr => {
                let result = self.variable(i);
                self.graph.set_numeric(result);
                self.arithmetic.push(i);
            }
            LLVMCall | LLVMInvoke => self.call(i),
            LLVMRet if i.operand_count() == 1 => {
                let result = self.result(i.function());
                self.flow(result, i.operand(0));
            }
            LLVMLandingPad => {
                let result = self.variable(i);
                self.graph.unify(result, self.exception);
            }
            LLVMResume => self.flow(self.exception, i.operand(0)),
            _ if i.ty().kind() == TypeKind::Void => {}
            // Not known to carry pointers: whatever it computes is a number.
            _ => {
                let result = self.variable(i);
                self.graph.set_numeric(result);
            }
        }
    }
}

/// Whether the result of a constant expression has the bits of its operand.
fn keeps_bits(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(opcode, LLVMBitCast | LLVMAddrSpaceCast | LLVMPtrToInt | LLVMIntToPtr | LLVMTrunc)
}

/// Whether it is a nonzero numeric constant.
pub(super) fn is_number(value: Value) -> bool {
    match value.constant() {
        Some(Constant::Integer(n)) => n != 0,
        Some(Constant::WideInteger | Constant::Data) => true,
        Some(Constant::Expression(opcode)) => opcode != Opcode::LLVMGetElementPtr && value.operands().any(is_number),
        _ => false,
    }
}

/// The function that a call reaches through aliases.
pub fn resolve_alias(value: Value) -> Value {
    match value.constant() {
        Some(Constant::Alias) => resolve_alias(value.aliasee()),
        Some(Constant::Expression(Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast)) => resolve_alias(value.operand(0)),
        _ => value,
    }
}

/// The length of a range, if it is constant.
pub fn constant_length(length: Value) -> Option<u64> {
    match length.constant() {
        Some(Constant::Integer(n)) => u64::try_from(n).ok(),
        _ => None,
    }
}

/// The fields of a `va_list`: offset, size, and whether they point to arguments.
pub fn va_list_fields(pointer_bytes: u64) -> Vec<(i64, u64, bool)> {
    match pointer_bytes {
        8 => vec![(0, 4, false), (4, 4, false), (8, 8, true), (16, 8, true)],
        _ => vec![(0, pointer_bytes, true)],
    }
}

/// The size of a `va_list`.
pub fn va_list_bytes(pointer_bytes: u64) -> u64 {
    va_list_fields(pointer_bytes).iter().map(|f| f.1).sum()
}

/// The constant offset of a `getelementptr`, and the factors of its variable indices.
pub fn gep_offset(gep: Value, layout: Layout) -> (i64, Vec<u64>) {
    let (mut offset, mut strides) = (0i64, Vec::new());
    let mut ty = gep.gep_source_type();
    for i in 1..gep.operand_count() {
        let index = gep.operand(i);
        let number = match index.constant() {
            Some(Constant::Integer(n)) => {
                let TypeKind::Integer(width) = index.ty().kind() else { continue };
                Some(clew_verifier::expr::value::signed(width.min(128) as u16, n) as i64)
            }
            Some(Constant::Zero) => Some(0),
            _ => None,
        };
        if i > 1 && matches!(ty.kind(), TypeKind::Struct(_)) {
            let field = number.unwrap_or(0) as u64;
            offset = offset.wrapping_add(layout.element_offset(ty, field) as i64);
            ty = ty.element(field);
            continue;
        }
        if i > 1 {
            ty = ty.element(0);
        }
        let size = layout.alloc_size(ty);
        match number {
            Some(n) => offset = offset.wrapping_add(n.wrapping_mul(size as i64)),
            None => strides.push(size),
        }
    }
    (offset, strides)
}
