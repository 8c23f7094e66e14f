//! Lifting of one function: blocks in reverse postorder, with values that are folded into the expressions that use
//! them.

use rustc_hash::{FxHashMap, FxHashSet};

use clew_verifier::cfa::{
    Assumption, ExternalId, FuncId, Havoc, LocId, LocationKind, Op, Property, PropertyKind, Scope, SourceId, VarInfo,
    VarKind,
};
use clew_verifier::expr::{Expr, Sort, UnaryOp, Value as Constant, Var};

use super::checks::{Lines, is_with_overflow};
use super::foreseen::UNFORESEEN;
use super::{Lifter, Val};
use crate::ir::{Block, Opcode, Type, TypeKind, Value};

/// The maximum size of an expression that is folded; larger ones are saved in a variable.
const MAX_FOLDED: usize = 60;

/// What an operation is about to write.
#[derive(Clone, Copy)]
pub(super) enum Written {
    /// One variable.
    Variable(Var),
    /// Everything visible to other functions.
    Globals,
    /// All memories.
    Memories,
    /// Anything, as on one of two branches.
    Anything,
}

/// The state of lifting one function.
pub(super) struct FunctionLifter<'l> {
    pub l: &'l mut Lifter,
    pub function: Value,
    pub id: FuncId,
    /// The source location of the next edge.
    pub at: LocId,
    /// The source position of the current instruction.
    pub source: SourceId,
    /// The external function of the current call, or the one that gives the next input.
    pub external: Option<ExternalId>,
    values: FxHashMap<Value, Val>,
    /// Unsaved values of the current block: what they read must not be written before their last use.
    unsaved: Vec<Value>,
    uses_left: FxHashMap<Value, u32>,
    locations: FxHashMap<Block, LocId>,
    /// What clang's checks make of the blocks.
    pub lines: Lines,
    /// Blocks that are part of a loop.
    pub in_loop: FxHashSet<Block>,
    /// Instructions that were lifted together with an earlier one.
    pub done: FxHashSet<Value>,
    /// Pointers whose addresses were checked in the current straight line.
    pub checked: FxHashSet<Value>,
    free_vars: FxHashMap<Expr, std::rc::Rc<[Var]>>,
    /// The top of the dynamic stack on entry.
    pub stack_at_entry: Option<Var>,
    /// The hidden parameter that points to the variadic arguments.
    pub variadic_area: Option<Var>,
    /// The calls of `setjmp` in the function.
    pub targets: super::jump::Targets,
}

impl<'l> FunctionLifter<'l> {
    /// Lifts the body of `function`.
    pub fn lift(l: &'l mut Lifter, function: Value) {
        let id = l.functions[&function];
        let at = l.builder.function(id).entry;
        let order = reverse_postorder(function);
        let mut this = FunctionLifter {
            l,
            function,
            id,
            at,
            source: SourceId::NONE,
            external: None,
            values: FxHashMap::default(),
            unsaved: Vec::new(),
            uses_left: FxHashMap::default(),
            locations: FxHashMap::default(),
            lines: Lines::of(&order),
            in_loop: blocks_in_loops(function),
            done: FxHashSet::default(),
            checked: FxHashSet::default(),
            free_vars: FxHashMap::default(),
            stack_at_entry: None,
            variadic_area: None,
            targets: Default::default(),
        };
        this.source = this.l.builder.function(id).declared;
        this.params();
        if let Some(instruction) = function.body().find(|&i| this.l.points_to.is_unforeseen(i)) {
            this.source = this.l.place_of(instruction);
            return this.unsupported(UNFORESEEN);
        }
        this.prologue();
        this.declare_targets();
        let entry = order[0];
        let start = this.at;
        this.locations.insert(entry, start);
        for block in order {
            if !this.lines.is_inner(block) {
                this.line(block);
            }
        }
    }

