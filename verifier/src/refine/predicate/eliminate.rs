//! Existential quantifier elimination: conditions without inputs that hold wherever the originals are satisfiable.
//!
//! Exact rules are applied first: equations are solved, an input in a single comparison can make it true or false,
//! bounds of an input are compared, and small domains are enumerated. Otherwise the conditions are weakened.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::atoms::choice;
use super::bounds::combine_bounds;
use super::low::with_low_bits;
use super::rewrite::{Shape, all, conjuncts, contains, mentions, replace_one, shape, size, walk};
use super::small_domain::{SmallDomain, small_domain};
use super::solve::{freedom, solve};
use crate::expr::{Expr, Node, Pool, Sort, Var};
use crate::tuning::Interpolation;

/// The result of an elimination.
#[derive(Clone, Debug)]
pub(super) struct Eliminated {
    /// Conjuncts without unknowns.
    pub(super) conjuncts: Vec<Expr>,
    /// Whether the result is equivalent to satisfiability of the original conditions. If not, it is weaker.
    pub(super) exact: bool,
}

/// Eliminates all variables for which `unknown` holds.
pub(super) fn eliminate(
    pool: &mut Pool,
    conditions: Vec<Expr>,
    unknown: &dyn Fn(Var) -> bool,
    limits: &Interpolation,
) -> Eliminated {
    let mut work = Elimination { pool, unknown, exact: true, budget: limits.eliminate_budget, limits };
    let conjuncts = work.run(conditions, 0);
    Eliminated { conjuncts, exact: work.exact }
}

struct Elimination<'a> {
    pool: &'a mut Pool,
    unknown: &'a dyn Fn(Var) -> bool,
    exact: bool,
    /// The work that is left. When it is exhausted, conditions are weakened.
    budget: usize,
    limits: &'a Interpolation,
}

