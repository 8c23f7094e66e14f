//! Marks the places of a module where a property can be violated.

use std::collections::BTreeSet;

use crate::ir::{Block, DebugLocation, Module, Opcode, Predicate, TypeKind, Value};

/// Functions whose calls violate a property, whatever their definition does.
const ALWAYS: [&str; 2] = ["reach_error", "__VERIFIER_error"];

/// Functions of the harness or the library that report a violation, unless the program defines them.
const REPORTING: [&str; 10] = [
    "__assert_fail",
    "__assert_perror_fail",
    "__assert",
    "__VERIFIER_assert",
    "__CPROVER_assert",
    "__CPROVER_precondition",
    "__CPROVER_postcondition",
    "clew_claim_",
    "clew_fail_",
    "clew_unreachable_",
];

/// A place in the source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The file, as in debug info.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
}

impl Place {
    fn of(location: DebugLocation, at: Value) -> Place {
        Place { file: location.scope().file(at), line: location.line(), column: location.column() }
    }
}

/// What was found in a module.
#[derive(Debug, Default)]
pub(super) struct Instrumented {
    /// Where a property can be violated. The harness reports the index.
    pub places: Vec<Place>,
    /// Whether the order or the bits of addresses may influence what the program does.
    pub uses_addresses: bool,
    /// Whether the program defines an error function itself.
    pub defines_error: bool,
}

/// Adds a report before everything that violates a property.
pub(super) fn instrument(module: Module) -> Instrumented {
    let mut found = Instrumented::default();
    let mut calls = Vec::new();
    let mut traps = BTreeSet::new();
    for function in module.functions().filter(|f| !f.is_declaration()) {
        for instruction in function.body() {
            found.uses_addresses |= depends_on_addresses(instruction);
            match instruction.opcode() {
                Opcode::LLVMCall | Opcode::LLVMInvoke if reports(instruction) => calls.push(instruction),
                Opcode::LLVMCall if is_trap(instruction) => {
                    traps.insert(instruction);
                }
                // clang shares one trap among all checks of a function, so the place is that of the branch.
                Opcode::LLVMBr if instruction.successors().any(starts_with_trap) => calls.push(instruction),
                _ => {}
            }
        }
    }
    for instruction in calls {
        if let Some(location) = instruction.debug_location() {
            let place = found.number(Place::of(location, instruction));
            module.store_before(instruction, "clew_place", place);
        }
    }
    for trap in traps {
        module.call_before(trap, "clew_trap");
    }
    for name in ALWAYS {
        if let Some(function) = module.function(name) {
            found.defines_error |= !function.is_declaration();
            module.replace(function, "clew_reached");
        }
    }
    found
}

impl Instrumented {
    fn number(&mut self, place: Place) -> u32 {
        let known = self.places.iter().position(|known| *known == place);
        let index = known.unwrap_or_else(|| {
            self.places.push(place);
            self.places.len() - 1
        });
        u32::try_from(index).expect("fewer places than 2^32")
    }
}

/// Whether a call reports a violation.
fn reports(call: Value) -> bool {
    let callee = call.callee();
    if !callee.is_function() {
        return false;
    }
    let name = callee.name();
    ALWAYS.contains(&name) || REPORTING.contains(&name) && callee.is_declaration()
}

fn is_trap(call: Value) -> bool {
    call.callee().is_function() && call.callee().name() == "llvm.ubsantrap"
}

fn starts_with_trap(block: Block) -> bool {
    let mut calls = block.instructions().filter(|i| i.opcode() == Opcode::LLVMCall);
    let is_debug = |i: &Value| i.callee().is_function() && i.callee().name().starts_with("llvm.dbg.");
    calls.find(|i| !is_debug(i)).is_some_and(is_trap)
}

/// Whether the result may differ if objects lie elsewhere. Differences of pointers are taken for those within one object.
fn depends_on_addresses(instruction: Value) -> bool {
    use llvm_sys::LLVMIntPredicate::{LLVMIntEQ, LLVMIntNE};
    let is_pointer = |value: Value| value.ty().kind() == TypeKind::Pointer;
    match instruction.opcode() {
        Opcode::LLVMPtrToInt => instruction.users().any(|user| user.opcode() != Opcode::LLVMSub),
        Opcode::LLVMICmp if is_pointer(instruction.operand(0)) => {
            !matches!(instruction.predicate(Opcode::LLVMICmp), Predicate::Int(LLVMIntEQ | LLVMIntNE))
        }
        _ => false,
    }
}
