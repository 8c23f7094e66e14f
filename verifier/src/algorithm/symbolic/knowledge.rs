//! What a path knows of its symbols: sets of values where they are few, and conditions for the solver elsewhere.
//!
//! Symbols that conditions relate are in one group, with all rows of values that satisfy its conditions. Most inputs are
//! single bytes, so that most conditions are decided by a filter over a few hundred rows.

use std::collections::BTreeSet;
use std::rc::Rc;

use imbl::{OrdMap, Vector};
use rustc_hash::FxHashMap;

use super::columns::{bits, is_word};
use super::history::Assignment;
use super::{Run, Stop};
use crate::expr::{BinaryOp, Expr, Node, Sort, UnaryOp, Value, Var};
use crate::smt::Answer;

/// Related symbols and the values that they can have together.
#[derive(Clone)]
pub(super) struct Group {
    pub(super) vars: Vec<Var>,
    /// The values of each symbol, one in each row. There is at least one row.
    pub(super) columns: Vec<Vec<u64>>,
    /// The same as a condition.
    pub(super) formula: Expr,
}

/// The formula determines the rows.
impl PartialEq for Group {
    fn eq(&self, other: &Group) -> bool {
        self.formula == other.formula && self.vars == other.vars
    }
}

impl Eq for Group {}

impl Group {
    /// Whether two groups have the same rows, in the same order, if they are small enough to be compared.
    pub(super) fn has_rows_of(&self, other: &Group, max_rows: usize) -> bool {
        self.rows() <= max_rows && self.vars == other.vars && self.columns == other.columns
    }

    pub(super) fn rows(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    /// Whether a row agrees with the values of an assignment.
    pub(super) fn allows(&self, assignment: &FxHashMap<Var, Value>) -> bool {
        let wanted: Vec<Option<u64>> =
            self.vars.iter().map(|var| assignment.get(var).map(|value| value.raw() as u64)).collect();
        (0..self.rows())
            .any(|row| wanted.iter().zip(&self.columns).all(|(wanted, column)| wanted.is_none_or(|w| w == column[row])))
    }

    /// All combinations of the rows of two groups.
    pub(super) fn product(&self, other: &Group, formula: Expr) -> Group {
        let mut columns: Vec<Vec<u64>> = Vec::new();
        for column in &self.columns {
            columns.push(column.iter().flat_map(|&value| std::iter::repeat_n(value, other.rows())).collect());
        }
        for column in &other.columns {
            columns.push(column.repeat(self.rows()));
        }
        Group { vars: self.vars.iter().chain(&other.vars).copied().collect(), columns, formula }
    }

    fn filter(&self, keep: &[u64], formula: Expr) -> Group {
        let filtered = |column: &Vec<u64>| -> Vec<u64> {
            column.iter().zip(keep).filter(|(_, keep)| **keep == 1).map(|(&value, _)| value).collect()
        };
        let columns = self.columns.iter().map(filtered).collect();
        Group { vars: self.vars.clone(), columns, formula }
    }
}

/// What is known of the symbols on a path.
#[derive(Clone, Default)]
pub(super) struct Knowledge {
    /// The group of each symbol that has one.
    pub(super) groups: OrdMap<Var, Rc<Group>>,
    /// Conditions on symbols with too many values.
    pub(super) rest: Vector<Expr>,
    /// Values of expressions that the path was split by.
    pub(super) pinned: OrdMap<Expr, Expr>,
    /// All conditions, as an entry of the trail.
    pub(super) trail: u32,
}

impl Knowledge {
    /// The groups, each once.
    pub(super) fn distinct_groups(&self) -> impl Iterator<Item = &Rc<Group>> {
        self.groups.iter().filter(|(var, group)| group.vars[0] == **var).map(|(_, group)| group)
    }

    /// The value of a symbol, if it has only one.
    pub(super) fn only_value(&self, var: Var) -> Option<u64> {
        let group = self.groups.get(&var)?;
        (group.vars.len() == 1 && group.rows() == 1).then(|| group.columns[0][0])
    }

