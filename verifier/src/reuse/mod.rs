//! What a proof rests on, as text in the terms of the source: a hint for the next proof of the program, or of a changed
//! one.
//!
//! A hint says where to start, never what holds. Tracked variables and predicates only choose an abstraction, guessed
//! invariants are proved again, and names that do not exist any more are ignored. So a wrong hint costs time only.

mod names;
mod terms;
#[cfg(test)]
mod tests;

use std::fmt::Write;

use crate::algorithm::guess::{Candidates, Clause};
use crate::cfa::{FuncId, LocId, Program, Scope};
use crate::cpa::predicate::precision::PredicatePrecision;
use crate::cpa::value::Values;
use crate::cpa::value::cells::{CellId, CellKey};
use crate::cpa::value::precision::ValuePrecision;
use crate::expr::{Expr, Pool, Sort, Var};
use crate::facts::Facts;
use names::{Names, quoted, words};

/// The first line of a hint.
const HEADER: &str = "clew precision 1";

/// What a proof rests on. Each entry is a line of text, whose names are looked up when it is used.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Hint {
    /// The configuration that found the proof.
    pub engine: Option<String>,
    /// Variables, sums and cells with tracked values.
    tracked: Vec<String>,
    /// Predicates, with the functions where they are tracked.
    predicates: Vec<String>,
    /// Invariants of loops.
    invariants: Vec<String>,
}

impl Hint {
    /// Reads a hint. What is not understood is ignored.
    pub fn parse(text: &str) -> Hint {
        let mut hint = Hint::default();
        let mut lines = text.lines();
        if lines.next() != Some(HEADER) {
            return hint;
        }
        for line in lines {
            let Some((kind, rest)) = line.split_once(' ') else { continue };
            match kind {
                "engine" => hint.engine = Some(rest.into()),
                "track" => hint.tracked.push(rest.into()),
                "predicate" => hint.predicates.push(rest.into()),
                "invariant" => hint.invariants.push(rest.into()),
                _ => {}
            }
        }
        hint
    }

    /// The hint as text. The order of its lines does not depend on the run.
    pub fn text(&self) -> String {
        let mut text = format!("{HEADER}\n");
        let engine: Vec<String> = self.engine.iter().cloned().collect();
        let parts = [
            ("engine", &engine),
            ("track", &self.tracked),
            ("predicate", &self.predicates),
            ("invariant", &self.invariants),
        ];
        for (kind, lines) in parts {
            for line in lines {
                let _ = writeln!(text, "{kind} {line}");
            }
        }
        text
    }

    /// Whether it has predicates: then values alone did not suffice.
    pub fn has_predicates(&self) -> bool {
        !self.predicates.is_empty()
    }

    /// Adds what a precision of values tracks.
    pub fn add_values(&mut self, values: &Values<'_>, precision: &ValuePrecision) {
        let names = Names::new(values.program());
        let cells = precision.sets().flat_map(|(_, set)| set.iter().collect::<Vec<_>>());
        self.tracked.extend(cells.filter_map(|cell| cell_text(values, &names, cell)));
        self.tracked.sort();
        self.tracked.dedup();
    }

    /// The cells that it names, as far as they exist.
    pub fn cells(&self, values: &Values<'_>) -> Vec<CellKey> {
        if self.tracked.is_empty() {
            return Vec::new();
        }
        let names = Names::new(values.program());
        self.tracked.iter().filter_map(|text| cell(values, &names, text)).collect()
    }

    /// Adds predicates over the variables of the program, in the pool of the analysis.
    pub fn add_predicates(&mut self, program: &Program, pool: &Pool, precision: &PredicatePrecision) {
        let names = Names::new(program);
        for at in 0..program.locations.len() as u32 {
            let location = LocId(at);
            let function = quoted(&program.function(program.location(location).function).name);
            let texts =
                precision.at(location).iter().filter_map(|&id| terms::text(pool, &names, precision.predicate(id)));
            self.predicates.extend(texts.map(|text| format!("{function} {text}")));
            // Locations of a function mostly share their predicates.
            self.predicates.sort();
            self.predicates.dedup();
        }
    }

    /// Tracks the predicates that it names, as far as they have a meaning in this program.
    pub fn track_predicates(&self, facts: &Facts<'_>, pool: &mut Pool, precision: &mut PredicatePrecision) {
        let program = facts.program;
        let names = Names::new(program);
        for line in &self.predicates {
            let (Some(function), Some(predicate)) = function_and_term(program, &names, pool, line) else { continue };
            if speaks_of_recursive_functions(facts, pool, predicate) {
                continue;
            }
            for location in program.function(function).locations.clone() {
                precision.add(LocId(location), predicate);
            }
        }
    }

    /// Adds invariants of loops that were proved.
    pub fn add_invariants(&mut self, program: &Program, proved: &Candidates) {
        let names = Names::new(program);
        for (&head, clauses) in &proved.at {
            let Some((function, number)) = loop_name(program, head) else { continue };
            let function = quoted(&program.function(function).name);
            let texts = clauses.iter().filter_map(|clause| terms::text(&proved.pool, &names, clause.expr));
            self.invariants.extend(texts.map(|text| format!("{function} {number} {text}")));
        }
    }