    fn params(&mut self) {
        for param in self.function.params() {
            let leaves = Lifter::leaves(param.ty());
            let home = self.parameter_home(param);
            let mut vars = Vec::new();
            for (i, &leaf) in leaves.iter().enumerate() {
                let Some(sort) = self.l.sort(leaf) else {
                    self.values.insert(param, Val::Undefined);
                    let why = format!("a parameter of type {}", describe(leaf));
                    return self.unsupported(&why);
                };
                let var = match home {
                    Some(var) => var,
                    None => {
                        let name = match param.name() {
                            "" => format!("arg{i}"),
                            name => name.to_string(),
                        };
                        self.local(&name, sort, VarKind::Temporary)
                    }
                };
                self.l.builder.add_param(var);
                vars.push(self.l.builder.pool.var(var, sort));
            }
            let mut vars = vars.into_iter();
            let value = assemble(param.ty(), &mut || vars.next().map_or(Val::Undefined, Val::Scalar));
            self.values.insert(param, value);
        }
        if self.function.value_type().is_variadic() {
            let sort = self.l.pointer_sort();
            let var = self.local("variadic arguments", sort, VarKind::Model);
            self.l.builder.add_param(var);
            self.variadic_area = Some(var);
        }
    }

    /// The source variable in which a parameter is stored on entry, so that the parameter needs no variable of its own.
    fn parameter_home(&mut self, param: Value) -> Option<Var> {
        let (store, widened) = only_store(param)?;
        let entry = self.function.blocks().next()?;
        if store.block() != entry {
            return None;
        }
        let slot = store.operand(1);
        if !slot.is_instruction() || slot.opcode() != Opcode::LLVMAlloca {
            return None;
        }
        let cell = self.l.points_to.cell(slot)?;
        let before = entry.instructions().take_while(|&i| i != store);
        if before.into_iter().any(|i| i.operands().any(|o| o == slot)) {
            return None;
        }
        self.l.plain_object(cell.node)?;
        let bytes = self.l.layout.store_size(store.operand(0).ty());
        let parts = self.l.partition(cell.node).parts(cell.offset, bytes);
        let [part] = parts.as_slice() else { return None };
        let var = self.l.piece_var(cell.node, part.piece);
        let info = self.l.builder.var(var);
        let fits = info.scope == Scope::Local(self.id) && Some(info.sort) == self.l.sort(param.ty());
        fits.then(|| {
            self.done.extend(widened);
            self.done.insert(store);
            var
        })
    }

    /// Lifts a block, and those that follow it in a straight line.
    fn line(&mut self, first: Block) {
        self.at = self.location(first);
        self.unsaved.clear();
        self.uses_left.clear();
        self.checked.clear();
        let mut block = Some(first);
        while let Some(at) = block {
            self.block(at);
            block = self.lines.next(at);
        }
    }

    fn block(&mut self, block: Block) {
        for instruction in block.instructions() {
            if self.done.contains(&instruction) {
                self.consume_operands(instruction);
                continue;
            }
            if let Some(place) = Some(self.l.place_of(instruction)).filter(|&p| p != SourceId::NONE) {
                self.source = place;
            }
            // Operands are evaluated before the instruction writes anything.
            self.consume_operands(instruction);
            self.instruction(instruction);
        }
    }

    /// The first location of a block.
    pub fn location(&mut self, block: Block) -> LocId {
        if let Some(&location) = self.locations.get(&block) {
            return location;
        }
        let location = self.l.builder.add_location(self.id, LocationKind::Normal);
        self.locations.insert(block, location);
        location
    }

    pub fn consume_operands(&mut self, instruction: Value) {
        for operand in instruction.operands() {
            if let Some(left) = self.uses_left.get_mut(&operand) {
                *left = left.saturating_sub(1);
            }
        }
    }

