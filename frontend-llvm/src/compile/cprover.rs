//! Programs that use CBMC's functions without declaring them are compiled with a header that declares them.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use clew_clang::NoClang;

use super::clang::{Clang, Compiled, Headers, Streams};
use super::error::LoadError;
use super::input::{Language, Source};
use super::scratch::Scratch;
use super::{CompileOptions, DataModel};

/// How all names start.
const PREFIX: &str = "__CPROVER_";

/// Expressions in a syntax that no compiler knows: `__CPROVER_forall { int i; i < 3 ==> a[i] == 0 }`.
const QUANTIFIERS: [&str; 2] = ["__CPROVER_forall", "__CPROVER_exists"];

impl Clang {
    /// Compiles a source file of the user. If it uses the vocabulary of CBMC, its declarations come first; if they
    /// contradict those of the program, it is compiled without.
    pub(super) fn compile(
        &self,
        path: &Path,
        source: &Source,
        data_model: DataModel,
        options: &CompileOptions,
        headers: (&Headers, Streams),
        scratch: &Scratch,
    ) -> Result<Compiled, LoadError> {
        let plain = self.compile_after((path, None), source, data_model, options, headers, scratch);
        let uses_cprover = match &plain {
            Ok(compiled) => contains(&compiled.bitcode, PREFIX),
            Err(error) => messages(error).contains(PREFIX),
        };
        if !uses_cprover {
            return plain;
        }
        let prelude = headers.0.include.join("clew_cprover.h");
        let with_prelude = self.compile_after((path, Some(&prelude)), source, data_model, options, headers, scratch);
        match (plain, with_prelude) {
            (_, Ok(compiled)) => Ok(compiled),
            (Ok(plain), Err(_)) => Ok(plain),
            (Err(_), Err(error)) if needs_rewriting(messages(&error)) => {
                let text = self.preprocess(path, source, data_model, options, &prelude, scratch)?;
                let Some(text) = text else { return Err(error) };
                let file =
                    tempfile::Builder::new().suffix(".i").tempfile_in(scratch.path()).map_err(LoadError::Scratch)?;
                fs::write(file.path(), plain_text(&text)).map_err(LoadError::Scratch)?;
                let language = match source.language {
                    Language::C | Language::PreprocessedC => Language::PreprocessedC,
                    Language::Cxx | Language::PreprocessedCxx => Language::PreprocessedCxx,
                };
                let source = Source { language, ..source.clone() };
                let compiled = self.compile_after((file.path(), None), &source, data_model, options, headers, scratch);
                compiled.map_err(|error| match error {
                    LoadError::InputDoesNotCompile { message, .. } => {
                        LoadError::InputDoesNotCompile { path: path.into(), message }
                    }
                    other => other,
                })
            }
            (Err(_), with_prelude) => with_prelude,
        }
    }

    /// The text of a file after preprocessing; `None` if that fails.
    fn preprocess(
        &self,
        path: &Path,
        source: &Source,
        data_model: DataModel,
        options: &CompileOptions,
        prelude: &Path,
        scratch: &Scratch,
    ) -> Result<Option<String>, LoadError> {
        let language = if matches!(source.language, Language::C | Language::PreprocessedC) { "c" } else { "c++" };
        let mut command = self.command(scratch.path());
        command.args(["-E", "-w", "-O1", "-x", language, "-include"]).arg(prelude);
        command.arg(if data_model == DataModel::Ilp32 { "-m32" } else { "-m64" });
        command.arg::<&OsStr>("-isystem".as_ref()).arg(prelude.parent().unwrap_or(prelude));
        command.args(&source.flags).args(&options.clang_flags).arg("--").arg(path);
        if let Some(directory) = &source.directory {
            command.current_dir(directory);
        }
        let output = command.output().map_err(|error| NoClang { why: error.to_string() })?;
        Ok(output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned()))
    }
}

/// How functions start that return the same for the same arguments.
const UNINTERPRETED: &str = "__CPROVER_uninterpreted_";

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

