//! Parsing of clang's diagnostics, and errors that can be downgraded.

/// An error that clang reported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClangError {
    /// Position and message: `main.c:3:5: call to undeclared function 'foo'`.
    pub text: String,
    /// The warning group, without `-W`, that downgrades it to a warning, if any.
    pub group: Option<String>,
}

/// The errors in clang's output, in order.
pub fn errors(output: &str) -> Vec<ClangError> {
    output.lines().filter_map(parse_error).collect()
}

fn parse_error(line: &str) -> Option<ClangError> {
    let (place, message) = line.split_once(" fatal error: ").or_else(|| line.split_once(" error: "))?;
    // Source snippets may contain these words too, but only a position (or clang's name) before them ends in a colon.
    if !place.ends_with(':') || place.contains(" | ") {
        return None;
    }
    let (message, group) = match message.strip_suffix(']').and_then(|m| m.rsplit_once(" [")) {
        Some((text, tags)) if tags.starts_with("-W") => {
            (text, tags.rsplit(',').next().and_then(|tag| tag.strip_prefix("-W")).map(str::to_string))
        }
        _ => (message, None),
    };
    Some(ClangError { text: format!("{place} {message}"), group })
}

/// The first lines of clang's output, for the user.
pub fn excerpt(output: &str) -> String {
    const MAX_LINES: usize = 60;
    let count = output.lines().count();
    let mut text = output.lines().take(MAX_LINES).collect::<Vec<_>>().join("\n");
    if count > MAX_LINES {
        text.push_str(&format!("\n… ({} more lines)", count - MAX_LINES));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_found() {
        let output = "a.c:2:45: error: call to undeclared function 'bar'; ISO C99 [-Wimplicit-function-declaration]\n\
                      \x20   2 | x: error: y;\n\
                      a.c:3:1: warning: something [-Wfoo]\n\
                      a.c:4:1: error: expected ']'\n\
                      a.c:5:1: error: old [-Werror,-Wold-style]\n\
                      a.c:6:1: fatal error: 'no.h' file not found\n";
        let found: Vec<_> = errors(output).into_iter().map(|e| (e.text, e.group)).collect();
        let expected = [
            ("a.c:2:45: call to undeclared function 'bar'; ISO C99", Some("implicit-function-declaration")),
            ("a.c:4:1: expected ']'", None),
            ("a.c:5:1: old", Some("old-style")),
            ("a.c:6:1: 'no.h' file not found", None),
        ];
        assert_eq!(found, expected.map(|(text, group)| (text.to_string(), group.map(str::to_string))));
    }
}