    /// A new local variable.
    pub fn local(&mut self, name: &str, sort: Sort, kind: VarKind) -> Var {
        let scope = Scope::Local(self.id);
        let name = self.l.unique_name(scope, name);
        self.l.builder.add_var(VarInfo {
            name,
            sort,
            scope,
            kind,
            type_name: None,
            declared: SourceId::NONE,
            address: None,
        })
    }

    /// A new local variable for an intermediate value.
    pub fn temporary(&mut self, sort: Sort) -> Var {
        self.local("t", sort, VarKind::Temporary)
    }

    /// The current value of a variable.
    pub fn read_var(&mut self, var: Var) -> Expr {
        let sort = self.l.builder.var(var).sort;
        self.l.builder.pool.var(var, sort)
    }

    /// Adds an edge and continues after it.
    pub fn emit(&mut self, op: Op) {
        if let (Op::Havoc(_, Havoc::Input), Some(by)) = (&op, self.external) {
            self.l.builder.outside.inputs.push((self.at, by));
        }
        self.at = self.l.builder.add_step(self.at, op, self.source);
    }

    /// Adds an edge to a location. The next edge must start elsewhere.
    pub fn emit_to(&mut self, op: Op, to: LocId) {
        self.l.builder.add_edge(self.at, op, to, self.source);
    }

    /// Continues only if `condition` holds.
    pub fn assume(&mut self, condition: Expr) {
        if self.l.builder.pool.as_const(condition) != Some(Constant::Bool(true)) {
            self.emit(Op::Assume(condition));
        }
    }

    /// Ends the path unless the condition holds, which is so in every real run.
    pub fn assume_fact(&mut self, condition: Expr) {
        let before = self.at;
        self.assume(condition);
        if self.at != before {
            self.l.builder.outside.facts.push(before);
        }
    }

    /// Ends the path. Code after it is unreachable.
    pub fn end_path(&mut self, op: Op, kind: LocationKind) {
        let end = self.l.builder.add_location(self.id, kind);
        self.emit_to(op, end);
        self.at = self.l.builder.add_location(self.id, LocationKind::Normal);
    }

    /// Ends the path at something that is not modelled.
    pub fn unsupported(&mut self, why: &str) {
        self.end_path(Op::Unsupported(why.into()), LocationKind::Halt);
    }

    /// Records what a proof rests on if it passes this point.
    pub fn rests_on(&mut self, assumption: Assumption) {
        self.l.builder.add_assumption(assumption, self.at);
    }

    /// Ends the program.
    pub fn halt(&mut self) {
        self.end_path(Op::Skip, LocationKind::Halt);
    }

    /// Ends the path at a violated property.
    pub fn error(&mut self, kind: PropertyKind, message: &str) {
        let property = Property::new(kind, message, self.source);
        self.end_path(Op::Skip, LocationKind::Error(property));
    }

    /// Assigns a variable. Unsaved values that read it are saved first.
    pub fn assign(&mut self, var: Var, value: Expr) {
        let itself = self.read_var(var);
        if itself == value {
            return;
        }
        self.save_readers(Written::Variable(var));
        self.emit(Op::Assign(var, value));
    }

    /// Havocs a variable.
    pub fn havoc(&mut self, var: Var, why: Havoc) {
        self.save_readers(Written::Variable(var));
        self.emit(Op::Havoc(var, why));
    }

    /// A new variable with an arbitrary value.
    pub fn unknown(&mut self, sort: Sort, why: Havoc) -> Expr {
        let var = self.temporary(sort);
        self.emit(Op::Havoc(var, why));
        self.read_var(var)
    }

    /// An expression for use by several operations, protected from their writes.
    pub fn stable(&mut self, value: Expr, operations: usize) -> Expr {
        if operations > 1 { self.save(value) } else { value }
    }

