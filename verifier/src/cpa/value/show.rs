//! Display of the value domain: values of variables and cells of memory, by name.

use std::collections::BTreeMap;

use super::cells::CellId;
use super::precision::{Sharing, ValuePrecision};
use super::{ValueState, Values};
use crate::cfa::{self, FuncId};
use crate::cpa::show::{Scope, Show, Tracked};
use crate::expr::narrow::signed;
use crate::expr::{Sort, Var};
use crate::print::values::value_text;
use crate::print::{Names, Printer};

impl Show for Values<'_> {
    /// For example `x = 0` or `a[3] = -1`.
    fn facts(&self, state: &ValueState, _: &ValuePrecision, printer: &Printer<'_>) -> Vec<String> {
        let mut entries = state.entries();
        entries.sort_by_key(|&(cell, _)| self.cells.key(cell));
        entries
            .iter()
            .map(|&(cell, word)| format!("{} = {}", self.name(cell, printer), text(self, cell, word, printer)))
            .collect()
    }

    fn tracked(&self, precision: &ValuePrecision, names: &Names<'_>) -> Tracked {
        let Some(sharing) = precision.sharing() else { return Tracked::everything() };
        let mut scopes: BTreeMap<Scope, Vec<CellId>> = BTreeMap::new();
        for (number, set) in precision.sets() {
            for cell in set.iter() {
                // For a local variable, everywhere means its function.
                let scope = match function(self, self.cells.key(cell).0.var) {
                    Some(function) if sharing == Sharing::Global => Scope::Function(function),
                    _ => Scope::of(sharing, number),
                };
                scopes.entry(scope).or_default().push(cell);
            }
        }
        let named = scopes.into_iter().map(|(scope, mut cells)| {
            cells.sort_by_key(|&cell| self.cells.key(cell));
            (scope, cells.into_iter().map(|cell| self.name(cell, scope.printer(names))).collect())
        });
        Tracked::these(named.collect())
    }
}

impl Values<'_> {
    /// A variable, a sum or a cell of memory; `n↑2` is that of the activation two further out.
    pub fn name(&self, cell: CellId, printer: &Printer<'_>) -> String {
        let (key, outer) = self.cells.key(cell);
        let name = match key.address {
            None => match self.semantics.sums.parts(key.var) {
                Some(parts) => sum_name(parts, self.sort_of(key.var), printer),
                None => printer.var(key.var),
            },
            Some(address) => printer.cell(key.var, address),
        };
        if outer == 0 { name } else { format!("{name}↑{outer}") }
    }
}

/// The function that a variable belongs to; of a sum, that of the first local variable.
fn function(values: &Values<'_>, var: Var) -> Option<FuncId> {
    if values.semantics.sums.parts(var).is_some() {
        return values.semantics.sums.functions(var).first().copied();
    }
    match values.program().var(var).scope {
        cfa::Scope::Local(function) => Some(function),
        cfa::Scope::Global => None,
    }
}

/// `x - 2 * y`
fn sum_name(parts: &[(Var, u64)], sort: Sort, printer: &Printer<'_>) -> String {
    let mut name = String::new();
    for &(var, factor) in parts {
        let factor = signed(sort, factor);
        let sign = match (name.is_empty(), factor < 0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        let times = if factor.unsigned_abs() == 1 { String::new() } else { format!("{} * ", factor.unsigned_abs()) };
        name += &format!("{sign}{times}{}", printer.var(var));
    }
    name
}

/// The value of a cell, formatted by its source type; without one, it may be an address.
fn text(values: &Values<'_>, cell: CellId, word: u64, printer: &Printer<'_>) -> String {
    let program = values.program();
    let var = values.cells.key(cell).0.var;
    let Some(value) = values.semantics.words.value(values.sort_of(var), word) else { return String::new() };
    // Sums are shown like their first variable.
    let var = values.semantics.sums.parts(var).map_or(var, |parts| parts[0].0);
    let info = program.var(var);
    match printer.address(value) {
        Some((name, 0)) if info.type_name.is_none() => format!("&{name}"),
        Some((name, offset)) if info.type_name.is_none() => format!("&{name}+{offset}"),
        _ => value_text(program, var, value),
    }
}
