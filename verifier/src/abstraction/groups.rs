//! Groups: parts of a formula, with the predicates about them, that share no variables.
//!
//! The abstraction of a formula is the conjunction of those of its groups. A group has fewer assignments to enumerate,
//! and often recurs in other formulas.

use rustc_hash::FxHashMap;

use crate::expr::{BinaryOp, Expr, Node, Pool};

/// Conjuncts and predicates that depend on each other, both in their original order.
#[derive(Debug, Default)]
pub(super) struct Group {
    /// Conjuncts of the formula.
    pub conjuncts: Vec<Expr>,
    /// Predicates with their indices.
    pub predicates: Vec<(u32, Expr)>,
}

/// The conjuncts of `formula`, flattened and without duplicates. They keep their order, since one may guard later ones.
pub(super) fn conjuncts(pool: &Pool, formula: &[Expr]) -> Vec<Expr> {
    let mut list = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut worklist: Vec<Expr> = formula.iter().rev().copied().collect();
    while let Some(expr) = worklist.pop() {
        if !seen.insert(expr) {
            continue;
        }
        match pool.node(expr) {
            Node::Binary(BinaryOp::And, a, b) => worklist.extend([b, a]),
            _ if pool.as_const(expr).is_some_and(|value| value.is_true()) => {}
            _ => list.push(expr),
        }
    }
    list
}

/// The groups, ordered by their first members.
pub(super) fn groups(pool: &Pool, conjuncts: &[Expr], predicates: &[(u32, Expr)]) -> Vec<Group> {
    let members = conjuncts.len() + predicates.len();
    let mut sets = Sets { parents: (0..members).collect() };
    let mut owners: FxHashMap<Expr, usize> = FxHashMap::default();
    let roots = conjuncts.iter().copied().chain(predicates.iter().map(|&(_, value)| value));
    for (member, root) in roots.enumerate() {
        let mut worklist = vec![root];
        while let Some(expr) = worklist.pop() {
            if let Node::Const(_) = pool.node(expr) {
                continue;
            }
            match owners.get(&expr) {
                // The owner has already visited the subexpressions.
                Some(&owner) => sets.join(owner, member),
                None => {
                    owners.insert(expr, member);
                    worklist.extend(pool.children(expr));
                }
            }
        }
    }
    let mut groups: Vec<Group> = Vec::new();
    let mut positions: FxHashMap<usize, usize> = FxHashMap::default();
    for member in 0..members {
        let position = *positions.entry(sets.find(member)).or_insert(groups.len());
        if position == groups.len() {
            groups.push(Group::default());
        }
        match member.checked_sub(conjuncts.len()) {
            None => groups[position].conjuncts.push(conjuncts[member]),
            Some(predicate) => groups[position].predicates.push(predicates[predicate]),
        }
    }
    groups
}

/// A union-find of members; the smallest member represents its set.
struct Sets {
    parents: Vec<usize>,
}

impl Sets {
    fn find(&mut self, mut member: usize) -> usize {
        while self.parents[member] != member {
            self.parents[member] = self.parents[self.parents[member]];
            member = self.parents[member];
        }
        member
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parents[a.max(b)] = a.min(b);
    }
}
