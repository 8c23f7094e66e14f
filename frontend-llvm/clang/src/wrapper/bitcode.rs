//! Compiles sources to bitcode, beside clang.

use std::env;
use std::process::Stdio;

use super::{INNER, MemoryFile};
use crate::command::{Command, Input, Language};
use crate::scratch::tie_to_us;
use crate::{Clang, cxx_prelude, with_large_stack};

/// Variables that have clang write more files, or more text.
const OUTPUT_VARIABLES: &[&str] = &[
    "DEPENDENCIES_OUTPUT",
    "SUNPRO_DEPENDENCIES",
    "CC_PRINT_OPTIONS",
    "CC_PRINT_HEADERS",
    "CC_PRINT_INTERNAL_STAT",
    "CC_PRINT_PROC_STAT",
    "CC_LOG_DIAGNOSTICS",
    "CCC_OVERRIDE_OPTIONS",
];

/// A source with its bitcode, or with the reason why there is none.
pub struct Compiled<'c> {
    pub input: &'c Input,
    pub bitcode: Result<Vec<u8>, String>,
}

/// Compiles one source after the other: clang itself is running, too.
pub fn compile_all<'c>(
    clang: &Clang,
    command: &Command,
    sources: &[&'c Input],
    stdin: Option<&MemoryFile>,
) -> Vec<Compiled<'c>> {
    let is_cxx = sources.iter().any(|input| input.language == Language::Cxx);
    let prelude = is_cxx.then(|| MemoryFile::new(cxx_prelude(false).as_bytes()).ok()).flatten();
    let compile = |&input: &&'c Input| {
        let bitcode = compile(clang, command, input, prelude.as_ref(), stdin);
        Compiled { input, bitcode }
    };
    sources.iter().map(compile).collect()
}

fn compile(
    clang: &Clang,
    command: &Command,
    input: &Input,
    prelude: Option<&MemoryFile>,
    stdin: Option<&MemoryFile>,
) -> Result<Vec<u8>, String> {
    let prelude = prelude.map_or_else(|| "/dev/null".into(), MemoryFile::path);
    let mut compiler = clang.called(command.driver);
    compiler.args(command.bitcode_arguments(input, &prelude)).env(INNER, "1").env("LC_ALL", "C");
    for variable in OUTPUT_VARIABLES.iter().filter(|variable| env::var_os(variable).is_some()) {
        compiler.env_remove(variable);
    }
    let reader = stdin.filter(|_| input.is_stdin()).map(MemoryFile::reader).transpose().map_err(|e| e.to_string())?;
    compiler.stdin(reader.map_or_else(Stdio::null, Stdio::from));
    let output = with_large_stack(tie_to_us(&mut compiler)).output().map_err(|error| error.to_string())?;
    if output.status.success() && output.stdout.starts_with(b"BC") {
        return Ok(output.stdout);
    }
    let text = String::from_utf8_lossy(&output.stderr);
    Err(text.lines().find(|line| line.contains("error:")).unwrap_or("clang fails without a message").into())
}
