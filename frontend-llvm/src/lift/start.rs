//! The start function: initial values, constructors, the entry function, and exit handlers.

use clew_verifier::cfa::{FuncId, Havoc, InitialCells, LocId, LocationKind, Op, Segment, SourceId};
use clew_verifier::expr::{Expr, Sort, Value as Concrete, Var};
use rustc_hash::FxHashMap;

use super::Lifter;
use super::foreseen::UNFORESEEN;
use crate::ir::Value;
use crate::pointsto::{NodeId, Object};

/// The name of the start function.
const NAME: &str = "<start>";

impl Lifter {
    /// Declares the start function first, so that it comes before all others.
    pub(super) fn declare_start(&mut self) -> FuncId {
        self.builder.add_function(NAME, NAME, None, SourceId::NONE)
    }

    /// Adds the constructors and calls. Initial values are added last, when all variables are known.
    pub(super) fn lift_start(&mut self, start: FuncId, entry: Value) {
        let mut at = self.builder.add_location(start, LocationKind::Normal);
        let first = at;
        self.start_body = Some(first);
        if self.module.globals().any(|global| self.points_to.is_unforeseen(global)) {
            let halt = self.builder.add_location(start, LocationKind::Halt);
            self.builder.add_edge(at, Op::Unsupported(UNFORESEEN.into()), halt, SourceId::NONE);
            at = self.builder.add_location(start, LocationKind::Normal);
        }
        for constructor in self.constructors() {
            let callee = self.function(constructor);
            at = self.builder.add_step(at, Op::Call { callee, args: [].into(), result: None }, SourceId::NONE);
            at = self.without_jump(start, at, constructor);
        }
        let callee = self.function(entry);
        let args = self.entry_arguments(&mut at, entry, callee);
        let sort = self.builder.function(callee).result;
        let result = sort.map(|sort| self.model_var("exit.status", sort));
        at = self.builder.add_step(at, Op::Call { callee, args: args.into(), result }, SourceId::NONE);
        at = self.without_jump(start, at, entry);
        if self.may_throw.contains(&entry) {
            // Uncaught: std::terminate.
            let pending = self.exception_pending();
            let pending = self.builder.pool.var(pending, Sort::Bool);
            let halt = self.builder.add_location(start, LocationKind::Halt);
            self.builder.add_edge(at, Op::Assume(pending), halt, SourceId::NONE);
            let normal = self.builder.pool.not(pending);
            at = self.builder.add_step(at, Op::Assume(normal), SourceId::NONE);
        }
        let exit = self.module.function("__clew_run_atexit").filter(|f| !f.is_declaration());
        // It also runs the destructors.
        let at_end = exit.map_or_else(|| self.destructors(), |f| vec![f]);
        for function in at_end {
            let callee = self.function(function);
            at = self.builder.add_step(at, Op::Call { callee, args: [].into(), result: None }, SourceId::NONE);
            at = self.without_jump(start, at, function);
        }
        self.builder.function_mut(start).result = sort;
        let status = result.map(|var| self.builder.read(var));
        self.builder.add_return(at, status, SourceId::NONE);
    }

    /// Initialises all global variables and memories.
    pub(super) fn finish_start(&mut self, start: FuncId) {
        let mut at = self.builder.function(start).entry;
        let step = |l: &mut Lifter, at: &mut LocId, op: Op| *at = l.builder.add_step(*at, op, SourceId::NONE);
        let mut contents: FxHashMap<NodeId, u32> = FxHashMap::default();
        for (node, piece, var) in self.global_storage() {
            match self.plain_object(node) {
                Some((Object::Global(global), offset)) => {
                    if let Some(value) = self.constant_piece(node, piece, global, offset) {
                        step(self, &mut at, Op::Assign(var, value));
                    }
                }
                Some(_) => {}
                None => {
                    let index = match contents.get(&node) {
                        Some(&index) => Some(index),
                        None => self.initial_cells(node).map(|cells| {
                            let index = self.builder.initial.len() as u32;
                            self.builder.initial.push(cells);
                            contents.insert(node, index);
                            index
                        }),
                    };
                    if let Some(index) = index {
                        step(self, &mut at, Op::Initialize { memory: var, contents: index });
                    }
                }
            }
        }
        let bits = self.layout.pointer_bits();
        let tops = [(self.model.heap_top, self.objects.heap_base), (self.model.stack_top, self.objects.stack_base)];
        for (var, base) in tops {
            if let Some(var) = var {
                let base = self.builder.pool.bits(bits, u128::from(base));
                step(self, &mut at, Op::Assign(var, base));
            }
        }
        if let Some(large) = self.model.large_objects {
            let none = self.builder.pool.bits(8, 0);
            step(self, &mut at, Op::Assign(large.count, none));
        }
        if let Some((var, nearest)) = self.initial_rounding() {
            step(self, &mut at, Op::Assign(var, nearest));
        }
        if let Some(var) = self.model.exception_pending {
            let no = self.builder.pool.bool(false);
            step(self, &mut at, Op::Assign(var, no));
        }
        for (var, value) in self.initial_jump() {
            step(self, &mut at, Op::Assign(var, value));
        }
        let mut weak: Vec<(Var, &str)> = self.weak.iter().map(|(symbol, &exists)| (exists, symbol.name())).collect();
        weak.sort_unstable();
        for (exists, symbol) in weak {
            let why = Havoc::External(self.external(symbol));
            step(self, &mut at, Op::Havoc(exists, why));
        }
        if let Some(body) = self.start_body {
            self.builder.add_edge(at, Op::Skip, body, SourceId::NONE);
        }
    }

