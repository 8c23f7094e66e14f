//! Queries as SMT-LIB scripts for other solvers.
//!
//! Z3's own printer uses `fp.to_ieee_bv`, which only Z3 knows. Here, the representation of a float is a new constant
//! that the standard's conversion maps to the float. A NaN has several representations, of which any may be chosen;
//! the encoding never depends on which.

use std::ffi::CStr;
use std::fmt::Write;

use rustc_hash::FxHashMap;
use z3::ast::{Ast, Bool};
use z3::{Context, SortKind};
use z3_sys::{
    DeclKind, Z3_app, Z3_ast, Z3_ast_to_string, Z3_context, Z3_fpa_get_ebits, Z3_fpa_get_sbits, Z3_get_app_arg,
    Z3_get_app_decl, Z3_get_app_num_args, Z3_get_decl_int_parameter, Z3_get_decl_kind, Z3_get_decl_name,
    Z3_get_decl_num_parameters, Z3_get_sort, Z3_get_sort_kind, Z3_get_symbol_string, Z3_sort, Z3_sort_to_string,
    Z3_to_app,
};

/// A term that is longer gets a name, so that terms are not nested deeply.
const MAX_INLINE: usize = 200;

/// The formats of IEEE 754.
const IEEE: [(u32, u32); 4] = [(5, 11), (8, 24), (11, 53), (15, 113)];

/// A script and what can be asked after its answer.
#[derive(Debug, Default)]
pub(super) struct Script {
    /// All commands up to the query; several on one line.
    pub text: String,
    /// Asks for a model; `None` if there are no variables.
    pub values: Option<String>,
    /// The number of assumptions.
    pub assumptions: usize,
    /// Whether there are memories.
    pub has_memories: bool,
    /// Whether there are floats.
    pub has_floats: bool,
    /// Whether there are floats of other formats than those of IEEE 754.
    pub has_other_formats: bool,
}

/// The name of assumption `at`.
pub(super) fn assumption_name(at: usize) -> String {
    format!("a!{at}")
}

/// The script that asks whether all terms hold under assumptions.
pub(super) fn script(assertions: &[Bool], assumptions: &[Bool]) -> Script {
    let context = Context::thread_local();
    let mut writer = Writer::new(context.get_z3_context());
    let roots = || assertions.iter().chain(assumptions);
    roots().for_each(|term| writer.count_uses(term.get_z3_ast()));
    for assertion in assertions {
        let term = writer.term(assertion.get_z3_ast());
        let _ = write!(writer.body, "(assert {term})");
    }
    for (at, assumption) in assumptions.iter().enumerate() {
        let (name, term) = (assumption_name(at), writer.term(assumption.get_z3_ast()));
        let _ = write!(writer.body, "(declare-const {name} Bool)(assert (= {name} {term}))");
    }
    writer.finish(assumptions.len())
}

/// How often a term is used, and its text once it is written.
struct Entry {
    uses: u32,
    text: Option<String>,
}

struct Writer {
    context: Z3_context,
    entries: FxHashMap<Z3_ast, Entry>,
    body: String,
    variables: Vec<String>,
    names: usize,
    has_memories: bool,
    has_floats: bool,
    has_other_formats: bool,
}

impl Writer {
    fn new(context: Z3_context) -> Writer {
        Writer {
            context,
            entries: FxHashMap::default(),
            body: String::new(),
            variables: Vec::new(),
            names: 0,
            has_memories: false,
            has_floats: false,
            has_other_formats: false,
        }
    }

    fn finish(self, assumptions: usize) -> Script {
        let logic = match (self.has_memories, self.has_floats) {
            (false, false) => "QF_BV",
            (true, false) => "QF_ABV",
            (false, true) => "QF_BVFP",
            (true, true) => "QF_ABVFP",
        };
        let mut text = String::from("(set-option :produce-models true)");
        if assumptions > 0 {
            text.push_str("(set-option :produce-unsat-assumptions true)");
        }
        let _ = write!(text, "(set-logic {logic})");
        text.push_str(&self.body);
        if assumptions > 0 {
            let names: Vec<String> = (0..assumptions).map(assumption_name).collect();
            let _ = writeln!(text, "(check-sat-assuming ({}))", names.join(" "));
        } else {
            text.push_str("(check-sat)\n");
        }
        let values = (!self.variables.is_empty()).then(|| format!("(get-value ({}))\n", self.variables.join(" ")));
        let Writer { has_memories, has_floats, has_other_formats, .. } = self;
        Script { text, values, assumptions, has_memories, has_floats, has_other_formats }
    }