    /// Saves the current value of an expression in a new variable.
    pub fn save(&mut self, value: Expr) -> Expr {
        if self.l.builder.pool.as_const(value).is_some() {
            return value;
        }
        if let Some((truth, one, zero)) = truth_as_number(&self.l.builder.pool, value) {
            // Save the condition instead: it determines the number, and is easier to track.
            let truth = self.save(truth);
            return self.l.builder.pool.ite(truth, one, zero);
        }
        let sort = self.l.builder.pool.sort(value);
        let var = self.temporary(sort);
        self.emit(Op::Assign(var, value));
        self.read_var(var)
    }

    /// Saves all unsaved values that read something that is about to be written.
    pub fn save_readers(&mut self, written: Written) {
        let unsaved = std::mem::take(&mut self.unsaved);
        for value in unsaved {
            if self.uses_left.get(&value).copied().unwrap_or(0) == 0 {
                continue;
            }
            let val = self.values[&value].clone();
            if self.reads(&val, written) {
                let saved = self.save_all(val);
                self.values.insert(value, saved);
            } else {
                self.unsaved.push(value);
            }
        }
    }

    /// Saves all unsaved values that read something that a callee may write.
    pub fn save_before_call(&mut self) {
        self.save_readers(Written::Globals);
    }

    fn save_all(&mut self, value: Val) -> Val {
        match value {
            Val::Scalar(expr) => Val::Scalar(self.save(expr)),
            Val::Aggregate(parts) => Val::Aggregate(parts.into_iter().map(|p| self.save_all(p)).collect()),
            Val::Undefined => Val::Undefined,
        }
    }

    fn reads(&mut self, value: &Val, written: Written) -> bool {
        match value {
            Val::Scalar(expr) => {
                let vars = self.vars_of(*expr);
                vars.iter().any(|&var| match written {
                    Written::Variable(v) => v == var,
                    Written::Globals => self.l.builder.var(var).scope == Scope::Global,
                    Written::Memories => matches!(self.l.builder.var(var).sort, Sort::Memory(_)),
                    Written::Anything => true,
                })
            }
            Val::Aggregate(parts) => parts.iter().any(|p| self.reads(p, written)),
            Val::Undefined => false,
        }
    }

    /// The variables that an expression reads.
    pub fn vars_of(&mut self, expr: Expr) -> std::rc::Rc<[Var]> {
        if let Some(known) = self.free_vars.get(&expr) {
            return known.clone();
        }
        let mut found = match self.l.builder.pool.node(expr) {
            clew_verifier::expr::Node::Var(var) => vec![var],
            _ => {
                let children: Vec<Expr> = self.l.builder.pool.children(expr).collect();
                children.into_iter().flat_map(|c| self.vars_of(c).to_vec()).collect()
            }
        };
        found.sort_unstable();
        found.dedup();
        let found: std::rc::Rc<[Var]> = found.into();
        self.free_vars.insert(expr, found.clone());
        found
    }

    /// Records the result of an instruction: folded if it is used once within its block, else saved in a variable.
    pub fn define(&mut self, instruction: Value, value: Val) {
        let line = self.lines.first(instruction.block());
        let (mut uses, mut live_uses) = (0, 0);
        let mut leaves_block = false;
        for user in instruction.users() {
            uses += 1;
            live_uses += u32::from(!is_dead(user, 3));
            leaves_block |= match user.opcode() {
                Opcode::LLVMPHI => user.incoming().any(|(v, from)| v == instruction && self.lines.first(from) != line),
                _ => self.lines.first(user.block()) != line,
            };
        }
        if uses == 0 {
            return;
        }
        let keep = match &value {
            Val::Scalar(expr) => {
                let pool = &self.l.builder.pool;
                let simple = pool.as_const(*expr).is_some()
                    || matches!(pool.node(*expr), clew_verifier::expr::Node::Var(_))
                    || is_offset(pool, *expr);
                (leaves_block && pool.as_const(*expr).is_none())
                    || (live_uses > 1 && !simple)
                    || self.size_exceeds(*expr, MAX_FOLDED)
            }
            // each of its two parts is a value for itself
            Val::Aggregate(_) if is_with_overflow(instruction) => leaves_block,
            Val::Aggregate(_) => leaves_block || live_uses > 1,
            Val::Undefined => false,
        };
        let value = if keep { self.save_all(value) } else { value };
        self.values.insert(instruction, value);
        if !keep {
            // Uses by phis of successors come at the end of the block.
            self.uses_left.insert(instruction, uses);
            self.unsaved.push(instruction);
        }
    }

