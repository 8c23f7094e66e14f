//! What the steps of a path are about.

use std::collections::BTreeSet;

use clew_verifier::cfa::{Op, Program, Scope, Step};
use clew_verifier::expr::{Expr, Node, Var};
use clew_verifier::print::Printer;

/// The variables that each step of a path reads or writes, with their activations: 0 for global ones, 1 for those of the
/// start function, then as functions start.
pub fn occurrences(program: &Program, path: &[Step]) -> Vec<BTreeSet<(Var, u32)>> {
    let (mut stack, mut started) = (vec![1], 1);
    let mut result = Vec::new();
    for step in path {
        let mut seen = Occurrences { program, found: BTreeSet::new(), activation: stack[stack.len() - 1] };
        match &program.edge(step.edge).op {
            Op::Skip | Op::Unsupported(_) => {}
            Op::Assign(var, expr) => {
                seen.var(*var);
                seen.expr(*expr);
            }
            Op::Assume(expr) => seen.expr(*expr),
            Op::Havoc(var, _) => seen.var(*var),
            Op::Store { memory, address, value } => seen.all(&[*memory], &[*address, *value]),
            Op::Forget { memory, address, bytes } => seen.all(&[*memory], &[*address, *bytes]),
            Op::Fill { memory, address, byte, bytes } => seen.all(&[*memory], &[*address, *byte, *bytes]),
            Op::Copy { target, to, source, from, bytes } => seen.all(&[*target, *source], &[*to, *from, *bytes]),
            Op::Initialize { memory, .. } => seen.var(*memory),
            Op::Call { callee, args, .. } => {
                seen.all(&[], args);
                started += 1;
                stack.push(started);
                seen.activation = started;
                seen.all(&program.function(*callee).params, &[]);
            }
            Op::Return(value) => {
                seen.all(&[], value.as_slice());
                if let Some(call) = step.call {
                    stack.pop();
                    seen.activation = stack[stack.len() - 1];
                    if let Op::Call { result: Some(var), .. } = program.edge(call).op {
                        seen.var(var);
                    }
                }
            }
        }
        result.push(seen.found);
    }
    result
}

struct Occurrences<'p> {
    program: &'p Program,
    found: BTreeSet<(Var, u32)>,
    activation: u32,
}

impl Occurrences<'_> {
    fn var(&mut self, var: Var) {
        let is_global = self.program.var(var).scope == Scope::Global;
        self.found.insert((var, if is_global { 0 } else { self.activation }));
    }

    fn expr(&mut self, expr: Expr) {
        if let Node::Var(var) = self.program.pool.node(expr) {
            self.var(var);
        }
        let children: Vec<Expr> = self.program.pool.children(expr).collect();
        self.all(&[], &children);
    }

    fn all(&mut self, vars: &[Var], exprs: &[Expr]) {
        vars.iter().for_each(|&var| self.var(var));
        exprs.iter().for_each(|&expr| self.expr(expr));
    }
}

/// The operations of a path, one line each.
pub fn tell_path(program: &Program, path: &[Step]) -> String {
    let printer = Printer::new(program);
    let edges = path.iter().enumerate();
    edges.map(|(i, step)| format!("{i}: {}\n", printer.op(&program.edge(step.edge).op))).collect()
}
