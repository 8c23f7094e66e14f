//! Merging of states at the same position.
//!
//! States whose variables are equal become one: what is known of the symbols is united exactly. States that differ in a
//! few values that are no constants become one with conditional values, if a condition tells them apart. Constants are
//! kept apart, since they steer what follows: counters, pointers, states of machines.

use std::collections::BTreeSet;

use imbl::OrdMap;
use imbl::ordmap::DiffItem;

use super::Run;
use super::knowledge::{Group, Knowledge};
use super::state::{Cell, Frame, State};
use crate::expr::{Expr, Var};

/// The number of symbols that states may know different things about and still be merged.
const MAX_SYMBOLS: usize = 64;

/// A value that differs between two states.
enum Difference {
    Scalar(Var, Expr, Expr),
    Cell(Var, u64, Expr, Expr),
}

impl Run<'_, '_> {
    /// Merges two states at the same position, if that loses nothing. The digests say whether they may be equal.
    pub(super) fn merge(&mut self, a: &State, b: &State, is_equal: bool) -> Option<State> {
        if a.frames.len() != b.frames.len() || !same_rest(&a.knowledge, &b.knowledge) {
            return None;
        }
        let limit = if is_equal { 0 } else { self.tuning.max_differences };
        let mut differences = Vec::new();
        for (level, (first, second)) in a.all_frames().zip(b.all_frames()).enumerate() {
            if !self.compare(level, first, second, limit, &mut differences) {
                return None;
            }
        }
        let (mut knowledge, sides) = self.unite(&a.knowledge, &b.knowledge, !differences.is_empty())?;
        let mut merged = a.clone();
        if !differences.is_empty() {
            let condition = self.separating(&a.knowledge, &b.knowledge, &sides?)?;
            for (level, difference) in differences {
                let frame = match level {
                    0 => &mut merged.globals,
                    level => &mut merged.frames[level - 1],
                };
                match difference {
                    Difference::Scalar(var, first, second) => frame.set(var, self.pool.ite(condition, first, second)),
                    Difference::Cell(var, address, first, second) => {
                        frame.write(var, address, Cell::Value(self.pool.ite(condition, first, second)));
                    }
                }
            }
        }
        knowledge.trail = self.common_trail(a.knowledge.trail, b.knowledge.trail);
        merged.past = self.pasts.merge([(a.past, a.knowledge.clone()), (b.past, b.knowledge.clone())]);
        merged.knowledge = knowledge;
        merged.draws = a.draws.max(b.draws);
        merged.position.merge(&b.position);
        Some(merged)
    }

    /// Collects what differs between two frames. False if they cannot be merged.
    fn compare(&self, level: usize, a: &Frame, b: &Frame, limit: usize, found: &mut Vec<(usize, Difference)>) -> bool {
        let is_data = |value: Expr| self.pool.as_const(value).is_none();
        for item in a.scalars.diff(&b.scalars) {
            match item {
                DiffItem::Update { old: (&var, &first), new: (_, &second) }
                    if found.len() < limit && is_data(first) && is_data(second) =>
                {
                    found.push((level, Difference::Scalar(var, first, second)));
                }
                _ => return false,
            }
        }
        if a.memories.len() != b.memories.len() {
            return false;
        }
        for ((var, first), (other, second)) in a.memories.iter().zip(b.memories.iter()) {
            if var != other || first.contents != second.contents {
                return false;
            }
            for item in first.cells.diff(&second.cells) {
                match item {
                    DiffItem::Update { old: (&address, &Cell::Value(x)), new: (_, &Cell::Value(y)) }
                        if found.len() < limit && is_data(x) && is_data(y) =>
                    {
                        found.push((level, Difference::Cell(*var, address, x, y)));
                    }
                    _ => return false,
                }
            }
        }
        true
    }

