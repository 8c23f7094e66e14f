//! Values: constants, globals, functions and instructions.

use std::ffi::CStr;

use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMRealPredicate, LLVMValueKind};

pub use llvm_sys::{LLVMIntPredicate as IntPredicate, LLVMOpcode as Opcode};

use clew_verifier::expr::FloatFormat;

use super::debug::DebugLocation;
use super::types::{Layout, Type, TypeKind};

/// A module. The caller keeps it alive.
#[derive(Clone, Copy)]
pub struct Module(pub(super) LLVMModuleRef);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Block(pub(super) LLVMBasicBlockRef);

/// A value: a constant, a global, a function, an argument or an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Value(pub(super) LLVMValueRef);

/// A comparison predicate.
#[derive(Clone, Copy, Debug)]
pub enum Predicate {
    /// For integers and pointers.
    Int(IntPredicate),
    /// For floats.
    Float(LLVMRealPredicate),
}

/// The kind of a constant.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Constant {
    /// An integer of at most 128 bits.
    Integer(u128),
    /// A wider integer.
    WideInteger,
    /// A float, by representation.
    Float(FloatFormat, u128),
    /// The null pointer.
    Null,
    /// A zero-initialised value of any type.
    Zero,
    /// `undef` or `poison`.
    Undefined,
    /// A struct, array or vector with operands.
    Aggregate,
    /// An array or vector of numbers, by element.
    Data,
    /// A constant expression.
    Expression(Opcode),
    /// A function.
    Function,
    /// A global variable.
    Global,
    /// An alias of another constant.
    Alias,
    /// A function that a resolver chooses when the program is loaded.
    IndirectFunction,
    /// The address of a block.
    BlockAddress,
    /// Any other constant.
    Other,
}

fn handles<T: Copy>(first: T, is_end: impl Fn(T) -> bool, next: impl Fn(T) -> T) -> impl Iterator<Item = T> {
    std::iter::successors((!is_end(first)).then_some(first), move |&h| {
        let n = next(h);
        (!is_end(n)).then_some(n)
    })
}

impl Module {
    /// A view of an inkwell module.
    pub fn of(module: &inkwell::module::Module<'_>) -> Module {
        Module(module.as_mut_ptr())
    }

    /// The data layout of its target.
    pub fn layout(self) -> Layout {
        Layout::of(self.0)
    }

    /// All functions, including declarations.
    pub fn functions(self) -> impl Iterator<Item = Value> {
        let first = unsafe { LLVMGetFirstFunction(self.0) };
        handles(first, |f| f.is_null(), |f| unsafe { LLVMGetNextFunction(f) }).map(Value)
    }

    /// All global variables.
    pub fn globals(self) -> impl Iterator<Item = Value> {
        let first = unsafe { LLVMGetFirstGlobal(self.0) };
        handles(first, |g| g.is_null(), |g| unsafe { LLVMGetNextGlobal(g) }).map(Value)
    }

    /// The function of that name.
    pub fn function(self, name: &str) -> Option<Value> {
        let name = std::ffi::CString::new(name).ok()?;
        let f = unsafe { LLVMGetNamedFunction(self.0, name.as_ptr()) };
        (!f.is_null()).then_some(Value(f))
    }

    /// The global variable of that name.
    pub fn global(self, name: &str) -> Option<Value> {
        let name = std::ffi::CString::new(name).ok()?;
        let g = unsafe { LLVMGetNamedGlobal(self.0, name.as_ptr()) };
        (!g.is_null()).then_some(Value(g))
    }

    /// Whether it has module-level assembly.
    pub fn has_inline_assembly(self) -> bool {
        let mut length = 0;
        unsafe { LLVMGetModuleInlineAsm(self.0, &mut length) };
        length != 0
    }
}

impl Block {
    /// The instructions, in order.
    pub fn instructions(self) -> impl Iterator<Item = Value> {
        let first = unsafe { LLVMGetFirstInstruction(self.0) };
        handles(first, |i| i.is_null(), |i| unsafe { LLVMGetNextInstruction(i) }).map(Value)
    }

    /// The terminator.
    pub fn terminator(self) -> Value {
        Value(unsafe { LLVMGetBasicBlockTerminator(self.0) })
    }
}

impl Value {
    /// Its type.
    pub fn ty(self) -> Type {
        Type(unsafe { LLVMTypeOf(self.0) })
    }

