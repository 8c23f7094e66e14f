//! The global variables that functions use and write, including those of their callees.

use petgraph::graph::DiGraph;

use crate::cfa::program::{FuncId, Op, Program, Scope};
use crate::expr::{Expr, Node, Var};

/// Sets of global variables for each function.
pub(super) struct Effects {
    /// The position of each tracked global variable in the sets.
    slots: Vec<Option<u32>>,
    uses: Vec<BitSet>,
    writes: Vec<BitSet>,
}

impl Effects {
    /// The effects on the global variables for which `is_tracked` holds.
    pub fn new(program: &Program, is_tracked: impl Fn(Var) -> bool) -> Effects {
        let mut slots = vec![None; program.vars.len()];
        let mut count = 0;
        for var in (0..program.vars.len() as u32).map(Var) {
            if program.var(var).scope == Scope::Global && is_tracked(var) {
                slots[var.index()] = Some(count);
                count += 1;
            }
        }
        let empty = BitSet::new(count as usize);
        let functions = program.functions.len();
        let mut effects = Effects { slots, uses: vec![empty.clone(); functions], writes: vec![empty; functions] };
        let mut calls = DiGraph::<(), ()>::new();
        let nodes: Vec<_> = program.functions.iter().map(|_| calls.add_node(())).collect();
        let mut seen = vec![u32::MAX; program.pool.len()];
        for function in (0..functions as u32).map(FuncId) {
            for (_, edge) in program.edges_of(function) {
                effects.direct(program, function, &edge.op, &mut seen);
                if let Op::Call { callee, .. } = edge.op {
                    calls.update_edge(nodes[function.index()], nodes[callee.index()], ());
                }
            }
        }
        // Callees come before their callers.
        for component in petgraph::algo::tarjan_scc(&calls) {
            let (mut uses, mut writes) = (BitSet::default(), BitSet::default());
            for &node in &component {
                for member in calls.neighbors(node).chain([node]) {
                    uses.add(&effects.uses[member.index()]);
                    writes.add(&effects.writes[member.index()]);
                }
            }
            for node in component {
                effects.uses[node.index()] = uses.clone();
                effects.writes[node.index()] = writes.clone();
            }
        }
        effects
    }

    /// Adds what an operation does itself. `seen` holds the last function that visited an expression.
    fn direct(&mut self, program: &Program, function: FuncId, op: &Op, seen: &mut [u32]) {
        let mut used: Vec<Var> = Vec::new();
        let mut stack: Vec<Expr> = Vec::new();
        op.for_each_expr(|expr| stack.push(expr));
        while let Some(expr) = stack.pop() {
            if std::mem::replace(&mut seen[expr.index()], function.0) == function.0 {
                continue;
            }
            if let Node::Var(var) = program.pool.node(expr) {
                used.push(var);
            }
            stack.extend(program.pool.children(expr));
        }
        if let Op::Copy { source, .. } = op {
            used.push(*source);
        }
        if let Some(slot) = op.written().and_then(|var| self.slots[var.index()]) {
            self.writes[function.index()].insert(slot);
            self.uses[function.index()].insert(slot);
        }
        for slot in used.into_iter().filter_map(|var| self.slots[var.index()]) {
            self.uses[function.index()].insert(slot);
        }
    }

    /// Whether `function` or its callees read or write the global variable `var`.
    pub fn uses(&self, function: FuncId, var: Var) -> bool {
        self.slots[var.index()].is_some_and(|slot| self.uses[function.index()].contains(slot))
    }

    /// Whether `function` or its callees write the global variable `var`.
    pub fn writes(&self, function: FuncId, var: Var) -> bool {
        self.slots[var.index()].is_some_and(|slot| self.writes[function.index()].contains(slot))
    }
}

/// A set of small numbers.
#[derive(Clone, Default)]
struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    fn new(count: usize) -> BitSet {
        BitSet { words: vec![0; count.div_ceil(64)] }
    }

    fn insert(&mut self, member: u32) {
        self.words[member as usize / 64] |= 1 << (member % 64);
    }

    fn contains(&self, member: u32) -> bool {
        self.words[member as usize / 64] >> (member % 64) & 1 == 1
    }

    fn add(&mut self, other: &BitSet) {
        self.words.resize(self.words.len().max(other.words.len()), 0);
        self.words.iter_mut().zip(&other.words).for_each(|(word, more)| *word |= more);
    }
}
