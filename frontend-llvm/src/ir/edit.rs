//! The few changes that a module undergoes before it is compiled natively.

use std::ffi::CString;

use llvm_sys::core::*;
use llvm_sys::prelude::*;

use super::value::{Module, Value};

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