    fn count_uses(&mut self, root: Z3_ast) {
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            let entry = self.entries.entry(term).or_insert(Entry { uses: 0, text: None });
            entry.uses += 1;
            if entry.uses == 1 {
                stack.extend(self.arguments(term));
            }
        }
    }

    /// The text of a term: its name, if it has one. What it needs is written first.
    fn term(&mut self, root: Z3_ast) -> String {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.entries[&term].text.is_some() {
                stack.pop();
                continue;
            }
            let arguments = self.arguments(term);
            let before = stack.len();
            stack.extend(arguments.iter().filter(|argument| self.entries[argument].text.is_none()));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let text = self.write(term, &arguments);
            self.entries.get_mut(&term).expect("it was counted").text = Some(text);
        }
        self.entries[&root].text.clone().expect("it was written")
    }

    fn write(&mut self, term: Z3_ast, arguments: &[Z3_ast]) -> String {
        let (sort, kind) = self.sort(term);
        self.has_memories |= kind == SortKind::Array;
        if kind == SortKind::FloatingPoint {
            self.has_floats = true;
            self.has_other_formats |= !IEEE.contains(&self.format(sort));
        }
        // SAFETY: the term and its parts live as long as the query, and strings are copied at once.
        unsafe {
            let declaration = Z3_get_app_decl(self.context, self.app(term)).expect("an application has a declaration");
            let kind = Z3_get_decl_kind(self.context, declaration);
            if arguments.is_empty() {
                let text = string(Z3_ast_to_string(self.context, term));
                if kind == DeclKind::Uninterpreted {
                    let _ =
                        write!(self.body, "(declare-const {text} {})", string(Z3_sort_to_string(self.context, sort)));
                    if text.strip_prefix('v').is_some_and(|number| number.parse::<u32>().is_ok()) {
                        self.variables.push(text.clone());
                    }
                }
                return text;
            }
            let operands: Vec<&str> = arguments.iter().filter_map(|a| self.entries[a].text.as_deref()).collect();
            let operands = operands.join(" ");
            if kind == DeclKind::FpaToIeeeBv {
                return self.representation(sort, arguments[0], &operands);
            }
            let name = match kind {
                DeclKind::Ite => "ite".into(),
                DeclKind::Iff => "=".into(),
                _ => string(Z3_get_symbol_string(
                    self.context,
                    Z3_get_decl_name(self.context, declaration).expect("a declaration has a name"),
                )),
            };
            let parameters = Z3_get_decl_num_parameters(self.context, declaration);
            let indices: Vec<String> = (0..parameters)
                .map(|at| Z3_get_decl_int_parameter(self.context, declaration, at).to_string())
                .collect();
            let text = match indices.is_empty() {
                true => format!("({name} {operands})"),
                false => format!("((_ {name} {}) {operands})", indices.join(" ")),
            };
            if self.entries[&term].uses < 2 && text.len() <= MAX_INLINE {
                return text;
            }
            self.names += 1;
            let name = format!("t!{}", self.names);
            let _ =
                write!(self.body, "(define-fun {name} () {} {text})", string(Z3_sort_to_string(self.context, sort)));
            name
        }
    }

    /// A new constant for the representation of a float.
    fn representation(&mut self, sort: Z3_sort, float: Z3_ast, operand: &str) -> String {
        self.names += 1;
        let name = format!("r!{}", self.names);
        let (exponent, significand) = self.format(self.sort(float).0);
        // SAFETY: as above.
        let bits = unsafe { string(Z3_sort_to_string(self.context, sort)) };
        let _ = write!(
            self.body,
            "(declare-const {name} {bits})(assert (= ((_ to_fp {exponent} {significand}) {name}) {operand}))"
        );
        name
    }

    fn sort(&self, term: Z3_ast) -> (Z3_sort, SortKind) {
        // SAFETY: the term lives as long as the query.
        unsafe {
            let sort = Z3_get_sort(self.context, term).expect("a term has a sort");
            (sort, Z3_get_sort_kind(self.context, sort))
        }
    }

    /// The bits of the exponent and of the significand of a sort of floats.
    fn format(&self, sort: Z3_sort) -> (u32, u32) {
        // SAFETY: the sort lives as long as the query, and is one of floats.
        unsafe { (Z3_fpa_get_ebits(self.context, sort), Z3_fpa_get_sbits(self.context, sort)) }
    }

    fn app(&self, term: Z3_ast) -> Z3_app {
        // SAFETY: the term lives as long as the query.
        unsafe { Z3_to_app(self.context, term).expect("the encoding has applications only") }
    }

    fn arguments(&self, term: Z3_ast) -> Vec<Z3_ast> {
        let app = self.app(term);
        // SAFETY: the term lives as long as the query, and indices are within bounds.
        unsafe {
            let count = Z3_get_app_num_args(self.context, app);
            (0..count).map(|at| Z3_get_app_arg(self.context, app, at).expect("the index is within bounds")).collect()
        }
    }
}

/// A copy of a string of Z3, which keeps it until the next call only.
///
/// # Safety
/// The pointer must come from Z3.
unsafe fn string(text: z3_sys::Z3_string) -> String {
    // SAFETY: Z3's strings end with a zero.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}
