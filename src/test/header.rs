//! Options in the comment at the head of a harness: `// clew: --property ub -- -Iinclude`.

use std::path::Path;

use super::place::Line;
use super::words::{Checker, Words};
use crate::exit::Failure;

/// What starts the options, after the mark of a comment.
const MARK: &str = "clew:";

/// The options at the head of the harness with this text; `None` if it has no such line.
///
/// The head are the comments and empty lines before the first line of code. A line of options elsewhere is an error,
/// since it would be ignored silently.
pub fn options(file: &Path, text: &str, checker: &mut Checker) -> Result<Option<Words>, Failure> {
    let mut found: Option<Words> = None;
    let (mut is_head, mut in_block) = (true, false);
    for (number, line) in (1..).zip(text.lines()) {
        let here = Line { file: file.into(), number };
        let line = line.trim();
        if let Some(options) = marked(line).filter(|_| !in_block) {
            if !is_head {
                return Err(here.error("options belong to the comment at the head of the file, before any code"));
            }
            let words = shlex::split(options).ok_or_else(|| here.error("a quotation mark is not closed"))?;
            checker.check(words.iter().map(String::as_str), &here)?;
            found.get_or_insert_default().extend(Words::new(words));
        } else if in_block {
            in_block = !line.contains("*/");
        } else if let Some(comment) = line.strip_prefix("/*") {
            in_block = !comment.contains("*/");
        } else if !line.is_empty() && !line.starts_with("//") {
            is_head = false;
        }
    }
    Ok(found)
}

/// The text after the mark, if the line is a comment with it.
fn marked(line: &str) -> Option<&str> {
    if let Some(comment) = line.strip_prefix("//") {
        return comment.trim_start().strip_prefix(MARK);
    }
    line.strip_prefix("/*")?.strip_suffix("*/")?.trim_start().strip_prefix(MARK)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Option<Vec<String>>, String> {
        let found = options(Path::new("a.c"), text, &mut Checker::new());
        let words = |words: Words| words.all().map(String::from).collect();
        found.map(|found| found.map(words)).map_err(|error| format!("{error:?}"))
    }

    #[test]
    fn heads() {
        let words = |text: &str| read(text).expect("it is valid").map(|words| words.join("|"));
        assert_eq!(words("int main(void) {}\n"), None);
        assert_eq!(words("// clew:\nint main(void) {}\n"), Some(String::new()));
        assert_eq!(words("/* a\n * b */\n\n//clew: --entry f -- '-DX=a b'\n"), Some("--entry|f|--|-DX=a b".into()));
        assert_eq!(
            words("// clew: --entry f -- -g\n/* clew: --strict */\nint x;\n"),
            Some("--entry|f|--strict|--|-g".into())
        );
        // Neither inside of a block comment nor with another mark.
        assert_eq!(words("/*\n// clew: --entry f\n*/\n// cleww: x\n"), None);
    }

    #[test]
    fn bad_heads() {
        for (text, line) in [
            ("int x;\n// clew: --entry f\n", "a.c:2: options belong"),
            ("//\n// clew: 'a\n", "a.c:2: a quotation mark"),
            ("// clew: --entri f\n", "a.c:1: unexpected argument"),
        ] {
            let error = read(text).expect_err("it is bad");
            assert!(error.contains(line), "{error}");
        }
    }
}