    /// The functions of `llvm.global_ctors`, by priority.
    fn constructors(&self) -> Vec<Value> {
        self.listed("llvm.global_ctors")
    }

    /// The functions of `llvm.global_dtors`, in execution order.
    pub(super) fn destructors(&self) -> Vec<Value> {
        let mut list = self.listed("llvm.global_dtors");
        list.reverse();
        list
    }

    fn listed(&self, name: &str) -> Vec<Value> {
        let Some(list) = self.module.global(name).and_then(|g| g.initializer()) else { return Vec::new() };
        let mut entries: Vec<(u128, Value)> = Vec::new();
        for i in 0..list.operand_count() {
            let entry = list.operand(i);
            let priority = match entry.operand(0).constant() {
                Some(crate::ir::Constant::Integer(n)) => n,
                _ => u128::MAX,
            };
            let function = crate::pointsto::resolve_alias(entry.operand(1));
            if function.is_function() && !function.is_declaration() {
                entries.push((priority, function));
            }
        }
        entries.sort_by_key(|e| e.0);
        entries.into_iter().map(|e| e.1).collect()
    }

    /// The initial value of a piece of a global whose first byte is at `at` in the node.
    pub(super) fn constant_piece(&mut self, node: NodeId, piece: usize, global: Value, at: i64) -> Option<Expr> {
        let initial = global.initializer().filter(|_| !global.is_declaration())?;
        let partition = self.partition(node);
        let (start, bytes) = (partition.start(piece), partition.bytes(piece));
        let offset = u64::try_from(start - at).ok()?;
        let image = self.image(global, initial);
        if image.undefined {
            return None;
        }
        let byte = |i: u64| u128::from(image.data.get((offset + i) as usize).copied().unwrap_or(0));
        let raw = (0..bytes.min(16)).rev().fold(0, |value, i| value << 8 | byte(i));
        let value = Concrete::from_raw(self.piece_sort(node, piece), raw)?;
        Some(self.builder.pool.constant(value))
    }

    fn image(&mut self, global: Value, initial: Value) -> std::rc::Rc<super::constant::InitialBytes> {
        if let Some(known) = self.images.get(&global) {
            return known.clone();
        }
        let image = std::rc::Rc::new(self.initial_bytes(initial));
        self.images.insert(global, image.clone());
        image
    }

    /// The initial contents of the global objects of a node.
    fn initial_cells(&mut self, node: NodeId) -> Option<InitialCells> {
        let objects: Vec<Object> = self.points_to.node(node).objects.iter().map(|o| o.0).collect();
        let mut segments = Vec::new();
        for object in objects {
            let Object::Global(global) = object else { continue };
            let Some(initial) = global.initializer().filter(|_| !global.is_declaration()) else { continue };
            let address = self.fixed_address(object);
            let bytes = self.object_bytes(object).unwrap_or(0);
            let image = self.image(global, initial);
            if !image.undefined {
                segments.push(Segment { address, bytes, data: image.data.as_slice().into() });
            }
        }
        segments.sort_by_key(|s| s.address);
        (!segments.is_empty()).then_some(InitialCells { segments })
    }
}
