//! What a path depends on, beside the inputs of the program: values of external functions, and uninitialised ones.

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::retrace::Draw;
use crate::cfa::path::Step;
use crate::cfa::program::{ExternalId, Havoc, Op, Program};
use crate::cfa::source::SourceId;
use crate::expr::{Expr, Node, Value, Var};
use crate::formula::{PathFormula, Symbol};
use crate::interpreter::What;
use crate::smt::Model;

/// What a path depends on, beside the inputs.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Dependence {
    /// Values of external functions, in the order of the path. Those that may be anything are not among them.
    pub assumed: Vec<Assumed>,
    /// Whether it depends on what the environment gives: files, arguments, the clock.
    pub environment: bool,
    /// Whether it depends on uninitialised memory or undefined values.
    pub undefined: bool,
}

/// A value that an external function was assumed to return or write.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Assumed {
    /// The function.
    pub function: ExternalId,
    /// The value; `None` if it is in memory.
    pub value: Option<Value>,
    /// The place of the call.
    pub place: SourceId,
}

impl Dependence {
    /// Found by the symbols in the conditions of a path, except for conditions that hold in every real run.
    pub(super) fn of(program: &Program, path: &[Step], formula: &PathFormula, model: &Model) -> Dependence {
        let mut found = Dependence::default();
        let is_fact = |step: usize| {
            let from = path.get(step).map(|step| program.edge(step.edge).from);
            from.is_some_and(|from| program.outside.facts.binary_search(&from).is_ok())
        };
        let conditions = formula.constraints.iter().filter(|constraint| !is_fact(constraint.step));
        let mut stack: Vec<Expr> = conditions.map(|constraint| constraint.condition).collect();
        stack.reverse();
        let mut seen: FxHashSet<Expr> = FxHashSet::default();
        while let Some(expr) = stack.pop() {
            if !seen.insert(expr) {
                continue;
            }
            if let Node::Var(var) = formula.pool.node(expr)
                && let Some((symbol, _)) = formula.symbols.symbol(var)
            {
                if let Symbol::Name { value, .. } = symbol {
                    stack.push(value);
                } else {
                    found.add(program, path, symbol, || model.value(&formula.pool, expr).ok());
                }
            }
            stack.extend(formula.pool.children(expr));
        }
        found.assumed.sort_by_key(|assumed| assumed.place);
        found
    }

    /// What a run depends on at most: everything that it drew.
    pub(super) fn of_draws(program: &Program, path: &[Step], draws: &[(Havoc, Draw)]) -> Dependence {
        let mut found = Dependence::default();
        let mut seen: FxHashSet<(Havoc, SourceId, Option<Var>)> = FxHashSet::default();
        for &(kind, Draw { step, what, value }) in draws {
            let place = path.get(step).map_or(SourceId::NONE, |step| program.edge(step.edge).source);
            let memory = if let What::Memory { memory, .. } = what { Some(memory) } else { None };
            if kind == Havoc::Input || !seen.insert((kind, place, memory)) {
                continue;
            }
            match what {
                What::Memory { memory, .. } => found.add_memory(program, path, Some(memory)),
                What::Havoc(_) | What::Variable(_) | What::Expression(_) => {
                    let why = as_called(program, &path[..step], kind);
                    found.add_unknown(program, why, place, || Some(value));
                }
            }
        }
        found.assumed.sort_by_key(|assumed| assumed.place);
        found
    }

    fn add(&mut self, program: &Program, path: &[Step], symbol: Symbol, value: impl Fn() -> Option<Value>) {
        match symbol {
            Symbol::After { step, var } => match path.get(step as usize).map(|step| program.edge(step.edge)) {
                Some(edge) => match edge.op {
                    Op::Havoc(written, why) if written == var => {
                        let is_scalar = !matches!(program.var(var).sort, crate::expr::Sort::Memory(_));
                        let why = as_called(program, &path[..step as usize], why);
                        self.add_unknown(program, why, edge.source, || if is_scalar { value() } else { None });
                    }
                    _ => self.add_memory(program, path, Some(var)),
                },
                None => self.undefined = true,
            },
            Symbol::Initial { var, .. } | Symbol::Cell { memory: var, .. } => self.add_memory(program, path, Some(var)),
            _ => self.add_memory(program, path, None),
        }
    }

    fn add_unknown(&mut self, program: &Program, why: Havoc, place: SourceId, value: impl Fn() -> Option<Value>) {
        match why {
            Havoc::Input => {}
            Havoc::External(function) if program.external(function).is_any => self.environment = true,
            Havoc::External(function) => {
                let new = Assumed { function, value: value(), place };
                if !self.assumed.contains(&new) {
                    self.assumed.push(new);
                }
            }
            Havoc::Uninitialized | Havoc::Undefined => self.undefined = true,
        }
    }

    /// Unknown memory: contents that external functions chose, or uninitialised ones. `None` stands for any memory.
    fn add_memory(&mut self, program: &Program, path: &[Step], memory: Option<Var>) {
        let mut is_outside = false;
        for (at, by, memories) in &program.outside.objects {
            let fits = memory.is_none_or(|memory| memories.contains(&memory));
            let passed = || path.iter().position(|step| program.edge(step.edge).from == *at);
            if let Some(step) = fits.then(passed).flatten() {
                is_outside = true;
                let why = as_called(program, &path[..step], Havoc::External(*by));
                self.add_unknown(program, why, program.edge(path[step].edge).source, || None);
            }
        }
        self.undefined |= !is_outside;
    }
}

/// Why a value is unknown after `path`, by the library function that the program called: models may call others.
fn as_called(program: &Program, path: &[Step], why: Havoc) -> Havoc {
    let Havoc::External(_) = why else { return why };
    let calls = &program.outside.calls;
    let mut stack: Vec<Option<ExternalId>> = Vec::new();
    for step in path {
        let edge = program.edge(step.edge);
        match edge.op {
            Op::Call { .. } => {
                let found = calls.binary_search_by_key(&edge.from, |call| call.0);
                stack.push(found.ok().map(|found| calls[found].1));
            }
            Op::Return(_) => drop(stack.pop()),
            _ => {}
        }
    }
    stack.into_iter().flatten().next().map_or(why, Havoc::External)
}
