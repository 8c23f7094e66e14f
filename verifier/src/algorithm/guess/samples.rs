//! Samples: the values of variables at the heads of loops in concrete runs.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use super::Ghosts;
use super::inputs::NearConstants;
use super::terms::rebuild;
use crate::cfa::{LocId, Op, Program, Scope};
use crate::expr::eval::{self, Env, Undefined};
use crate::expr::{BinaryOp, Expr, MemorySort, Node, Pool, Sort, UnaryOp, Value, Var};
use crate::facts::{Constants, Facts};
use crate::interpreter::{Interpreter, Limits, RunEnd, State};
use crate::monitor::{Monitor, StopReason};

/// Wider variables are not looked at.
const MAX_WIDTH: u16 = 64;

/// Terms of the program beside variables, such as `n / 2`, that are looked at.
const MAX_TERMS: usize = 4;

/// Conditions of the program that become guards.
const MAX_CONDITIONS: usize = 8;

/// The number of first visits of a head in a run that are sampled; later ones are thinned out.
const FIRST_VISITS: u64 = 24;

/// The head of a loop.
#[derive(Debug)]
pub struct Head {
    /// Its location.
    pub location: LocId,
    /// The variables that are looked at; those that the loop changes come last.
    vars: Vec<Var>,
    /// The number of variables that the loop does not change.
    fixed: usize,
    /// The samples.
    pub samples: Vec<Sample>,
}

/// A term at a head, in the pool of the candidates.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// The expression.
    pub expr: Expr,
    /// Its width in bits.
    pub width: u16,
    /// Whether the loop may change it.
    pub changes: bool,
    /// Whether it is the contents of a distinguished cell.
    pub is_cell: bool,
    /// Whether it is the index of one.
    pub is_index: bool,
}

/// The values of the variables at one visit of a head. Unknown ones were never written.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Sample {
    values: BTreeMap<Var, Value>,
}

/// The heads of all loops, with the variables that matter there.
pub fn heads(facts: &Facts<'_>, constants: &Constants, ghosts: &Ghosts, max_vars: usize) -> Vec<Head> {
    let program = facts.program;
    let (loops, liveness) = (facts.loops(), facts.liveness());
    let heads = (0..program.locations.len() as u32).map(LocId).filter(|&l| program.location(l).loop_head);
    let is_number = |var: &Var| matches!(program.var(*var).sort, Sort::Bits(width) if width <= MAX_WIDTH);
    let mut found = Vec::new();
    for location in heads {
        let function = program.location(location).function;
        let changed: BTreeSet<Var> = loops.changes(program, location).into_iter().collect();
        let mut used = BTreeSet::new();
        for (_, edge) in program.edges_of(function) {
            edge.op.for_each_expr(|expr| variables(&program.pool, expr, &mut used));
        }
        let mut vars: Vec<Var> = liveness.live_at_head(location).iter().copied().filter(is_number).collect();
        let is_global = |var: &Var| program.var(*var).scope == Scope::Global && !constants.scalars.contains_key(var);
        vars.extend(used.union(&changed).copied().filter(|var| is_global(var) && is_number(var)));
        let (mut changing, mut fixed): (Vec<Var>, Vec<Var>) = vars.into_iter().partition(|var| changed.contains(var));
        let is_ghost = |var: &Var| ghosts.indices.contains(var) || ghosts.cells.contains(var);
        changing.sort_by_key(|var| !is_ghost(var));
        fixed.sort_by_key(|var| !is_ghost(var));
        changing.truncate(max_vars);
        fixed.truncate(max_vars - changing.len());
        let count = fixed.len();
        fixed.extend(changing);
        found.push(Head { location, vars: fixed, fixed: count, samples: Vec::new() });
    }
    found
}

