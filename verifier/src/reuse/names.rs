//! The names of variables and objects, as far as they are unique.

use rustc_hash::FxHashMap;

use crate::cfa::Program;
use crate::expr::{Sort, Var};
use crate::print::Printer;

/// The names of a program.
#[derive(Debug)]
pub(super) struct Names {
    names: Vec<Option<String>>,
    vars: FxHashMap<String, Var>,
    sorts: Vec<Sort>,
    /// Objects by base, with sizes and unique names.
    objects: Vec<(u64, u64, String)>,
}

impl Names {
    pub fn new(program: &Program) -> Names {
        let printer = Printer::new(program);
        let all: Vec<String> = (0..program.vars.len() as u32).map(|var| printer.var(Var(var))).collect();
        let mut counts: FxHashMap<&str, u32> = FxHashMap::default();
        all.iter().for_each(|name| *counts.entry(name.as_str()).or_default() += 1);
        let unique = |name: &String| (counts[name.as_str()] == 1).then(|| name.clone());
        let names: Vec<Option<String>> = all.iter().map(unique).collect();
        let vars = (0..).map(Var).zip(&names).filter_map(|(var, name)| Some((name.clone()?, var))).collect();
        let sorts = program.vars.iter().map(|info| info.sort).collect();
        let objects = &program.address_space.objects;
        let is_unique = |name: &str| objects.iter().filter(|(_, _, other)| **other == *name).count() == 1;
        // The search for duplicates is quadratic, and large tables are no places for hints.
        const MAX_OBJECTS: usize = 2000;
        let named = objects.iter().take(MAX_OBJECTS).filter(|(_, _, name)| is_unique(name));
        let objects = named.map(|(base, bytes, name)| (*base, *bytes, name.to_string())).collect();
        Names { names, vars, sorts, objects }
    }

    /// The name of a variable, if no other has it.
    pub fn name(&self, var: Var) -> Option<&str> {
        self.names.get(var.index())?.as_deref()
    }

    /// The variable with a name.
    pub fn var(&self, name: &str) -> Option<Var> {
        self.vars.get(name).copied()
    }

    /// The sort of a variable.
    pub fn sort(&self, var: Var) -> Sort {
        self.sorts[var.index()]
    }

    /// The object at an address, and the distance from its start.
    pub fn object(&self, address: u64) -> Option<(&str, u64)> {
        let is_it = |(base, bytes, _): &&(u64, u64, String)| address.checked_sub(*base).is_some_and(|at| at < *bytes);
        self.objects.iter().find(is_it).map(|(base, _, name)| (name.as_str(), address - base))
    }

    /// The address at a distance from the start of an object.
    pub fn address(&self, object: &str, offset: u64) -> Option<u64> {
        let (base, bytes, _) = self.objects.iter().find(|(_, _, name)| name == object)?;
        (offset < *bytes).then(|| base + offset)
    }
}

/// A name as one word.
pub(super) fn quoted(name: &str) -> String {
    let is_plain = |c: char| !c.is_whitespace() && !"()\"\\".contains(c);
    let starts_plain = name.starts_with(|c: char| !c.is_ascii_digit());
    if starts_plain && name.chars().all(is_plain) {
        return name.into();
    }
    let mut word = String::from('"');
    for c in name.chars() {
        match c {
            '"' | '\\' => word.extend(['\\', c]),
            // A name has no line break; this keeps a line a line.
            '\n' | '\r' => word.push(' '),
            c => word.push(c),
        }
    }
    word.push('"');
    word
}

/// The words of a line. Parentheses are words of their own.
pub(super) fn words(line: &str) -> Words<'_> {
    Words(line)
}

/// Splits a line into words.
#[derive(Clone, Debug)]
pub(super) struct Words<'a>(&'a str);

impl<'a> Words<'a> {
    /// What has not been read.
    pub fn rest(&self) -> &'a str {
        self.0
    }

    /// The next word, and whether it was quoted.
    pub fn read(&mut self) -> Option<(String, bool)> {
        self.0 = self.0.trim_start();
        let first = self.0.chars().next()?;
        if "()".contains(first) {
            self.0 = &self.0[1..];
            return Some((first.into(), false));
        }
        if first == '"' {
            let mut word = String::new();
            let mut chars = self.0.char_indices().skip(1);
            while let Some((at, c)) = chars.next() {
                match c {
                    '"' => {
                        self.0 = &self.0[at + 1..];
                        return Some((word, true));
                    }
                    '\\' => word.push(chars.next()?.1),
                    c => word.push(c),
                }
            }
            return None;
        }
        let end = self.0.find(|c: char| c.is_whitespace() || "()".contains(c)).unwrap_or(self.0.len());
        let (word, rest) = self.0.split_at(end);
        self.0 = rest;
        Some((word.into(), false))
    }
}

impl Iterator for Words<'_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        self.read().map(|(word, _)| word)
    }
}
