//! The source line of a violation, with the place marked and the values of its variables.
//!
//! It is rendered by annotate-snippets as plain ASCII, like compilers, with correct tabs and wide characters. Alternatives
//! (ariadne, miette) draw boxes, number lines from the start of their input, or require an error type of their own.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use super::listing::Named;
use super::violation::Violation;
use super::{Place, Sources};

/// The violated property with its source line.
pub(super) fn draw(violation: &Violation<'_>, sources: &dyn Sources, color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let name = format!("violated {}", violation.claim.kind);
    let title = Level::ERROR.with_name(name).primary_title(&*violation.claim.message);
    let Some((place, line)) = violation.place.and_then(|place| Some((place, line_of(&place, sources)?))) else {
        let title = renderer.render(&[title.elements(Vec::<Snippet<'_, annotate_snippets::Annotation<'_>>>::new())]);
        let place = violation.place.map_or("no source position".to_string(), |place| place.to_string());
        return format!("{title}\n  --> {place}");
    };
    let values = values_in(&line, violation);
    let mark = AnnotationKind::Primary.span(extent(&line, place.column));
    let mark = if values.is_empty() { mark } else { mark.label(super::listing::listed(&values)) };
    let snippet = Snippet::source(&*line).line_start(place.line as usize).path(place.file).annotation(mark);
    renderer.render(&[title.element(snippet)])
}

/// The text of the line at `place`.
pub(super) fn line_of(place: &Place<'_>, sources: &dyn Sources) -> Option<String> {
    if place.line > 0 { sources.line(place) } else { None }
}

/// The byte range in `line` of the place at `column`. Debug information has no end columns: a name extends to the end of
/// its call, anything else is one character, and without a column it is the whole line.
pub(super) fn extent(line: &str, column: u32) -> Range<usize> {
    let trimmed = line.trim_end();
    let indent = trimmed.len() - trimmed.trim_start().len();
    // Compilers count columns in bytes.
    let start = match (column as usize).checked_sub(1) {
        Some(start) if start < trimmed.len() && trimmed.is_char_boundary(start) => start,
        _ => return indent..trimmed.len(),
    };
    let code = code_of(trimmed);
    let rest = &code[start..];
    let name = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
    let length = match name {
        0 => trimmed[start..].chars().next().map_or(0, char::len_utf8),
        _ => call_end(rest, name).unwrap_or(name),
    };
    start..start + length
}

/// The end of the call whose name is the first `name` bytes of `code`; `None` if it is no call, or ends in another line.
fn call_end(code: &str, name: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in code.char_indices().skip(name) {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(at + 1),
            ')' => depth = depth.checked_sub(1)?,
            _ if depth == 0 && c != ' ' => return None,
            _ => {}
        }
    }
    None
}

/// `line` as ASCII with the same byte offsets: literals are blanked, other non-ASCII characters count as parts of names.
fn code_of(line: &str) -> String {
    let (mut quote, mut escaped) = (None, false);
    let mut code = String::with_capacity(line.len());
    for c in line.chars() {
        let shown = match quote {
            Some(open) => {
                if c == open && !escaped {
                    quote = None;
                }
                escaped = c == '\\' && !escaped;
                ' '
            }
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                ' '
            }
            None if c.is_ascii() => c,
            None => '_',
        };
        code.extend(std::iter::repeat_n(shown, c.len_utf8()));
    }
    code
}

/// The known values of the variables in `line`, in the order of their occurrence.
pub(super) fn values_in<'a>(line: &str, violation: &Violation<'a>) -> Vec<Named<'a>> {
    let mut found: Vec<Named<'a>> = Vec::new();
    let code = code_of(line);
    let mut start = 0;
    for word in code.split(|c| !is_name(c)) {
        let before = code[..start].trim_end();
        let is_member = before.ends_with('.') || before.ends_with("->");
        if let Some((&name, &value)) = violation.values.get_key_value(&line[start..start + word.len()])
            && !is_member
            && !found.iter().any(|(known, _)| *known == name)
        {
            found.push((name, value));
        }
        start += word.len() + 1;
    }
    found
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents() {
        let of = |line: &'static str, column: u32| &line[extent(line, column)];
        assert_eq!(of("  reach_error();", 3), "reach_error()");
        assert_eq!(of("  f(a, g(b)); h();", 3), "f(a, g(b))");
        assert_eq!(of("  f(\")\", ')');", 3), "f(\")\", ')')");
        assert_eq!(of("  x = a + b;", 9), "+");
        assert_eq!(of("  total += x;", 3), "total");
        assert_eq!(of("  assert(a &&", 3), "assert");
        assert_eq!(of("  whole line; ", 0), "whole line;");
        assert_eq!(of("  short", 80), "short");
        assert_eq!(of("\té = f(x);", 7), "f(x)");
        assert_eq!(of("\té = f(x);", 3), "é = f(x);");
        assert_eq!(of("", 1), "");
    }
}
