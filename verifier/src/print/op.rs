//! Operations as C statements or `[assumptions]`, and descriptions of locations.

use super::{Printer, short_name};
use crate::cfa::program::{Havoc, LocationKind, Op};
use crate::cfa::property::Property;

impl Printer<'_> {
    /// An operation: `x = x + 1`, `[x < 10]`, `a[i] = 0`, `r = f(x)`, ….
    pub fn op(&self, op: &Op) -> String {
        match op {
            Op::Skip => "skip".into(),
            Op::Assign(var, value) => format!("{} = {}", self.var(*var), self.expr(*value)),
            Op::Assume(condition) => format!("[{}]", self.expr(*condition)),
            Op::Havoc(var, why) => {
                let value = match why {
                    Havoc::Input => "input()",
                    Havoc::Uninitialized => "uninitialized",
                    Havoc::External(_) => "external()",
                    Havoc::Undefined => "undefined()",
                };
                format!("{} = {value}", self.var(*var))
            }
            Op::Store { memory, address, value } => {
                let sort = self.pool.sort(*value);
                format!("{} = {}", self.lvalue(*memory, *address, sort), self.expr(*value))
            }
            Op::Forget { memory, address, bytes } => {
                format!("forget {}[{} .. {} bytes]", self.var(*memory), self.expr(*address), self.expr(*bytes))
            }
            Op::Fill { memory, address, byte, bytes } => {
                let place = self.range_of(*memory, *address);
                format!("memset({place}, {}, {})", self.expr(*byte), self.expr(*bytes))
            }
            Op::Copy { target, to, source, from, bytes } => {
                let (to, from) = (self.range_of(*target, *to), self.range_of(*source, *from));
                format!("memmove({to}, {from}, {})", self.expr(*bytes))
            }
            Op::Initialize { memory, .. } => format!("initialize {}", self.var(*memory)),
            Op::Call { callee, args, result } => {
                let args: Vec<_> = args.iter().map(|&a| self.expr(a)).collect();
                let call = format!("{}({})", short_name(self.program.function(*callee)), args.join(", "));
                match result {
                    Some(var) => format!("{} = {call}", self.var(*var)),
                    None => call,
                }
            }
            Op::Return(None) => "return".into(),
            Op::Return(Some(value)) => format!("return {}", self.expr(*value)),
            Op::Unsupported(why) => format!("unsupported: {why}"),
        }
    }

    /// The label of an edge in a drawing; empty for jumps.
    pub(crate) fn label(&self, op: &Op) -> String {
        if *op == Op::Skip { String::new() } else { self.op(op) }
    }
}

/// The machine-readable kind of an operation.
pub(crate) fn kind(op: &Op) -> &'static str {
    match op {
        Op::Skip => "skip",
        Op::Assign(..) => "assign",
        Op::Assume(_) => "assume",
        Op::Havoc(..) => "havoc",
        Op::Store { .. } => "store",
        Op::Forget { .. } => "forget",
        Op::Fill { .. } => "fill",
        Op::Copy { .. } => "copy",
        Op::Initialize { .. } => "initialize",
        Op::Call { .. } => "call",
        Op::Return(_) => "return",
        Op::Unsupported(_) => "unsupported",
    }
}

/// The description of a location with a special role.
pub(super) fn describe(kind: &LocationKind) -> Option<String> {
    match kind {
        LocationKind::Normal => None,
        LocationKind::Exit => Some("exit".into()),
        LocationKind::Halt => Some("halt".into()),
        LocationKind::Error(Property { kind, message, .. }) if message.is_empty() => Some(format!("ERROR({kind})")),
        LocationKind::Error(Property { kind, message, .. }) => Some(format!("ERROR({kind}: {message})")),
    }
}
