//! Functions that the front end knows by name.

use crate::ir::{Constant, Opcode, Value};

/// The meaning of a call by its callee.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A function with a body.
    Defined,
    /// An LLVM intrinsic, by its name.
    Intrinsic(&'static str),
    /// A primitive implemented by the front end.
    Primitive(Primitive),
    /// A function that is only declared.
    External,
}

/// The primitives of the models: see `models/model.h`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Primitive {
    /// A fresh heap object.
    NewObject {
        /// Whether a library function chooses its contents.
        outside: bool,
    },
    /// The size of a heap object.
    ObjectSize,
    /// The distance of a pointer from the start of its object.
    ObjectOffset,
    /// The size of the object that a pointer points into.
    ObjectBytes,
    /// The end of the life of a heap object.
    Free,
    /// Ends the path if the argument is zero.
    Assume {
        /// Whether the argument is true in every real run, since it describes a library function.
        fact: bool,
    },
    /// Violates a property.
    Error,
    /// A call that must be unreachable.
    UnreachableCall,
    /// Ends the program.
    Halt,
    /// Runs the functions with attribute `destructor`.
    RunDestructors,
    /// Behaviour that the model does not cover.
    Unsupported,
    /// An unknown value.
    Unknown {
        /// Whether it is an input that the program requests.
        input: bool,
    },
    /// A function of the mathematics library, by the rest of its name.
    Math(&'static str),
    /// The rounding mode.
    Rounding,
    /// A number rounded to a whole one in the current mode.
    RoundByMode,
    /// Changes the rounding mode.
    SetRounding,
    /// Behaviour that is modelled in the rounding mode to nearest alone.
    NearestOnly,
    /// Throws an exception.
    Throw,
    /// The part of the caught exception that the handler receives.
    Caught,
    /// The number that stands for a target of jumps: for the call of `SetJump` that is given it.
    JumpMark,
    /// A target of jumps.
    SetJump,
    /// Jumps to a target.
    Jump,
}

/// Classifies a callee.
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
        "__clew_new_object" => Primitive::NewObject { outside: false },
        "__clew_unknown_object" => Primitive::NewObject { outside: true },
        "__clew_object_size" => Primitive::ObjectSize,
        "__clew_object_offset" => Primitive::ObjectOffset,
        "__clew_object_bytes" => Primitive::ObjectBytes,
        "__clew_free" => Primitive::Free,
        "__clew_assume" => Primitive::Assume { fact: false },
        "__clew_fact" => Primitive::Assume { fact: true },
        "__clew_error" | "__clew_false_claim" => Primitive::Error,
        // Even if the program defines them: SV-COMP asks whether they are called.
        "__VERIFIER_error" | "reach_error" => Primitive::UnreachableCall,
        "__clew_halt" => Primitive::Halt,
        "__clew_run_destructors" => Primitive::RunDestructors,
        "__clew_unsupported" => Primitive::Unsupported,
        "__clew_rounding" => Primitive::Rounding,
        "__clew_rint_double" | "__clew_rint_float" | "__clew_rint_extended" => Primitive::RoundByMode,
        "__clew_set_rounding" => Primitive::SetRounding,
        "__clew_nearest_only" => Primitive::NearestOnly,
        "__clew_throw" => Primitive::Throw,
        "__clew_caught" => Primitive::Caught,
        "__clew_jump_mark" => Primitive::JumpMark,
        "__clew_set_jump" => Primitive::SetJump,
        "__clew_jump" => Primitive::Jump,
        _ if name.starts_with("__clew_any_") => Primitive::Unknown { input: false },
        _ if name.starts_with("__clew_input_") => Primitive::Unknown { input: true },
        _ => return name.strip_prefix("__clew_math_").map(Primitive::Math),
    })
}

/// The name of an LLVM intrinsic without `llvm.` and type suffixes: `memcpy`, `smul.with.overflow`.
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

/// The contents of a string literal.
pub fn string_literal(pointer: Value) -> Option<String> {
    if pointer.constant() != Some(Constant::Global) || !pointer.is_constant_global() {
        return None;
    }
    let bytes = pointer.initializer()?.data_bytes()?;
    let end = bytes.iter().position(|&b| b == 0)?;
    String::from_utf8(bytes[..end].to_vec()).ok()
}

/// The same for what an inlined function has stored in a slot of its own.
pub fn stored_literal(value: Value) -> Option<String> {
    if !value.is_instruction() || value.opcode() != Opcode::LLVMLoad {
        return string_literal(value);
    }
    let slot = value.operand(0);
    let mut stores = slot.users().filter(|user| user.opcode() == Opcode::LLVMStore);
    let store = stores.next().filter(|store| store.operand(1) == slot && stores.next().is_none())?;
    string_literal(store.operand(0))
}

/// The model that looks for `%n` in a format.
const PRINTS_ONLY: &str = "__clew_prints_only";

/// Whether it is a call of the model that looks for `%n` in a format.
pub fn asks_for_percent_n(call: Value) -> bool {
    call.callee().name() == PRINTS_ONLY
}

/// The result of the model `__clew_prints_only` for a literal format: whether it contains no `%n`.
pub fn prints_only(call: Value) -> Option<bool> {
    if !asks_for_percent_n(call) {
        return None;
    }
    has_percent_n(call.operand(0)).map(|found| !found)
}

/// Whether a string literal contains `%n`, read from any position. `None` if it is not a literal.
pub fn has_percent_n(literal: Value) -> Option<bool> {
    let format = string_literal(literal)?;
    let is_flag = |c: char| c.is_ascii_digit() || ".*-+ #'$hljztLq".contains(c);
    let conversions = format.match_indices('%').map(|(at, _)| format[at + 1..].trim_start_matches(is_flag));
    Some(conversions.into_iter().any(|rest| rest.starts_with('n')))
}
