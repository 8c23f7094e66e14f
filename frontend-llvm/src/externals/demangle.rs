//! The names of C++ functions as the source has them.

use cpp_demangle::{DemangleOptions, Symbol};

/// The qualified name of a C++ function without its parameters, template arguments and result: `std::ostream::put`.
/// `None` for symbols of C.
pub fn base_name(symbol: &str) -> Option<String> {
    let options = DemangleOptions::new().no_params().no_return_type();
    Some(without_templates(&demangled(symbol, &options)?))
}

/// The name with its parameters.
pub fn full_name(symbol: &str) -> Option<String> {
    demangled(symbol, &DemangleOptions::new().no_return_type())
}

fn demangled(symbol: &str, options: &DemangleOptions) -> Option<String> {
    if !symbol.starts_with("_Z") {
        return None;
    }
    Symbol::new(symbol).ok()?.demangle_with_options(options).ok()
}

/// Removes template arguments; the `<` of operators stays.
fn without_templates(name: &str) -> String {
    let (mut result, mut depth) = (String::new(), 0usize);
    let mut rest = name;
    while let Some(c) = rest.chars().next() {
        if depth == 0 && rest.starts_with("operator") {
            let after = &rest["operator".len()..];
            let symbols = after.find(|c: char| !"<>=!+-*/%^&|~,()[]".contains(c)).unwrap_or(after.len());
            // `operator<< <int>`: a space separates the arguments.
            let end = "operator".len() + symbols;
            result.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 => result.push(c),
            _ => {}
        }
        rest = &rest[c.len_utf8()..];
    }
    let result = result.trim();
    // ABI tags, such as `[abi:cxx11]`.
    result.replace("[abi:cxx11]", "").replace("__cxx11::", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let check = |symbol: &str, name: &str| assert_eq!(base_name(symbol).as_deref(), Some(name), "{symbol}");
        check("_ZNSolsEi", "std::ostream::operator<<");
        check("_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc", "std::operator<<");
        check("_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_", "std::endl");
        check("_ZNSt6localeC1Ev", "std::locale::locale");
        check("_ZNSt15basic_streambufIcSt11char_traitsIcEE5sputcEc", "std::basic_streambuf::sputc");
        check("_ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE8overflowEi", "std::basic_stringbuf::overflow");
        assert_eq!(base_name("puts"), None);
    }
}
