//! Calls of functions without a body: known ones do what their table says, unknown ones what `--externals` says.

use clew_verifier::cfa::{Assumption, Effect, Havoc, Op, Scope};
use clew_verifier::expr::{Expr, Sort, Var};

use super::function::{FunctionLifter, assemble};
use super::{Externals, Lifter, Val};
use crate::externals::{self, Effects, Returns};
use crate::ir::{TypeKind, Value};
use crate::pointsto::{NodeId, Object, resolve_alias};

/// The variable that models `errno`.
const ERRNO: &str = "__clew_errno";

impl FunctionLifter<'_> {
    /// A call of a function that is only declared. `place`: the variables for the result, if it is one of several
    /// candidates.
    pub(super) fn external(&mut self, call: Value, callee: Value, place: Option<&[Var]>) {
        let name = externals::source_name(callee);
        self.external = Some(self.l.external(callee.name()));
        let done = match externals::known(callee) {
            Some(row) => self.call_known(call, &name, row),
            None => self.call_unknown(call, &name),
        };
        if let Err(why) = done {
            self.unsupported(&why);
            if place.is_none() {
                self.define(call, Val::Undefined);
            }
            return;
        }
        if call.ty().kind() != TypeKind::Void {
            self.external_result(call, externals::known(callee), place);
        }
    }

    /// The effects of a known function; an error says why they cannot be modelled.
    fn call_known(&mut self, call: Value, name: &str, row: &Effects) -> Result<(), String> {
        if let Some(what) = row.unsupported {
            return Err(if what == name { name.into() } else { format!("{what}: {name}") });
        }
        let args: Vec<Value> = call.args().collect();
        let selected = |of: externals::Arguments| -> Vec<Value> {
            args.iter().enumerate().filter(|&(n, _)| of.contains(n)).map(|(_, &arg)| arg).collect()
        };
        if let Some(callback) = self.callback(&selected(row.calls)) {
            return Err(format!("the external function {name}, which may call {callback}"));
        }
        self.rests_on(Assumption::KnownFunction(name.into()));
        if row.exits {
            self.halt();
            return Ok(());
        }
        let written = self.nodes(&selected(row.writes));
        self.forget_nodes(written);
        let reached = self.reachable(&selected(row.writes_deeply));
        self.forget_nodes(reached);
        if row.returns == Returns::Static && call.ty().kind() == TypeKind::Pointer {
            // What an earlier call returned is overwritten.
            let own = self.nodes(&[call]);
            self.forget_nodes(own);
        }
        if !row.pure {
            self.disturb_errno();
        }
        Ok(())
    }

    /// The effects of an unknown function.
    fn call_unknown(&mut self, call: Value, name: &str) -> Result<(), String> {
        if is_nondet(name) {
            // A struct in memory is its only effect.
            let result = call.args().take(1).filter(|_| call.call_type_attribute(0, "sret").is_some());
            let written = self.nodes(&result.collect::<Vec<_>>());
            self.forget_nodes(written);
            return Ok(());
        }
        // What another verifier gives a meaning must not be taken for a function of the program.
        if ["__CPROVER_", "clew_", "__clew_"].iter().any(|prefix| name.starts_with(prefix)) {
            return Err(format!("the verification function {name}"));
        }
        let effect = match self.l.externals {
            Externals::Error => return Err(format!("the external function {name}")),
            Externals::Pure => Effect::Pure,
            Externals::Havoc => {
                let args: Vec<Value> = call.args().chain(self.l.unknown_variables()).collect();
                if let Some(callback) = self.callback(&args) {
                    return Err(format!("the external function {name}, which may call {callback}"));
                }
                let reached = self.reachable(&args);
                self.forget_nodes(reached);
                self.disturb_errno();
                Effect::Havoc
            }
        };
        self.rests_on(Assumption::UnknownFunction { name: name.into(), effect });
        Ok(())
    }

    /// Any library function may set `errno`.
    fn disturb_errno(&mut self) {
        let node = self.l.module.global(ERRNO).and_then(|errno| self.l.points_to.cell(errno)).map(|cell| cell.node);
        self.forget_nodes(node.into_iter().collect());
    }

    fn external_result(&mut self, call: Value, known: Option<&Effects>, place: Option<&[Var]>) {
        let args: Vec<Value> = call.args().collect();
        let returned = known.and_then(|row| match row.returns {
            Returns::Argument(n) => args.get(usize::from(n)).copied(),
            _ => None,
        });
        if let (Some(arg), Some(sort)) = (returned, self.l.sort(call.ty()))
            && returned.is_some_and(|arg| arg.ty() == call.ty())
        {
            let mut value = self.scalar(arg);
            if known.is_some_and(|row| row.or_null) {
                let why = self.of_external();
                let fails = self.unknown(Sort::Bool, why);
                let zero = self.address(0);
                value = if sort == self.l.pointer_sort() { self.l.builder.pool.ite(fails, zero, value) } else { value };
            }
            return match place.and_then(|vars| vars.first()) {
                Some(&var) => self.assign(var, value),
                None => self.define(call, Val::Scalar(value)),
            };
        }
        // The value of a function that may return anything is an input, if it is a single one.
        let is_any = self.l.sort(call.ty()).is_some() && self.l.is_assumed_any(call.callee());
        match place {
            Some(vars) => {
                let leaves = Lifter::leaves(call.ty());
                for (&var, leaf) in vars.iter().zip(leaves) {
                    let why = self.of_external();
                    self.havoc(var, why);
                    let value = self.read_var(var);
                    self.assume_outside(call, leaf, value, known);
                }
            }
            None => {
                let why = if is_any { Havoc::Input } else { self.of_external() };
                let scalars = self.any_result(call, why);
                for (scalar, leaf) in scalars.into_iter().zip(Lifter::leaves(call.ty())) {
                    self.assume_outside(call, leaf, scalar, known);
                }
            }
        }
    }

    /// Why a value is unknown that the current external function gives.
    fn of_external(&self) -> Havoc {
        Havoc::External(self.external.expect("a call of an external function is being lifted"))
    }

    /// A function of the program that can be reached from arguments of an external function, which may call it.
    fn callback(&self, args: &[Value]) -> Option<&'static str> {
        let nodes = self.reachable(args);
        let pointed_to = nodes.iter().flat_map(|&node| self.l.points_to.node(node).functions.iter().copied());
        let functions = pointed_to.chain(args.iter().map(|&arg| resolve_alias(arg)));
        // The smallest name: the order of the sets is not the same in every run.
        functions.filter(|f| f.is_function() && !f.is_declaration()).map(|function| function.name()).min()
    }

    /// Sets the result of a call to an arbitrary value; returns its scalars.
    pub(super) fn any_result(&mut self, call: Value, why: Havoc) -> Vec<Expr> {
        match self.l.sort(call.ty()) {
            Some(sort) => {
                let var = self.result_var(call, sort);
                self.emit(Op::Havoc(var, why));
                vec![self.read_var(var)]
            }
            None if call.ty().is_aggregate() => {
                let mut scalars = Vec::new();
                for leaf in Lifter::leaves(call.ty()) {
                    let sort = self.l.sort(leaf).unwrap_or(Sort::Bool);
                    scalars.push(self.unknown(sort, why));
                }
                let mut parts = scalars.iter().copied();
                let value = assemble(call.ty(), &mut || parts.next().map_or(Val::Undefined, Val::Scalar));
                self.set_value(call, value);
                scalars
            }
            None => Vec::new(),
        }
    }

    /// The nodes that pointers point to.
    fn nodes(&self, pointers: &[Value]) -> Vec<NodeId> {
        pointers.iter().filter_map(|&p| self.l.points_to.cell(p)).map(|cell| cell.node).collect()
    }

    /// All nodes that can be reached from pointers.
    fn reachable(&self, pointers: &[Value]) -> Vec<NodeId> {
        let mut nodes: Vec<NodeId> = Vec::new();
        let mut stack = self.nodes(pointers);
        while let Some(node) = stack.pop() {
            if !nodes.contains(&node) {
                nodes.push(node);
                stack.extend(self.l.points_to.links(node).map(|cell| cell.node));
            }
        }
        nodes
    }

    /// Havocs the contents of nodes, except those of constants.
    fn forget_nodes(&mut self, nodes: Vec<NodeId>) {
        let mut vars: Vec<Var> = Vec::new();
        for node in nodes {
            let info = self.l.points_to.node(node);
            let constant = |o: &(Object, i64)| matches!(o.0, Object::Global(g) if g.is_constant_global());
            if !info.external && info.objects.iter().all(constant) {
                continue;
            }
            vars.extend(self.l.node_vars(node));
        }
        vars.sort_unstable();
        vars.dedup();
        for var in vars {
            // Locals of other functions are not reachable from here.
            let scope = self.l.builder.var(var).scope;
            if scope == Scope::Global || scope == Scope::Local(self.id) {
                let why = self.of_external();
                self.havoc(var, why);
            }
        }
    }
}

impl Lifter {
    /// Whether the user allows a function to return any value.
    fn is_assumed_any(&self, function: Value) -> bool {
        function.is_function()
            && (is_nondet(function.name()) || self.assume_any.iter().any(|any| any == function.name()))
    }

    /// The variables that the program declares but does not define, and that unknown functions may change.
    fn unknown_variables(&self) -> Vec<Value> {
        let is_unknown = |global: &Value| {
            global.is_declaration() && !global.is_constant_global() && !externals::is_known_variable(*global)
        };
        self.module.globals().filter(is_unknown).collect()
    }
}

/// Whether a function without a body returns any value by convention: CBMC's programs declare `nondet_T` for any type `T`.
fn is_nondet(name: &str) -> bool {
    name.starts_with("nondet_")
}
