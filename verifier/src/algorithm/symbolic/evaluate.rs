//! Values of the program's expressions in a state: constants where possible, else expressions over symbols.
//!
//! Mirrors the interpreter. What a state does not hold is drawn at the first read, as a fresh symbol.

use super::state::{Cell, State};
use super::{Run, Stop};
use crate::cfa::{AddressSpace, Scope};
use crate::expr::eval::{self, cell_address};
use crate::expr::value::mask;
use crate::expr::{BinaryOp, Expr, MemorySort, Node, Rounding, Sort, TernaryOp, UnaryOp, Value, Var};

/// What a symbol stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Origin {
    /// A variable that was havocked, or read before it was assigned.
    Variable(Var),
    /// A cell of a memory.
    Cell(Var, u64),
    /// An expression without a value.
    Undefined(Expr),
}

/// The size up to which shared subexpressions are evaluated repeatedly, in nodes.
const MAX_UNSHARED: u32 = 100;

impl Run<'_, '_> {
    /// A fresh symbol of the path. Other paths may use it for something else.
    pub(super) fn draw(&mut self, state: &mut State, origin: Origin, sort: Sort) -> Expr {
        let number = state.draws;
        state.draws += 1;
        let next = Var(self.program.vars.len() as u32 + self.symbols.len() as u32);
        let var = *self.symbols.entry((origin, number)).or_insert(next);
        self.pool.var(var, sort)
    }

    /// The value of a scalar expression of the program. Conditions under which it is defined become pending.
    pub(super) fn eval(&mut self, state: &mut State, expr: Expr) -> Result<Expr, Stop> {
        let is_large = self.sizes[expr.index()] > MAX_UNSHARED;
        if is_large {
            self.known.clear();
        }
        self.eval_in(state, expr, is_large)
    }

