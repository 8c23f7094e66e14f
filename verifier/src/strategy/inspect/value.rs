//! What the explicit-value analysis has to show: values of variables and cells of memory, by their names.

use std::collections::BTreeMap;

use super::{Graph, Names, Precision, Scope, View};
use crate::algorithm::Explorer;
use crate::cfa::narrow::signed;
use crate::cfa::print::Printer;
use crate::cfa::{self, FuncId, Sort, Var};
use crate::cpa::value::cells::CellId;
use crate::cpa::value::precision::{Sharing, ValuePrecision};
use crate::cpa::value::{ValueState, Values};
use crate::evidence::value_text;

/// What the analysis has built.
pub struct Built<'a, 'p> {
    /// The graph.
    pub explorer: &'a Explorer<'a, 'p, Values<'p>>,
    /// The precision.
    pub precision: &'a ValuePrecision,
    /// How far it is shared.
    pub sharing: Sharing,
}

impl View for Built<'_, '_> {
    fn graph(&self, names: &Names<'_>) -> Graph {
        let values = &self.explorer.cpa.second;
        Graph::of(self.explorer, names, |state, printer| facts(values, state, printer))
    }

    fn precision(&self, names: &Names<'_>) -> Precision {
        tracked(&self.explorer.cpa.second, self.precision, self.sharing, names)
    }
}

/// What a state holds: `x = 0`, `a[3] = -1`.
pub(super) fn facts(values: &Values<'_>, state: &ValueState, printer: &Printer<'_>) -> Vec<String> {
    let mut entries = state.entries();
    entries.sort_by_key(|&(cell, _)| values.cells.place(cell));
    entries
        .iter()
        .map(|&(cell, word)| format!("{} = {}", name(values, cell, printer), text(values, cell, word, printer)))
        .collect()
}

/// What a precision, shared as `sharing` says, tracks.
pub(super) fn tracked(
    values: &Values<'_>,
    precision: &ValuePrecision,
    sharing: Sharing,
    names: &Names<'_>,
) -> Precision {
    if precision.is_full() {
        return Precision::everything();
    }
    let mut scopes: BTreeMap<Scope, Vec<CellId>> = BTreeMap::new();
    for (number, set) in precision.sets() {
        for cell in set.iter() {
            // Everywhere is, for a local variable, its function.
            let scope = match function(values, values.cells.place(cell).0.var) {
                Some(function) if sharing == Sharing::Global => Scope::Function(function),
                _ => Scope::of(sharing, number),
            };
            scopes.entry(scope).or_default().push(cell);
        }
    }
    let named = scopes.into_iter().map(|(scope, mut cells)| {
        cells.sort_by_key(|&cell| values.cells.place(cell));
        (scope, cells.into_iter().map(|cell| name(values, cell, scope.printer(names))).collect())
    });
    Precision::these(named.collect())
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

/// A variable, a sum or a cell of memory; `n↑2` is that of the activation two further out.
pub(in super::super) fn name(values: &Values<'_>, cell: CellId, printer: &Printer<'_>) -> String {
    let (place, outer) = values.cells.place(cell);
    let name = match place.address {
        None => match values.semantics.sums.parts(place.var) {
            Some(parts) => sum_name(parts, values.sort_of(place.var), printer),
            None => printer.var(place.var),
        },
        Some(address) => printer.cell(place.var, address),
    };
    if outer == 0 { name } else { format!("{name}↑{outer}") }
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

/// The value of a cell, by its type in the source; what has none there may be an address.
fn text(values: &Values<'_>, cell: CellId, word: u64, printer: &Printer<'_>) -> String {
    let program = values.program();
    let var = values.cells.place(cell).0.var;
    let Some(value) = values.semantics.words.value(values.sort_of(var), word) else { return String::new() };
    // Sums are shown like their first variable.
    let var = program.var(values.semantics.sums.parts(var).map_or(var, |parts| parts[0].0));
    match printer.address(value) {
        Some((name, 0)) if var.type_name.is_none() => format!("&{name}"),
        Some((name, offset)) if var.type_name.is_none() => format!("&{name}+{offset}"),
        _ => value_text(program, var, value),
    }
}
