//! Calls: of defined functions, through pointers, of primitives, and of external functions.

use clew_verifier::cfa::{AddressSpace, Assumption, Havoc, LocId, LocationKind, Op, PropertyKind};
use clew_verifier::expr::{BinaryOp, Expr, MemorySort, Sort, Var};

use super::function::{FunctionLifter, Written, assemble, only_store};
use super::{Lifter, Val};
use crate::compile::MODEL_ATTRIBUTE;
use crate::ir::{Constant, Opcode, Type, TypeKind, Value};
use crate::names::{self, Callee, Primitive, stored_literal, string_literal};
use crate::pointsto::{Object, resolve_alias};

impl FunctionLifter<'_> {
    /// Lifts a call or an invoke.
    pub fn call(&mut self, call: Value) {
        let callee = resolve_alias(call.callee());
        if callee.is_inline_assembly() {
            self.inline_assembly(call, callee);
        } else if callee.is_function() {
            self.call_function(call, callee);
        } else {
            self.call_through_pointer(call, callee);
        }
        if call.opcode() == Opcode::LLVMInvoke {
            self.jump(call.block(), call.normal_destination());
        }
    }

    /// Assembly that is empty or only contains directives acts as a barrier for the compiler and has no effect.
    fn inline_assembly(&mut self, call: Value, assembly: Value) {
        let template = assembly.assembly();
        let mut lines = template.split(['\n', ';']).map(str::trim);
        let is_empty = lines.all(|l| l.is_empty() || l.starts_with('#') || l.starts_with(".p2align") || l == "nop");
        if !is_empty {
            self.unsupported("inline assembly");
            return self.define(call, Val::Undefined);
        }
        // Outputs come first; an input named by a number shares the location of that output.
        let constraints = assembly.assembly_constraints();
        let constraints: Vec<&str> = constraints.split(',').filter(|c| !c.starts_with('~')).collect();
        let outputs = constraints.iter().filter(|c| c.starts_with('=') && !c.contains('*')).count();
        let in_memory = constraints.iter().filter(|c| c.starts_with("=*")).count();
        let inputs = &constraints[outputs + in_memory..];
        let results: Vec<Val> = (0..outputs)
            .map(|n| {
                let tied = inputs.iter().position(|c| c.parse() == Ok(n)).map(|at| in_memory + at);
                tied.map_or(Val::Undefined, |at| self.value(call.operand(at as u32)))
            })
            .collect();
        match (results.len(), call.ty().is_aggregate()) {
            (0, _) => {}
            (1, false) => self.define(call, results.into_iter().next().unwrap_or(Val::Undefined)),
            _ => self.define(call, Val::Aggregate(results)),
        }
    }

    fn call_function(&mut self, call: Value, callee: Value) {
        if let Some(answer) = names::prints_only(call).or_else(|| self.all_print_only(call)) {
            let answer = self.l.builder.pool.bool(answer);
            return self.define(call, Val::Scalar(answer));
        }
        match names::classify(callee) {
            Callee::Defined => self.call_defined(call, callee, None),
            Callee::Intrinsic(name) => self.intrinsic(call, names::intrinsic_stem(name)),
            Callee::Primitive(primitive) => self.primitive(call, primitive),
            Callee::External => self.external(call, callee, None),
        }
    }

    /// The same for a format that may be one of several literals.
    fn all_print_only(&self, call: Value) -> Option<bool> {
        let cell = self.l.points_to.cell(call.operand(0)).filter(|_| names::asks_for_percent_n(call))?;
        let node = self.l.points_to.node(cell.node);
        let harmless = |o: &(Object, i64)| matches!(o.0, Object::Global(g) if names::has_percent_n(g) == Some(false));
        (!node.external && !node.numeric && !node.objects.is_empty() && node.objects.iter().all(harmless))
            .then_some(true)
    }

    /// The variable for the result: the one in which it is stored next, or a new one.
    pub(super) fn result_var(&mut self, call: Value, sort: Sort) -> Var {
        if let Some(var) = self.stored_to_next(call, sort) {
            self.save_readers(Written::Variable(var));
            return var;
        }
        let var = self.temporary(sort);
        let value = self.read_var(var);
        self.set_value(call, Val::Scalar(value));
        var
    }

    /// The plain variable to which the result of `call` is assigned directly, as in `x = f();`. It keeps its value if
    /// the call is left by an exception or a jump.
    fn stored_to_next(&mut self, call: Value, sort: Sort) -> Option<Var> {
        if self.l.call_may_throw(call, &self.l.may_throw) || self.l.call_may_jump(call, &self.l.may_jump) {
            return None;
        }
        let (store, widened) = only_store(call)?;
        if store.block() != call.block() {
            return None;
        }
        let mut between = call.block().instructions().skip_while(|&i| i != call).skip(1).take_while(|&i| i != store);
        let harmless = |i: Value| {
            i.opcode() == Opcode::LLVMGetElementPtr
                || Some(i) == widened
                || (Lifter::is_call(i) && i.callee().is_function() && i.callee().name().starts_with("llvm.dbg."))
        };
        let slot = store.operand(1);
        let direct = match slot.constant() {
            Some(Constant::Global) => true,
            Some(_) => false,
            None => slot.is_instruction() && slot.opcode() == Opcode::LLVMAlloca,
        };
        if !direct || !between.all(harmless) {
            return None;
        }
        let cell = self.l.points_to.cell(slot)?;
        self.l.plain_object(cell.node)?;
        let bytes = self.l.layout.store_size(store.operand(0).ty());
        let parts = self.l.partition(cell.node).parts(cell.offset, bytes);
        let [part] = parts.as_slice() else { return None };
        let var = self.l.piece_var(cell.node, part.piece);
        (self.l.builder.var(var).sort == sort).then(|| {
            self.done.extend(widened);
            self.done.insert(store);
            var
        })
    }

    /// An argument converted to the sort of its parameter: in old C, they may differ.
    fn adapt(&mut self, arg: Expr, to: Sort) -> Option<Expr> {
        let from = self.l.builder.pool.sort(arg);
        match (from, to) {
            _ if from == to => Some(arg),
            (Sort::Bits(_), Sort::Bits(width)) => Some(self.l.builder.pool.zero_extend(arg, width)),
            (Sort::Bool, Sort::Bits(width)) => Some(self.l.builder.pool.bool_to_bits(arg, width)),
            (Sort::Bits(_), Sort::Bool) => Some(self.convert(arg, Sort::Bool)),
            _ => None,
        }
    }

    /// A result converted to the sort that the call expects. A callee extends a small integer by its sign, if it has one,
    /// and a call without a declaration reads an `int`.
    fn adapt_result(&mut self, result: Expr, callee: Value, to: Sort) -> Option<Expr> {
        match (self.l.builder.pool.sort(result), to) {
            (Sort::Bits(narrow), Sort::Bits(wide)) if narrow < wide && !callee.returns_unsigned() => {
                Some(self.l.builder.pool.sign_extend(result, wide))
            }
            _ => self.adapt(result, to),
        }
    }

    /// Calls a function with a body. `place`: the variables for the result, if the call is one of several candidates.
    fn call_defined(&mut self, call: Value, callee: Value, place: Option<&[Var]>) {
        let id = self.l.function(callee);
        let ty = callee.value_type();
        let args: Vec<Value> = call.args().collect();
        let mut values = Vec::new();
        let stack_before = self.passes_on_stack(call).then(|| {
            let top = self.l.stack_top();
            let top = self.read_var(top);
            self.save(top)
        });
        for (n, param) in ty.params().into_iter().enumerate() {
            let lifted = match args.get(n) {
                Some(&arg) => match call.call_type_attribute(n as u32, "byval") {
                    Some(by_value) => Val::Scalar(self.pass_by_value(call, n as u32, arg, by_value)),
                    None => self.value(arg),
                },
                None => Val::Undefined,
            };
            let arg_type = args.get(n).map_or(param, |a| a.ty());
            if arg_type.is_aggregate() || param.is_aggregate() {
                if arg_type != param {
                    self.unsupported("an argument of another type than the parameter");
                    return self.define(call, Val::Undefined);
                }
                self.scalars(lifted, param, &mut values);
                continue;
            }
            let value = self.scalar_of(lifted, arg_type);
            let adapted = self.l.sort(param).and_then(|sort| self.adapt(value, sort));
            let Some(adapted) = adapted else {
                self.unsupported("an argument of another type than the parameter");
                return self.define(call, Val::Undefined);
            };
            values.push(adapted);
        }
        if ty.is_variadic() {
            let area = self.variadic_area(call, callee, &args[ty.params().len().min(args.len())..]);
            values.push(area);
        }
        self.save_before_call();
        let result_type = ty.result();
        let result = match self.l.builder.function(id).result {
            Some(sort) if place.is_none() => {
                call.users().next().is_some().then(|| self.result_var_for(call, callee, sort))
            }
            Some(sort) => place.and_then(|p| p.first().copied()).map(|var| {
                let fits = self.l.builder.var(var).sort == sort;
                if fits { var } else { self.temporary(sort) }
            }),
            None => None,
        };
        if callee.has_string_attribute(MODEL_ATTRIBUTE) {
            let name = self.l.called_function(call);
            let external = self.l.external(&name);
            self.l.builder.outside.calls.push((self.at, external));
        }
        self.emit(Op::Call { callee: id, args: values.into(), result });
        if let (Some(result), Some(&target)) = (result, place.and_then(|p| p.first()))
            && result != target
        {
            let value = self.read_var(result);
            let sort = self.l.builder.var(target).sort;
            match self.adapt_result(value, callee, sort) {
                Some(value) => self.emit(Op::Assign(target, value)),
                None => self.unsupported("a result of another type than expected"),
            }
        }
        if self.l.call_may_jump(call, &self.l.may_jump) {
            self.after_jumping_call(call);
        }
        if self.l.call_may_throw(call, &self.l.may_throw) {
            self.after_throwing_call(call);
        }
        if result_type.is_aggregate() {
            let parts = self.l.result_parts(callee, result_type);
            match place {
                Some(targets) => {
                    for (&target, part) in targets.iter().zip(parts) {
                        let value = self.read_var(part);
                        self.emit(Op::Assign(target, value));
                    }
                }
                None if call.ty() == result_type => {
                    let saved: Vec<Expr> = parts
                        .into_iter()
                        .map(|p| {
                            let value = self.read_var(p);
                            self.save(value)
                        })
                        .collect();
                    let mut saved = saved.into_iter();
                    let value = assemble(result_type, &mut || saved.next().map_or(Val::Undefined, Val::Scalar));
                    self.set_value(call, value);
                }
                None => self.set_value(call, Val::Undefined),
            }
        }
        if let Some(before) = stack_before {
            let top = self.l.stack_top();
            self.assign(top, before);
        }
    }

    /// The variable for the result of a direct call, of the sort that the callee returns.
    fn result_var_for(&mut self, call: Value, callee: Value, sort: Sort) -> Var {
        if self.l.sort(call.ty()) == Some(sort) {
            return self.result_var(call, sort);
        }
        // The call has another type than the callee: reinterpret the bits.
        let var = self.temporary(sort);
        let value = self.read_var(var);
        let value = match self.l.sort(call.ty()) {
            Some(expected) => self.adapt_result(value, callee, expected).map_or(Val::Undefined, Val::Scalar),
            None => Val::Undefined,
        };
        self.set_value(call, value);
        var
    }

    /// Whether the call passes arguments on the dynamic stack.
    pub fn passes_on_stack(&mut self, call: Value) -> bool {
        let by_value = (0..call.args().count() as u32).any(|n| {
            call.call_type_attribute(n, "byval").is_some() && !self.l.has_fixed_address(Object::ByValue(call, n))
        });
        by_value
            || self.l.possible_callees(call).into_iter().any(|callee| {
                let ty = callee.value_type();
                !callee.is_declaration() && ty.is_variadic() && call.args().count() > ty.params().len()
            })
    }

    /// Copies an argument that is passed by value in memory; returns the address of the copy.
    fn pass_by_value(&mut self, call: Value, n: u32, arg: Value, ty: Type) -> Expr {
        let object = Object::ByValue(call, n);
        let bits = self.l.layout.pointer_bits();
        let size = self.l.layout.alloc_size(ty);
        let bytes = self.bits(bits, u128::from(size));
        // All possible callees share one copy.
        let callee = self.l.possible_callees(call).into_iter().find(|f| !f.is_declaration());
        let param = callee.and_then(|f| f.params().nth(n as usize));
        let cell = param.and_then(|param| self.l.points_to.cell(param));
        let address = if self.l.has_fixed_address(object) {
            let address = self.l.fixed_address(object);
            self.address(address)
        } else {
            self.push_stack(bytes, 16, cell)
        };
        if let (Some(cell), Some(source)) = (cell, self.pointer(arg)) {
            let target = self.pointer_at(address, cell);
            self.copy_range(target, source, Some(size), bytes);
        }
        address
    }

    /// Lays out variadic arguments on the stack as in the ABI, and returns their address.
    fn variadic_area(&mut self, call: Value, callee: Value, args: &[Value]) -> Expr {
        if args.is_empty() {
            return self.address(0);
        }
        let slot = u64::from(self.l.layout.pointer_bits() / 8);
        let mut offset = 0u64;
        let mut places = Vec::new();
        for (n, arg) in args.iter().enumerate() {
            let position = (call.args().count() - args.len() + n) as u32;
            let by_value = call.call_type_attribute(position, "byval");
            let ty = by_value.unwrap_or(arg.ty());
            if slot == 8 && self.l.layout.alignment(ty) > 8 {
                offset = offset.next_multiple_of(16);
            }
            places.push((offset, by_value));
            offset += self.l.layout.alloc_size(ty).next_multiple_of(slot);
        }
        let bits = self.l.layout.pointer_bits();
        let bytes = self.bits(bits, u128::from(offset));
        let cell = self.l.points_to.varargs(callee);
        let address = self.push_stack(bytes, 16, cell);
        let Some(cell) = cell else { return address };
        let area = self.pointer_at(address, cell);
        for (&arg, (offset, by_value)) in args.iter().zip(places) {
            let at = self.further(area, offset);
            match by_value {
                Some(ty) => {
                    if let Some(source) = self.pointer(arg) {
                        let size = self.l.layout.alloc_size(ty);
                        let bytes = self.bits(bits, u128::from(size));
                        self.copy_range(at, source, Some(size), bytes);
                    }
                }
                None => {
                    let value = self.value(arg);
                    self.store(at, value, arg.ty());
                }
            }
        }
        address
    }

    /// A call through a pointer: a branch over its possible targets.
    fn call_through_pointer(&mut self, call: Value, callee: Value) {
        let target = self.scalar(callee);
        let target = self.save(target);
        let candidates = self.l.points_to.callees(call).to_vec();
        self.save_readers(Written::Anything);
        let leaves = match call.ty().kind() {
            TypeKind::Void => Vec::new(),
            _ => Lifter::leaves(call.ty()),
        };
        let sorts: Vec<Sort> = leaves.iter().map(|&leaf| self.l.sort(leaf).unwrap_or(Sort::Bool)).collect();
        let results: Vec<Var> = sorts.into_iter().map(|sort| self.temporary(sort)).collect();
        let start = self.at;
        let join = self.l.builder.add_location(self.id, LocationKind::Normal);
        let mut none = self.l.builder.pool.bool(true);
        for &candidate in &candidates {
            let here = self.is_function(target, candidate);
            let not = self.l.builder.pool.not(here);
            none = self.l.builder.pool.and(none, not);
            self.at = start;
            self.assume(here);
            match names::classify(candidate) {
                Callee::Defined => self.call_defined(call, candidate, Some(&results)),
                Callee::Primitive(Primitive::UnreachableCall) => self.primitive(call, Primitive::UnreachableCall),
                Callee::External => self.external(call, candidate, Some(&results)),
                _ => self.unsupported(&format!("a call of {} through a pointer", candidate.name())),
            }
            self.go_to(join);
        }
        let cell = self.l.points_to.cell(callee);
        let functions = cell.iter().flat_map(|cell| self.l.points_to.node(cell.node).functions.iter().copied());
        let mut others: Vec<Value> = functions.collect();
        others.retain(|f| !candidates.contains(f));
        others.sort_by_key(|f| self.l.order.get(f).copied());
        if !others.is_empty() {
            let mut other = self.l.builder.pool.bool(false);
            for function in others {
                let here = self.is_function(target, function);
                other = self.l.builder.pool.or(other, here);
            }
            let not = self.l.builder.pool.not(other);
            none = self.l.builder.pool.and(none, not);
            self.at = start;
            self.assume(other);
            self.unsupported("a call of a function of another type");
        }
        self.at = start;
        self.assume(none);
        let node = cell.map(|cell| self.l.points_to.node(cell.node));
        if node.is_none_or(|node| node.external || node.numeric || node.functions.is_empty()) {
            let null_page = self.address(AddressSpace::NULL_PAGE);
            let is_null = self.l.builder.pool.binary(BinaryOp::UnsignedLess, target, null_page);
            self.unsupported_unless(is_null, "a call through a pointer to an unknown function");
        }
        // Null, or never set: the program crashes.
        self.halt();
        self.at = join;
        let exprs: Vec<Expr> = results.iter().map(|&v| self.read_var(v)).collect();
        let mut exprs = exprs.into_iter();
        if !leaves.is_empty() {
            let value = assemble(call.ty(), &mut || exprs.next().map_or(Val::Undefined, Val::Scalar));
            self.set_value(call, value);
        }
    }

    /// The condition that a pointer is the address of a function.
    fn is_function(&mut self, pointer: Expr, function: Value) -> Expr {
        let address = self.l.objects.function(function);
        let address = self.address(address);
        self.l.builder.pool.eq(pointer, address)
    }

    fn go_to(&mut self, target: LocId) {
        self.emit_to(Op::Skip, target);
    }

    fn primitive(&mut self, call: Value, primitive: Primitive) {
        match primitive {
            Primitive::NewObject { outside } => {
                self.rests_on(Assumption::AllocationSucceeds);
                self.new_object(call, outside);
            }
            Primitive::ObjectSize => {
                let sizes = self.object_sizes();
                let memory = self.read_var(sizes);
                let object = self.scalar(call.operand(0));
                let size = self.l.builder.pool.read(memory, object, 1);
                self.define(call, Val::Scalar(size));
            }
            Primitive::ObjectOffset | Primitive::ObjectBytes => self.extent_primitive(call, primitive),
            Primitive::Free => self.record_free(call),
            Primitive::Assume { fact } => {
                let condition = self.scalar(call.operand(0));
                let condition = match self.l.builder.pool.sort(condition) {
                    Sort::Bits(width) => {
                        let zero = self.bits(width, 0);
                        let is_zero = self.l.builder.pool.eq(condition, zero);
                        self.l.builder.pool.not(is_zero)
                    }
                    _ => condition,
                };
                if fact { self.assume_fact(condition) } else { self.assume(condition) }
            }
            Primitive::Error => {
                let text = |v: Value| string_literal(v).unwrap_or_default();
                let (kind, mut message) = (text(call.operand(0)), text(call.operand(1)));
                if let Some(claim) = call.args().nth(2).and_then(stored_literal).filter(|claim| !claim.is_empty()) {
                    message = format!("{message}: {claim}");
                }
                match PropertyKind::named(&kind) {
                    Some(kind) => self.error(kind, &message),
                    None => self.unsupported(&format!("an error of the kind `{kind}`")),
                }
            }
            Primitive::UnreachableCall => {
                let message = format!("{} is called", resolve_alias(call.callee()).name());
                self.error(PropertyKind::UnreachCall, &message);
                self.define(call, Val::Undefined);
            }
            Primitive::Halt => self.halt(),
            Primitive::RunDestructors => {
                for destructor in self.l.destructors() {
                    let callee = self.l.function(destructor);
                    self.save_before_call();
                    self.emit(Op::Call { callee, args: [].into(), result: None });
                    if self.l.may_jump.contains(&destructor) {
                        self.after_jumping_call(call);
                    }
                }
            }
            Primitive::Unsupported => {
                let what = string_literal(call.operand(0)).unwrap_or_else(|| "something a model leaves out".into());
                self.unsupported(&what);
            }
            Primitive::Unknown { input } => {
                let why = if input {
                    let name = self.l.called_function(call);
                    self.external = Some(self.l.external(&name));
                    Havoc::Input
                } else {
                    if let Some(function) = self.l.library_function(call) {
                        self.rests_on(Assumption::LooseModel(function));
                    }
                    self.havoc_of_library(call)
                };
                let scalars = self.any_result(call, why);
                for (scalar, leaf) in scalars.into_iter().zip(Lifter::leaves(call.ty())) {
                    self.assume_outside(call, leaf, scalar, None);
                }
            }
            Primitive::Math(name) => self.math(call, name),
            Primitive::Rounding => self.current_rounding(call),
            Primitive::RoundByMode => {
                let number = self.scalar(call.operand(0));
                let rounded = self.round_by_mode(number);
                self.define(call, Val::Scalar(rounded));
            }
            Primitive::SetRounding => self.set_rounding(call),
            Primitive::NearestOnly => self.check_rounding(),
            Primitive::Throw => self.throw(call),
            Primitive::Caught => self.caught(call),
            Primitive::JumpMark => self.jump_mark(call),
            Primitive::SetJump => self.set_jump(call),
            Primitive::Jump => self.jump_to_mark(call),
        }
    }

    /// Why a value is unknown that `instruction` makes: the library function that it is a part of.
    pub(super) fn havoc_of_library(&mut self, instruction: Value) -> Havoc {
        let name = self.l.called_function(instruction);
        Havoc::External(self.l.external(&name))
    }

    /// Allocates a new object at the end of the heap. `outside`: with contents that a library function chooses.
    fn new_object(&mut self, call: Value, outside: bool) {
        let bits = self.l.layout.pointer_bits();
        let size = self.scalar(call.operand(0));
        let size = self.l.builder.pool.zero_extend(size, bits);
        let size = self.save(size);
        let cell = self.l.points_to.cell(call);
        let top = self.l.heap_top();
        let slot = self.l.objects.heap_slot;
        let var = self.result_var(call, Sort::Bits(bits));
        let start = self.read_var(top);
        self.save_readers(Written::Variable(top));
        if outside && let Some(cell) = self.l.points_to.cell(call) {
            let name = self.l.called_function(call);
            let (by, memories) = (self.l.external(&name), self.l.node_vars(cell.node));
            self.l.builder.outside.objects.push((self.at, by, memories));
        }
        self.emit(Op::Assign(var, start));
        // Most objects fit one slot, so that addresses stay constant even if sizes are not.
        let one_slot = self.bits(bits, u128::from(slot));
        let next = self.l.builder.pool.add(start, one_slot);
        let fits = {
            let limit = self.bits(bits, u128::from(slot - 64));
            self.l.builder.pool.binary(BinaryOp::UnsignedLessEq, size, limit)
        };
        // No allocation succeeds when the address space is full: the path ends.
        let room = self.l.objects.heap_end - 2 * slot;
        if bits <= 32 {
            let room = self.bits(bits, u128::from(room));
            let has_room = self.l.builder.pool.binary(BinaryOp::UnsignedLessEq, start, room);
            self.assume_fact(has_room);
        }
        let begin = self.at;
        let join = self.l.builder.add_location(self.id, LocationKind::Normal);
        self.assume(fits);
        if self.l.builder.pool.as_const(fits).is_none_or(|c| c.is_true()) {
            if self.l.asks_for_extents() {
                let start = self.read_var(var);
                self.emit(Op::Assign(top, next));
                self.record_small(start);
                self.emit_to(Op::Skip, join);
            } else {
                self.emit_to(Op::Assign(top, next), join);
            }
        }
        if self.l.builder.pool.as_const(fits).is_none_or(|c| !c.is_true()) {
            self.at = begin;
            let large = self.l.builder.pool.not(fits);
            self.assume(large);
            let up = self.bits(bits, u128::from(2 * slot - 1));
            let mask = self.bits(bits, !u128::from(slot - 1));
            let sum = self.l.builder.pool.add(size, up);
            let rounded = self.l.builder.pool.binary(BinaryOp::BitAnd, sum, mask);
            let room = self.bits(bits, u128::from(room));
            let left = self.l.builder.pool.binary(BinaryOp::Sub, room, start);
            let has_room = self.l.builder.pool.binary(BinaryOp::UnsignedLessEq, size, left);
            self.assume_fact(has_room);
            let next = self.l.builder.pool.add(start, rounded);
            self.emit(Op::Assign(top, next));
            let (start, end) = (self.read_var(var), self.read_var(top));
            self.record_inner_owner(cell, start, end, true);
            self.record_large(start, end);
            self.emit_to(Op::Skip, join);
        }
        self.at = join;
        let address = self.read_var(var);
        self.record_owner(cell, address, true);
        if self.l.module.function("__clew_object_size").is_some() || self.l.asks_for_extents() {
            let memory = self.object_sizes();
            let address = self.read_var(var);
            self.save_readers(Written::Variable(memory));
            self.emit(Op::Store { memory, address, value: size });
        }
    }

    pub(super) fn object_sizes(&mut self) -> Var {
        if let Some(var) = self.l.model.object_sizes {
            return var;
        }
        let bits = self.l.layout.pointer_bits();
        let sort = Sort::Memory(MemorySort { address: bits, cell: clew_verifier::expr::Cell::Bits(bits) });
        let var = self.l.model_var("object.size", sort);
        self.l.model.object_sizes = Some(var);
        var
    }
}
