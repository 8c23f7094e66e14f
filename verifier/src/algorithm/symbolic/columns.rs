//! Values of an expression for many assignments at once: a column has one value for each assignment.
//!
//! Expressions over one small symbol have a table of all its values, computed once for all paths.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::expr::eval;
use crate::expr::narrow::{self, cut, signed};
use crate::expr::{BinaryOp, Expr, Node, Pool, Sort, TernaryOp, UnaryOp, Value, Var};

/// The number of assignments that are evaluated together, so that intermediate columns stay in the cache.
const CHUNK: usize = 512;
/// The largest number of symbols of an expression that are told apart.
const MAX_SUPPORT: usize = 12;
/// The widest symbol with a table.
const TABLE_BITS: u16 = 8;

/// The symbols of an expression; `None` if there are many.
pub(super) type Support = Option<Rc<[Var]>>;

/// Caches of supports and tables.
#[derive(Default)]
pub(super) struct Columns {
    supports: FxHashMap<Expr, Support>,
    tables: FxHashMap<Expr, Rc<[u64]>>,
}

/// Whether values of a sort fit a word.
pub(super) fn is_word(sort: Sort) -> bool {
    match sort {
        Sort::Bool => true,
        Sort::Bits(width) => width <= 64,
        Sort::Float(format) => format.bits() <= 64,
        Sort::Memory(_) => false,
    }
}

/// The number of bits of a symbol.
pub(super) fn bits(sort: Sort) -> u16 {
    match sort {
        Sort::Bool => 1,
        Sort::Bits(width) => width,
        Sort::Float(format) => format.bits(),
        Sort::Memory(_) => u16::MAX,
    }
}

impl Columns {
    /// The symbols of an expression, sorted.
    pub(super) fn support(&mut self, pool: &Pool, root: Expr) -> Support {
        let mut worklist = vec![root];
        while let Some(&expr) = worklist.last() {
            if self.supports.contains_key(&expr) {
                worklist.pop();
                continue;
            }
            let before = worklist.len();
            worklist.extend(pool.children(expr).filter(|child| !self.supports.contains_key(child)));
            if worklist.len() > before {
                continue;
            }
            worklist.pop();
            let support = self.join_supports(pool, expr);
            self.supports.insert(expr, support);
        }
        self.supports[&root].clone()
    }

    fn join_supports(&self, pool: &Pool, expr: Expr) -> Support {
        match pool.node(expr) {
            Node::Const(_) => return Some(Rc::new([])),
            Node::Var(var) => return Some(Rc::new([var])),
            _ => {}
        }
        let mut all: Option<Rc<[Var]>> = None;
        for child in pool.children(expr) {
            let support = self.supports[&child].clone()?;
            all = Some(match all {
                None => support,
                Some(known) if support.iter().all(|var| known.contains(var)) => known,
                Some(known) => {
                    let mut vars: Vec<Var> = known.iter().chain(support.iter()).copied().collect();
                    vars.sort_unstable();
                    vars.dedup();
                    vars.into()
                }
            });
        }
        all.filter(|vars| vars.len() <= MAX_SUPPORT)
    }

    /// The small symbol that is all that an expression depends on.
    fn small_symbol(&mut self, pool: &Pool, expr: Expr) -> Option<Var> {
        let [var] = *self.support(pool, expr)? else { return None };
        (bits(pool.var_sort(var)?) <= TABLE_BITS).then_some(var)
    }

    /// The values of an expression for all values of its small symbol.
    fn table(&mut self, pool: &Pool, expr: Expr, var: Var) -> Option<Rc<[u64]>> {
        if let Some(table) = self.tables.get(&expr) {
            return Some(table.clone());
        }
        let all: Vec<u64> = (0..1 << bits(pool.var_sort(var)?)).collect();
        let plan = Plan::new(pool, expr, |node| {
            let table = self.tables.get(&node)?;
            Some(Source::Table(table.clone(), 0))
        })?;
        let table: Rc<[u64]> = plan.run(pool, &[var], &[all]).into();
        self.tables.insert(expr, table.clone());
        Some(table)
    }

    /// The values of an expression for each row of `columns`, which has a column for each of `vars`. Arbitrary where an
    /// operator has no value. `None` if a value does not fit a word, or there is a symbol without a column.
    pub(super) fn evaluate(&mut self, pool: &Pool, expr: Expr, vars: &[Var], columns: &[Vec<u64>]) -> Option<Vec<u64>> {
        let support = self.support(pool, expr)?;
        if !support.iter().all(|var| vars.contains(var)) {
            return None;
        }
        if let Some(var) = self.small_symbol(pool, expr) {
            let table = self.table(pool, expr, var)?;
            let column = &columns[vars.iter().position(|&other| other == var)?];
            return Some(column.iter().map(|&value| table[value as usize]).collect());
        }
        let plan = Plan::new(pool, expr, |node| {
            if matches!(pool.node(node), Node::Const(_) | Node::Var(_)) {
                return None;
            }
            let var = self.small_symbol(pool, node)?;
            let position = vars.iter().position(|&other| other == var)?;
            Some(Source::Table(self.table(pool, node, var)?, position))
        })?;
        Some(plan.run(pool, vars, columns))
    }
}

/// How the column of a node is computed.
enum Source {
    /// From the columns of its children.
    Node(Node),
    /// From a table by the symbol at this position.
    Table(Rc<[u64]>, usize),
}