fn needs_rewriting(messages: &str) -> bool {
    messages.contains(UNINTERPRETED) || QUANTIFIERS.iter().any(|name| messages.contains(name))
}

fn messages(error: &LoadError) -> &str {
    match error {
        LoadError::InputDoesNotCompile { message, .. } => message,
        _ => "",
    }
}

/// Makes quantified expressions calls of functions without a body, which are unsupported if a run reaches them, and
/// removes declarations of uninterpreted functions, which are unsupported as well and need not agree with each other.
fn plain_text(text: &str) -> String {
    let mut result = String::with_capacity(text.len() + 100);
    result.push_str("int __CPROVER_forall(void); int __CPROVER_exists(void);\n");
    // Where the declaration outside of functions starts, in the result.
    let (mut depth, mut start) = (0_i32, result.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = token(rest);
        let (word, after) = rest.split_at(length);
        rest = after;
        if let (true, Some(length)) = (QUANTIFIERS.contains(&word), braced(after)) {
            result.push_str(word);
            result.push_str("()");
            // The lines stay as they are.
            result.extend(after[..length].matches('\n'));
            rest = &after[length..];
            continue;
        }
        if depth == 0 && word.starts_with(UNINTERPRETED) {
            let length = after.find(';').map_or(after.len(), |end| end + 1);
            let lines = result[start..].matches('\n').count() + after[..length].matches('\n').count();
            result.truncate(start);
            result.extend(std::iter::repeat_n('\n', lines));
            rest = &after[length..];
            start = result.len();
            continue;
        }
        result.push_str(word);
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        // Lines of the preprocessor tell where the text comes from.
        if depth == 0 && matches!(c, ';' | '}' | '#') {
            start = result.len();
        }
    }
    result
}

/// The length of the first token, as far as this page needs tokens: words, literals, lines of the preprocessor.
fn token(text: &str) -> usize {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let first = text.chars().next().unwrap_or(' ');
    let end = |at: Option<usize>| at.unwrap_or(text.len());
    match first {
        '#' => end(text.find('\n')),
        '"' | '\'' => {
            let mut escaped = true;
            let closing = text.char_indices().find(|&(_, c)| {
                let closes = c == first && !escaped;
                escaped = c == '\\' && !escaped;
                closes
            });
            end(closing.map(|(at, _)| at + 1))
        }
        c if is_word(c) => end(text.find(|c| !is_word(c))),
        c => c.len_utf8(),
    }
}

/// The length of a text in braces, with the space before it.
fn braced(text: &str) -> Option<usize> {
    let start = text.find(|c: char| !c.is_whitespace()).filter(|&at| text[at..].starts_with('{'))?;
    let (mut at, mut depth) = (start, 0);
    while at < text.len() {
        match text.as_bytes()[at] {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        at += token(&text[at..]);
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(text: &str) -> String {
        plain_text(text).split_once('\n').expect("the declarations have a line").1.into()
    }

    #[test]
    fn quantifiers_become_calls() {
        let text = "a = __CPROVER_forall {\n int i; (i < 3) ==> ({ b[i] == '}'; }) } && __CPROVER_exists { int j; c };";
        assert_eq!(rewritten(text), "a = __CPROVER_forall()\n && __CPROVER_exists();");
        assert_eq!(rewritten("\"__CPROVER_forall {} \\\" {\""), "\"__CPROVER_forall {} \\\" {\"");
        assert_eq!(rewritten("int __CPROVER_forall;"), "int __CPROVER_forall;");
    }

    #[test]
    fn uninterpreted_functions_are_not_declared() {
        let text = "int f(void);\n# 1 \"a.h\"\nlong\n__CPROVER_uninterpreted_g(void *);\n\
                    long h(void) { return __CPROVER_uninterpreted_g(0); }";
        let expected = "int f(void);\n# 1 \"a.h\"\n\n\nlong h(void) { return __CPROVER_uninterpreted_g(0); }";
        assert_eq!(rewritten(text), expected);
    }
}
