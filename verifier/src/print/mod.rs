//! Printing: expressions and operations in C notation, automata as text, DOT, JSON and SVG.

mod access;
pub(crate) mod addresses;
mod blocks;
mod constant;
mod dot;
pub(crate) mod drawing;
mod expr;
mod form;
mod json;
mod layout;
mod names;
mod op;
mod order;
mod svg;
mod text;
pub(crate) mod typed;
pub(crate) mod values;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) use access::summands;
pub use dot::dot;
pub(crate) use dot::{MAX_LABEL, quote, shorten, tooltip};
pub use json::json;
pub(crate) use json::source as source_json;
pub use names::Names;
pub(crate) use op::kind as op_kind;
pub use order::Numbering;
pub use svg::svg;
pub use text::text;

use layout::{Layout, layouts};

use crate::cfa::program::{FuncId, Function, Program, Scope};
use crate::cfa::source::SourceId;
use crate::expr::{Pool, Sort, Var};

/// Prints expressions, operations and names of one program.
///
/// Inside a function, its locals are printed by bare name and globals that they shadow as `::name`. Outside any
/// function, locals are printed as `function::name`.
#[derive(Clone, Debug)]
pub struct Printer<'p> {
    program: &'p Program,
    /// The pool of the expressions to print.
    pool: &'p Pool,
    function: Option<FuncId>,
    locals: FxHashSet<&'p str>,
    objects: Arc<FxHashMap<&'p str, Extent>>,
    layouts: Arc<FxHashMap<Var, Layout>>,
}

/// The address range of an object.
#[derive(Clone, Copy, Debug)]
struct Extent {
    base: u64,
    bytes: u64,
}

impl<'p> Printer<'p> {
    /// A printer outside any function.
    pub fn new(program: &'p Program) -> Self {
        let mut objects = FxHashMap::default();
        let mut ambiguous = FxHashSet::default();
        for (base, bytes, name) in &program.address_space.objects {
            if objects.insert(&**name, Extent { base: *base, bytes: *bytes }).is_some() {
                ambiguous.insert(&**name);
            }
        }
        objects.retain(|name, _| !ambiguous.contains(name));
        let layouts = Arc::new(layouts(program, &objects));
        let pool = &program.pool;
        Printer { program, pool, function: None, locals: FxHashSet::default(), objects: Arc::new(objects), layouts }
    }

    /// A printer inside `function`.
    pub fn inside(&self, function: FuncId) -> Self {
        let locals = &self.program.function(function).locals;
        Printer {
            program: self.program,
            pool: self.pool,
            function: Some(function),
            locals: locals.iter().map(|&v| &*self.program.var(v).name).collect(),
            objects: Arc::clone(&self.objects),
            layouts: Arc::clone(&self.layouts),
        }
    }

    /// The same printer for expressions of another pool over the same program.
    pub fn with_pool<'q>(&self, pool: &'q Pool) -> Printer<'q>
    where
        'p: 'q,
    {
        Printer { pool, ..self.clone() }
    }

    /// The name of a variable; `#number` if it is not one of the program.
    pub fn var(&self, var: Var) -> String {
        let Some(info) = self.program.vars.get(var.index()) else { return format!("#{}", var.0) };
        match info.scope {
            Scope::Local(function) if self.function == Some(function) => info.name.to_string(),
            Scope::Local(function) => format!("{}::{}", short_name(self.program.function(function)), info.name),
            Scope::Global if self.locals.contains(&*info.name) => format!("::{}", info.name),
            Scope::Global => info.name.to_string(),
        }
    }

    /// The name of a function, without its parameters.
    pub fn function(&self, function: FuncId) -> &'p str {
        short_name(self.program.function(function))
    }

    /// The signature of a function: `int main(int argc, char **argv)`, with sorts for unknown source types.
    pub fn header(&self, function: FuncId) -> String {
        let function = self.program.function(function);
        let params: Vec<_> = function
            .params
            .iter()
            .map(|&var| {
                let info = self.program.var(var);
                let kind = info.type_name.as_deref().map_or_else(|| sort_name(info.sort), str::to_owned);
                let space = if kind.ends_with(['*', '&']) { "" } else { " " };
                format!("{kind}{space}{}", info.name)
            })
            .collect();
        let result = function.result.map_or_else(|| "void".to_owned(), sort_name);
        format!("{result} {}({})", short_name(function), params.join(", "))
    }

    /// `file:line:column` with the base name of the file; empty if there is no position.
    pub fn place(&self, source: SourceId) -> String {
        let sources = &self.program.sources;
        match sources.place(source) {
            None => String::new(),
            Some(place) => {
                let path = sources.path(place.file);
                let base = path.rsplit(['/', '\\']).next().unwrap_or(path);
                match (place.line, place.column) {
                    (0, _) => base.to_owned(),
                    (line, 0) => format!("{base}:{line}"),
                    (line, column) => format!("{base}:{line}:{column}"),
                }
            }
        }
    }
}

/// The notation of a sort in place of a source type.
fn sort_name(sort: Sort) -> String {
    match sort {
        Sort::Bits(width) => format!("i{width}"),
        sort => sort.to_string(),
    }
}

/// The display name without the parameter list of demangled names.
fn short_name(function: &Function) -> &str {
    let name = &*function.display_name;
    let Some(list) = name.strip_suffix(" const").unwrap_or(name).strip_suffix(')') else { return name };
    let mut depth = 1;
    for (at, c) in list.char_indices().rev() {
        match c {
            ')' => depth += 1,
            '(' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            // The parentheses of `operator()` are not a parameter list.
            return if at == 0 || list[..at].ends_with("operator") { name } else { &list[..at] };
        }
    }
    name
}