impl Elimination<'_> {
    fn run(&mut self, conditions: Vec<Expr>, depth: usize) -> Vec<Expr> {
        let mut list = conjuncts(self.pool, conditions);
        loop {
            let never = self.pool.bool(false);
            if list.contains(&never) {
                return vec![never];
            }
            let unknowns = self.unknowns(&list);
            if unknowns.is_empty() {
                return list;
            }
            let total: usize = list.iter().map(|&e| size(self.pool, e)).sum();
            self.budget = self.budget.saturating_sub(1 + total / 16);
            let next = if self.budget == 0 { None } else { self.exact_step(&list, &unknowns, depth) };
            list = match next {
                Some(next) => next,
                None => self.weaken(&list, &unknowns),
            };
            list = conjuncts(self.pool, list);
        }
    }

    /// The unknown scalars, older ones first. A read from an unknown memory counts as one.
    fn unknowns(&mut self, list: &[Expr]) -> BTreeSet<Expr> {
        let mut found = BTreeSet::new();
        let mut cells: FxHashSet<(Expr, bool)> = FxHashSet::default();
        for &root in list {
            let (pool, unknown) = (&*self.pool, self.unknown);
            walk(pool, root, |expr| match pool.node(expr) {
                Node::Var(var) => {
                    if unknown(var) {
                        found.insert(expr);
                    }
                    false
                }
                Node::Read { memory, address, cells: count } if mentions(pool, memory, unknown) => {
                    found.insert(expr);
                    let apart = matches!(pool.node(memory), Node::Var(_)) && pool.as_const(address).is_some();
                    cells.insert((memory, apart && count == 1));
                    false
                }
                _ => true,
            });
        }
        // Reads of single cells at different constant addresses are independent; others may alias.
        let related = |memory: Expr| {
            found.iter().filter(|&&e| matches!(self.pool.node(e), Node::Read { memory: m, .. } if m == memory)).count()
                > 1
        };
        if cells
            .iter()
            .any(|&(memory, apart)| !apart && (related(memory) || !matches!(self.pool.node(memory), Node::Var(_))))
        {
            self.exact = false;
        }
        found
    }

    fn exact_step(&mut self, list: &[Expr], unknowns: &BTreeSet<Expr>, depth: usize) -> Option<Vec<Expr>> {
        self.solve_one(list, unknowns)
            .or_else(|| self.decide_one(list, unknowns))
            .or_else(|| self.bound_one(list, unknowns))
            .or_else(|| self.rewrite_one(list, unknowns))
            .or_else(|| self.split_one(list, unknowns, depth))
            .or_else(|| self.enumerate_one(list, unknowns, depth))
    }

    /// Replaces an unknown by the solution of an equation.
    fn solve_one(&mut self, list: &[Expr], unknowns: &BTreeSet<Expr>) -> Option<Vec<Expr>> {
        for (i, &condition) in list.iter().enumerate() {
            for &unknown in unknowns {
                if !contains(self.pool, condition, unknown) {
                    continue;
                }
                let Some(solution) = solve(self.pool, condition, unknown) else { continue };
                // The replacement must not introduce a crash.
                if self.pool.may_trap(solution.value) {
                    continue;
                }
                let others = list.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, &other)| other);
                let others: Vec<Expr> = others.collect();
                let replaced = others.into_iter().map(|other| replace_one(self.pool, other, unknown, solution.value));
                let mut next: Vec<Expr> = replaced.collect();
                next.extend(solution.conditions);
                return Some(next);
            }
        }
        None
    }

    /// Splits on the only comparison in which an unknown occurs.
    fn decide_one(&mut self, list: &[Expr], unknowns: &BTreeSet<Expr>) -> Option<Vec<Expr>> {
        for &unknown in unknowns {
            let atoms = self.atoms_with(list, unknown);
            let [atom] = atoms[..] else { continue };
            let Some(freedom) = freedom(self.pool, atom, unknown) else { continue };
            return Some(self.case_split(list, atom, freedom.can_hold, freedom.can_fail));
        }
        None
    }

    /// Splits on an atomic condition, as far as it can hold and fail.
    fn case_split(&mut self, list: &[Expr], atom: Expr, can_hold: Expr, can_fail: Expr) -> Vec<Expr> {
        let (with, mut rest): (Vec<Expr>, Vec<Expr>) = list.iter().partition(|&&c| contains(self.pool, c, atom));
        let with = all(self.pool, with);
        let cases = [(true, can_hold), (false, can_fail)].map(|(value, possible)| {
            let value = self.pool.bool(value);
            let case = replace_one(self.pool, with, atom, value);
            self.pool.and(possible, case)
        });
        rest.push(self.pool.or(cases[0], cases[1]));
        rest
    }

    fn bound_one(&mut self, list: &[Expr], unknowns: &BTreeSet<Expr>) -> Option<Vec<Expr>> {
        unknowns.iter().find_map(|&unknown| combine_bounds(self.pool, list, unknown))
    }

    /// Rewrites a condition with fewer bits, or splits a conditional inside it into a disjunction.
    fn rewrite_one(&mut self, list: &[Expr], unknowns: &BTreeSet<Expr>) -> Option<Vec<Expr>> {
        for (i, &condition) in list.iter().enumerate() {
            if !unknowns.iter().any(|&unknown| contains(self.pool, condition, unknown)) {
                continue;
            }
            let mut rewritten = with_low_bits(self.pool, condition, self.limits.max_low_depth);
            if rewritten == condition
                && let Shape::Literal = shape(self.pool, condition)
                && let Some((place, [choice, then, otherwise])) = choice(self.pool, condition)
            {
                let cases = [(true, then), (false, otherwise)].map(|(holds, value)| {
                    let case = replace_one(self.pool, condition, place, value);
                    let choice = if holds { choice } else { self.pool.not(choice) };
                    self.pool.and(choice, case)
                });
                rewritten = self.pool.or(cases[0], cases[1]);
            }
            if rewritten != condition {
                let mut next = list.to_vec();
                next[i] = rewritten;
                return Some(next);
            }
        }
        None
    }

    /// Splits on a truth value, or on the only disjunction in which an unknown occurs.
    fn split_one(&mut self, list: &[Expr], unknowns: &BTreeSet<Expr>, depth: usize) -> Option<Vec<Expr>> {
        if let Some(&truth) = unknowns.iter().find(|&&unknown| self.pool.sort(unknown) == Sort::Bool) {
            let always = self.pool.bool(true);
            return Some(self.case_split(list, truth, always, always));
        }
        if depth >= self.limits.eliminate_max_depth {
            return None;
        }
        for &unknown in unknowns {
            let with: Vec<Expr> = list.iter().copied().filter(|&c| contains(self.pool, c, unknown)).collect();
            // Of several disjunctions, one is distributed.
            let shapes: Vec<Option<(Expr, Expr)>> = with.iter().map(|&c| self.disjuncts(c)).collect();
            let Some(which) = shapes.iter().position(Option::is_some) else { continue };
            let (a, b) = shapes[which].expect("it is some");
            let rest: Vec<Expr> = with.iter().enumerate().filter(|&(i, _)| i != which).map(|(_, &c)| c).collect();
            let cases = [a, b].map(|case| {
                let mut conditions = rest.clone();
                conditions.push(case);
                let conditions = self.run(conditions, depth + 1);
                all(self.pool, conditions)
            });
            let mut next: Vec<Expr> = list.iter().copied().filter(|c| !with.contains(c)).collect();
            next.push(self.pool.or(cases[0], cases[1]));
            return Some(next);
        }
        None
    }

    /// Enumerates the values of an unknown with a small domain.
    fn enumerate_one(&mut self, list: &[Expr], unknowns: &BTreeSet<Expr>, depth: usize) -> Option<Vec<Expr>> {
        if depth >= self.limits.eliminate_max_depth {
            return None;
        }
        for &unknown in unknowns {
            let (with, mut next): (Vec<Expr>, Vec<Expr>) =
                list.iter().partition(|&&condition| contains(self.pool, condition, unknown));
            let Some(SmallDomain { term, values }) = small_domain(self.pool, &with, unknown, self.limits.max_values)
            else {
                continue;
            };
            let mut any = self.pool.bool(false);
            for value in values {
                let case = with.iter().map(|&condition| replace_one(self.pool, condition, term, value)).collect();
                let case = self.run(case, depth + 1);
                let case = all(self.pool, case);
                any = self.pool.or(any, case);
            }
            next.push(any);
            return Some(next);
        }
        None
    }

    fn disjuncts(&mut self, condition: Expr) -> Option<(Expr, Expr)> {
        match shape(self.pool, condition) {
            Shape::Or(a, b) => Some((a, b)),
            _ => None,
        }
    }

    /// Drops the conditions on an unknown that occurs in the fewest of them.
    fn weaken(&mut self, list: &[Expr], unknowns: &BTreeSet<Expr>) -> Vec<Expr> {
        self.exact = false;
        let count = |unknown: &&Expr| list.iter().filter(|&&c| contains(self.pool, c, **unknown)).count();
        let unknown = *unknowns.iter().min_by_key(count).expect("there is one");
        let atoms = self.atoms_with(list, unknown);
        if atoms.len() <= self.limits.eliminate_max_cases && self.budget > 0 {
            let always = self.pool.bool(true);
            let mut list = list.to_vec();
            for atom in atoms {
                list = self.case_split(&list, atom, always, always);
            }
            return list;
        }
        list.iter().copied().filter(|&c| !contains(self.pool, c, unknown)).collect()
    }

    /// The atomic conditions in which an unknown occurs.
    fn atoms_with(&self, list: &[Expr], unknown: Expr) -> Vec<Expr> {
        let mut atoms = Vec::new();
        for &root in list {
            walk(self.pool, root, |expr| {
                if self.pool.sort(expr) != Sort::Bool || !contains(self.pool, expr, unknown) {
                    return false;
                }
                let is_connective = self.pool.children(expr).any(|child| self.pool.sort(child) == Sort::Bool);
                if !is_connective && !atoms.contains(&expr) {
                    atoms.push(expr);
                }
                is_connective
            });
        }
        atoms
    }
}
