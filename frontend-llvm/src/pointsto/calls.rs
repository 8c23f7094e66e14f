//! Constraints of calls on the points-to graph: arguments and results, intrinsics, exceptions.

use super::constraints::{CopyRange, Solver, constant_length, resolve_alias, va_list_bytes, va_list_fields};
use super::graph::{AccessKind, Cell, Object};
use crate::handlers::{self, Fit};
use crate::ir::{Constant, Type, TypeKind, Value};
use crate::names::{self, Callee, Primitive};

impl Solver {
    pub(super) fn result(&mut self, function: Value) -> Cell {
        if let Some(&cell) = self.results.get(&function) {
            return cell;
        }
        let cell = self.graph.fresh();
        self.results.insert(function, cell);
        cell
    }

    pub(super) fn varargs(&mut self, function: Value) -> Cell {
        if let Some(&cell) = self.varargs.get(&function) {
            return cell;
        }
        let cell = self.graph.fresh();
        self.graph.add_object(cell, Object::VarArgs(function));
        self.graph.blur(cell, self.pointer_bytes);
        self.varargs.insert(function, cell);
        cell
    }

    pub(super) fn call(&mut self, call: Value) {
        let callee = resolve_alias(call.callee());
        if callee.is_inline_assembly() {
            return self.inline_assembly(call);
        }
        if !callee.is_function() {
            self.indirect.push(call);
            self.variable(call);
            return;
        }
        match names::classify(callee) {
            Callee::Defined if names::prints_only(call).is_some() => {}
            Callee::Defined => self.bind(call, callee),
            Callee::Intrinsic(name) => self.intrinsic(call, names::intrinsic_stem(name)),
            Callee::Primitive(primitive) => self.primitive(call, primitive),
            Callee::External => self.external(call, callee),
        }
    }

    /// An output may be the location of an input.
    fn inline_assembly(&mut self, call: Value) {
        if call.ty().kind() != TypeKind::Void {
            let result = self.variable(call);
            self.graph.set_numeric(result);
            for arg in call.args().collect::<Vec<Value>>() {
                self.flow(result, arg);
            }
        }
    }

    /// Arguments flow to parameters, and the result flows back.
    pub(super) fn bind(&mut self, call: Value, callee: Value) {
        let params: Vec<Value> = callee.params().collect();
        for (i, arg) in call.args().enumerate() {
            let by_value = call.call_type_attribute(i as u32, "byval");
            match params.get(i) {
                Some(&param) => {
                    let param = self.variable(param);
                    match by_value {
                        Some(ty) => self.copy_argument(param, Object::ByValue(call, i as u32), arg, ty),
                        None => self.flow(param, arg),
                    }
                }
                None => self.variadic_argument(callee, arg, by_value),
            }
        }
        let result = self.result(callee);
        let value = self.variable(call);
        self.graph.unify(value, result);
    }

    fn copy_argument(&mut self, param: Cell, object: Object, arg: Value, ty: Type) {
        // All possible callees of an indirect call share one copy.
        match self.copied.get(&object) {
            Some(&known) => self.graph.unify(param, known),
            None => {
                self.copied.insert(object, param);
                self.graph.add_object(param, object);
            }
        }
        if let Some(from) = self.cell(arg) {
            self.copies.push(CopyRange { to: param, from, bytes: Some(self.layout.alloc_size(ty)) });
        }
    }

    fn variadic_argument(&mut self, callee: Value, arg: Value, by_value: Option<Type>) {
        let area = self.varargs(callee);
        match by_value {
            Some(_) => {
                // A struct among the variadic arguments: its layout is merged with that of the whole area.
                if let Some(from) = self.cell(arg) {
                    self.graph.unify(area, from);
                }
            }
            None => {
                let value = self.stored(arg);
                self.access_at(area, arg.ty(), value);
            }
        }
    }

    pub(super) fn primitive(&mut self, call: Value, primitive: Primitive) {
        let result = self.variable(call);
        match primitive {
            Primitive::NewObject { .. } => self.graph.add_object(result, Object::Heap(call)),
            Primitive::Unknown { .. } => {
                if call.ty().kind() == TypeKind::Pointer {
                    self.set_unknown(result);
                } else {
                    self.graph.set_numeric(result);
                }
            }
            Primitive::Throw => self.flow(self.exception, call.operand(0)),
            Primitive::Caught => self.caught(call),
            _ => {}
        }
    }

