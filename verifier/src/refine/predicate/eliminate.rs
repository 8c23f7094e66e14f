//! Existential quantifiers: conditions without inputs that hold wherever the original ones can hold for some inputs.
//!
//! Rules that lose nothing come first: equations are solved, an input that occurs in one comparison only can make it hold
//! or fail, bounds of an input are compared with each other, truth values and all of a few values are tried. What then is
//! left is weakened.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::atoms::choice;
use super::bounds::combine_bounds;
use super::few::{Few, few_values};
use super::low::with_low_bits;
use super::rewrite::{Shape, all, conjuncts, contains, mentions, replace_one, shape, size, walk};
use super::solve::{freedom, solve};
use crate::cfa::expr::{Expr, Node, Pool};
use crate::cfa::program::Var;
use crate::cfa::sort::Sort;

/// Conditions that grow beyond this are weakened.
const MAX_SIZE: usize = 20_000;
/// How deep disjunctions are looked into.
const MAX_DEPTH: usize = 24;
/// How many atomic conditions are tried both ways before whatever they occur in is dropped.
const MAX_CASES: usize = 4;

/// What is left without the unknowns.
#[derive(Clone, Debug)]
pub(super) struct Eliminated {
    /// What must hold, all of it.
    pub(super) conjuncts: Vec<Expr>,
    /// Is it exactly the condition under which the original ones can hold? If not, it is weaker.
    pub(super) exact: bool,
}

/// Takes all variables out of conditions for which `unknown` holds.
pub(super) fn eliminate(pool: &mut Pool, conditions: Vec<Expr>, unknown: &dyn Fn(Var) -> bool) -> Eliminated {
    let mut work = Elimination { pool, unknown, exact: true, budget: MAX_SIZE };
    let conjuncts = work.run(conditions, 0);
    Eliminated { conjuncts, exact: work.exact }
}

struct Elimination<'a> {
    pool: &'a mut Pool,
    unknown: &'a dyn Fn(Var) -> bool,
    exact: bool,
    budget: usize,
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

    /// The unknown scalars, older ones first. What is read from an unknown memory is unknown as a whole.
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
        // Two reads of single cells at different constant addresses have nothing to do with each other; else they might.
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
            .or_else(|| self.try_one(list, unknowns, depth))
    }

    /// Replaces an unknown by the solution of an equation.
    fn solve_one(&mut self, list: &[Expr], unknowns: &BTreeSet<Expr>) -> Option<Vec<Expr>> {
        for (i, &condition) in list.iter().enumerate() {
            for &unknown in unknowns {
                if !contains(self.pool, condition, unknown) {
                    continue;
                }
                let Some(solution) = solve(self.pool, condition, unknown) else { continue };
                // Evaluation must not crash where the original one did not.
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

    /// Lets the only comparison in which an unknown occurs hold or fail.
    fn decide_one(&mut self, list: &[Expr], unknowns: &BTreeSet<Expr>) -> Option<Vec<Expr>> {
        for &unknown in unknowns {
            let atoms = self.atoms_with(list, unknown);
            let [atom] = atoms[..] else { continue };
            let Some(freedom) = freedom(self.pool, atom, unknown) else { continue };
            return Some(self.case_split(list, atom, freedom.can_hold, freedom.can_fail));
        }
        None
    }

    /// Both ways in which an atomic condition can turn out, where that is possible.
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

    /// Writes a condition differently: in fewer bits, or with a choice inside of it as a disjunction.
    fn rewrite_one(&mut self, list: &[Expr], unknowns: &BTreeSet<Expr>) -> Option<Vec<Expr>> {
        for (i, &condition) in list.iter().enumerate() {
            if !unknowns.iter().any(|&unknown| contains(self.pool, condition, unknown)) {
                continue;
            }
            let mut rewritten = with_low_bits(self.pool, condition);
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

    /// Tries both truth values, or looks into the only disjunction in which an unknown occurs.
    fn split_one(&mut self, list: &[Expr], unknowns: &BTreeSet<Expr>, depth: usize) -> Option<Vec<Expr>> {
        if let Some(&truth) = unknowns.iter().find(|&&unknown| self.pool.sort(unknown) == Sort::Bool) {
            let always = self.pool.bool(true);
            return Some(self.case_split(list, truth, always, always));
        }
        if depth >= MAX_DEPTH {
            return None;
        }
        for &unknown in unknowns {
            let with: Vec<Expr> = list.iter().copied().filter(|&c| contains(self.pool, c, unknown)).collect();
            // Of several, one is multiplied out; the others are short.
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

    /// Tries all values of an unknown that has few.
    fn try_one(&mut self, list: &[Expr], unknowns: &BTreeSet<Expr>, depth: usize) -> Option<Vec<Expr>> {
        if depth >= MAX_DEPTH {
            return None;
        }
        for &unknown in unknowns {
            let (with, mut next): (Vec<Expr>, Vec<Expr>) =
                list.iter().partition(|&&condition| contains(self.pool, condition, unknown));
            let Some(Few { term, values }) = few_values(self.pool, &with, unknown) else { continue };
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

    /// Forgets what the conditions say of an unknown that occurs in as few of them as any.
    fn weaken(&mut self, list: &[Expr], unknowns: &BTreeSet<Expr>) -> Vec<Expr> {
        self.exact = false;
        let count = |unknown: &&Expr| list.iter().filter(|&&c| contains(self.pool, c, **unknown)).count();
        let unknown = *unknowns.iter().min_by_key(count).expect("there is one");
        let atoms = self.atoms_with(list, unknown);
        if atoms.len() <= MAX_CASES && self.budget > 0 {
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