    pub(super) fn insert(&mut self, group: Group) {
        let group = Rc::new(group);
        for &var in &group.vars {
            self.groups.insert(var, group.clone());
        }
    }
}

impl Run<'_, '_> {
    /// Adds a condition. False if no values satisfy it.
    pub(super) fn assume(&mut self, knowledge: &mut Knowledge, condition: Expr) -> Result<bool, Stop> {
        if let Some(value) = self.pool.as_const(condition) {
            return Ok(value.is_true());
        }
        if let Some(&value) = knowledge.pinned.get(&condition) {
            return Ok(self.pool.as_const(value).is_some_and(Value::is_true));
        }
        match self.pool.node(condition) {
            Node::Binary(BinaryOp::And, a, b) => return Ok(self.assume(knowledge, a)? && self.assume(knowledge, b)?),
            Node::Unary(UnaryOp::Not, inner) => {
                if let Node::Binary(BinaryOp::Or, a, b) = self.pool.node(inner) {
                    let (a, b) = (self.pool.not(a), self.pool.not(b));
                    return Ok(self.assume(knowledge, a)? && self.assume(knowledge, b)?);
                }
            }
            _ => {}
        }
        self.trail.push((knowledge.trail, condition));
        knowledge.trail = self.trail.len() as u32 - 1;
        let is_related = match self.filter(knowledge, condition) {
            Some(false) => return Ok(false),
            Some(true) => !knowledge.rest.is_empty() && self.touches_rest(knowledge, condition),
            None => {
                knowledge.rest.push_back(condition);
                true
            }
        };
        if !is_related {
            return Ok(true);
        }
        let query = self.query(knowledge);
        Ok(!matches!(self.ask(&query)?, Answer::Unsat(_)))
    }

    /// Filters the rows of the groups by a condition. `None` if there would be too many.
    fn filter(&mut self, knowledge: &mut Knowledge, condition: Expr) -> Option<bool> {
        let vars = self.columns.support(&self.pool, condition)?;
        let (group, count) = self.joined(knowledge, &vars, Some(condition))?;
        let keep = self.columns.evaluate(&self.pool, condition, &group.vars, &group.columns)?;
        let kept = keep.iter().filter(|&&keep| keep == 1).count();
        if kept == 0 {
            return Some(false);
        }
        let is_known = vars.iter().all(|var| knowledge.groups.contains_key(var));
        if kept == keep.len() && (is_known || count > 1 || vars.len() > 1) {
            return Some(true);
        }
        let formula = self.pool.and(group.formula, condition);
        self.insert_apart(knowledge, group.filter(&keep, formula));
        Some(true)
    }

    /// Inserts a group; symbols with one value become groups of their own.
    fn insert_apart(&mut self, knowledge: &mut Knowledge, mut group: Group) {
        let mut position = 0;
        while group.vars.len() > 1 && position < group.vars.len() {
            let column = &group.columns[position];
            let first = column[0];
            if column.iter().any(|&value| value != first) {
                position += 1;
                continue;
            }
            let var = group.vars.remove(position);
            group.columns.remove(position);
            let sort = self.pool.var_sort(var).expect("symbols are in the pool");
            let (symbol, value) = (self.pool.var(var, sort), Value::from_raw(sort, first.into()));
            let value = self.pool.constant(value.expect("symbols are scalars"));
            let formula = self.pool.eq(symbol, value);
            // The formula of the others still mentions the symbol.
            group.formula = self.pool.and(group.formula, formula);
            knowledge.insert(Group { vars: vec![var], columns: vec![vec![first]], formula });
        }
        knowledge.insert(group);
    }

    /// One group of all these symbols, if it is not too large.
    pub(super) fn joined_within(&mut self, knowledge: &Knowledge, vars: &[Var], max_rows: usize) -> Option<Group> {
        let mut parts: Vec<(Var, usize)> = Vec::new();
        for var in vars {
            match knowledge.groups.get(var) {
                Some(group) if parts.iter().any(|part| part.0 == group.vars[0]) => {}
                Some(group) => parts.push((group.vars[0], group.rows())),
                None => parts.push((*var, 1_usize.checked_shl(bits(self.pool.var_sort(*var)?).into())?)),
            }
        }
        let rows = parts.iter().try_fold(1_usize, |rows, part| rows.checked_mul(part.1))?;
        if rows > max_rows {
            return None;
        }
        Some(self.joined(knowledge, vars, None)?.0)
    }