    fn size_exceeds(&self, expr: Expr, limit: usize) -> bool {
        let mut left = limit;
        let mut stack = vec![expr];
        while let Some(e) = stack.pop() {
            if left == 0 {
                return true;
            }
            left -= 1;
            stack.extend(self.l.builder.pool.children(e));
        }
        false
    }

    /// The lifted value of an operand.
    pub fn value(&mut self, value: Value) -> Val {
        if value.constant().is_some() {
            return self.l.constant(value);
        }
        match self.values.get(&value) {
            Some(known) => known.clone(),
            // Only in unreachable code.
            None => Val::Undefined,
        }
    }

    /// The elements of an aggregate operand.
    pub fn parts(&mut self, value: Value) -> Vec<Val> {
        let lifted = self.value(value);
        self.parts_of(lifted, value.ty())
    }

    /// The elements of a lifted value of type `ty`.
    pub fn parts_of(&mut self, value: Val, ty: Type) -> Vec<Val> {
        match value {
            Val::Aggregate(parts) => parts,
            _ => vec![Val::Undefined; ty.element_count() as usize],
        }
    }

    /// The expression of a scalar operand; undefined ones get an arbitrary value.
    pub fn scalar(&mut self, value: Value) -> Expr {
        let lifted = self.value(value);
        self.scalar_of(lifted, value.ty())
    }

    /// The expression of a lifted scalar of type `ty`.
    pub fn scalar_of(&mut self, value: Val, ty: Type) -> Expr {
        match value {
            Val::Scalar(expr) => expr,
            _ => {
                let sort = self.l.sort(ty).unwrap_or(Sort::Bool);
                self.unknown(sort, Havoc::Undefined)
            }
        }
    }

    /// All scalars of a lifted value of type `ty`, in order.
    pub fn scalars(&mut self, value: Val, ty: Type, out: &mut Vec<Expr>) {
        if ty.is_aggregate() {
            for (i, part) in self.parts_of(value, ty).into_iter().enumerate() {
                self.scalars(part, ty.element(i as u64), out);
            }
        } else {
            out.push(self.scalar_of(value, ty));
        }
    }

    /// Records the value of an instruction without saving it.
    pub fn set_value(&mut self, instruction: Value, value: Val) {
        self.values.insert(instruction, value);
    }

    /// The recorded value of an instruction, if any.
    pub fn known_value(&self, instruction: Value) -> Option<&Val> {
        self.values.get(&instruction)
    }

    /// A pointer constant.
    pub fn address(&mut self, address: u64) -> Expr {
        let bits = self.l.layout.pointer_bits();
        self.l.builder.pool.bits(bits, u128::from(address))
    }

    /// A bit-vector constant.
    pub fn bits(&mut self, width: u16, bits: u128) -> Expr {
        self.l.builder.pool.bits(width, bits)
    }

    /// A pointer moved by a constant distance.
    pub fn moved(&mut self, pointer: Expr, distance: i64) -> Expr {
        let distance = self.address(distance as u64);
        self.l.builder.pool.add(pointer, distance)
    }
}

/// The store that is the only user of a value, and the extension of a truth value to a byte before it, if any.
pub(super) fn only_store(value: Value) -> Option<(Value, Option<Value>)> {
    let mut users = value.users();
    let (user, None) = (users.next()?, users.next()) else { return None };
    match user.opcode() {
        Opcode::LLVMStore if user.operand(0) == value => Some((user, None)),
        Opcode::LLVMZExt if value.ty().kind() == TypeKind::Integer(1) => {
            only_store(user).map(|(store, _)| (store, Some(user)))
        }
        _ => None,
    }
}

