//! Entry functions with parameters: a function without parameters makes the arguments, and calls them.
//!
//! It is added to the module before anything else looks at it, and uses nothing but functions that a program may use as
//! well. So points-to, lifting, replay and native runs need to know nothing of it.

mod make;
mod spec;

use inkwell::context::Context;
use inkwell::module::Linkage;
use inkwell::module::Module as LlvmModule;

use crate::compile::LoadError;
use crate::compile::link::{is_defined, link};
use crate::compile::llvm;
use crate::ir::{Module, Opcode, Value, signature};
use crate::names::{Callee, Primitive, classify, string_literal};
use crate::pointsto::resolve_alias;
pub use spec::{Arguments, Length};

/// The function that makes the arguments.
pub(crate) const NAME: &str = "__clew_entry";

/// The function with the mark `CLEW_PROOF`, if there is no `main` and just one of them.
pub(crate) fn only_proof(module: &LlvmModule<'_>) -> Option<String> {
    let view = Module::of(module);
    if view.function("main").is_some_and(|main| !main.is_declaration()) {
        return None;
    }
    let list = view.global("llvm.global.annotations")?.initializer()?;
    // An entry: what is marked, the mark, the file, the line, arguments.
    let is_proof = |entry: &Value| string_literal(entry.operand(1)).as_deref() == Some("clew_proof");
    let mut proofs: Vec<Value> =
        list.operands().filter(is_proof).map(|entry| resolve_alias(entry.operand(0))).collect();
    proofs.retain(|value| value.is_function() && !value.is_declaration());
    proofs.dedup();
    match proofs[..] {
        [proof] => Some(proof.name().into()),
        _ => None,
    }
}

/// Whether a program, linked with its models, claims anything: an assertion, an error function, or a check of clang. It
/// may be clear from the text that the claim holds, or that execution does not come there.
pub fn claims_anything(module: &LlvmModule<'_>) -> bool {
    let claims = |call: Value| {
        call.callee().is_function()
            && match classify(call.callee()) {
                Callee::Primitive(Primitive::Error | Primitive::UnreachableCall) => true,
                Callee::Intrinsic(name) => name == "llvm.ubsantrap",
                _ => false,
            }
    };
    let is_call = |i: &Value| matches!(i.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke);
    Module::of(module).functions().any(|function| function.body().filter(is_call).any(claims))
}

/// How functions and macros are called that claim something.
const CLAIMS: [&str; 3] = ["assert", "_error", "unreachable"];

/// Whether the text of a source may claim something. Clang drops claims that hold by their text, such as those about
/// the sizes of types, before they can be counted.
pub fn may_claim(text: &[u8]) -> bool {
    CLAIMS.iter().any(|name| text.windows(name.len()).any(|window| window == name.as_bytes()))
}

/// What made arguments are like, for the list of assumptions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Made {
    /// The function that they are made for.
    pub function: String,
    /// Whether pointers among them are null, too.
    pub or_null: bool,
}

/// Adds the function that makes arguments for `entry`, if it has any, and values of globals, if they are asked for.
/// `None`: execution starts in `entry` itself.
pub(crate) fn add<'ctx>(
    context: &'ctx Context,
    module: &LlvmModule<'ctx>,
    entry: &str,
    arguments: &Arguments,
) -> Result<Option<Made>, LoadError> {
    let Some(function) = module.get_function(entry).filter(is_defined) else { return Ok(None) };
    let view = Module::of(module);
    let Some(value) = view.function(entry) else { return Ok(None) };
    let is_main = entry == "main";
    if is_main {
        return match arguments.named().next().is_some() || arguments.any_globals {
            true => Err(LoadError::Arguments("they are for another --entry than main".into())),
            false => Ok(None),
        };
    }
    check_names(value, arguments)?;
    if value.params().next().is_none() && !arguments.any_globals {
        return Ok(None);
    }
    // Without debug info nothing is known of what pointers point to.
    let Some(types) = signature(value) else {
        return match arguments.named().next().is_some() || arguments.any_globals {
            true => Err(LoadError::Arguments(format!("`{entry}` has no debug info"))),
            false => Ok(None),
        };
    };
    let text = make::text(view, value, &types, arguments).map_err(LoadError::Arguments)?;
    let made = llvm::parse(context, text.as_bytes(), NAME)?;
    made.set_data_layout(&module.get_data_layout());
    made.set_triple(&module.get_triple());
    // A static function is called from the other module.
    function.set_linkage(Linkage::External);
    for global in module.get_globals().filter(|_| arguments.any_globals) {
        if matches!(global.get_linkage(), Linkage::Internal | Linkage::Private) && !global.is_constant() {
            global.set_linkage(Linkage::External);
        }
    }
    link(context, module, made, "the arguments")?;
    let or_null = !arguments.non_null;
    Ok(Some(Made { function: entry.into(), or_null }))
}

/// All names in the options must be those of parameters.
fn check_names(function: Value, arguments: &Arguments) -> Result<(), LoadError> {
    let known: Vec<&str> = function.params().map(Value::name).collect();
    match arguments.named().find(|name| !known.contains(name)) {
        Some(name) => {
            let known = if known.is_empty() { "it has none".into() } else { format!("they are {}", known.join(", ")) };
            Err(LoadError::Arguments(format!("`{}` has no parameter `{name}`; {known}", function.name())))
        }
        None => Ok(()),
    }
}
