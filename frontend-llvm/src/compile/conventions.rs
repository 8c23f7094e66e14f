//! Functions of the verification conventions that C++ declares without `extern "C"`: they get the names that C gives them.

use inkwell::module::Module;

use super::link::is_defined;

/// The prefixes of functions that verifiers define, such as `__VERIFIER_nondet_int`.
const PREFIXES: [&str; 4] = ["__VERIFIER_", "__CPROVER_", "nondet_", "clew_"];

/// Functions whose calls violate a property, whatever their definition does.
const ERRORS: [&str; 2] = ["reach_error", "__VERIFIER_error"];

/// Renames C++ declarations of conventions. A definition of the program stays as it is, except for error functions.
/// Returns the symbols that it replaced, with their new names.
pub(crate) fn unmangle(module: &Module<'_>) -> Vec<(String, String)> {
    let mut renamed = Vec::new();
    for function in module.get_functions() {
        let symbol = String::from_utf8_lossy(function.get_name().to_bytes()).into_owned();
        let Some(name) = simple_name(&symbol) else { continue };
        let is_convention = !is_defined(&function) && PREFIXES.iter().any(|prefix| name.starts_with(prefix));
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