/// Samples all heads. False if a run violates one of `errors`, which are sorted.
pub fn observe(
    program: &Program,
    heads: &mut [Head],
    errors: &[LocId],
    constants: &[i128],
    monitor: &Monitor,
) -> Result<bool, StopReason> {
    let tuning = monitor.tuning.guess;
    let interpreter = Interpreter::new(program);
    let mut index = vec![usize::MAX; program.locations.len()];
    heads.iter().enumerate().for_each(|(at, head)| index[head.location.index()] = at);
    let mut seen: FxHashSet<(usize, Sample)> = FxHashSet::default();
    let per_run = tuning.samples / 4;
    for seed in 0..tuning.runs {
        monitor.check()?;
        let steps = if seed < tuning.long_runs { tuning.long_steps } else { tuning.run_steps };
        let mut inputs = NearConstants::new(seed, constants);
        // For each head: the visits in this run, the next visit to be sampled, and the samples in this run.
        let mut visits = vec![(0_u64, 1_u64, 0_usize); heads.len()];
        let mut last: Vec<Option<Sample>> = vec![None; heads.len()];
        let mut look = |_, state: &State<'_>| {
            let at = index[state.location().index()];
            if at == usize::MAX {
                return;
            }
            let (visit, next, taken) = &mut visits[at];
            *visit += 1;
            if *visit < *next {
                return;
            }
            *next = if *visit < FIRST_VISITS { *visit + 1 } else { *visit + *visit / 8 };
            let head = &mut heads[at];
            let sample = head.sample(state);
            if *taken < per_run && head.samples.len() < tuning.samples && seen.insert((at, sample.clone())) {
                *taken += 1;
                head.samples.push(sample);
            } else {
                last[at] = Some(sample);
            }
        };
        let limits = Limits { steps, depth: tuning.run_depth };
        let run = interpreter.run_observed(&mut inputs, limits, &mut look);
        if let RunEnd::Error(at) = run.end
            && errors.binary_search(&at).is_ok()
        {
            return Ok(false);
        }
        for (at, sample) in last.into_iter().enumerate() {
            if let Some(sample) = sample
                && seen.insert((at, sample.clone()))
            {
                heads[at].samples.push(sample);
            }
        }
    }
    Ok(true)
}

impl Head {
    fn sample(&self, state: &State<'_>) -> Sample {
        let values = self.vars.iter().filter_map(|&var| Some((var, state.value(var)?)));
        Sample { values: values.collect() }
    }

    /// The variables and other terms that conditions of the program compare.
    pub fn terms(&self, program: &Program, ghosts: &Ghosts, pool: &mut Pool) -> Vec<Term> {
        let mut terms: Vec<Term> = Vec::new();
        for (at, &var) in self.vars.iter().enumerate() {
            let Sort::Bits(width) = program.var(var).sort else { continue };
            let expr = pool.var(var, Sort::Bits(width));
            let (is_cell, is_index) = (ghosts.cells.contains(&var), ghosts.indices.contains(&var));
            terms.push(Term { expr, width, changes: at >= self.fixed, is_cell, is_index });
        }
        let variables = terms.len();
        for condition in self.conditions(program) {
            let operands: Vec<Expr> = program.pool.children(condition).collect();
            for operand in operands {
                let Sort::Bits(width) = program.pool.sort(operand) else { continue };
                let is_plain = matches!(program.pool.node(operand), Node::Var(_) | Node::Const(_));
                if is_plain || width > MAX_WIDTH || terms.len() >= variables + MAX_TERMS {
                    continue;
                }
                let Some(changes) = self.depends(program, operand) else { continue };
                let expr = self.translate(program, operand, pool);
                if terms.iter().all(|term| term.expr != expr) {
                    // Fixed terms come first, so that changing ones are expressed by them.
                    let at = if changes { terms.len() } else { self.fixed };
                    terms.insert(at, Term { expr, width, changes, is_cell: false, is_index: false });
                }
            }
        }
        terms
    }

    /// The cases that the program distinguishes: its conditions, and the signs of numbers that do not change.
    pub fn guards(&self, program: &Program, pool: &mut Pool) -> Vec<Expr> {
        let mut guards = Vec::new();
        let mut add = |guard: Expr| {
            if !guards.contains(&guard) {
                guards.push(guard);
            }
        };
        for condition in self.conditions(program) {
            let condition = self.translate(program, condition, pool);
            add(condition);
            add(pool.not(condition));
        }
        for &var in &self.vars[..self.fixed] {
            let sort = program.var(var).sort;
            let (value, Sort::Bits(width)) = (pool.var(var, sort), sort) else { continue };
            let zero = pool.bits(width, 0);
            let positive = pool.binary(BinaryOp::SignedLess, zero, value);
            let negative = pool.binary(BinaryOp::SignedLess, value, zero);
            add(positive);
            add(pool.not(negative));
        }
        guards
    }