    /// A handler receives the exception object, a base of it, or the target of a thrown pointer.
    fn caught(&mut self, call: Value) {
        let result = self.variable(call);
        let Some(object) = self.cell(call.operand(0)) else { return };
        if call.users().next().is_none() {
            return;
        }
        let handled = handlers::handled(call);
        if handled.is_empty() {
            self.graph.unify(result, object);
        }
        for wanted in handled {
            let seen = if handlers::is_pointer(wanted) {
                self.access_at(object, call.ty(), None);
                self.graph.link(object)
            } else {
                object
            };
            self.graph.unify(result, seen);
            for (_, fit) in handlers::caught_types(self.module, wanted) {
                if let Fit::At(distance) = fit {
                    let base = self.graph.shifted(seen, distance);
                    self.graph.unify(result, base);
                }
            }
        }
    }

    fn intrinsic(&mut self, call: Value, stem: &str) {
        let result = self.variable(call);
        match stem {
            "memcpy" | "memmove" | "memcpy.inline" => {
                let bytes = constant_length(call.operand(2));
                let (to, from) = (self.cell(call.operand(0)), self.cell(call.operand(1)));
                if let (Some(to), Some(from)) = (to, from) {
                    self.copies.push(CopyRange { to, from, bytes });
                }
                for end in [to, from].into_iter().flatten() {
                    self.range(end, bytes);
                }
            }
            "memset" | "memset.inline" => {
                if let Some(to) = self.cell(call.operand(0)) {
                    let bytes = constant_length(call.operand(2));
                    self.range(to, bytes);
                    if !matches!(call.operand(1).constant(), Some(Constant::Integer(0))) {
                        self.numbers.push((to, bytes.unwrap_or(u64::MAX)));
                    }
                }
            }
            "masked.load" => {
                self.access(call.operand(0), call.ty(), Some(result));
                self.flow(result, call.operand(3));
            }
            "masked.store" => {
                let value = self.stored(call.operand(0));
                self.access(call.operand(1), call.operand(0).ty(), value);
            }
            "load.relative" => {
                if let Some(table) = self.cell(call.operand(0)) {
                    self.graph.blur(table, 4);
                    self.graph.access(table, 4, AccessKind::Bits);
                    let link = self.graph.link(table);
                    self.graph.unify(result, link);
                    self.graph.set_numeric(result);
                }
            }
            "va_start" => {
                let area = self.varargs(call.function());
                if let Some(list) = self.cell(call.operand(0)) {
                    for (offset, bytes, is_pointer) in va_list_fields(self.pointer_bytes) {
                        let field = self.graph.shifted(list, offset);
                        self.graph.access(field, bytes, AccessKind::Bits);
                        if is_pointer {
                            let link = self.graph.link(field);
                            self.graph.unify(link, area);
                        }
                    }
                }
            }
            "va_copy" => {
                let (to, from) = (self.cell(call.operand(0)), self.cell(call.operand(1)));
                if let (Some(to), Some(from)) = (to, from) {
                    let bytes = va_list_bytes(self.pointer_bytes);
                    self.copies.push(CopyRange { to, from, bytes: Some(bytes) });
                    self.range(to, Some(bytes));
                    self.range(from, Some(bytes));
                }
            }
            "launder.invariant.group"
            | "strip.invariant.group"
            | "ptr.annotation"
            | "ssa.copy"
            | "expect"
            | "expect.with.probability"
            | "threadlocal.address" => self.flow(result, call.operand(0)),
            _ if call.ty().kind() == TypeKind::Void => {}
            _ => {
                self.graph.set_numeric(result);
                self.arithmetic.push(call);
            }
        }
    }

    pub(super) fn range(&mut self, start: Cell, bytes: Option<u64>) {
        match bytes {
            Some(bytes) => {
                self.graph.cut(start);
                let end = self.graph.shifted(start, bytes as i64);
                self.graph.cut(end);
            }
            None => self.graph.set_dynamic_range(start),
        }
    }
}
