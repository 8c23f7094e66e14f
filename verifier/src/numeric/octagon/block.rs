//! Difference-bound matrices of a few variables that are related (Miné, "The octagon abstract domain").
//!
//! Node `2i` stands for the variable `i`, and node `2i + 1` for its negation. The entry at `(a, b)` bounds the value of
//! node `b` minus that of node `a`. Entries at `(a, b)` and `(b ^ 1, a ^ 1)` are the same constraint and stored once.

use super::super::MAX_BOUND;
use crate::expr::Var;

/// No bound.
pub(super) const INFINITE: i128 = i128::MAX;

/// The sum of two bounds.
pub(super) fn sum(a: i128, b: i128) -> i128 {
    if a == INFINITE || b == INFINITE {
        return INFINITE;
    }
    match a + b {
        sum if sum > MAX_BOUND => INFINITE,
        // A larger bound is a weaker constraint.
        sum => sum.max(-MAX_BOUND),
    }
}

/// The bound that two bounds on doubled nodes imply for their sum.
fn half_sum(a: i128, b: i128) -> i128 {
    match sum(a, b) {
        INFINITE => INFINITE,
        sum => sum.div_euclid(2),
    }
}

/// The constraints among some variables.
///
/// Closed: every entry is the best bound that holds for integers. Blocks of an octagon are closed and not empty, except
/// for those of widened octagons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Block {
    /// Sorted.
    pub(super) vars: Vec<Var>,
    /// The entries at `(a, b)` with `b <= (a | 1)`, row by row.
    entries: Vec<i128>,
}

fn position(a: usize, b: usize) -> usize {
    let (a, b) = if b > (a | 1) { (b ^ 1, a ^ 1) } else { (a, b) };
    b + (a + 1) * (a + 1) / 2
}

impl Block {
    /// No constraint on these variables, which are sorted.
    pub(super) fn new(vars: Vec<Var>) -> Block {
        let nodes = 2 * vars.len();
        let mut block = Block { vars, entries: vec![INFINITE; nodes * (nodes + 2) / 2] };
        (0..nodes).for_each(|a| block.set(a, a, 0));
        block
    }

    pub(super) fn nodes(&self) -> usize {
        2 * self.vars.len()
    }

    pub(super) fn size(&self) -> usize {
        self.entries.len()
    }

    /// The entry at `(a, b)`.
    pub(super) fn get(&self, a: usize, b: usize) -> i128 {
        self.entries[position(a, b)]
    }

    pub(super) fn set(&mut self, a: usize, b: usize, bound: i128) {
        self.entries[position(a, b)] = bound;
    }

    fn lower(&mut self, a: usize, b: usize, bound: i128) {
        let entry = &mut self.entries[position(a, b)];
        *entry = bound.min(*entry);
    }

    /// The node of a variable.
    pub(super) fn node(&self, var: Var) -> Option<usize> {
        self.vars.binary_search(&var).ok().map(|at| 2 * at)
    }

    /// The bound on a node minus another one that the bounds of the nodes alone imply.
    pub(super) fn implied(&self, a: usize, b: usize) -> i128 {
        half_sum(self.get(a, a ^ 1), self.get(b ^ 1, b))
    }

    /// The same entries for more variables. Entries between variables of `self` and others are what the bounds of both
    /// imply; `ranges` has the two entries of each other variable, if they are known.
    pub(super) fn extend(&mut self, other: &Block) {
        let mut vars: Vec<Var> = self.vars.iter().chain(&other.vars).copied().collect();
        vars.sort_unstable();
        let mut merged = Block::new(vars);
        for part in [&*self, other] {
            let nodes: Vec<usize> = part.embedding(&merged);
            for a in 0..part.nodes() {
                for b in 0..=(a | 1) {
                    merged.set(nodes[a], nodes[b], part.get(a, b));
                }
            }
        }
        let (own, others) = (self.embedding(&merged), other.embedding(&merged));
        for &a in &own {
            for &b in &others {
                merged.set(a, b, merged.implied(a, b));
            }
        }
        *self = merged;
    }

    /// The nodes of `other` that the nodes of `self` are there.
    fn embedding(&self, other: &Block) -> Vec<usize> {
        let node = |&var: &Var| other.node(var).expect("the other block has all variables");
        self.vars.iter().map(node).flat_map(|node| [node, node + 1]).collect()
    }

    /// The entries among some of the variables.
    pub(super) fn restricted(&self, vars: Vec<Var>) -> Block {
        let mut block = Block::new(vars);
        let nodes = block.embedding(self);
        for a in 0..block.nodes() {
            for b in 0..=(a | 1) {
                block.set(a, b, self.get(nodes[a], nodes[b]));
            }
        }
        block
    }

    /// The variables in groups, such that all entries between groups are implied by bounds of single variables.
    /// Variables without any constraint are in no group.
    pub(super) fn groups(&self) -> Vec<Vec<Var>> {
        let count = self.vars.len();
        let mut group: Vec<Option<usize>> = vec![None; count];
        let mut groups = Vec::new();
        for first in 0..count {
            if group[first].is_some() {
                continue;
            }
            let (mut members, mut next) = (vec![first], 0);
            group[first] = Some(first);
            while let Some(&member) = members.get(next) {
                next += 1;
                for (other, group) in group.iter_mut().enumerate().skip(first + 1) {
                    if group.is_none() && self.is_related(member, other) {
                        *group = Some(first);
                        members.push(other);
                    }
                }
            }
            members.sort_unstable();
            let is_free = |at: usize| [2 * at, 2 * at + 1].into_iter().all(|a| self.get(a, a ^ 1) == INFINITE);
            if members.len() > 1 || !is_free(first) {
                groups.push(members.into_iter().map(|at| self.vars[at]).collect());
            }
        }
        groups
    }

