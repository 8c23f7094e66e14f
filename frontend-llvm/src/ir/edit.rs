//! The few changes that a module undergoes before it is compiled natively.

use std::ffi::CString;

use llvm_sys::core::*;
use llvm_sys::prelude::*;

use super::types::TypeKind;
use super::value::{Module, Opcode, Value};

impl Module {
    /// Stores `number` into the external `int` variable `global` before an instruction.
    pub fn store_before(self, instruction: Value, global: &str, number: u32) {
        self.before(instruction, |context, builder| unsafe {
            let int = LLVMInt32TypeInContext(context);
            let name = c_name(global);
            let mut to = LLVMGetNamedGlobal(self.0, name.as_ptr());
            if to.is_null() {
                to = LLVMAddGlobal(self.0, int, name.as_ptr());
            }
            LLVMBuildStore(builder, LLVMConstInt(int, number.into(), 0), to);
        });
    }

    /// Calls the external function `function(void)` before an instruction.
    pub fn call_before(self, instruction: Value, function: &str) {
        self.before(instruction, |_, builder| unsafe {
            let Value(callee) = self.declared(function);
            let ty = LLVMGlobalGetValueType(callee);
            LLVMBuildCall2(builder, ty, callee, std::ptr::null_mut(), 0, c"".as_ptr());
        });
    }

    /// Replaces a call by one of the external function `name`, which returns nothing. Its first argument becomes an `int`:
    /// 1 if it is not zero, else 0. Returns false, and changes nothing, if the first argument has no truth value.
    pub fn pass_truth(self, call: Value, name: &str) -> bool {
        let arguments: Vec<Value> = call.args().collect();
        let Some(&fact) = arguments.first() else { return false };
        let kind = fact.ty().kind();
        if !matches!(kind, TypeKind::Integer(_) | TypeKind::Float(_) | TypeKind::Pointer) {
            return false;
        }
        let Value(callee) = self.declared(name);
        self.before(call, |context, builder| unsafe {
            let zero = LLVMConstNull(LLVMTypeOf(fact.0));
            let truth = match kind {
                // True for what is no number, as in C.
                TypeKind::Float(_) => {
                    LLVMBuildFCmp(builder, llvm_sys::LLVMRealPredicate::LLVMRealUNE, fact.0, zero, c"".as_ptr())
                }
                _ => LLVMBuildICmp(builder, llvm_sys::LLVMIntPredicate::LLVMIntNE, fact.0, zero, c"".as_ptr()),
            };
            let int = LLVMInt32TypeInContext(context);
            let mut values: Vec<LLVMValueRef> = arguments.iter().map(|argument| argument.0).collect();
            values[0] = LLVMBuildZExt(builder, truth, int, c"".as_ptr());
            let mut types: Vec<LLVMTypeRef> = values.iter().map(|&value| LLVMTypeOf(value)).collect();
            let count = values.len() as u32;
            let ty = LLVMFunctionType(LLVMVoidTypeInContext(context), types.as_mut_ptr(), count, 0);
            let (values, no_name) = (values.as_mut_ptr(), c"".as_ptr());
            if call.opcode() == Opcode::LLVMInvoke {
                let (then, unwind) = (LLVMGetNormalDest(call.0), LLVMGetUnwindDest(call.0));
                LLVMBuildInvoke2(builder, ty, callee, values, count, then, unwind, no_name);
            } else {
                LLVMBuildCall2(builder, ty, callee, values, count, no_name);
            }
        });
        unsafe {
            if call.ty().kind() != TypeKind::Void {
                LLVMReplaceAllUsesWith(call.0, LLVMGetUndef(LLVMTypeOf(call.0)));
            }
            LLVMInstructionEraseFromParent(call.0);
        }
        true
    }

    /// Replaces all uses of a function by the external function `name`.
    pub fn replace(self, function: Value, name: &str) {
        let Value(by) = self.declared(name);
        unsafe { LLVMReplaceAllUsesWith(function.0, by) };
    }

    /// The function `void name(void)`, declared if necessary.
    fn declared(self, name: &str) -> Value {
        self.function(name).unwrap_or_else(|| unsafe {
            let ty = LLVMFunctionType(LLVMVoidTypeInContext(LLVMGetModuleContext(self.0)), std::ptr::null_mut(), 0, 0);
            Value(LLVMAddFunction(self.0, c_name(name).as_ptr(), ty))
        })
    }

    /// New instructions get the source position of `instruction`.
    fn before(self, instruction: Value, build: impl FnOnce(LLVMContextRef, LLVMBuilderRef)) {
        unsafe {
            let context = LLVMGetModuleContext(self.0);
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderBefore(builder, instruction.0);
            build(context, builder);
            LLVMDisposeBuilder(builder);
        }
    }
}

fn c_name(name: &str) -> CString {
    CString::new(name).expect("names of functions contain no zero byte")
}
