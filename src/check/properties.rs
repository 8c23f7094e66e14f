//! The kinds of properties that `--property` takes.

/// Kinds that the front end turns into error locations in every program.
const CHECKED: &[&str] = &["unreach-call", "assert"];

/// Kinds whose checks the front end does not add to programs yet: without them, nothing can be said to be safe.
const NOT_YET: &[&str] = &[
    "no-overflow",
    "overflow",
    "valid-memsafety",
    "valid-deref",
    "valid-free",
    "valid-memtrack",
    "valid-memcleanup",
    "memsafety",
    "def-behavior",
    "undefined-behavior",
    "termination",
    "no-data-race",
    "bounds",
    "null",
    "nullability",
    "shift",
    "conversion",
    "float-cast",
    "pointer-overflow",
    "vla-bound",
    "unreachable",
    "builtin",
    "load",
    "type",
    "function",
    "cfi",
];

/// Reads one kind.
pub fn kind(text: &str) -> Result<String, String> {
    if CHECKED.iter().chain(NOT_YET).any(|known| *known == text) {
        return Ok(text.into());
    }
    Err(format!("no such kind of property; there are {} (and {}, not checked yet)", list(CHECKED), list(NOT_YET)))
}

/// The first of `kinds` that cannot be checked yet.
pub fn unchecked(kinds: &[String]) -> Option<&str> {
    kinds.iter().map(String::as_str).find(|kind| NOT_YET.contains(kind))
}

fn list(kinds: &[&str]) -> String {
    kinds.join(", ")
}
