//! The C file that feeds a counterexample to the compiled program: a stand-alone test that fails.

use std::fmt::Write as _;

use clew_verifier::expr::FloatFormat;

use crate::ir::{Type, TypeKind, Value};

/// What every harness contains.
const RUNTIME: &str = include_str!("../../native/harness.c");

/// A function that gives inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputFunction {
    /// Its name, by which inputs refer to it.
    pub name: String,
    /// The symbols by which the program's source may refer to it.
    pub symbols: Vec<String>,
    /// The type of its result, in C.
    ty: &'static str,
    /// The type of the input: without a declaration, a call takes it for an `int`.
    read_as: &'static str,
}

/// A value for a call of an input function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecipeInput {
    /// The function.
    pub function: String,
    /// The bits of the value.
    pub bits: u128,
    /// Where it is asked for, for readers.
    pub place: String,
}

/// What a harness is to do.
#[derive(Clone, Default, Debug)]
pub struct Recipe {
    /// The inputs, in the order of the calls.
    pub inputs: Vec<RecipeInput>,
    /// Functions that are called but defined nowhere.
    pub undefined: Vec<String>,
}

/// What the header of a harness tells its reader.
#[derive(Clone, Debug)]
pub struct Instructions {
    /// The violated property and its place.
    pub property: String,
    /// The commands that build and run the test.
    pub commands: Vec<String>,
}

impl InputFunction {
    /// The input function that `function` declares, if its type can be written in C.
    pub(super) fn of(function: Value) -> Option<InputFunction> {
        let name = function.name().to_string();
        let ty = c_type(function.value_type().result(), function.returns_unsigned())?;
        let read_as = if ty == "int" { undeclared_type(&name).unwrap_or(ty) } else { ty };
        Some(InputFunction { symbols: vec![name.clone()], name, ty, read_as })
    }
}

/// The type of an input that is narrower than `int`, by the name of its function.
fn undeclared_type(name: &str) -> Option<&'static str> {
    let kind = name.strip_prefix("__VERIFIER_nondet_").or_else(|| name.strip_prefix("clew_any_"))?;
    Some(match kind {
        "bool" | "_Bool" => "_Bool",
        "char" | "schar" | "s8" => "signed char",
        "uchar" | "unsigned_char" | "u8" => "unsigned char",
        "short" | "s16" => "short",
        "ushort" | "u16" => "unsigned short",
        _ => return None,
    })
}

/// A type of C with the same representation.
fn c_type(ty: Type, unsigned: bool) -> Option<&'static str> {
    Some(match (ty.kind(), unsigned) {
        (TypeKind::Pointer, _) => "void *",
        (TypeKind::Integer(width), unsigned) => match (width, unsigned) {
            (1, _) => "_Bool",
            (8, true) => "unsigned char",
            (8, false) => "signed char",
            (16, true) => "unsigned short",
            (16, false) => "short",
            (32, _) => "int",
            (64, _) => "long long",
            (128, _) => "__int128",
            _ => return None,
        },
        (TypeKind::Float(Some(format)), _) => match format {
            FloatFormat::Single => "float",
            FloatFormat::Double => "double",
            FloatFormat::X87 => "long double",
            _ => return None,
        },
        _ => return None,
    })
}

/// The text of a harness. `instructions` are for a file that a user keeps. `entry`, if given, is called by `main`.
pub(super) fn text(
    recipe: &Recipe,
    functions: &[InputFunction],
    instructions: Option<&Instructions>,
    entry: Option<&str>,
) -> String {
    let mut text = String::new();
    if let Some(Instructions { property, commands }) = instructions {
        let _ = writeln!(text, "/* A test that fails: {}", comment(property));
        let _ = writeln!(text, " *\n * Build and run it:");
        for command in commands {
            let _ = writeln!(text, " *     {}", comment(command));
        }
        let _ = writeln!(text, " * In a debugger, break at clew_violation. */");
    }
    text.push_str("struct clew_input { const char *function; unsigned char bits[16]; };\n\n");
    text.push_str("/* The inputs, in the order of the calls; little-endian. */\n");
    text.push_str("static const struct clew_input clew_inputs[] = {\n");
    for input in &recipe.inputs {
        let bytes: Vec<String> = input.bits.to_le_bytes().iter().map(|byte| byte.to_string()).collect();
        let used = bytes.iter().rposition(|byte| byte != "0").map_or(1, |last| last + 1);
        let (value, place) = (input.bits, comment(&input.place));
        let _ =
            writeln!(text, "    {{\"{}\", {{{}}}}}, /* {value:#x}{place} */", input.function, bytes[..used].join(", "));
    }
    text.push_str("    {0, {0}},\n};\n\nstatic unsigned clew_used;\nint clew_place = -1;\nstatic int clew_out = 2;\n");
    text.push_str("#define CLEW_WEAK __attribute__((weak))\n\n");
    text.push_str(RUNTIME);
    if instructions.is_some() {
        text.push_str("\n/* Calling it is the violation, even if the program defines it. */\n");
        text.push_str("void reach_error(void) { clew_reached(); }\n");
    }
    text.push('\n');
    for function in functions.iter().filter(|function| function.name != "__VERIFIER_nondet_memory") {
        define(&mut text, function);
    }
    for (number, function) in recipe.undefined.iter().enumerate() {
        let _ = writeln!(text, "void clew_missing_{number}(void) __asm__(\"{function}\");");
        let _ = writeln!(text, "void clew_missing_{number}(void) {{ clew_undefined(\"{function}\"); }}");
    }
    if let Some(entry) = entry {
        let _ = writeln!(text, "\nvoid clew_entry(void) __asm__(\"{entry}\");");
        text.push_str("int main(void) {\n    clew_entry();\n    return 0;\n}\n");
    }
    text
}

fn define(text: &mut String, function: &InputFunction) {
    let InputFunction { name, symbols, ty, read_as } = function;
    for (number, symbol) in symbols.iter().enumerate() {
        // The label allows for symbols of C++, and keeps clang from comparing the type with that of a builtin.
        let c_name = format!("clew_input_{}_{number}", name.replace(|c: char| !c.is_ascii_alphanumeric(), "_"));
        let _ = writeln!(text, "{ty} {c_name}(void) __asm__(\"{symbol}\");");
        let _ = writeln!(text, "{ty} {c_name}(void) {{");
        if *ty == "__int128" {
            text.push_str("    unsigned long long high = 0, low = 0;\n");
            let _ = writeln!(text, "    clew_next(\"{name}\", &high, sizeof high);");
            let _ = writeln!(text, "    clew_next(\"{name}\", &low, sizeof low);");
            text.push_str("    return (__int128)((unsigned __int128)high << 64 | low);\n}\n");
        } else {
            let _ = writeln!(text, "    {read_as} value = 0;");
            let _ = writeln!(text, "    clew_next(\"{name}\", &value, sizeof value);");
            text.push_str("    return value;\n}\n");
        }
    }
}

/// Text that cannot end a comment.
fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace('\n', " ")
}
