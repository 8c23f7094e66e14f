//! Programs of csmith, whose result is a checksum of their global variables.
//!
//! Half of them have no input. In the others, an input changes the initial value of a global variable; there, a sum
//! replaces the CRC, which is hard for solvers and not what is under test.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use std::time::Duration;

use fastrand::Rng;

use super::fragment::Language;
use super::program::{Body, Input, RESULT, declarations};
use crate::run_for;

/// The name under which results are counted.
pub const MODULE: &str = "csmith";

/// Where csmith's own headers are.
const FLAGS: &[&str] = &["-I/usr/include/csmith"];

/// csmith is random, and some of its choices take it very long.
const LIMIT: Duration = Duration::from_secs(10);

/// Sizes that Clew decides in a second or so.
const SMALL: &[&str] = &[
    "--no-argc",
    "--max-funcs",
    "3",
    "--max-block-depth",
    "2",
    "--max-block-size",
    "3",
    "--max-array-len-per-dim",
    "4",
    "--max-array-dim",
    "2",
    "--max-expr-complexity",
    "4",
];

/// Options that change what programs are made of; the seed chooses.
const VARIANTS: &[&[&str]] = &[
    &[],
    &["--no-volatiles", "--no-bitfields"],
    &["--max-struct-fields", "12", "--max-union-fields", "8"],
    &["--max-pointer-depth", "4", "--no-volatiles"],
    &["--inline-function", "--inline-function-prob", "80"],
    &["--no-arrays"],
];

/// The program of a number.
pub fn generate(number: u64, random: &mut Rng) -> Result<Body, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("program.c");
    let mut csmith = Command::new("csmith");
    csmith.args(SMALL).args(VARIANTS[random.usize(..VARIANTS.len())]);
    csmith.args(["--seed", &random.u32(..).to_string(), "--output"]).arg(&file);
    // csmith writes another file to the working directory.
    let output = run_for(csmith.current_dir(folder.path()), LIMIT);
    let text = fs::read_to_string(&file).unwrap_or_default();
    if output.code != Some(0) || !text.contains("platform_main_end") {
        return Err(format!("csmith fails: {} {}", output.stdout.trim(), output.stderr.trim()));
    }
    Ok(adapt(number, &text, random))
}

/// Replaces csmith's output of the checksum by a result `r`, and perhaps lets an input change a global variable.
fn adapt(number: u64, text: &str, random: &mut Rng) -> Body {
    let changed = if random.bool() { None } else { integer_global(text, random) };
    let inputs: Vec<Input> =
        changed.iter().map(|_| Input { name: "a", spelling: "uchar", c_type: "unsigned char", max: 3 }).collect();
    let mut code = String::new();
    for line in text.lines() {
        let word = line.trim();
        if word.starts_with("#include") || word.starts_with("if (print_hash_value)") {
            continue;
        }
        // Statistics in a comment follow `main`.
        if word.starts_with("/************************ statistics") {
            break;
        }
        match &changed {
            Some((name, c_type)) if word == "platform_main_begin();" => {
                code += "    unsigned char a = __VERIFIER_nondet_uchar();\n    __VERIFIER_assume(a >= 0 && a <= 3);\n";
                code += &format!("    {name} ^= ({c_type})a;\n");
            }
            Some(_) if word == "crc32_gentab();" => {}
            Some(_) if word.starts_with("transparent_crc(") => {
                let value = word.trim_start_matches("transparent_crc(").split(", \"").next().unwrap_or_default();
                code += &format!("    crc32_context = crc32_context * 31 + (unsigned)({value});\n");
            }
            None if word == "platform_main_begin();" => {}
            _ if word.starts_with("platform_main_end(") => {
                code += &format!("    int r = (int)(crc32_context & 0x7fffffff);\n{RESULT}\n");
            }
            _ => {
                code += line;
                code.push('\n');
            }
        }
    }
    Body {
        number,
        module: MODULE.to_owned(),
        used: BTreeSet::from([format!("{MODULE}/{}", if inputs.is_empty() { "constant" } else { "input" })]),
        language: Language::C,
        flags: FLAGS,
        declarations: declarations(&inputs, Language::C, random),
        inputs,
        headers: BTreeSet::from(["csmith.h".to_owned()]),
        names: global_names(text),
        code,
    }
}

/// A global integer that is neither constant nor volatile, and its type.
fn integer_global(text: &str, random: &mut Rng) -> Option<(String, String)> {
    let candidates = text.lines().filter_map(|line| match line.split_whitespace().collect::<Vec<_>>()[..] {
        ["static", c_type, name, "=", _] if c_type.ends_with("_t") && name.starts_with("g_") && !name.contains('[') => {
            Some((name.to_owned(), c_type.to_owned()))
        }
        _ => None,
    });
    let candidates: Vec<_> = candidates.collect();
    (!candidates.is_empty()).then(|| candidates[random.usize(..candidates.len())].clone())
}

/// What a program of csmith defines at file level: `g_1`, `func_1`, `S0`, `U0`, and one variable of its own.
fn global_names(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_global = |word: &&str| {
        ["g_", "func_", "S", "U"].iter().any(|prefix| word.strip_prefix(prefix).is_some_and(is_number))
            || *word == "__undefined"
    };
    words.filter(is_global).map(str::to_owned).collect()
}