    /// Its name, empty if it has none.
    pub fn name(self) -> &'static str {
        let mut length = 0;
        unsafe {
            let start = LLVMGetValueName2(self.0, &mut length);
            let bytes = std::slice::from_raw_parts(start.cast::<u8>(), length);
            // The name lives as long as the module, which outlives every use of the handles.
            std::str::from_utf8(bytes).unwrap_or("?")
        }
    }

    /// Its LLVM assembly text.
    pub fn print(self) -> String {
        unsafe {
            let text = LLVMPrintValueToString(self.0);
            let string = CStr::from_ptr(text).to_string_lossy().into_owned();
            LLVMDisposeMessage(text);
            string
        }
    }

    /// The number of operands.
    pub fn operand_count(self) -> u32 {
        unsafe { LLVMGetNumOperands(self.0).max(0) as u32 }
    }

    /// Operand `i`.
    pub fn operand(self, i: u32) -> Value {
        Value(unsafe { LLVMGetOperand(self.0, i) })
    }

    /// All operands.
    pub fn operands(self) -> impl Iterator<Item = Value> {
        (0..self.operand_count()).map(move |i| self.operand(i))
    }

    /// The users, one for each use.
    pub fn users(self) -> impl Iterator<Item = Value> {
        let first = unsafe { LLVMGetFirstUse(self.0) };
        handles(first, |u| u.is_null(), |u| unsafe { LLVMGetNextUse(u) }).map(|u| Value(unsafe { LLVMGetUser(u) }))
    }

    /// Whether it is an instruction.
    pub fn is_instruction(self) -> bool {
        unsafe { LLVMGetValueKind(self.0) == LLVMValueKind::LLVMInstructionValueKind }
    }

    /// Whether it is a metadata operand.
    pub fn is_metadata(self) -> bool {
        unsafe { LLVMGetValueKind(self.0) == LLVMValueKind::LLVMMetadataAsValueValueKind }
    }

    /// Whether it is inline assembly.
    pub fn is_inline_assembly(self) -> bool {
        unsafe { LLVMGetValueKind(self.0) == LLVMValueKind::LLVMInlineAsmValueKind }
    }

    /// Whether it is a function.
    pub fn is_function(self) -> bool {
        unsafe { LLVMGetValueKind(self.0) == LLVMValueKind::LLVMFunctionValueKind }
    }

    /// The kind of constant; `None` if it is not a constant.
    pub fn constant(self) -> Option<Constant> {
        use LLVMValueKind::*;
        unsafe {
            Some(match LLVMGetValueKind(self.0) {
                LLVMConstantIntValueKind => self.integer(),
                LLVMConstantFPValueKind => self.float(),
                LLVMConstantPointerNullValueKind => Constant::Null,
                LLVMConstantAggregateZeroValueKind => Constant::Zero,
                LLVMUndefValueValueKind | LLVMPoisonValueKind => Constant::Undefined,
                LLVMConstantStructValueKind | LLVMConstantArrayValueKind | LLVMConstantVectorValueKind => {
                    Constant::Aggregate
                }
                LLVMConstantDataArrayValueKind | LLVMConstantDataVectorValueKind => Constant::Data,
                LLVMConstantExprValueKind => Constant::Expression(LLVMGetConstOpcode(self.0)),
                LLVMFunctionValueKind => Constant::Function,
                LLVMGlobalVariableValueKind => Constant::Global,
                LLVMGlobalAliasValueKind => Constant::Alias,
                LLVMBlockAddressValueKind => Constant::BlockAddress,
                LLVMGlobalIFuncValueKind => Constant::IndirectFunction,
                LLVMConstantTokenNoneValueKind | LLVMConstantTargetNoneValueKind => Constant::Other,
                _ => return None,
            })
        }
    }

    fn integer(self) -> Constant {
        match self.ty().kind() {
            TypeKind::Integer(width) if width <= 64 => {
                Constant::Integer(u128::from(unsafe { LLVMConstIntGetZExtValue(self.0) }))
            }
            // The C API only returns 64 bits: wider constants are parsed from their text, such as `i128 -5`.
            TypeKind::Integer(width) if width <= 128 => {
                let text = self.print();
                let number = text.rsplit(' ').next().and_then(|n| n.parse::<i128>().ok());
                let mask = clew_verifier::expr::value::mask(width as u16);
                number.map_or(Constant::WideInteger, |n| Constant::Integer(n as u128 & mask))
            }
            _ => Constant::WideInteger,
        }
    }

    fn float(self) -> Constant {
        let TypeKind::Float(Some(format)) = self.ty().kind() else { return Constant::Other };
        let text = self.print();
        let literal = text.rsplit(' ').next().unwrap_or("");
        let hex = |digits: &str| u128::from_str_radix(digits, 16).ok();
        let bits = if let Some(digits) = literal.strip_prefix("0xK") {
            hex(digits)
        } else if let Some(digits) = literal.strip_prefix("0xL") {
            // The low half comes first.
            hex(digits).map(|n| n.rotate_left(64))
        } else if let Some(digits) = literal.strip_prefix("0xH").or(literal.strip_prefix("0xR")) {
            hex(digits)
        } else {
            let double = match literal.strip_prefix("0x") {
                Some(digits) => hex(digits).map(|n| n as u64),
                None => literal.parse::<f64>().ok().map(f64::to_bits),
            };
            double.map(|double| match format {
                FloatFormat::Single => u128::from(double_bits_to_single(double)),
                _ => u128::from(double),
            })
        };
        bits.map_or(Constant::Other, |bits| Constant::Float(format, bits))
    }

    /// Element `i` of a [`Constant::Data`].
    pub fn data_element(self, i: u64) -> Value {
        Value(unsafe { LLVMGetAggregateElement(self.0, i as u32) })
    }

    /// The bytes of a constant array of bytes.
    pub fn data_bytes(self) -> Option<Vec<u8>> {
        unsafe {
            let TypeKind::Array(element, length) = self.ty().kind() else { return None };
            if element.kind() != TypeKind::Integer(8)
                || LLVMGetValueKind(self.0) != LLVMValueKind::LLVMConstantDataArrayValueKind
            {
                return None;
            }
            let mut n = 0;
            let start = LLVMGetAsString(self.0, &mut n);
            debug_assert_eq!(n as u64, length);
            Some(std::slice::from_raw_parts(start.cast::<u8>(), n).to_vec())
        }
    }

    /// The block of a [`Constant::BlockAddress`].
    pub fn block_of_address(self) -> Block {
        Block(unsafe { LLVMGetBlockAddressBasicBlock(self.0) })
    }

    /// The target of an alias.
    pub fn aliasee(self) -> Value {
        Value(unsafe { LLVMAliasGetAliasee(self.0) })
    }

    /// The initial value of a global variable.
    pub fn initializer(self) -> Option<Value> {
        let value = unsafe { LLVMGetInitializer(self.0) };
        (!value.is_null()).then_some(Value(value))
    }

    /// The value type of a global variable or a function.
    pub fn value_type(self) -> Type {
        Type(unsafe { LLVMGlobalGetValueType(self.0) })
    }

    /// The alignment of a global variable or an alloca, in bytes; 0 if unspecified.
    pub fn alignment(self) -> u64 {
        u64::from(unsafe { LLVMGetAlignment(self.0) })
    }

    /// Whether it is a constant global variable.
    pub fn is_constant_global(self) -> bool {
        unsafe { LLVMIsGlobalConstant(self.0) != 0 }
    }

    /// Whether it is a function or global variable without a definition.
    pub fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    /// The parameters of a function.
    pub fn params(self) -> impl Iterator<Item = Value> {
        (0..unsafe { LLVMCountParams(self.0) }).map(move |i| Value(unsafe { LLVMGetParam(self.0, i) }))
    }

    /// The blocks of a function, the entry first.
    pub fn blocks(self) -> impl Iterator<Item = Block> {
        let first = unsafe { LLVMGetFirstBasicBlock(self.0) };
        handles(first, |b| b.is_null(), |b| unsafe { LLVMGetNextBasicBlock(b) }).map(Block)
    }

    /// All instructions of a function.
    pub fn body(self) -> impl Iterator<Item = Value> {
        self.blocks().flat_map(|b| b.instructions())
    }

    /// The block of an instruction.
    pub fn block(self) -> Block {
        Block(unsafe { LLVMGetInstructionParent(self.0) })
    }

    /// The function of an instruction.
    pub fn function(self) -> Value {
        Value(unsafe { LLVMGetBasicBlockParent(LLVMGetInstructionParent(self.0)) })
    }

    /// The opcode of an instruction.
    pub fn opcode(self) -> Opcode {
        unsafe { LLVMGetInstructionOpcode(self.0) }
    }

    /// The predicate of an `icmp` or `fcmp`, as an instruction or a constant.
    pub fn predicate(self, opcode: Opcode) -> Predicate {
        unsafe {
            match opcode {
                Opcode::LLVMFCmp => Predicate::Float(LLVMGetFCmpPredicate(self.0)),
                _ => Predicate::Int(LLVMGetICmpPredicate(self.0)),
            }
        }
    }

    /// The type that an `alloca` allocates.
    pub fn allocated_type(self) -> Type {
        Type(unsafe { LLVMGetAllocatedType(self.0) })
    }

    /// Whether a load or store is volatile.
    pub fn is_volatile(self) -> bool {
        unsafe { LLVMGetVolatile(self.0) != 0 }
    }

    /// The source element type of a `getelementptr`.
    pub fn gep_source_type(self) -> Type {
        Type(unsafe { LLVMGetGEPSourceElementType(self.0) })
    }

    /// The constant indices of `extractvalue` and `insertvalue`.
    pub fn indices(self) -> Vec<u32> {
        unsafe {
            let n = LLVMGetNumIndices(self.0) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.0), n).to_vec()
        }
    }

    /// The mask of a `shufflevector`; `None` for undefined elements.
    pub fn shuffle_mask(self) -> Vec<Option<u64>> {
        unsafe {
            (0..LLVMGetNumMaskElements(self.0)).map(|i| u64::try_from(LLVMGetMaskValue(self.0, i)).ok()).collect()
        }
    }

    /// The called value.
    pub fn callee(self) -> Value {
        Value(unsafe { LLVMGetCalledValue(self.0) })
    }

    /// The template of inline assembly.
    pub fn assembly(self) -> String {
        let mut length = 0;
        unsafe {
            let start = LLVMGetInlineAsmAsmString(self.0, &mut length);
            String::from_utf8_lossy(std::slice::from_raw_parts(start.cast::<u8>(), length)).into_owned()
        }
    }

    /// The constraints of inline assembly.
    pub fn assembly_constraints(self) -> String {
        let mut length = 0;
        unsafe {
            let start = LLVMGetInlineAsmConstraintString(self.0, &mut length);
            String::from_utf8_lossy(std::slice::from_raw_parts(start.cast::<u8>(), length)).into_owned()
        }
    }

    /// Whether it is a weak declaration, whose address is null if no definition is linked.
    pub fn is_weak_declaration(self) -> bool {
        unsafe { LLVMGetLinkage(self.0) == llvm_sys::LLVMLinkage::LLVMExternalWeakLinkage }
    }

    /// The function type of a call.
    pub fn called_type(self) -> Type {
        Type(unsafe { LLVMGetCalledFunctionType(self.0) })
    }

    /// The arguments of a call.
    pub fn args(self) -> impl Iterator<Item = Value> {
        (0..unsafe { LLVMGetNumArgOperands(self.0) }).map(move |i| self.operand(i))
    }

    /// The type of a type attribute, such as `byval`, of argument `i` of a call.
    pub fn call_type_attribute(self, i: u32, name: &str) -> Option<Type> {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let attribute = LLVMGetCallSiteEnumAttribute(self.0, i + 1, kind);
            (!attribute.is_null()).then(|| Type(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    /// Whether the function has an attribute.
    pub fn has_attribute(self, name: &str) -> bool {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            !LLVMGetEnumAttributeAtIndex(self.0, llvm_sys::LLVMAttributeFunctionIndex, kind).is_null()
        }
    }

    /// Whether a parameter of a function has an attribute, by name.
    pub fn param_has_attribute(self, i: u32, name: &str) -> bool {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            !LLVMGetEnumAttributeAtIndex(self.0, i + 1, kind).is_null()
        }
    }

    /// The type of a type attribute, such as `byval`, of parameter `i` of a function.
    pub fn param_type_attribute(self, i: u32, name: &str) -> Option<Type> {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let attribute = LLVMGetEnumAttributeAtIndex(self.0, i + 1, kind);
            (!attribute.is_null()).then(|| Type(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    /// Whether the function has an attribute that LLVM does not know.
    pub fn has_string_attribute(self, name: &str) -> bool {
        let (index, length) = (llvm_sys::LLVMAttributeFunctionIndex, name.len() as u32);
        unsafe { !LLVMGetStringAttributeAtIndex(self.0, index, name.as_ptr().cast(), length).is_null() }
    }

    /// Whether the result of the function is extended with zeros.
    pub fn returns_unsigned(self) -> bool {
        const NAME: &str = "zeroext";
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(NAME.as_ptr().cast(), NAME.len());
            !LLVMGetEnumAttributeAtIndex(self.0, llvm_sys::LLVMAttributeReturnIndex, kind).is_null()
        }
    }

    /// Whether the call or the called function has an attribute.
    pub fn call_has_attribute(self, name: &str) -> bool {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            !LLVMGetCallSiteEnumAttribute(self.0, llvm_sys::LLVMAttributeFunctionIndex, kind).is_null()
                || (self.callee().is_function() && self.callee().has_attribute(name))
        }
    }

    /// The number of successors of a terminator.
    pub fn successor_count(self) -> u32 {
        unsafe { LLVMGetNumSuccessors(self.0) }
    }

    /// Successor `i` of a terminator.
    pub fn successor(self, i: u32) -> Block {
        Block(unsafe { LLVMGetSuccessor(self.0, i) })
    }

    /// All successors of a terminator.
    pub fn successors(self) -> impl Iterator<Item = Block> {
        (0..self.successor_count()).map(move |i| self.successor(i))
    }

    /// The successor of an `invoke` on normal return.
    pub fn normal_destination(self) -> Block {
        Block(unsafe { LLVMGetNormalDest(self.0) })
    }

    /// The successor of an `invoke` on an exception.
    pub fn unwind_destination(self) -> Block {
        Block(unsafe { LLVMGetUnwindDest(self.0) })
    }

    /// The incoming values of a phi with their blocks.
    pub fn incoming(self) -> impl Iterator<Item = (Value, Block)> {
        (0..unsafe { LLVMCountIncoming(self.0) })
            .map(move |i| unsafe { (Value(LLVMGetIncomingValue(self.0, i)), Block(LLVMGetIncomingBlock(self.0, i))) })
    }

    /// The clauses of a `landingpad`.
    pub fn clauses(self) -> impl Iterator<Item = Value> {
        (0..unsafe { LLVMGetNumClauses(self.0) }).map(move |i| Value(unsafe { LLVMGetClause(self.0, i) }))
    }

    /// Whether a `landingpad` is a cleanup.
    pub fn is_cleanup(self) -> bool {
        unsafe { LLVMIsCleanup(self.0) != 0 }
    }

    /// The operation of an `atomicrmw`.
    pub fn atomic_operation(self) -> llvm_sys::LLVMAtomicRMWBinOp {
        unsafe { LLVMGetAtomicRMWBinOp(self.0) }
    }

    /// The half-open interval of the `range` metadata of a load, if it is a single one.
    pub fn range(self) -> Option<(u128, u128)> {
        const KIND: &str = "range";
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.0));
            let kind = LLVMGetMDKindIDInContext(context, KIND.as_ptr().cast(), KIND.len() as u32);
            let node = LLVMGetMetadata(self.0, kind);
            if node.is_null() || LLVMGetMDNodeNumOperands(node) != 2 {
                return None;
            }
            let mut bounds = [std::ptr::null_mut(); 2];
            LLVMGetMDNodeOperands(node, bounds.as_mut_ptr());
            match bounds.map(|bound| Value(bound).constant()) {
                [Some(Constant::Integer(first)), Some(Constant::Integer(end))] => Some((first, end)),
                _ => None,
            }
        }
    }

    /// The source position of an instruction.
    pub fn debug_location(self) -> Option<DebugLocation> {
        let location = unsafe { LLVMInstructionGetDebugLoc(self.0) };
        (!location.is_null()).then_some(DebugLocation(location))
    }
}

/// Converts a double that represents a float exactly, including NaN payloads.
fn double_bits_to_single(double: u64) -> u32 {
    let value = f64::from_bits(double);
    if value.is_nan() {
        let sign = (double >> 63) as u32;
        let payload = (double >> 29) as u32 & 0x007f_ffff;
        sign << 31 | 0x7f80_0000 | payload
    } else {
        (value as f32).to_bits()
    }
}
