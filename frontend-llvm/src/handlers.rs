//! Matching of C++ handlers and exceptions by the type descriptors of the Itanium ABI.

use std::collections::BTreeSet;

use crate::ir::{Constant, Module, Opcode, Value};
use crate::pointsto::resolve_alias;

/// Whether and how a handler catches an exception.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fit {
    /// It does not catch it.
    No,
    /// Unknown, because some bases are unknown.
    Perhaps,
    /// It catches the subobject at this offset in bytes, in the exception object or in the target of a thrown pointer.
    At(i64),
    /// It catches a virtual base.
    Virtual,
}

/// The exception types of the module that a handler for `wanted` catches or may catch.
pub fn caught_types(module: Module, wanted: Value) -> Vec<(Value, Fit)> {
    let infos = module.globals().filter(|g| g.name().starts_with("_ZTI"));
    let mut caught: Vec<(Value, Fit)> = infos.map(|g| (g, fit(g, wanted))).filter(|&(_, fit)| fit != Fit::No).collect();
    if !caught.iter().any(|t| t.0 == wanted) {
        caught.push((wanted, Fit::At(0)));
    }
    caught
}

/// The types that the handler of `call` may be for: a single one if it is tested directly before, else all of the
/// function.
pub fn handled(call: Value) -> Vec<Value> {
    let function = call.function();
    let mut block = call.block();
    let mut seen = BTreeSet::new();
    while seen.insert(block.terminator()) {
        let mut sources = function.blocks().filter(|b| b.terminator().successors().any(|s| s == block));
        let (Some(source), None) = (sources.next(), sources.next()) else { break };
        let branch = source.terminator();
        if let Some(ty) = tested_type(branch) {
            if branch.successor(0) == block {
                return vec![ty];
            }
            break;
        }
        block = source;
    }
    let pads = function.body().filter(|i| i.opcode() == Opcode::LLVMLandingPad);
    let clauses = pads.flat_map(|pad| pad.clauses()).map(resolve_alias);
    let types: BTreeSet<Value> = clauses.filter(|c| c.constant() == Some(Constant::Global)).collect();
    types.into_iter().collect()
}

/// The type for which a branch tests a selector.
fn tested_type(branch: Value) -> Option<Value> {
    if branch.opcode() != Opcode::LLVMBr || branch.successor_count() != 2 {
        return None;
    }
    let test = branch.operand(0);
    if !test.is_instruction() || test.opcode() != Opcode::LLVMICmp {
        return None;
    }
    let mut sides = test.operands().filter(|o| o.is_instruction() && o.opcode() == Opcode::LLVMCall);
    let number = sides.find(|o| o.callee().name().starts_with("llvm.eh.typeid.for"))?;
    Some(resolve_alias(number.operand(0)))
}

/// Whether it is the descriptor of a pointer type.
pub fn is_pointer(type_info: Value) -> bool {
    type_info.name().starts_with("_ZTIP")
}

fn fit(thrown: Value, wanted: Value) -> Fit {
    if thrown == wanted {
        return Fit::At(0);
    }
    let is_member_pointer = |info: Value| info.name().starts_with("_ZTIM");
    let is_null = thrown.name() == "_ZTIDn";
    match (is_pointer(thrown), is_pointer(wanted)) {
        (true, true) => pointer_fit(thrown, wanted),
        (false, true) if is_null => Fit::At(0),
        (true, false) | (false, true) => Fit::No,
        _ if is_member_pointer(wanted) && (is_null || is_member_pointer(thrown)) => Fit::Perhaps,
        _ => class_fit(thrown, wanted),
    }
}

/// Pointers convert to pointers to a base, to `void`, or with more qualifiers.
fn pointer_fit(thrown: Value, wanted: Value) -> Fit {
    const QUALIFIERS: u128 = 7;
    let (Some(from), Some(to)) = (pointee(thrown), pointee(wanted)) else { return Fit::Perhaps };
    if from.1 & !to.1 & QUALIFIERS != 0 {
        return Fit::No;
    }
    let is_function = from.0.name().starts_with("_ZTIF");
    match (is_pointer(from.0), is_pointer(to.0)) {
        _ if from.0 == to.0 => Fit::At(0),
        _ if to.0.name() == "_ZTIv" => {
            if is_function {
                Fit::No
            } else {
                Fit::At(0)
            }
        }
        // Qualifiers of inner levels are not compared.
        (true, true) => Fit::Perhaps,
        (false, false) => class_fit(from.0, to.0),
        _ => Fit::No,
    }
}

/// The target type of a pointer type, and its qualifiers.
fn pointee(info: Value) -> Option<(Value, u128)> {
    let initial = info.initializer().filter(|i| i.operand_count() == 4)?;
    Some((resolve_alias(initial.operand(3)), integer(initial.operand(2))?))
}

fn integer(value: Value) -> Option<u128> {
    match value.constant() {
        Some(Constant::Integer(number)) => Some(number),
        _ => None,
    }
}

/// The position of a base class: the innermost virtual base on the path, if any, and the offset within it.
type BasePosition = (Option<Value>, i64);

#[derive(Default)]
struct Search {
    found: BTreeSet<BasePosition>,
    any_public: bool,
    any_unknown: bool,
}

/// Classes are caught by public and unambiguous bases.
fn class_fit(thrown: Value, wanted: Value) -> Fit {
    if is_basic(thrown) || is_basic(wanted) {
        return Fit::No;
    }
    let mut search = Search::default();
    search.walk(thrown, wanted, (None, 0), true);
    let positions: Vec<BasePosition> = search.found.into_iter().collect();
    match positions.as_slice() {
        _ if search.any_unknown => Fit::Perhaps,
        [(None, at)] if search.any_public => Fit::At(*at),
        [(Some(_), _)] if search.any_public => Fit::Virtual,
        _ => Fit::No,
    }
}

/// Whether it is the descriptor of a fundamental type such as `int`, which may have no definition.
fn is_basic(info: Value) -> bool {
    let Some(name) = info.name().strip_prefix("_ZTI") else { return false };
    name.len() == 1 && name.starts_with(|c: char| c.is_ascii_lowercase())
}

impl Search {
    fn walk(&mut self, class: Value, wanted: Value, position: BasePosition, is_public: bool) {
        const IS_VIRTUAL: i64 = 1;
        const IS_PUBLIC: i64 = 2;
        if class == wanted {
            self.found.insert(position);
            self.any_public |= is_public;
            return;
        }
        let Some(initial) = class.initializer() else {
            self.any_unknown = true;
            return;
        };
        // After vtable and name: a single base, or flags, a count, and bases with their offsets.
        match initial.operand_count() {
            0..=2 => {}
            3 => self.walk(resolve_alias(initial.operand(2)), wanted, position, is_public),
            count => {
                for i in (4..count.saturating_sub(1)).step_by(2) {
                    let (base, offset) = (resolve_alias(initial.operand(i)), initial.operand(i + 1));
                    let Some(number) = integer(offset) else {
                        self.any_unknown = true;
                        continue;
                    };
                    let number = match offset.ty().integer_width() {
                        32 => i64::from(number as u32 as i32),
                        _ => number as u64 as i64,
                    };
                    let at = if number & IS_VIRTUAL != 0 {
                        (Some(base), 0)
                    } else {
                        (position.0, position.1 + (number >> 8))
                    };
                    self.walk(base, wanted, at, is_public && number & IS_PUBLIC != 0);
                }
            }
        }
    }
}
