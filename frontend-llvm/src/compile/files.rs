//! Whether a program may write files, so that it may read what it has written.

use super::models::MODEL_ATTRIBUTE;
use crate::ir::{Constant, Module, Opcode, Value};
use crate::names::string_literal;

/// The attribute of the entry function of programs that may write files.
pub(crate) const WRITES_FILES: &str = "clew-writes-files";

/// Functions that make a file or a channel that can be written and read.
const WRITABLE: &[&str] = &["creat", "mkstemp", "pipe", "pipe2", "popen", "socketpair", "tmpfile"];

/// Whether the program may write a file. To be asked before models are inlined.
pub(super) fn may_write_files(module: Module) -> bool {
    let is_stream = |name: &str| name.contains("basic_ofstream") || name.contains("basic_fstream");
    let mut own = module.functions().filter(|function| !function.has_string_attribute(MODEL_ATTRIBUTE));
    own.any(|function| is_stream(function.name()) || function.body().any(opens_for_writing))
}

/// Whether an instruction opens a file in another way than for reading.
fn opens_for_writing(i: Value) -> bool {
    if !matches!(i.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke) || !i.callee().is_function() {
        return false;
    }
    let argument = |n: usize| i.args().nth(n);
    match i.callee().name() {
        "fopen" | "fopen64" | "fdopen" | "freopen" => {
            let mode = argument(1).and_then(string_literal);
            mode.is_none_or(|mode| !mode.starts_with('r') || mode.contains('+'))
        }
        "open" | "open64" => {
            let flags = argument(1).and_then(Value::constant);
            !matches!(flags, Some(Constant::Integer(flags)) if flags & 3 == 0)
        }
        name => WRITABLE.contains(&name),
    }
}