    /// What is known if one of two things is known. Also the groups that differ, each as one, if they are `needed`.
    fn unite(&mut self, a: &Knowledge, b: &Knowledge, needed: bool) -> Option<(Knowledge, Option<[Group; 2]>)> {
        let mut worklist: Vec<Var> = Vec::new();
        for item in a.groups.diff(&b.groups) {
            match item {
                DiffItem::Add(&var, _) | DiffItem::Remove(&var, _) => worklist.push(var),
                DiffItem::Update { old: (&var, first), new: (_, second) } => {
                    if !first.has_rows_of(second, self.tuning.max_merged_rows) {
                        worklist.push(var);
                    }
                }
            }
            if worklist.len() > MAX_SYMBOLS {
                return None;
            }
        }
        let mut united = a.clone();
        united.pinned = common_entries(&a.pinned, &b.pinned);
        if worklist.is_empty() {
            return (!needed).then_some((united, None));
        }
        // All symbols of the groups that differ, until both sides have the same ones.
        let mut vars = BTreeSet::new();
        while let Some(var) = worklist.pop() {
            if vars.insert(var) {
                worklist.extend([a, b].iter().filter_map(|side| side.groups.get(&var)).flat_map(|group| &group.vars));
            }
        }
        if vars.len() > MAX_SYMBOLS {
            return None;
        }
        let vars: Vec<Var> = vars.into_iter().collect();
        // A symbol that only one side knows, and that has many values, is unknown to both.
        let mut sides = Vec::new();
        for side in [a, b] {
            sides.push(self.group_of(side, &vars)?);
        }
        let [first, second] = <[Group; 2]>::try_from(sides).ok()?;
        if first.rows() + second.rows() > self.tuning.max_rows {
            return None;
        }
        let formula = self.pool.or(first.formula, second.formula);
        let mut rows: Vec<Vec<u64>> = [&first, &second].iter().flat_map(|group| group_rows(group, &vars)).collect();
        rows.sort_unstable();
        rows.dedup();
        let columns = (0..vars.len()).map(|column| rows.iter().map(|row| row[column]).collect()).collect();
        united.insert(Group { vars, columns, formula });
        Some((united, Some([first, second])))
    }

    /// The groups of some symbols as one.
    fn group_of(&mut self, knowledge: &Knowledge, vars: &[Var]) -> Option<Group> {
        self.joined_within(knowledge, vars, self.tuning.max_merged_rows)
    }

    /// A condition that holds on the first side and not on the second.
    fn separating(&mut self, a: &Knowledge, b: &Knowledge, sides: &[Group; 2]) -> Option<Expr> {
        if let (Some(&(before, first)), Some(&(other, second))) =
            (self.trail.get(a.trail as usize), self.trail.get(b.trail as usize))
            && before == other
            && self.pool.not(first) == second
        {
            return Some(first);
        }
        let [first, second] = sides;
        let holds = self.columns.evaluate(&self.pool, first.formula, &second.vars, &second.columns)?;
        holds.iter().all(|&holds| holds == 0).then_some(first.formula)
    }

    /// The last condition that two trails share.
    fn common_trail(&self, mut a: u32, mut b: u32) -> u32 {
        while a != b {
            if a > b {
                a = self.trail[a as usize].0;
            } else {
                b = self.trail[b as usize].0;
            }
        }
        a
    }
}

fn same_rest(a: &Knowledge, b: &Knowledge) -> bool {
    a.rest.len() == b.rest.len() && (a.rest.ptr_eq(&b.rest) || a.rest == b.rest)
}

fn common_entries(a: &OrdMap<Expr, Expr>, b: &OrdMap<Expr, Expr>) -> OrdMap<Expr, Expr> {
    if a.ptr_eq(b) {
        return a.clone();
    }
    a.iter().filter(|(expr, value)| b.get(*expr) == Some(value)).map(|(&expr, &value)| (expr, value)).collect()
}

/// The rows of a group, with the symbols in the given order.
fn group_rows(group: &Group, vars: &[Var]) -> Vec<Vec<u64>> {
    let order: Vec<usize> = vars
        .iter()
        .map(|var| group.vars.iter().position(|other| other == var).expect("the group has all symbols"))
        .collect();
    (0..group.rows()).map(|row| order.iter().map(|&column| group.columns[column][row]).collect()).collect()
}
