//! The steps of a program and the scalar variables that they write.

use smallvec::SmallVec;

use super::Becomes;
use super::linear::Linear;
use crate::cfa::path::Step;
use crate::cfa::program::{EdgeId, LocId, Op, Program};
use crate::expr::{Expr, Var};
use crate::tuning::SumLimits;

/// A step with its end points and the variables that it writes.
pub(super) struct Transition {
    pub(super) step: Step,
    pub(super) from: LocId,
    pub(super) to: LocId,
    pub(super) writes: SmallVec<[(Var, Written); 1]>,
}

/// The value written to a variable.
pub(super) enum Written {
    Linear(Linear),
    Other(Expr),
    Unknown,
}

impl Transition {
    /// Whether the step writes a variable of `sum`.
    pub(super) fn changes(&self, sum: &Linear) -> bool {
        self.writes.iter().any(|(var, _)| sum.factor(*var).is_some())
    }

    /// The linear form before the step that equals `sum` after it, if all values written are linear.
    pub(super) fn before(&self, sum: &Linear) -> Option<Linear> {
        let mut before = sum.clone();
        for (var, _) in &self.writes {
            before.take(*var);
        }
        for (var, written) in &self.writes {
            let Some(factor) = sum.factor(*var) else { continue };
            let Written::Linear(value) = written else { return None };
            before = before.plus(&value.clone().times(factor));
        }
        Some(before)
    }

    /// The new value of `sum` if exactly one value written is not linear.
    pub(super) fn computed(&self, sum: &Linear) -> Becomes {
        let mut others = sum.clone();
        let mut values = self.writes.iter().filter_map(|(var, written)| Some((others.take(*var)?, written)));
        match (values.next(), values.next()) {
            (Some((factor, &Written::Other(value))), None) => {
                Becomes::Computed { factor, value, others: others.parts.into_vec().into() }
            }
            _ => Becomes::Unknown,
        }
    }
}

/// All steps. Each `Return` yields one step for each call of its function.
pub(super) fn transitions(program: &Program, limits: SumLimits, is_allowed: &impl Fn(Var) -> bool) -> Vec<Transition> {
    let written = |value: Expr| match Linear::of(&program.pool, value, limits.max_nodes, is_allowed) {
        Some(linear) => Written::Linear(linear),
        None => Written::Other(value),
    };
    let mut calls: Vec<Vec<EdgeId>> = vec![Vec::new(); program.functions.len()];
    for (id, edge) in (0..).map(EdgeId).zip(&program.edges) {
        if let Op::Call { callee, .. } = edge.op {
            calls[callee.index()].push(id);
        }
    }
    let mut transitions = Vec::with_capacity(program.edges.len());
    let mut add = |step: Step, writes: SmallVec<[(Var, Written); 1]>| {
        let (from, to) = (program.edge(step.edge).from, step.target(program));
        transitions.push(Transition { step, from, to, writes });
    };
    for (id, edge) in (0..).map(EdgeId).zip(&program.edges) {
        let along = Step::along(id);
        match &edge.op {
            Op::Assign(var, value) => add(along, SmallVec::from_buf([(*var, written(*value))])),
            Op::Havoc(var, _) => add(along, SmallVec::from_buf([(*var, Written::Unknown)])),
            Op::Call { callee, args, .. } => {
                let params = program.function(*callee).params.iter().copied();
                add(along, params.zip(args.iter().map(|&arg| written(arg))).collect());
            }
            Op::Return(value) => {
                for &call in &calls[program.location(edge.from).function.index()] {
                    let Op::Call { result, .. } = program.edge(call).op else { continue };
                    let value = |var| (var, value.map_or(Written::Unknown, written));
                    add(Step { edge: id, call: Some(call) }, result.into_iter().map(value).collect());
                }
            }
            _ => add(along, SmallVec::new()),
        }
    }
    transitions
}