/// Whether the result of a pure instruction is unused.
fn is_dead(instruction: Value, depth: u32) -> bool {
    use Opcode::*;
    let computes = matches!(
        instruction.opcode(),
        LLVMTrunc | LLVMZExt | LLVMSExt | LLVMBitCast | LLVMPtrToInt | LLVMIntToPtr | LLVMSelect | LLVMICmp | LLVMFCmp
    );
    computes && depth > 0 && instruction.users().all(|user| is_dead(user, depth - 1))
}

/// A conditional between two constants: its condition, and both constants.
fn truth_as_number(pool: &clew_verifier::expr::Pool, expr: Expr) -> Option<(Expr, Expr, Expr)> {
    use clew_verifier::expr::{Node, TernaryOp};
    match pool.node(expr) {
        Node::Ternary(TernaryOp::Ite, truth, one, zero)
            if pool.as_const(one).is_some() && pool.as_const(zero).is_some() =>
        {
            Some((truth, one, zero))
        }
        _ => None,
    }
}

/// Whether it is a variable plus a constant, possibly extended.
fn is_offset(pool: &clew_verifier::expr::Pool, expr: Expr) -> bool {
    use clew_verifier::expr::{BinaryOp, Node};
    match pool.node(expr) {
        Node::Var(_) => true,
        Node::Binary(BinaryOp::Add, a, b) => pool.as_const(b).is_some() && is_offset(pool, a),
        Node::Unary(UnaryOp::ZeroExtend(_) | UnaryOp::SignExtend(_), a) => is_offset(pool, a),
        _ => truth_as_number(pool, expr).is_some_and(|(truth, ..)| matches!(pool.node(truth), Node::Var(_))),
    }
}

/// Builds a value of a type from its scalars, in order.
pub(super) fn assemble(ty: Type, next: &mut impl FnMut() -> Val) -> Val {
    if ty.is_aggregate() {
        Val::Aggregate((0..ty.element_count()).map(|i| assemble(ty.element(i), next)).collect())
    } else {
        next()
    }
}

/// A type in messages.
pub(super) fn describe(ty: Type) -> String {
    match ty.kind() {
        TypeKind::Integer(width) => format!("i{width}"),
        TypeKind::Float(None) => "double-double".into(),
        TypeKind::Other => "a type without a size known here".into(),
        kind => format!("{kind:?}"),
    }
}

/// The reachable blocks in reverse postorder: each comes after its dominators.
fn reverse_postorder(function: Value) -> Vec<Block> {
    let Some(entry) = function.blocks().next() else { return Vec::new() };
    let mut seen = FxHashSet::default();
    let mut order = Vec::new();
    let mut stack = vec![(entry, 0)];
    seen.insert(entry);
    while let Some((block, next)) = stack.pop() {
        let terminator = block.terminator();
        if next < terminator.successor_count() {
            stack.push((block, next + 1));
            let successor = terminator.successor(next);
            if seen.insert(successor) {
                stack.push((successor, 0));
            }
        } else {
            order.push(block);
        }
    }
    order.reverse();
    order
}

fn blocks_in_loops(function: Value) -> FxHashSet<Block> {
    let mut graph = petgraph::graph::DiGraph::<Block, ()>::new();
    let nodes: FxHashMap<Block, _> = function.blocks().map(|b| (b, graph.add_node(b))).collect();
    for block in function.blocks() {
        for successor in block.terminator().successors() {
            graph.update_edge(nodes[&block], nodes[&successor], ());
        }
    }
    let mut found = FxHashSet::default();
    for component in petgraph::algo::tarjan_scc(&graph) {
        if component.len() > 1 || graph.contains_edge(component[0], component[0]) {
            found.extend(component.into_iter().map(|n| graph[n]));
        }
    }
    found
}
