//! Makes code from fragments: alternatives are chosen, names made unique, and calls of other fragments filled in.
//!
//! | in a template | becomes |
//! |---|---|
//! | `@name` | a name that no other fragment of the program has; `@f` is the fragment's function |
//! | `$[x :: y :: z]` | one of the alternatives, which are templates as well |
//! | `$[3..9]` | a number of the range, both ends included |
//! | `$n=[…]`, then `$n` | the same, and what was chosen again |
//! | `$via` | the name of a function `void *(void *)` that returns its argument |
//! | `$call` | the name of a function `int (int, int)`, for arguments in 0..=63 |
//! | `$expr(a, b)` | an expression of these variables, whose values are in 0..=63, with a value in 0..=63 |

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;

use super::fragment::{Fragment, Kind, Language};

/// How deeply fragments call fragments.
const MAX_DEPTH: usize = 2;

/// Code that grows while fragments are instantiated.
pub struct Expander<'a> {
    fragments: &'a [Fragment],
    language: Language,
    random: &'a mut Rng,
    instances: usize,
    vias: Vec<String>,
    /// The definitions so far; what a function calls comes before it.
    pub code: String,
    /// The headers that the definitions need.
    pub headers: BTreeSet<String>,
    /// The names that the definitions define.
    pub names: BTreeSet<String>,
    /// The instantiated fragments, as `MODULE/NAME`.
    pub used: BTreeSet<String>,
}

impl<'a> Expander<'a> {
    /// An expander without code.
    pub fn new(fragments: &'a [Fragment], language: Language, random: &'a mut Rng) -> Expander<'a> {
        Expander {
            fragments,
            language,
            random,
            instances: 0,
            vias: Vec::new(),
            code: String::new(),
            headers: BTreeSet::new(),
            names: BTreeSet::new(),
            used: BTreeSet::new(),
        }
    }

    /// The source of random numbers.
    pub fn random(&mut self) -> &mut Rng {
        self.random
    }

    /// Adds a function of some kind, from the given module or any; its name.
    pub fn instantiate(&mut self, kind: Kind, module: Option<&str>, depth: usize) -> String {
        let language = self.language;
        let fits = |fragment: &&Fragment| {
            fragment.kind == kind
                && fragment.fits(language)
                && module.is_none_or(|module| fragment.module == module)
                // Calls end somewhere.
                && (depth < MAX_DEPTH || !fragment.text.contains("$call") && !fragment.text.contains("$via"))
        };
        let candidates: Vec<&Fragment> = self.fragments.iter().filter(fits).collect();
        let fragment = candidates[self.random.usize(..candidates.len())];
        let instance = self.instances;
        self.instances += 1;
        self.headers.extend(fragment.headers.iter().cloned());
        self.used.insert(fragment.path());
        let mut scope = Scope { instance, depth, bound: BTreeMap::new() };
        let text = self.expand(fragment.text.trim(), &mut scope);
        self.code += &text;
        self.code += "\n\n";
        let name = self.name("f", instance);
        self.vias.extend((kind == Kind::Via).then(|| name.clone()));
        name
    }

    fn name(&mut self, base: &str, instance: usize) -> String {
        let name = format!("{base}_{instance}");
        self.names.insert(name.clone());
        name
    }

    fn expand(&mut self, template: &str, scope: &mut Scope) -> String {
        let mut result = String::new();
        let mut rest = template;
        while let Some(at) = rest.find(['@', '$']) {
            result += &rest[..at];
            let marker = rest.as_bytes()[at];
            rest = &rest[at + 1..];
            let word_len = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let word = &rest[..word_len];
            rest = &rest[word_len..];
            if marker == b'@' {
                result += &self.name(word, scope.instance);
                continue;
            }
            match word {
                // A function with several callers mixes what they pass, for analyses without contexts.
                "via" if !self.vias.is_empty() && self.random.u8(..5) < 2 => {
                    let reused = self.random.usize(..self.vias.len());
                    result += &self.vias[reused];
                }
                "via" => result += &self.instantiate(Kind::Via, None, scope.depth + 1),
                "call" => result += &self.instantiate(Kind::Value, None, scope.depth + 1),
                "expr" => {
                    let (variables, after) = bracketed(rest, b'(', b')');
                    let variables: Vec<&str> = variables.split(',').map(str::trim).collect();
                    result += &format!("({})", expression(self.random, &variables, 3));
                    rest = after;
                }
                _ if rest.starts_with('[') || rest.starts_with("=[") => {
                    let (alternatives, after) = bracketed(rest.trim_start_matches('='), b'[', b']');
                    let chosen = self.choose(alternatives);
                    let chosen = self.expand(&chosen, scope);
                    // A bound name without further use would be a typing mistake, so its definition is a use.
                    if !word.is_empty() {
                        scope.bound.insert(word.to_owned(), chosen.clone());
                    }
                    result += &chosen;
                    rest = after;
                }
                _ => match scope.bound.get(word) {
                    Some(chosen) => result += chosen,
                    None => panic!("a fragment uses ${word} before it is bound:\n{template}"),
                },
            }
        }
        result + rest
    }

    fn choose(&mut self, alternatives: &str) -> String {
        if let Some((low, high)) = alternatives.split_once("..")
            && let (Ok(low), Ok(high)) = (low.parse::<i64>(), high.parse::<i64>())
        {
            return self.random.i64(low..=high).to_string();
        }
        let alternatives = split_alternatives(alternatives);
        alternatives[self.random.usize(..alternatives.len())].to_owned()
    }
}

struct Scope {
    instance: usize,
    depth: usize,
    bound: BTreeMap<String, String>,
}

/// Splits at ` :: ` outside of inner brackets.
fn split_alternatives(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' => depth += 1,
            b']' => depth -= 1,
            b' ' if depth == 0 && text[at..].starts_with(" :: ") => {
                parts.push(text[start..at].trim());
                start = at + 4;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// What stands between the bracket at the start and its counterpart, and what follows.
fn bracketed(text: &str, open: u8, close: u8) -> (&str, &str) {
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte == open {
            depth += 1;
        } else if byte == close {
            depth -= 1;
            if depth == 0 {
                return (&text[1..at], &text[at + 1..]);
            }
        }
    }
    panic!("a bracket in a fragment is not closed: {text}");
}

/// A random expression of variables in 0..=63, with a value in 0..=63 and without undefined behaviour.
pub fn expression(random: &mut Rng, variables: &[&str], depth: usize) -> String {
    if depth == 0 || random.usize(..5) == 0 {
        return match random.usize(..3) {
            0 => random.u8(..16).to_string(),
            _ => variables[random.usize(..variables.len())].to_owned(),
        };
    }
    let mut inner = || expression(random, variables, depth - 1);
    let (x, y, z) = (inner(), inner(), inner());
    let number = random.u8(1..8);
    match random.usize(..14) {
        0 => format!("(({x} + {y}) & 63)"),
        1 => format!("(({x} - {y}) & 63)"),
        2 => format!("(({x} * {number}) & 63)"),
        3 => format!("({x} ^ {y})"),
        4 => format!("({x} & {y})"),
        5 => format!("({x} | {y})"),
        6 => format!("({x} >> {})", number % 4),
        7 => format!("(({x} << {}) & 63)", number % 4),
        8 => format!("({x} % {number})"),
        9 => format!("({x} / {number})"),
        10 => format!("({x} < {y} ? {z} : {number})"),
        11 => format!("({x} == {y} ? {number} : {z})"),
        12 => format!("((~{x}) & {number})"),
        _ => format!("(!{x} + ({y} > {number}))"),
    }
}