    /// One group of all these symbols, and the number of groups that it is made of.
    fn joined(&mut self, knowledge: &Knowledge, vars: &[Var], hint: Option<Expr>) -> Option<(Group, usize)> {
        let mut parts: Vec<Rc<Group>> = Vec::new();
        for var in vars {
            match knowledge.groups.get(var) {
                Some(group) if parts.iter().any(|part| Rc::ptr_eq(part, group)) => {}
                Some(group) => parts.push(group.clone()),
                None => parts.push(Rc::new(self.domain(*var, hint.filter(|_| vars.len() == 1))?)),
            }
        }
        let rows = parts.iter().try_fold(1_usize, |rows, part| rows.checked_mul(part.rows()))?;
        if rows > self.tuning.max_rows {
            return None;
        }
        // The largest group first, so that fewer columns are repeated row by row.
        let mut all = parts.iter();
        let mut group = match all.next() {
            Some(first) => (**first).clone(),
            None => return None,
        };
        for part in all {
            let formula = self.pool.and(group.formula, part.formula);
            group = group.product(part, formula);
        }
        Some((group, parts.len()))
    }

    /// All values of a symbol; for a wide one only if `hint` bounds it.
    fn domain(&mut self, var: Var, hint: Option<Expr>) -> Option<Group> {
        let sort = self.pool.var_sort(var)?;
        let always = self.pool.bool(true);
        let (end, formula) = if is_word(sort)
            && 1_usize.checked_shl(bits(sort).into()).is_some_and(|values| values <= self.tuning.max_rows)
        {
            (1_u64 << bits(sort), always)
        } else {
            (self.bound(var, hint?)?, always)
        };
        (end <= self.tuning.max_rows as u64 && end > 0).then(|| Group {
            vars: vec![var],
            columns: vec![(0..end).collect()],
            formula,
        })
    }

    /// A number that exceeds all values of a symbol that satisfy a condition.
    fn bound(&self, var: Var, condition: Expr) -> Option<u64> {
        let number = |expr: Expr| self.pool.as_const(expr).map(|value| value.raw() as u64);
        let is_symbol = |expr: Expr| match self.pool.node(expr) {
            Node::Unary(UnaryOp::ZeroExtend(_), inner) => self.pool.node(inner) == Node::Var(var),
            node => node == Node::Var(var),
        };
        if !matches!(self.pool.var_sort(var)?, Sort::Bits(width) if width <= 64) {
            return None;
        }
        match self.pool.node(condition) {
            Node::Binary(BinaryOp::UnsignedLess, a, b) if is_symbol(a) => number(b),
            Node::Binary(BinaryOp::UnsignedLessEq, a, b) if is_symbol(a) => number(b)?.checked_add(1),
            Node::Binary(BinaryOp::Eq, a, b) if is_symbol(a) => number(b)?.checked_add(1),
            Node::Binary(BinaryOp::Eq, a, b) if is_symbol(b) => number(a)?.checked_add(1),
            Node::Unary(UnaryOp::Not, inner) => match self.pool.node(inner) {
                Node::Binary(BinaryOp::UnsignedLess, a, b) if is_symbol(b) => number(a)?.checked_add(1),
                Node::Binary(BinaryOp::UnsignedLessEq, a, b) if is_symbol(b) => number(a),
                _ => None,
            },
            _ => None,
        }
    }

    /// The values of an expression, sorted; a superset of those that the path allows. `None` if there are more than
    /// `limit`, or they are hard to find.
    pub(super) fn values(&mut self, knowledge: &Knowledge, expr: Expr, limit: usize) -> Result<Option<Vec<u64>>, Stop> {
        if let Some(value) = self.pool.as_const(expr) {
            return Ok(u64::try_from(value.raw()).ok().map(|value| vec![value]));
        }
        if let Some(&value) = knowledge.pinned.get(&expr) {
            return self.values(knowledge, value, limit);
        }
        if !is_word(self.pool.sort(expr)) {
            return Ok(None);
        }
        match self.column_of(knowledge, expr) {
            Some(column) => Ok(distinct(column, limit)),
            None => match self.candidates(knowledge, expr, limit) {
                Some(values) => Ok(Some(values)),
                None => self.enumerate(knowledge, expr, limit.min(self.tuning.max_models)),
            },
        }
    }

    /// The same, without the solver.
    pub(super) fn values_of_groups(&mut self, knowledge: &Knowledge, expr: Expr, limit: usize) -> Option<Vec<u64>> {
        distinct(self.column_of(knowledge, expr)?, limit)
    }

    /// The values of an expression for all rows of the symbols that it depends on.
    fn column_of(&mut self, knowledge: &Knowledge, expr: Expr) -> Option<Vec<u64>> {
        let vars = self.columns.support(&self.pool, expr)?;
        let (group, _) = self.joined(knowledge, &vars, None)?;
        self.columns.evaluate(&self.pool, expr, &group.vars, &group.columns)
    }

