//! The answers of solvers in processes: values of variables, and cores.

use rustc_hash::FxHashMap;

use super::text::assumption_name;
use crate::expr::Var;

/// A symbol, a number, or a list.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Item {
    Atom(String),
    List(Vec<Item>),
}

impl Item {
    fn list(&self) -> Option<&[Item]> {
        match self {
            Item::List(items) => Some(items),
            Item::Atom(_) => None,
        }
    }

    fn is(&self, text: &str) -> bool {
        matches!(self, Item::Atom(atom) if atom == text)
    }
}

/// The length of the first complete list in `text`, which may be preceded by space; `None` if it is not complete.
pub(super) fn complete_list(text: &str) -> Option<usize> {
    let (mut depth, mut is_quoted) = (0usize, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            b'(' => depth += 1,
            b')' if depth <= 1 => return Some(at + 1),
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The deepest list that is read: dropping it takes as many stack frames.
const MAX_DEPTH: usize = 100_000;

/// The first list in `text`; `None` if there is none.
fn parse(text: &str) -> Option<Item> {
    let mut open: Vec<Vec<Item>> = Vec::new();
    let mut rest = text.trim_start();
    loop {
        match rest.bytes().next()? {
            b'(' => {
                if open.len() == MAX_DEPTH {
                    return None;
                }
                open.push(Vec::new());
                rest = &rest[1..];
            }
            b')' => {
                let list = Item::List(open.pop()?);
                match open.last_mut() {
                    Some(outer) => outer.push(list),
                    None => return Some(list),
                }
                rest = &rest[1..];
            }
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || c == '(' || c == ')').unwrap_or(rest.len());
                open.last_mut()?.push(Item::Atom(rest[..end].into()));
                rest = &rest[end..];
            }
        }
        rest = rest.trim_start();
    }
}

/// The bits of a truth value or bit-vector.
fn bits(item: &Item) -> Option<u128> {
    match item {
        Item::Atom(atom) => match atom.as_str() {
            "true" => Some(1),
            "false" => Some(0),
            _ => match atom.split_at_checked(2)? {
                ("#b", digits) => u128::from_str_radix(digits, 2).ok(),
                ("#x", digits) => u128::from_str_radix(digits, 16).ok(),
                _ => None,
            },
        },
        // (_ bv5 32)
        Item::List(items) => match items.as_slice() {
            [underscore, Item::Atom(number), _] if underscore.is("_") => number.strip_prefix("bv")?.parse().ok(),
            _ => None,
        },
    }
}

/// The value of a memory: a cell for all addresses but those listed.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct Cells {
    other: u128,
    known: FxHashMap<u128, u128>,
}

/// `(store (store … a v) a v)` on `((as const …) v)`. The outer stores overwrite the inner ones.
fn cells(mut item: &Item) -> Option<Cells> {
    let mut cells = Cells::default();
    loop {
        match item.list()? {
            [store, inner, address, value] if store.is("store") => {
                cells.known.entry(bits(address)?).or_insert(bits(value)?);
                item = inner;
            }
            [constant, value] if constant.list().is_some_and(|of| of.len() == 3 && of[1].is("const")) => {
                cells.other = bits(value)?;
                return Some(cells);
            }
            _ => return None,
        }
    }
}

/// Values of variables. Those that are not mentioned are zero.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Values {
    scalars: FxHashMap<Var, u128>,
    memories: FxHashMap<Var, Cells>,
}

impl Values {
    /// Reads the answer to `get-value`; `None` if it is none.
    pub fn read(text: &str) -> Option<Values> {
        let mut values = Values::default();
        for pair in parse(text)?.list()? {
            let [Item::Atom(name), value] = pair.list()? else { return None };
            let var = Var(name.trim_matches('|').strip_prefix('v')?.parse().ok()?);
            match bits(value) {
                Some(bits) => drop(values.scalars.insert(var, bits)),
                None => drop(values.memories.insert(var, cells(value)?)),
            }
        }
        Some(values)
    }

    /// The bits of a scalar variable.
    pub fn variable(&self, var: Var) -> u128 {
        self.scalars.get(&var).copied().unwrap_or(0)
    }

    /// The bits of a cell of a memory variable.
    pub fn cell(&self, memory: Var, address: u128) -> u128 {
        self.memories.get(&memory).map_or(0, |cells| cells.known.get(&address).copied().unwrap_or(cells.other))
    }
}

/// Reads the answer to `get-unsat-assumptions`: the positions of the assumptions; `None` if it is none.
pub(super) fn read_core(text: &str, assumptions: usize) -> Option<Vec<usize>> {
    let names: FxHashMap<String, usize> = (0..assumptions).map(|at| (assumption_name(at), at)).collect();
    let position = |item: &Item| match item {
        Item::Atom(name) => names.get(name.trim_matches('|')).copied(),
        Item::List(_) => None,
    };
    let mut core = parse(text)?.list()?.iter().map(position).collect::<Option<Vec<_>>>()?;
    core.sort_unstable();
    core.dedup();
    Some(core)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_all_kinds() {
        let text = "(\n (v0 #b101) (v1 true) (|v2| #xff) (v3 (_ bv7 32))\n\
                    (v4 (store (store ((as const (Array (_ BitVec 8) (_ BitVec 8))) #x01) #x02 #x03) #x02 #x04)))";
        let values = Values::read(text).unwrap();
        assert_eq!([0, 1, 2, 3, 9].map(|var| values.variable(Var(var))), [5, 1, 255, 7, 0]);
        assert_eq!([2, 3].map(|address| values.cell(Var(4), address)), [4, 1]);
    }

    #[test]
    fn what_is_no_answer() {
        for text in ["", "(", "sat", "((v0 5))", "((x #b1))", "((v0 (lambda ((x Int)) x)))", "((v0 #b1) v1)"] {
            assert_eq!(Values::read(text), None, "{text}");
        }
        assert_eq!(Values::read(&"(".repeat(1 << 20)), None);
        assert_eq!(read_core("(a!1 a!0)", 2), Some(vec![0, 1]));
        assert_eq!(read_core("(a!2)", 2), None);
        assert_eq!(read_core("(error \"no\")", 2), None);
    }

    #[test]
    fn lists_are_complete_when_all_parentheses_are_closed() {
        assert_eq!(complete_list("(a (b) \")\""), None);
        assert_eq!(complete_list(" (a (b))\nmore"), Some(8));
    }
}