    /// The invariants that it names, as candidates that are to be proved; `None` if there are none.
    pub fn candidates(&self, facts: &Facts<'_>) -> Option<Candidates> {
        let program = facts.program;
        let names = Names::new(program);
        let mut candidates = Candidates::default();
        for (family, line) in (0..).zip(&self.invariants) {
            let parsed = (|| {
                let mut words = words(line);
                let function = function(program, &words.next()?)?;
                let number: usize = words.next()?.parse().ok()?;
                let head = heads(program, function).nth(number.checked_sub(1)?)?;
                let expr = terms::parse(&mut candidates.pool, &names, words.rest())?;
                let is_here = |var: &Var| match program.var(*var).scope {
                    Scope::Local(owner) => owner == function,
                    Scope::Global => true,
                };
                let is_claim = candidates.pool.sort(expr) == Sort::Bool;
                let is_about_here = terms::variables(&candidates.pool, expr).iter().all(is_here);
                (is_claim && is_about_here).then_some((head, expr))
            })();
            if let Some((head, expr)) = parsed {
                candidates.at.entry(head).or_default().push(Clause { expr, family });
            }
        }
        (!candidates.at.is_empty()).then_some(candidates)
    }
}

/// `x`, `f::x`, `sum x 1 f::y 2` for `x + 2 * f::y`, or `cell memory object 12`, with the distance from its start.
fn cell_text(values: &Values<'_>, names: &Names, cell: CellId) -> Option<String> {
    let (key, outer) = values.cells.key(cell);
    if outer > 0 {
        return None;
    }
    if let Some(address) = key.address {
        let (object, offset) = names.object(address)?;
        return Some(format!("cell {} {} {offset}", quoted(names.name(key.var)?), quoted(object)));
    }
    match values.semantics.sums.parts(key.var) {
        None => Some(quoted(names.name(key.var)?)),
        Some(parts) => {
            let part = |&(var, factor): &(Var, u64)| Some(format!("{} {factor}", quoted(names.name(var)?)));
            let parts: Option<Vec<String>> = parts.iter().map(part).collect();
            Some(format!("sum {}", parts?.join(" ")))
        }
    }
}

fn cell(values: &Values<'_>, names: &Names, text: &str) -> Option<CellKey> {
    let program = values.program();
    let words: Vec<String> = words(text).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let is_memory = |var: Var| matches!(program.var(var).sort, Sort::Memory(_));
    match words[..] {
        [name] => names.var(name).filter(|&var| !is_memory(var)).map(CellKey::scalar),
        ["cell", memory, object, offset] => {
            let memory = names.var(memory).filter(|&var| is_memory(var))?;
            let address = names.address(object, offset.parse().ok()?)?;
            Some(CellKey::cell(memory, address))
        }
        ["sum", ref parts @ ..] => {
            let sums = &values.semantics.sums;
            let part = |pair: &[&str]| Some((names.var(pair.first()?)?, pair.get(1)?.parse::<u64>().ok()?));
            let parts: Vec<(Var, u64)> = parts.chunks(2).map(part).collect::<Option<_>>()?;
            sums.iter().find(|&sum| sums.parts(sum) == Some(parts.as_slice())).map(CellKey::scalar)
        }
        _ => None,
    }
}

fn function(program: &Program, name: &str) -> Option<FuncId> {
    let is_it = |function: &FuncId| *program.function(*function).name == *name;
    (0..program.functions.len() as u32).map(FuncId).find(is_it)
}

/// The function and the truth value in a line.
fn function_and_term(program: &Program, names: &Names, pool: &mut Pool, line: &str) -> (Option<FuncId>, Option<Expr>) {
    let mut words = words(line);
    let function = words.next().and_then(|name| function(program, &name));
    let term = terms::parse(pool, names, words.rest()).filter(|&term| pool.sort(term) == Sort::Bool);
    (function, term)
}

/// Several instances of such a variable may exist, and a predicate would be about one of them.
fn speaks_of_recursive_functions(facts: &Facts<'_>, pool: &Pool, expr: Expr) -> bool {
    let flow = facts.flow();
    let is_recursive = |var: &Var| match facts.program.var(*var).scope {
        Scope::Local(function) => flow.is_recursive(function),
        Scope::Global => false,
    };
    terms::variables(pool, expr).iter().any(is_recursive)
}

/// The heads of the loops of a function, in the order of the program.
fn heads(program: &Program, function: FuncId) -> impl Iterator<Item = LocId> {
    let locations = program.function(function).locations.clone().map(LocId);
    locations.filter(|&location| program.location(location).loop_head)
}

/// The function of a loop, and its number there.
fn loop_name(program: &Program, head: LocId) -> Option<(FuncId, usize)> {
    let function = program.location(head).function;
    let position = heads(program, function).position(|other| other == head)?;
    Some((function, position + 1))
}