    /// The values of an expression, from the solver.
    fn enumerate(&mut self, knowledge: &Knowledge, expr: Expr, limit: usize) -> Result<Option<Vec<u64>>, Stop> {
        let mut query: Vec<Expr> = self.query(knowledge);
        query.extend(knowledge.distinct_groups().map(|group| group.formula));
        let mut values = BTreeSet::new();
        loop {
            match self.ask(&query)? {
                Answer::Unsat(_) => return Ok(Some(values.into_iter().collect())),
                Answer::Unknown(_) => return Ok(None),
                Answer::Sat(model) => {
                    let Ok(value) = model.value(&self.pool, expr) else { return Ok(None) };
                    if !values.insert(value.raw() as u64) || values.len() > limit {
                        return Ok(None);
                    }
                    let value = self.pool.constant(value);
                    let same = self.pool.eq(expr, value);
                    query.push(self.pool.not(same));
                }
            }
        }
    }

    /// Whether a condition shares symbols with those for the solver.
    fn touches_rest(&mut self, knowledge: &Knowledge, condition: Expr) -> bool {
        let Some(vars) = self.columns.support(&self.pool, condition) else { return true };
        let vars: Vec<Var> = vars
            .iter()
            .flat_map(|var| knowledge.groups.get(var).map_or(vec![*var], |group| group.vars.clone()))
            .collect();
        knowledge.rest.iter().any(|&rest| match self.columns.support(&self.pool, rest) {
            Some(others) => others.iter().any(|var| vars.contains(var)),
            None => true,
        })
    }

    /// The conditions for the solver, with those of the groups that they depend on.
    pub(super) fn query(&mut self, knowledge: &Knowledge) -> Vec<Expr> {
        let mut query: Vec<Expr> = knowledge.rest.iter().copied().collect();
        let mut vars: Option<BTreeSet<Var>> = Some(BTreeSet::new());
        for &condition in &query {
            match (&mut vars, self.columns.support(&self.pool, condition)) {
                (Some(vars), Some(support)) => vars.extend(support.iter()),
                _ => vars = None,
            }
        }
        let is_related = |group: &Rc<Group>| match &vars {
            Some(vars) => group.vars.iter().any(|var| vars.contains(var)),
            None => true,
        };
        query.extend(knowledge.distinct_groups().filter(|group| is_related(group)).map(|group| group.formula));
        query
    }

    /// Values of the symbols. `None` if there are none; an error if the solver does not know.
    pub(super) fn assignment(&mut self, knowledge: &Knowledge) -> Result<Result<Option<Assignment>, String>, Stop> {
        let mut values = FxHashMap::default();
        let mut symbols: Vec<Var> = Vec::new();
        for group in knowledge.distinct_groups() {
            for (&var, column) in group.vars.iter().zip(&group.columns) {
                let sort = self.pool.var_sort(var).expect("symbols are in the pool");
                values.extend(Value::from_raw(sort, column[0].into()).map(|value| (var, value)));
            }
        }
        if knowledge.rest.is_empty() {
            return Ok(Ok(Some(Assignment(values))));
        }
        let query = self.query(knowledge);
        match self.ask(&query)? {
            Answer::Unsat(_) => Ok(Ok(None)),
            Answer::Unknown(why) => Ok(Err(why)),
            Answer::Sat(model) => {
                for &condition in &query {
                    self.symbols_of(condition, &mut symbols);
                }
                for var in symbols {
                    let sort = self.pool.var_sort(var).expect("symbols are in the pool");
                    values.insert(var, model.variable(var, sort));
                }
                Ok(Ok(Some(Assignment(values))))
            }
        }
    }

    fn symbols_of(&self, root: Expr, found: &mut Vec<Var>) {
        let (mut seen, mut worklist) = (rustc_hash::FxHashSet::default(), vec![root]);
        while let Some(expr) = worklist.pop() {
            if seen.insert(expr) {
                if let Node::Var(var) = self.pool.node(expr) {
                    found.push(var);
                }
                worklist.extend(self.pool.children(expr));
            }
        }
    }

    pub(super) fn ask(&mut self, query: &[Expr]) -> Result<Answer, Stop> {
        self.solver.set_time(Some(self.tuning.time));
        let answer = self.solver.check_once(&self.pool, query);
        self.monitor.check()?;
        Ok(answer)
    }
}

fn distinct(column: Vec<u64>, limit: usize) -> Option<Vec<u64>> {
    let mut values = BTreeSet::new();
    for value in column {
        if values.insert(value) && values.len() > limit {
            return None;
        }
    }
    Some(values.into_iter().collect())
}
