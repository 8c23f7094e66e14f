//! What functions without a body do: known ones from a table, all others by `--externals`.
//!
//! The points-to analysis and the lifter both read this table, so that they agree on what a call can do.

mod demangle;
mod row;

use std::collections::HashMap;
use std::sync::LazyLock;

pub use row::{Arguments, Effects, Returns};

use crate::ir::Value;

/// The tables. Each line is a function and its effects; see `row.rs` for the notation.
const TABLES: &[(&str, &str)] = &[
    ("c.table", include_str!("c.table")),
    ("math.table", include_str!("math.table")),
    ("posix.table", include_str!("posix.table")),
    ("cxx.table", include_str!("cxx.table")),
];

static KNOWN: LazyLock<HashMap<&'static str, Effects>> = LazyLock::new(|| {
    let rows = TABLES.iter().flat_map(|(_, text)| row::rows(text));
    rows.map(|(_, row)| row.expect("a test reads all rows")).collect()
});

/// What a function without a body does; `None` if it is not known.
pub fn known(function: Value) -> Option<&'static Effects> {
    named(function.name())
}

fn named(symbol: &str) -> Option<&'static Effects> {
    match demangle::base_name(symbol) {
        // A member of a class of the program has no row, whatever a C function of that name does.
        Some(name) => KNOWN.get(name.as_str()).filter(|_| name.contains("::")),
        None => KNOWN.get(symbol),
    }
}

/// Variables of libraries, which only known functions change.
const VARIABLES: &[&str] = &[
    "__environ",
    "__progname",
    "__stack_chk_guard",
    "_environ",
    "daylight",
    "environ",
    "getdate_err",
    "h_errno",
    "optarg",
    "opterr",
    "optind",
    "optopt",
    "program_invocation_name",
    "program_invocation_short_name",
    "signgam",
    "stderr",
    "stdin",
    "stdout",
    "sys_errlist",
    "sys_nerr",
    "timezone",
    "tzname",
];

/// Whether a variable that the program only declares is one of a library.
pub fn is_known_variable(global: Value) -> bool {
    let name = global.name();
    VARIABLES.binary_search(&name).is_ok() || demangle::base_name(name).is_some_and(|name| name.starts_with("std::"))
}

/// The name of a function as the source has it; overloads of unknown functions are told apart.
pub fn source_name(function: Value) -> String {
    let symbol = function.name();
    let name = if named(symbol).is_some() { demangle::base_name(symbol) } else { demangle::full_name(symbol) };
    name.unwrap_or_else(|| symbol.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_rows_are_valid_and_unique() {
        let mut seen = HashMap::new();
        for (file, text) in TABLES {
            let mut last = "";
            for (number, row) in row::rows(text) {
                let (name, _) = row.unwrap_or_else(|why| panic!("{file}:{number}: {why}"));
                if let Some(other) = seen.insert(name, format!("{file}:{number}")) {
                    panic!("{file}:{number}: {name} has a row already, at {other}");
                }
                assert!(last < name, "{file}:{number}: {name} is not in alphabetical order, after {last}");
                last = name;
            }
        }
        assert!(seen.len() > 300);
    }

    #[test]
    fn functions_are_found_by_their_names() {
        assert!(named("sysinfo").is_some_and(|row| row.writes.contains(0) && !row.writes.contains(1)));
        assert!(named("_ZNSolsEi").is_some_and(|row| row.returns == Returns::Argument(0)));
        assert!(named("_ZNSt6thread4joinEv").is_some_and(|row| row.unsupported.is_some()));
        assert!(named("no_such_function").is_none());
        // sysinfo(int) of a C++ program is not that of Linux.
        assert!(named("_Z7sysinfoi").is_none());
    }
}
