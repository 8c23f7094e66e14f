//! Functions of the verification conventions, as programs declare them: in C++ without `extern "C"`, in C often not at all.
//!
//! Declarations of C++ get the names of C. Without a prototype, or with one of the program's own, an assumption or a claim
//! is passed an argument of any type, of which the truth value counts, and not just its lowest bit or byte.

use inkwell::module::Module;

use super::link::is_defined;
use crate::ir::{self, Opcode, TypeKind, Value};

/// The prefixes of functions that verifiers define, such as `__VERIFIER_nondet_int`.
const PREFIXES: [&str; 4] = ["__VERIFIER_", "__CPROVER_", "nondet_", "clew_"];

/// Functions whose calls violate a property, whatever their definition does.
const ERRORS: [&str; 2] = ["reach_error", "__VERIFIER_error"];

/// Functions that take a truth value first, and the functions that stand for them in the models and in harnesses. Some
/// are macros of a header that is not included.
const CLAIMS: [(&str, &str); 10] = [
    ("__VERIFIER_assume", "__VERIFIER_assume"),
    ("__VERIFIER_assert", "__VERIFIER_assert"),
    ("__CPROVER_assume", "__CPROVER_assume"),
    ("__CPROVER_assert", "__CPROVER_assert"),
    ("__CPROVER_precondition", "__CPROVER_precondition"),
    ("__CPROVER_postcondition", "__CPROVER_postcondition"),
    ("assert", "clew_claim_"),
    ("clew_assert", "clew_claim_"),
    ("clew_assume", "clew_assume_"),
    ("clew_assume_", "clew_assume_"),
];

/// Makes calls of conventions what they mean, whatever their declarations look like.
pub(crate) fn adapt(module: &Module<'_>) -> Adapted {
    let renamed = unmangle(module);
    let notes = pass_truth_values(ir::Module::of(module));
    Adapted { renamed, notes }
}

/// What was changed.
#[derive(Debug)]
pub(crate) struct Adapted {
    /// Symbols of C++ with their new names.
    pub renamed: Vec<(String, String)>,
    /// What the user should know.
    pub notes: Vec<String>,
}

/// Passes the truth values of arguments to assumptions and claims that are not defined.
fn pass_truth_values(module: ir::Module) -> Vec<String> {
    let mut notes = Vec::new();
    for (name, target) in CLAIMS {
        let Some(function) = module.function(name).filter(|f| f.is_declaration()) else { continue };
        let is_call = |user: &Value| matches!(user.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke);
        let users = function.users().filter(|user| user.is_instruction());
        let calls: Vec<Value> = users.filter(is_call).filter(|call| call.callee() == function).collect();
        for &call in calls.iter().filter(|&&call| name != target || !passes_int(call)) {
            module.pass_truth(call, target);
        }
        if name != target {
            if function.users().next().is_some() {
                module.replace(function, target);
            }
            if name == "assert" && !calls.is_empty() {
                notes.push(
                    "calls of the undeclared `assert` count as assertions; `#include <assert.h>` is missing".into(),
                );
            }
        }
    }
    notes
}

/// Whether a call passes an `int` by a prototype, as the models expect.
fn passes_int(call: Value) -> bool {
    let ty = call.called_type();
    !ty.is_variadic() && ty.params().first().is_some_and(|first| first.kind() == TypeKind::Integer(32))
}

/// Renames C++ declarations of conventions. A definition of the program stays as it is, except for error functions.
/// Returns the symbols that it replaced, with their new names.
fn unmangle(module: &Module<'_>) -> Vec<(String, String)> {
    let mut renamed = Vec::new();
    for function in module.get_functions() {
        let symbol = String::from_utf8_lossy(function.get_name().to_bytes()).into_owned();
        let Some(name) = simple_name(&symbol) else { continue };
        let is_known = PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || name == "assert";
        let is_convention = !is_defined(&function) && is_known;
        if !is_convention && !ERRORS.contains(&name) {
            continue;
        }
        match module.get_function(name) {
            Some(other) => function.replace_all_uses_with(other),
            None => function.as_global_value().set_name(name),
        }
        renamed.push((symbol.clone(), name.into()));
    }
    renamed
}

/// The name in the source of a function outside of all classes, namespaces and templates (Itanium ABI).
fn simple_name(symbol: &str) -> Option<&str> {
    let encoding = symbol.strip_prefix("_Z")?;
    // Functions with internal linkage.
    let encoding = encoding.strip_prefix('L').unwrap_or(encoding);
    let digits = encoding.find(|c: char| !c.is_ascii_digit())?;
    let length: usize = encoding[..digits].parse().ok()?;
    let (name, parameters) = encoding[digits..].split_at_checked(length)?;
    // Template arguments follow the name as `I…E`.
    (!parameters.is_empty() && !parameters.starts_with('I')).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_the_source() {
        assert_eq!(simple_name("_Z11reach_errorv"), Some("reach_error"));
        assert_eq!(simple_name("_ZL11reach_errorv"), Some("reach_error"));
        assert_eq!(simple_name("_Z17__VERIFIER_assumei"), Some("__VERIFIER_assume"));
        for other in ["reach_error", "_Z", "_Z11", "_Z99reach_errorv", "_ZN1a11reach_errorEv", "_Z3maxIiET_S0_S0_"] {
            assert_eq!(simple_name(other), None, "{other}");
        }
    }
}
