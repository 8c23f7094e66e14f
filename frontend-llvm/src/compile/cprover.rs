//! Programs that use the vocabulary of CBMC, which nobody declares: they are compiled with its declarations.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use super::clang::{Clang, Compiled, Headers, Streams};
use super::error::LoadError;
use super::input::Language;
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
        source: &Path,
        language: Language,
        data_model: DataModel,
        options: &CompileOptions,
        headers: (&Headers, Streams),
        scratch: &Scratch,
    ) -> Result<Compiled, LoadError> {
        let plain = self.compile_after(None, (source, language), data_model, options, headers, scratch);
        let uses_cprover = match &plain {
            Ok(compiled) => contains(&compiled.bitcode, PREFIX),
            Err(error) => messages(error).contains(PREFIX),
        };
        if !uses_cprover {
            return plain;
        }
        let prelude = headers.0.include.join("clew_cprover.h");
        let compile = |path, language| {
            self.compile_after(Some(&prelude), (path, language), data_model, options, headers, scratch)
        };
        match (plain, compile(source, language)) {
            (_, Ok(compiled)) => Ok(compiled),
            (Ok(plain), Err(_)) => Ok(plain),
            (Err(_), Err(error)) if QUANTIFIERS.iter().any(|name| messages(&error).contains(name)) => {
                let text = self.preprocess(source, language, data_model, options, &prelude, scratch)?;
                let Some(text) = text else { return Err(error) };
                let file = tempfile::Builder::new().suffix(".i").tempfile_in(scratch.path()).map_err(LoadError::Scratch)?;
                fs::write(file.path(), without_quantifiers(&text)).map_err(LoadError::Scratch)?;
                let language = match language {
                    Language::C | Language::PreprocessedC => Language::PreprocessedC,
                    Language::Cxx | Language::PreprocessedCxx => Language::PreprocessedCxx,
                };
                self.compile_after(None, (file.path(), language), data_model, options, headers, scratch)
            }
            (Err(_), with_prelude) => with_prelude,
        }
    }

    /// The text of a file after preprocessing; `None` if that fails.
    fn preprocess(
        &self,
        source: &Path,
        language: Language,
        data_model: DataModel,
        options: &CompileOptions,
        prelude: &Path,
        scratch: &Scratch,
    ) -> Result<Option<String>, LoadError> {
        let language = if matches!(language, Language::C | Language::PreprocessedC) { "c" } else { "c++" };
        let mut command = self.command(scratch.path());
        command.args(["-E", "-w", "-O1", "-x", language, "-include"]).arg(prelude);
        command.arg(if data_model == DataModel::Ilp32 { "-m32" } else { "-m64" });
        command.arg::<&OsStr>("-isystem".as_ref()).arg(prelude.parent().unwrap_or(prelude));
        command.args(&options.clang_flags).arg("--").arg(source);
        let output = command.output().map_err(|error| LoadError::NoClang { why: error.to_string() })?;
        Ok(output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned()))
    }
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

fn messages(error: &LoadError) -> &str {
    match error {
        LoadError::InputDoesNotCompile { message, .. } => message,
        _ => "",
    }
}

/// Makes quantified expressions calls of functions without a body, which are unsupported if a run reaches them.
fn without_quantifiers(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((at, name)) = QUANTIFIERS.iter().filter_map(|name| Some((rest.find(name)?, *name))).min() {
        let (before, after) = (&rest[..at], &rest[at + name.len()..]);
        result.push_str(before);
        result.push_str(name);
        rest = after;
        if let Some(length) = braced(after) {
            // The lines stay as they are.
            let lines = after[..length].matches('\n').count();
            result.push_str("()");
            result.extend(std::iter::repeat_n('\n', lines));
            rest = &after[length..];
        }
    }
    result + rest
}

/// The length of a text in braces, with the space before it.
fn braced(text: &str) -> Option<usize> {
    let start = text.find(|c: char| !c.is_whitespace()).filter(|&at| text[at..].starts_with('{'))?;
    let mut depth = 0;
    for (at, c) in text[start..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(start + at + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantifiers_become_calls() {
        let text = "a = __CPROVER_forall {\n int i; (i < 3) ==> ({ b[i]; }) } && __CPROVER_exists { int j; c };";
        assert_eq!(without_quantifiers(text), "a = __CPROVER_forall()\n && __CPROVER_exists();");
        assert_eq!(without_quantifiers("int __CPROVER_forall;"), "int __CPROVER_forall;");
    }
}
