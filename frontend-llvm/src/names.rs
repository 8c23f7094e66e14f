//! The functions that the front end itself knows by name.

use crate::ir::{Constant, Value};

/// What calling a function means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// It has a body.
    Defined,
    /// An LLVM intrinsic, by its name.
    Intrinsic(&'static str),
    /// Something that the front end implements itself.
    Primitive(Primitive),
    /// It is declared only.
    External,
}

/// What models are made of: see `models/model.h`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Primitive {
    /// A fresh heap object.
    NewObject,
    /// The size of a heap object.
    ObjectSize,
    /// The path goes on only if the argument is not zero.
    Assume,
    /// A property is violated.
    Error,
    /// A call that must not be reached.
    UnreachableCall,
    /// The program ends.
    Halt,
    /// Functions with the attribute `destructor` run.
    RunDestructors,
    /// The model does not know what happens.
    Unsupported,
    /// An unknown value: an input of the user's, or not.
    Unknown {
        /// Did the program ask for it?
        input: bool,
    },
    /// Throws an exception.
    Throw,
    /// What a handler sees of the exception that it took.
    Caught,
}

/// What calling `function` means.
pub fn classify(function: Value) -> Callee {
    let name = function.name();
    if let Some(primitive) = primitive(name) {
        Callee::Primitive(primitive)
    } else if name.starts_with("llvm.") {
        Callee::Intrinsic(name)
    } else if function.is_declaration() {
        Callee::External
    } else {
        Callee::Defined
    }
}

fn primitive(name: &'static str) -> Option<Primitive> {
    Some(match name {
        "__clew_new_object" => Primitive::NewObject,
        "__clew_object_size" => Primitive::ObjectSize,
        "__clew_assume" => Primitive::Assume,
        "__clew_error" => Primitive::Error,
        // also where the program defines them: SV-COMP asks whether they are called, whatever they do
        "__VERIFIER_error" | "reach_error" => Primitive::UnreachableCall,
        "__clew_halt" => Primitive::Halt,
        "__clew_run_destructors" => Primitive::RunDestructors,
        "__clew_unsupported" => Primitive::Unsupported,
        "__clew_throw" => Primitive::Throw,
        "__clew_caught" => Primitive::Caught,
        _ if name.starts_with("__clew_any_") => Primitive::Unknown { input: false },
        _ if name.starts_with("__clew_input_") => Primitive::Unknown { input: true },
        _ => return None,
    })
}

/// The name of an LLVM intrinsic without `llvm.` and the types at its end: `memcpy`, `smul.with.overflow`.
pub fn intrinsic_stem(name: &'static str) -> &'static str {
    let stem = name.strip_prefix("llvm.").unwrap_or(name);
    let is_type = |part: &str| {
        let digits = |p: &str| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit());
        part.strip_prefix('i').is_some_and(digits)
            || part.strip_prefix('p').is_some_and(digits)
            || part.strip_prefix('f').is_some_and(digits)
            || part == "bf16"
            || part.strip_prefix('v').is_some_and(|p| p.bytes().next().is_some_and(|b| b.is_ascii_digit()))
            || part.starts_with("sl_")
    };
    let mut end = stem.len();
    while let Some(dot) = stem[..end].rfind('.') {
        if !is_type(&stem[dot + 1..end]) {
            break;
        }
        end = dot;
    }
    &stem[..end]
}

/// The text of a string literal.
pub fn string_literal(pointer: Value) -> Option<String> {
    if pointer.constant() != Some(Constant::Global) || !pointer.is_constant_global() {
        return None;
    }
    let bytes = pointer.initializer()?.data_bytes()?;
    let end = bytes.iter().position(|&b| b == 0)?;
    String::from_utf8(bytes[..end].to_vec()).ok()
}

/// The name of the model that looks for `%n` in a format.
const PRINTS_ONLY: &str = "__clew_prints_only";

/// Is it a call of the model that looks for `%n` in a format?
pub fn asks_for_percent_n(call: Value) -> bool {
    call.callee().name() == PRINTS_ONLY
}

/// What the model `__clew_prints_only` says of a format that is a literal: is there no `%n` in it?
pub fn prints_only(call: Value) -> Option<bool> {
    if !asks_for_percent_n(call) {
        return None;
    }
    has_percent_n(call.operand(0)).map(|found| !found)
}

/// Is there a `%n` in a string literal, wherever one starts to read it? `None` if it is no literal.
pub fn has_percent_n(literal: Value) -> Option<bool> {
    let format = string_literal(literal)?;
    let is_flag = |c: char| c.is_ascii_digit() || ".*-+ #'$hljztLq".contains(c);
    let conversions = format.match_indices('%').map(|(at, _)| format[at + 1..].trim_start_matches(is_flag));
    Some(conversions.into_iter().any(|rest| rest.starts_with('n')))
}