    /// Where a ghost index may be: below a number or not, or at it. Comparisons without a sign exclude negative indices.
    pub fn places(&self, program: &Program, ghosts: &Ghosts, pool: &mut Pool) -> Vec<Expr> {
        let mut limits: Vec<Expr> = Vec::new();
        for &var in self.vars.iter().filter(|var| !ghosts.cells.contains(var) && !ghosts.indices.contains(var)) {
            limits.push(pool.var(var, program.var(var).sort));
        }
        for condition in self.conditions(program) {
            let operands: Vec<Expr> = program.pool.children(condition).collect();
            for operand in operands {
                let is_number = matches!(program.pool.sort(operand), Sort::Bits(width) if width <= MAX_WIDTH);
                if is_number && !matches!(program.pool.node(operand), Node::Var(_)) {
                    let limit = self.translate(program, operand, pool);
                    if !limits.contains(&limit) {
                        limits.push(limit);
                    }
                }
            }
        }
        let mut places = Vec::new();
        for &index in self.vars.iter().filter(|var| ghosts.indices.contains(var)) {
            let index = pool.var(index, program.var(index).sort);
            for &limit in limits.iter().filter(|&&limit| pool.sort(limit) == pool.sort(index)).collect::<Vec<_>>() {
                let is_below = pool.binary(BinaryOp::UnsignedLess, index, limit);
                let is_here = pool.eq(index, limit);
                places.extend([is_below, pool.not(is_below), is_here]);
            }
        }
        places
    }

    /// The comparisons in the function of this head whose variables are all looked at.
    fn conditions(&self, program: &Program) -> Vec<Expr> {
        let mut found: Vec<Expr> = Vec::new();
        for (_, edge) in program.edges_of(program.location(self.location).function) {
            let Op::Assume(root) = edge.op else { continue };
            let mut worklist = vec![root];
            while let Some(expr) = worklist.pop() {
                match program.pool.node(expr) {
                    Node::Unary(UnaryOp::Not, inner) => worklist.push(inner),
                    Node::Binary(BinaryOp::And | BinaryOp::Or, a, b) => worklist.extend([b, a]),
                    Node::Binary(..)
                        if found.len() < MAX_CONDITIONS
                            && !found.contains(&expr)
                            && self.depends(program, expr).is_some() =>
                    {
                        found.push(expr);
                    }
                    _ => {}
                }
            }
        }
        found
    }

    /// Whether an expression depends on a variable that the loop changes; `None` if it depends on others that are not
    /// looked at, on none, or cannot be evaluated everywhere.
    fn depends(&self, program: &Program, expr: Expr) -> Option<bool> {
        let mut used = BTreeSet::new();
        variables(&program.pool, expr, &mut used);
        let is_plain = !program.pool.may_trap(expr) && used.iter().all(|var| self.vars.contains(var));
        (is_plain && !used.is_empty()).then(|| used.iter().any(|var| self.vars[self.fixed..].contains(var)))
    }

    fn translate(&self, program: &Program, expr: Expr, pool: &mut Pool) -> Expr {
        let vars = self.vars.iter().map(|&var| (var, pool.var(var, program.var(var).sort)));
        let vars: FxHashMap<Var, Expr> = vars.collect();
        rebuild(&program.pool, expr, &vars, &mut FxHashMap::default(), pool)
    }
}

/// Adds the variables of an expression.
fn variables(pool: &Pool, expr: Expr, found: &mut BTreeSet<Var>) {
    let mut seen = FxHashSet::default();
    let mut worklist = vec![expr];
    while let Some(expr) = worklist.pop() {
        if seen.insert(expr) {
            if let Node::Var(var) = pool.node(expr) {
                found.insert(var);
            }
            worklist.extend(pool.children(expr));
        }
    }
}

impl Sample {
    /// The value of an expression; `None` if it depends on an unknown value or is undefined.
    pub fn value(&self, pool: &Pool, expr: Expr) -> Option<Value> {
        eval::evaluate(pool, expr, &mut Values(self)).ok()
    }

    /// Whether a clause holds.
    pub fn satisfies(&self, pool: &Pool, clause: Expr) -> bool {
        self.value(pool, clause) == Some(Value::Bool(true))
    }

    /// The value of a bit-vector as a signed number.
    pub fn signed(&self, pool: &Pool, expr: Expr) -> Option<i128> {
        match self.value(pool, expr)? {
            Value::Bits { width, bits } => Some(crate::expr::value::signed(width, bits)),
            _ => None,
        }
    }
}

struct Values<'a>(&'a Sample);

/// A value that a sample lacks.
struct Missing;

impl From<Undefined> for Missing {
    fn from(_: Undefined) -> Missing {
        Missing
    }
}

impl Env for Values<'_> {
    type Stop = Missing;

    fn var(&mut self, var: Var) -> Result<Value, Missing> {
        self.0.values.get(&var).copied().ok_or(Missing)
    }

    fn read(&mut self, _: Var, _: MemorySort, _: u128, _: u16) -> Result<Value, Missing> {
        Err(Missing)
    }
}
