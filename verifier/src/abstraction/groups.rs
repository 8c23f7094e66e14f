//! Groups: the parts of a formula, with the predicates about them, that have no variable in common.
//!
//! What a formula says about predicates is the conjunction of what its groups say. Each has fewer assignments to look at,
//! and is often the same as in another formula.

use rustc_hash::FxHashMap;

use crate::cfa::expr::{BinaryOp, Expr, Node, Pool};

/// Conjuncts and predicates that depend on each other, both in the order in which they were given.
#[derive(Debug, Default)]
pub(super) struct Group {
    /// Conjuncts of the formula.
    pub conjuncts: Vec<Expr>,
    /// Predicates, with their numbers.
    pub predicates: Vec<(u32, Expr)>,
}

/// The conjuncts of `formula`: none is a conjunction, and none occurs twice. They keep their order, since one may guard
/// those after it.
pub(super) fn conjuncts(pool: &Pool, formula: &[Expr]) -> Vec<Expr> {
    let mut list = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut waiting: Vec<Expr> = formula.iter().rev().copied().collect();
    while let Some(expr) = waiting.pop() {
        if !seen.insert(expr) {
            continue;
        }
        match pool.node(expr) {
            Node::Binary(BinaryOp::And, a, b) => waiting.extend([b, a]),
            _ if pool.as_const(expr).is_some_and(|value| value.is_true()) => {}
            _ => list.push(expr),
        }
    }
    list
}

/// The groups, in the order of their first members.
pub(super) fn groups(pool: &Pool, conjuncts: &[Expr], predicates: &[(u32, Expr)]) -> Vec<Group> {
    let members = conjuncts.len() + predicates.len();
    let mut sets = Sets { parents: (0..members).collect() };
    let mut owners: FxHashMap<Expr, usize> = FxHashMap::default();
    let roots = conjuncts.iter().copied().chain(predicates.iter().map(|&(_, value)| value));
    for (member, root) in roots.enumerate() {
        let mut waiting = vec![root];
        while let Some(expr) = waiting.pop() {
            if let Node::Const(_) = pool.node(expr) {
                continue;
            }
            match owners.get(&expr) {
                // What is below was looked at for the owner.
                Some(&owner) => sets.join(owner, member),
                None => {
                    owners.insert(expr, member);
                    waiting.extend(pool.children(expr));
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

/// Disjoint sets of members; the smallest member stands for its set.
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