    /// Whether the block says more about two variables than the bounds of each.
    fn is_related(&self, i: usize, j: usize) -> bool {
        [2 * i, 2 * i + 1]
            .into_iter()
            .any(|a| [2 * j, 2 * j + 1].into_iter().any(|b| self.get(a, b) < self.implied(a, b)))
    }

    /// Adds the constraint that node `b` minus node `a` is at most `bound` to a closed block, and closes it (Chawdhary,
    /// Robbins, King: "Incrementally closing octagons"). False if it is empty then.
    pub(super) fn add(&mut self, a: usize, b: usize, bound: i128) -> bool {
        if bound >= self.get(a, b) {
            return true;
        }
        let nodes = self.nodes();
        let to = |block: &Block, node: usize| -> Vec<i128> { (0..nodes).map(|i| block.get(i, node)).collect() };
        let from = |block: &Block, node: usize| -> Vec<i128> { (0..nodes).map(|j| block.get(node, j)).collect() };
        let (to_a, to_other) = (to(self, a), to(self, b ^ 1));
        let (from_b, from_other) = (from(self, b), from(self, a ^ 1));
        let (back, other_back) = (self.get(b, b ^ 1), self.get(a ^ 1, a));
        for i in 0..nodes {
            let (first, second) = (sum(to_a[i], bound), sum(to_other[i], bound));
            let one = first.min(sum(sum(second, other_back), bound));
            let two = second.min(sum(sum(first, back), bound));
            for j in 0..=(i | 1) {
                self.lower(i, j, sum(one, from_b[j]).min(sum(two, from_other[j])));
            }
        }
        self.tighten()
    }

    /// Closes the block. False if it is empty.
    pub(super) fn close(&mut self) -> bool {
        let nodes = self.nodes();
        for k in (0..nodes).step_by(2) {
            let (there, back) = (self.get(k, k + 1), self.get(k + 1, k));
            let from: Vec<[i128; 2]> = (0..nodes).map(|j| [self.get(k, j), self.get(k + 1, j)]).collect();
            for i in 0..nodes {
                let (one, two) = (self.get(i, k), self.get(i, k + 1));
                let (one, two) = (one.min(sum(two, back)), two.min(sum(one, there)));
                for (j, from) in from.iter().enumerate().take((i | 1) + 1) {
                    self.lower(i, j, sum(one, from[0]).min(sum(two, from[1])));
                }
            }
        }
        self.tighten()
    }

    /// The last steps of closing: bounds of doubled variables are even, and what they imply for sums. False if the block
    /// is empty.
    fn tighten(&mut self) -> bool {
        let nodes = self.nodes();
        for a in 0..nodes {
            if self.get(a, a) < 0 {
                return false;
            }
            let bound = self.get(a, a ^ 1);
            if bound != INFINITE {
                self.set(a, a ^ 1, bound - bound.rem_euclid(2));
            }
        }
        for a in (0..nodes).step_by(2) {
            if sum(self.get(a, a + 1), self.get(a + 1, a)) < 0 {
                return false;
            }
        }
        let ends: Vec<i128> = (0..nodes).map(|a| self.get(a, a ^ 1)).collect();
        for (i, &start) in ends.iter().enumerate() {
            for j in 0..=(i | 1) {
                if i != j {
                    self.lower(i, j, half_sum(start, ends[j ^ 1]));
                }
            }
        }
        true
    }

    /// Applies `var := factor * var + constant` to a closed block, for a factor of 1 or -1 and any constant in a range;
    /// exact. The block stays closed.
    pub(super) fn shift(&mut self, node: usize, is_negated: bool, low: i128, high: i128) {
        if is_negated {
            let (old, nodes) = (self.clone(), self.nodes());
            let image = |a: usize| if a / 2 == node / 2 { a ^ 1 } else { a };
            (0..nodes).for_each(|a| (0..=(a | 1)).for_each(|b| self.set(a, b, old.get(image(a), image(b)))));
        }
        for other in (0..self.nodes()).filter(|other| other / 2 != node / 2) {
            self.set(other, node, sum(self.get(other, node), high));
            self.set(node, other, sum(self.get(node, other), -low));
        }
        self.set(node + 1, node, sum(self.get(node + 1, node), 2 * high));
        self.set(node, node + 1, sum(self.get(node, node + 1), -2 * low));
    }

    /// Combines the entries of two blocks of the same variables.
    pub(super) fn zip(&self, other: &Block, mut combine: impl FnMut(i128, i128, bool) -> i128) -> Block {
        let mut block = self.clone();
        for a in 0..self.nodes() {
            for b in 0..=(a | 1) {
                let is_single = b == a ^ 1;
                block.set(a, b, combine(self.get(a, b), other.get(a, b), is_single));
            }
        }
        block
    }

    /// Whether each entry is at most that of a block of the same variables.
    pub(super) fn is_below(&self, other: &Block) -> bool {
        self.entries.iter().zip(&other.entries).all(|(a, b)| a <= b)
    }
}