    fn eval_in(&mut self, state: &mut State, expr: Expr, shares: bool) -> Result<Expr, Stop> {
        let node = self.program.pool.node(expr);
        match node {
            Node::Const(_) => return Ok(expr),
            Node::Var(var) => return Ok(self.variable(state, var)),
            _ => {}
        }
        if shares && let Some(&value) = self.known.get(&expr) {
            return Ok(value);
        }
        let value = match node {
            Node::Const(_) | Node::Var(_) => unreachable!("leaves are handled above"),
            Node::Unary(op, a) => {
                let a = self.eval_in(state, a, shares)?;
                self.unary(state, expr, op, a)?
            }
            Node::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let a = self.eval_in(state, a, shares)?;
                let goes_on = op == BinaryOp::And;
                match self.pool.as_const(a) {
                    Some(a) if a.is_true() == goes_on => self.eval_in(state, b, shares)?,
                    Some(_) => a,
                    None => {
                        let guard = if goes_on { a } else { self.pool.not(a) };
                        let b = self.eval_guarded(state, guard, b, shares)?;
                        self.pool.binary(op, a, b)
                    }
                }
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (self.eval_in(state, a, shares)?, self.eval_in(state, b, shares)?);
                self.binary(state, expr, op, a, b)?
            }
            Node::Ternary(TernaryOp::Ite, condition, then, otherwise) => {
                let condition = self.eval_in(state, condition, shares)?;
                match self.pool.as_const(condition) {
                    Some(value) => self.eval_in(state, if value.is_true() { then } else { otherwise }, shares)?,
                    None => {
                        let not = self.pool.not(condition);
                        let then = self.eval_guarded(state, condition, then, shares)?;
                        let otherwise = self.eval_guarded(state, not, otherwise, shares)?;
                        self.pool.ite(condition, then, otherwise)
                    }
                }
            }
            Node::Ternary(op, a, b, c) => {
                let (a, b) = (self.eval_in(state, a, shares)?, self.eval_in(state, b, shares)?);
                let c = self.eval_in(state, c, shares)?;
                self.pool.ternary(op, a, b, c)
            }
            Node::Read { memory, address, cells } => {
                let address = self.eval_in(state, address, shares)?;
                match self.program.pool.node(memory) {
                    Node::Var(memory) => self.read(state, memory, address, cells)?,
                    _ => return Err(Stop::GiveUp("an expression of a whole memory".into())),
                }
            }
            Node::Write { .. } => return Err(Stop::GiveUp("an expression of a whole memory".into())),
        };
        if shares {
            self.known.insert(expr, value);
        }
        Ok(value)
    }

    fn eval_guarded(&mut self, state: &mut State, guard: Expr, expr: Expr, shares: bool) -> Result<Expr, Stop> {
        self.guards.push(guard);
        let value = self.eval_in(state, expr, shares);
        self.guards.pop();
        value
    }

    /// Requires a condition where the current subexpression is evaluated.
    pub(super) fn require(&mut self, mut condition: Expr) {
        for i in (0..self.guards.len()).rev() {
            let not = self.pool.not(self.guards[i]);
            condition = self.pool.or(not, condition);
        }
        if !self.pool.as_const(condition).is_some_and(Value::is_true) {
            self.pending.push(condition);
        }
    }

    fn unary(&mut self, state: &mut State, expr: Expr, op: UnaryOp, a: Expr) -> Result<Expr, Stop> {
        if let Some(value) = self.pool.as_const(a) {
            return Ok(match eval::unary(op, value) {
                Ok(value) => self.pool.constant(value),
                Err(_) => self.undefined(state, expr),
            });
        }
        match op {
            UnaryOp::FloatToSigned(width) | UnaryOp::FloatToUnsigned(width) => {
                let is_signed = matches!(op, UnaryOp::FloatToSigned(_));
                let fits = self.fits_integer(a, width, is_signed)?;
                let value = self.pool.unary(op, a);
                match self.truth(state, fits)? {
                    Some(true) => Ok(value),
                    Some(false) => Ok(self.undefined(state, expr)),
                    None => {
                        let other = self.undefined(state, expr);
                        Ok(self.pool.ite(fits, value, other))
                    }
                }
            }
            _ => Ok(self.pool.unary(op, a)),
        }
    }

    /// The condition that a float, truncated, is in the range of an integer type.
    fn fits_integer(&mut self, a: Expr, width: u16, is_signed: bool) -> Result<Expr, Stop> {
        let Sort::Float(format) = self.pool.sort(a) else { unreachable!("floats are converted") };
        let compute = |op, value| eval::unary(op, value).expect("these operators are total");
        let exponent = if is_signed { width - 1 } else { width };
        if exponent >= 128 {
            return Err(Stop::GiveUp("a conversion of an unknown float to a wide integer".into()));
        }
        let high = compute(UnaryOp::UnsignedToFloat(format), Value::bits(128, 1 << exponent));
        if compute(UnaryOp::FloatIsInfinite, high).is_true() {
            return Err(Stop::GiveUp("a conversion of an unknown float to a wide integer".into()));
        }
        let low = if is_signed { compute(UnaryOp::FloatNeg, high) } else { Value::float(format, 0) };
        let whole = self.pool.unary(UnaryOp::FloatRound(Rounding::TowardZero), a);
        let (low, high) = (self.pool.constant(low), self.pool.constant(high));
        let above = self.pool.binary(BinaryOp::FloatLessEq, low, whole);
        let below = self.pool.binary(BinaryOp::FloatLess, whole, high);
        Ok(self.pool.and(above, below))
    }

    fn undefined(&mut self, state: &mut State, expr: Expr) -> Expr {
        self.draw(state, Origin::Undefined(expr), self.program.pool.sort(expr))
    }

    fn binary(&mut self, state: &mut State, expr: Expr, op: BinaryOp, a: Expr, b: Expr) -> Result<Expr, Stop> {
        use BinaryOp::{ShiftLeft, ShiftRight, ShiftRightSigned, SignedDiv, SignedRem, UnsignedDiv, UnsignedRem};
        match op {
            ShiftLeft | ShiftRight | ShiftRightSigned => {
                let width = self.pool.width(b);
                let last = self.pool.bits(width, u128::from(width) - 1);
                let fits = self.pool.binary(BinaryOp::UnsignedLessEq, b, last);
                match self.truth(state, fits)? {
                    Some(true) => Ok(self.pool.binary(op, a, b)),
                    Some(false) => Ok(self.undefined(state, expr)),
                    None => {
                        let (value, other) = (self.pool.binary(op, a, b), self.undefined(state, expr));
                        Ok(self.pool.ite(fits, value, other))
                    }
                }
            }
            UnsignedDiv | UnsignedRem | SignedDiv | SignedRem => {
                let width = self.pool.width(b);
                let zero = self.pool.bits(width, 0);
                let by_zero = self.pool.eq(b, zero);
                let mut crashes = by_zero;
                if matches!(op, SignedDiv | SignedRem) {
                    let least = self.pool.bits(width, 1 << (width - 1));
                    let minus_one = self.pool.bits(width, mask(width));
                    let (is_least, by_minus_one) = (self.pool.eq(a, least), self.pool.eq(b, minus_one));
                    let overflows = self.pool.and(is_least, by_minus_one);
                    crashes = self.pool.or(crashes, overflows);
                }
                let defined = self.pool.not(crashes);
                match self.truth(state, defined)? {
                    Some(true) => {}
                    Some(false) if self.guards.is_empty() => return Err(Stop::Crash),
                    _ => self.require(defined),
                }
                Ok(self.pool.binary(op, a, b))
            }
            _ => Ok(self.pool.binary(op, a, b)),
        }
    }

    /// Whether a condition holds for all, or for no values of the symbols; `None` if neither is seen without the solver.
    fn truth(&mut self, state: &State, condition: Expr) -> Result<Option<bool>, Stop> {
        if let Some(value) = self.pool.as_const(condition) {
            return Ok(Some(value.is_true()));
        }
        if !state.knowledge.rest.is_empty() {
            let Some(vars) = self.columns.support(&self.pool, condition) else { return Ok(None) };
            let is_bounded = vars.iter().all(|var| state.knowledge.groups.contains_key(var));
            if !is_bounded {
                return Ok(None);
            }
        }
        Ok(match self.values_of_groups(&state.knowledge, condition, 1) {
            Some(values) if values == [0] => Some(false),
            Some(values) if values == [1] => Some(true),
            _ => None,
        })
    }

    /// The value of a scalar variable.
    pub(super) fn variable(&mut self, state: &mut State, var: Var) -> Expr {
        let info = self.program.var(var);
        let known = match info.scope {
            Scope::Global => state.globals.scalars.get(&var),
            Scope::Local(_) => state.innermost().scalars.get(&var),
        };
        match known.copied() {
            Some(value) => self.refresh(state, value),
            None => {
                let value = self.draw(state, Origin::Variable(var), info.sort);
                self.set(state, var, value);
                value
            }
        }
    }

    pub(super) fn set(&mut self, state: &mut State, var: Var, value: Expr) {
        match self.program.var(var).scope {
            Scope::Global => state.globals.set(var, value),
            Scope::Local(_) => state.innermost().set(var, value),
        }
    }

    /// The constant that a value has become by what was learned since it was stored, if so.
    fn refresh(&mut self, state: &State, value: Expr) -> Expr {
        if self.pool.as_const(value).is_some() {
            return value;
        }
        if let Some(&pinned) = state.knowledge.pinned.get(&value) {
            return pinned;
        }
        let Some(vars) = self.columns.support(&self.pool, value) else { return value };
        let mut columns = Vec::new();
        for &var in vars.iter() {
            match state.knowledge.only_value(var) {
                Some(known) => columns.push(vec![known]),
                None => return value,
            }
        }
        let result = self.columns.evaluate(&self.pool, value, &vars, &columns);
        match result.and_then(|result| Value::from_raw(self.pool.sort(value), result[0].into())) {
            Some(constant) => self.pool.constant(constant),
            None => value,
        }
    }

    pub(super) fn memory_sort(&self, var: Var) -> MemorySort {
        match self.program.var(var).sort {
            Sort::Memory(sort) => sort,
            sort => panic!("a memory is expected, this is of sort {sort}"),
        }
    }

    /// The cell of a memory at a constant address.
    pub(super) fn cell(&mut self, state: &mut State, memory: Var, address: u64) -> Expr {
        let sort = self.memory_sort(memory);
        let scope = self.program.var(memory).scope;
        let frame = match scope {
            Scope::Global => &mut state.globals,
            Scope::Local(_) => state.innermost(),
        };
        if let Some(known) = frame.memories.get(&memory) {
            match (known.cells.get(&address), known.contents) {
                (Some(&Cell::Value(value)), _) => return self.refresh(state, value),
                (None, Some(contents)) => {
                    let initial = self.program.initial_cells(contents).read(address, sort.cell.bytes());
                    if let Some(value) = initial.and_then(|raw| Value::from_raw(sort.cell.sort(), raw)) {
                        return self.pool.constant(value);
                    }
                }
                _ => {}
            }
        }
        let value = self.draw(state, Origin::Cell(memory, address), sort.cell.sort());
        self.write_cell(state, memory, address, Cell::Value(value));
        value
    }

    pub(super) fn write_cell(&mut self, state: &mut State, memory: Var, address: u64, cell: Cell) {
        match self.program.var(memory).scope {
            Scope::Global => state.globals.write(memory, address, cell),
            Scope::Local(_) => state.innermost().write(memory, address, cell),
        }
    }

    /// Cells of a memory at a constant address, concatenated.
    fn cells(&mut self, state: &mut State, memory: Var, address: u64, cells: u16) -> Expr {
        let sort = self.memory_sort(memory);
        let mut all = self.cell(state, memory, address);
        for cell in 1..cells {
            let next = self.cell(state, memory, cell_address(sort, address.into(), cell) as u64);
            all = self.pool.binary(BinaryOp::Concat, next, all);
        }
        all
    }

    fn read(&mut self, state: &mut State, memory: Var, address: Expr, cells: u16) -> Result<Expr, Stop> {
        let bytes = self.memory_sort(memory).cell.bytes() * u64::from(cells);
        let addresses = self.addresses(state, address, bytes, self.tuning.max_reads)?;
        let found: Vec<(u64, Expr)> =
            addresses.into_iter().map(|at| (at, self.cells(state, memory, at, cells))).collect();
        match *found {
            [] => Ok(self.draw(state, Origin::Cell(memory, 0), eval::read_sort(self.memory_sort(memory), cells))),
            _ => Ok(self.select(address, &found)),
        }
    }

    /// The value that belongs to an address: by bisection, so that few comparisons are evaluated.
    fn select(&mut self, address: Expr, found: &[(u64, Expr)]) -> Expr {
        if found.iter().all(|&(_, value)| value == found[0].1) {
            return found[0].1;
        }
        let (low, high) = found.split_at(found.len() / 2);
        let width = self.pool.width(address);
        let bound = self.pool.bits(width, high[0].0.into());
        let is_low = self.pool.binary(BinaryOp::UnsignedLess, address, bound);
        let (low, high) = (self.select(address, low), self.select(address, high));
        self.pool.ite(is_low, low, high)
    }

    /// The valid addresses of an access. Others end the run, so that conditions exclude them.
    pub(super) fn addresses(
        &mut self,
        state: &mut State,
        address: Expr,
        bytes: u64,
        limit: usize,
    ) -> Result<Vec<u64>, Stop> {
        if let Some(at) = self.pool.as_const(address) {
            let at = at.raw() as u64;
            if self.is_valid(state, at, bytes)? {
                return Ok(vec![at]);
            }
            if self.guards.is_empty() {
                return Err(Stop::Crash);
            }
            let never = self.pool.bool(false);
            self.require(never);
            return Ok(Vec::new());
        }
        let Some(all) = self.values(&state.knowledge, address, limit)? else {
            return Err(Stop::Split(address));
        };
        let mut valid = Vec::new();
        for at in all {
            if self.is_valid(state, at, bytes)? {
                valid.push(at);
                continue;
            }
            let at = self.pool.bits(self.pool.width(address), at.into());
            let same = self.pool.eq(address, at);
            let other = self.pool.not(same);
            self.require(other);
        }
        if valid.is_empty() && self.guards.is_empty() {
            return Err(Stop::Crash);
        }
        Ok(valid)
    }

    /// Whether an access is inside the address ranges of objects.
    pub(super) fn is_valid(&mut self, state: &State, address: u64, bytes: u64) -> Result<bool, Stop> {
        let space = &self.program.address_space;
        if !space.is_declared() {
            return Ok(bytes <= AddressSpace::MAX_LENGTH);
        }
        let Some(end) = address.checked_add(bytes) else { return Ok(bytes == 0) };
        if bytes == 0 {
            return Ok(true);
        }
        if address < AddressSpace::NULL_PAGE {
            return Ok(false);
        }
        if space.fixed.start <= address && end <= space.fixed.end
            || space.outside.start <= address && end <= space.outside.end
        {
            return Ok(true);
        }
        for (base, top) in [(space.heap_base, space.heap_top), (space.stack_base, space.stack_top)] {
            let Some(&top) = top.and_then(|top| state.globals.scalars.get(&top)) else { continue };
            match self.pool.as_const(top) {
                Some(top) if base <= address && end <= top.raw() as u64 => return Ok(true),
                Some(_) => {}
                None => return Err(Stop::Split(top)),
            }
        }
        Ok(false)
    }
}