/// The nodes of an expression, children first.
struct Plan {
    nodes: Vec<(Expr, Source)>,
    /// The position of each node.
    positions: FxHashMap<Expr, usize>,
}

impl Plan {
    /// `None` if a node has no fast evaluation.
    fn new(pool: &Pool, root: Expr, mut leaf: impl FnMut(Expr) -> Option<Source>) -> Option<Plan> {
        let (mut seen, mut worklist, mut nodes) = (FxHashSet::default(), vec![root], Vec::new());
        seen.insert(root);
        while let Some(expr) = worklist.pop() {
            if !is_word(pool.sort(expr)) {
                return None;
            }
            if let Some(source) = leaf(expr) {
                nodes.push((expr, source));
                continue;
            }
            let node = pool.node(expr);
            if matches!(node, Node::Read { .. } | Node::Write { .. }) {
                return None;
            }
            nodes.push((expr, Source::Node(node)));
            worklist.extend(pool.children(expr).filter(|&child| seen.insert(child)));
        }
        nodes.sort_unstable_by_key(|&(expr, _)| expr);
        let positions = nodes.iter().enumerate().map(|(at, &(expr, _))| (expr, at)).collect();
        Some(Plan { nodes, positions })
    }

    fn run(&self, pool: &Pool, vars: &[Var], columns: &[Vec<u64>]) -> Vec<u64> {
        let rows = columns.first().map_or(1, Vec::len);
        let mut values = vec![vec![0; CHUNK]; self.nodes.len()];
        let mut result = Vec::with_capacity(rows);
        for start in (0..rows).step_by(CHUNK) {
            let chunk = (rows - start).min(CHUNK);
            for at in 0..self.nodes.len() {
                let (before, rest) = values.split_at_mut(at);
                let (expr, source) = &self.nodes[at];
                self.fill(pool, *expr, source, before, (vars, columns, start), &mut rest[0][..chunk]);
            }
            result.extend_from_slice(&values[self.nodes.len() - 1][..chunk]);
        }
        result
    }

    fn fill(
        &self,
        pool: &Pool,
        expr: Expr,
        source: &Source,
        before: &[Vec<u64>],
        (vars, columns, start): (&[Var], &[Vec<u64>], usize),
        out: &mut [u64],
    ) {
        let rows = out.len();
        let column = |child: Expr| &before[self.positions[&child]][..rows];
        let to = pool.sort(expr);
        let value = |sort, raw: u64| Value::from_raw(sort, raw.into()).expect("words are scalars");
        let raw = |value: Result<Value, _>| value.map_or(0, |value: Value| value.raw() as u64);
        let node = match source {
            Source::Table(table, symbol) => {
                let symbols = &columns[*symbol][start..];
                out.iter_mut().zip(symbols).for_each(|(out, &symbol)| *out = table[symbol as usize]);
                return;
            }
            Source::Node(node) => *node,
        };
        match node {
            Node::Const(constant) => out.fill(constant.raw() as u64),
            Node::Var(var) => match vars.iter().position(|&other| other == var) {
                Some(position) => out.copy_from_slice(&columns[position][start..start + out.len()]),
                None => unreachable!("there is a column for each symbol"),
            },
            Node::Unary(op, a) => {
                let from = pool.sort(a);
                for (out, &a) in out.iter_mut().zip(column(a)) {
                    *out = match op {
                        UnaryOp::Not => a ^ 1,
                        UnaryOp::BitNot => cut(to, !a),
                        UnaryOp::Neg => cut(to, a.wrapping_neg()),
                        UnaryOp::Extract { low, .. } => cut(to, a >> low),
                        UnaryOp::ZeroExtend(_) => a,
                        UnaryOp::SignExtend(_) => cut(to, signed(from, a) as u64),
                        _ => raw(eval::unary(op, value(from, a))),
                    };
                }
            }
            Node::Binary(op, a, b) => {
                let (first, second) = (pool.sort(a), pool.sort(b));
                for ((out, &a), &b) in out.iter_mut().zip(column(a)).zip(column(b)) {
                    *out = match op {
                        BinaryOp::And => a & b,
                        BinaryOp::Or => a | b,
                        BinaryOp::Concat => cut(to, a << bits(second) | b),
                        _ if matches!(first, Sort::Float(_)) => {
                            raw(eval::binary(op, value(first, a), value(second, b)))
                        }
                        _ => match narrow::binary(op, first, a, b) {
                            Some(raw) => raw,
                            None => raw(eval::binary(op, value(first, a), value(second, b))),
                        },
                    };
                }
            }
            Node::Ternary(TernaryOp::Ite, condition, then, otherwise) => {
                let branches = column(then).iter().zip(column(otherwise));
                for ((out, &condition), (&then, &otherwise)) in out.iter_mut().zip(column(condition)).zip(branches) {
                    *out = if condition == 1 { then } else { otherwise };
                }
            }
            Node::Ternary(op, a, b, c) => {
                let sort = pool.sort(a);
                let (a, b, c) = (column(a), column(b), column(c));
                for (i, out) in out.iter_mut().enumerate() {
                    *out = raw(eval::ternary(op, value(sort, a[i]), value(sort, b[i]), value(sort, c[i])));
                }
            }
            Node::Read { .. } | Node::Write { .. } => unreachable!("plans have none"),
        }
    }
}
