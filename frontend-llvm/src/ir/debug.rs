//! Debug info: source positions, variables and types.

use std::ffi::c_uint;

use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;

use super::value::Value;

/// A metadata node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Meta(pub(super) LLVMMetadataRef);

/// A source position (`DILocation`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DebugLocation(pub(super) LLVMMetadataRef);

/// A lexical scope of the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DebugScope(Meta);

impl DebugScope {
    /// The file, as given to the compiler. `value` is any value of the module.
    pub fn file(self, value: Value) -> String {
        let (name, directory) = (self.0.file(), self.directory());
        // clang splits absolute paths that share a prefix with the directory in which it runs.
        match self.unit_directory(value) {
            Some(unit) if unit != directory && !name.starts_with('/') && !directory.is_empty() => {
                format!("{}/{name}", directory.trim_end_matches('/'))
            }
            _ => name,
        }
    }

    /// The directory that the file is relative to.
    pub fn directory(self) -> String {
        unsafe {
            let file = LLVMDIScopeGetFile(self.0.0);
            if file.is_null() { String::new() } else { directory_name(file) }
        }
    }

    /// The directory in which the compiler ran.
    fn unit_directory(self, value: Value) -> Option<String> {
        let context = context_of(value);
        // Operands of a function: file, scope, name, linkage name, type, unit.
        Some(DebugScope(self.0.enclosing_function(context)?.operand(context, 5)?).directory())
    }

    /// The name of the enclosing source function. `value` is any value of the module.
    pub fn function(self, value: Value) -> Option<String> {
        let context = context_of(value);
        self.0.enclosing_function(context)?.string(context, 2)
    }
}

/// The source declaration of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subprogram {
    /// Its name.
    pub name: String,
    /// The file, as given to the compiler.
    pub file: String,
    /// The directory that the file is relative to.
    pub directory: String,
    /// The line of the declaration.
    pub line: u32,
}

/// The source declaration of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalVariable {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Option<DebugType>,
    /// The file, as given to the compiler.
    pub file: String,
    /// The directory that the file is relative to.
    pub directory: String,
    /// The line of the declaration.
    pub line: u32,
    /// Whether its storage holds its value, and not a pointer to it or more than it.
    pub is_direct: bool,
}

/// A source type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DebugType {
    meta: Meta,
    context: LLVMContextRef,
}

impl Meta {
    fn kind(self) -> LLVMMetadataKind {
        unsafe { LLVMGetMetadataKind(self.0) }
    }

    pub(super) fn operands(self, context: LLVMContextRef) -> Vec<LLVMValueRef> {
        unsafe {
            let value = LLVMMetadataAsValue(context, self.0);
            let mut operands = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(value) as usize];
            LLVMGetMDNodeOperands(value, operands.as_mut_ptr());
            operands
        }
    }

    pub(super) fn operand(self, context: LLVMContextRef, i: usize) -> Option<Meta> {
        let value = *self.operands(context).get(i)?;
        (!value.is_null()).then(|| Meta(unsafe { LLVMValueAsMetadata(value) }))
    }

    fn string(self, context: LLVMContextRef, i: usize) -> Option<String> {
        let value = *self.operands(context).get(i)?;
        if value.is_null() {
            return None;
        }
        let mut length: c_uint = 0;
        unsafe {
            let start = LLVMGetMDString(value, &mut length);
            if start.is_null() {
                return None;
            }
            let bytes = std::slice::from_raw_parts(start.cast::<u8>(), length as usize);
            Some(String::from_utf8_lossy(bytes).into_owned())
        }
    }

    fn file(self) -> String {
        unsafe {
            let file = LLVMDIScopeGetFile(self.0);
            if file.is_null() {
                return String::new();
            }
            let mut length: c_uint = 0;
            let start = LLVMDIFileGetFilename(file, &mut length);
            String::from_utf8_lossy(std::slice::from_raw_parts(start.cast::<u8>(), length as usize)).into_owned()
        }
    }

    /// The function that contains a scope.
    fn enclosing_function(self, context: LLVMContextRef) -> Option<Meta> {
        let mut scope = self;
        while !matches!(scope.kind(), LLVMMetadataKind::LLVMDISubprogramMetadataKind) {
            // Operands of a lexical block: file, scope.
            scope = scope.operand(context, 1)?;
        }
        Some(scope)
    }
}

impl DebugLocation {
    /// The line, 0 if unknown.
    pub fn line(self) -> u32 {
        unsafe { LLVMDILocationGetLine(self.0) }
    }

    /// The column, 0 if unknown.
    pub fn column(self) -> u32 {
        unsafe { LLVMDILocationGetColumn(self.0) }
    }

    /// The lexical scope.
    pub fn scope(self) -> DebugScope {
        DebugScope(Meta(unsafe { LLVMDILocationGetScope(self.0) }))
    }

    /// The call site if this code was inlined.
    pub fn inlined_at(self) -> Option<DebugLocation> {
        let at = unsafe { LLVMDILocationGetInlinedAt(self.0) };
        (!at.is_null()).then_some(DebugLocation(at))
    }
}

pub(super) fn context_of(value: Value) -> LLVMContextRef {
    unsafe { LLVMGetTypeContext(LLVMTypeOf(value.0)) }
}

/// The source declaration of a function with debug info.
pub fn subprogram(function: Value) -> Option<Subprogram> {
    unsafe {
        let node = LLVMGetSubprogram(function.0);
        if node.is_null() {
            return None;
        }
        let name = qualified_name(Meta(node), context_of(function))?;
        let scope = DebugScope(Meta(node));
        let (file, directory) = (scope.file(function), scope.directory());
        Some(Subprogram { name, file, directory, line: LLVMDISubprogramGetLine(node) })
    }
}

/// The name of a function, qualified by classes and namespaces.
fn qualified_name(function: Meta, context: LLVMContextRef) -> Option<String> {
    use LLVMMetadataKind::*;
    let mut name = function.string(context, 2)?;
    // A member defined outside its class refers to its declaration there.
    let mut scope = function.operand(context, 1);
    while let Some(outer) = scope {
        let own = match outer.kind() {
            LLVMDICompositeTypeMetadataKind | LLVMDISubprogramMetadataKind => outer.string(context, 2),
            // Operands of a namespace: file, scope, name.
            LLVMDINamespaceMetadataKind => Some(outer.string(context, 2).unwrap_or("(anonymous)".into())),
            _ => break,
        };
        if let Some(own) = own {
            name = format!("{own}::{name}");
        }
        scope = outer.operand(context, 1);
    }
    Some(name)
}

/// The storage and the variable of a call to `llvm.dbg.declare`.
pub fn declared_variable(call: Value) -> Option<(Value, LocalVariable)> {
    let context = context_of(call);
    unsafe {
        // The operand wraps the storage as ValueAsMetadata in MetadataAsValue; as a node, it has one operand.
        let wrapped = call.operand(0).0;
        let mut storage = [std::ptr::null_mut(); 1];
        if LLVMGetMDNodeNumOperands(wrapped) != 1 {
            return None;
        }
        LLVMGetMDNodeOperands(wrapped, storage.as_mut_ptr());
        let mut variable = variable(Meta(LLVMValueAsMetadata(call.operand(1).0)), context)?;
        variable.is_direct = is_direct(call);
        (!storage[0].is_null()).then_some((Value(storage[0]), variable))
    }
}

fn variable(node: Meta, context: LLVMContextRef) -> Option<LocalVariable> {
    let file = unsafe { LLVMDIVariableGetFile(node.0) };
    Some(LocalVariable {
        name: node.string(context, 1)?,
        ty: node.operand(context, 3).map(|meta| DebugType { meta, context }),
        file: if file.is_null() { String::new() } else { file_name(file) },
        directory: if file.is_null() { String::new() } else { directory_name(file) },
        line: unsafe { LLVMDIVariableGetLine(node.0) },
        is_direct: true,
    })
}

/// Whether the expression of a declaration has no operators.
fn is_direct(call: Value) -> bool {
    unsafe {
        let builder = LLVMCreateDIBuilderDisallowUnresolved(LLVMGetGlobalParent(call.function().0));
        // Expressions with the same operators are the same node.
        let empty = LLVMDIBuilderCreateExpression(builder, std::ptr::null_mut(), 0);
        LLVMDisposeDIBuilder(builder);
        LLVMValueAsMetadata(call.operand(2).0) == empty
    }
}

fn file_name(file: LLVMMetadataRef) -> String {
    unsafe {
        let mut length: c_uint = 0;
        let start = LLVMDIFileGetFilename(file, &mut length);
        String::from_utf8_lossy(std::slice::from_raw_parts(start.cast::<u8>(), length as usize)).into_owned()
    }
}

fn directory_name(file: LLVMMetadataRef) -> String {
    unsafe {
        let mut length: c_uint = 0;
        let start = LLVMDIFileGetDirectory(file, &mut length);
        if start.is_null() {
            return String::new();
        }
        String::from_utf8_lossy(std::slice::from_raw_parts(start.cast::<u8>(), length as usize)).into_owned()
    }
}

/// The source declaration of a global variable.
pub fn debug_type_of_global(global: Value) -> Option<LocalVariable> {
    let context = context_of(global);
    unsafe {
        let mut count = 0;
        let entries = LLVMGlobalCopyAllMetadata(global.0, &mut count);
        let mut found = None;
        for i in 0..count as u32 {
            let node = Meta(LLVMValueMetadataEntriesGetMetadata(entries, i));
            if matches!(node.kind(), LLVMMetadataKind::LLVMDIGlobalVariableExpressionMetadataKind) {
                found = node.operand(context, 0);
            }
        }
        LLVMDisposeValueMetadataEntries(entries);
        variable(found?, context)
    }
}

/// The structure of a debug type, as far as naming needs it.
pub(super) enum Shape {
    Basic,
    Pointer(Option<DebugType>),
    /// A typedef or qualifier of another type.
    Alias(Option<DebugType>),
    Array(Option<DebugType>),
    Members(Vec<DebugType>),
    Function,
    Member(Option<DebugType>),
    Other,
}

/// The structure of a source type.
pub enum DebugShape {
    /// A number, by its encoding in DWARF.
    Basic(String),
    /// A pointer or a reference.
    Pointer(Option<DebugType>),
    /// A typedef or qualifier of another type.
    Alias(Option<DebugType>),
    /// An array, with the lengths of its dimensions.
    Array(Option<DebugType>, Vec<u64>),
    /// A structure or class.
    Struct(Vec<DebugMember>),
    /// A union.
    Union(Vec<DebugMember>),
    /// An enumeration with its underlying type and its enumerators.
    Enumeration(Option<DebugType>, Vec<(String, i128)>),
    /// A function.
    Function,
    /// Anything else.
    Other,
}

/// A member of a structure, class or union.
pub struct DebugMember {
    /// Its name; base classes and anonymous members have none.
    pub name: Option<String>,
    /// Its position in bits.
    pub offset: u64,
    /// Its width in bits, if it is a bit-field.
    pub bits: Option<u16>,
    /// Its type.
    pub ty: Option<DebugType>,
}

impl DebugType {
    /// The size in bytes.
    pub fn bytes(self) -> u64 {
        self.size()
    }

    /// The structure of the type.
    pub fn structure(self) -> DebugShape {
        use LLVMMetadataKind::*;
        let tag = unsafe { LLVMGetDINodeTag(self.meta.0) };
        match self.meta.kind() {
            LLVMDIBasicTypeMetadataKind => DebugShape::Basic(self.field("encoding: ").unwrap_or_default()),
            LLVMDIDerivedTypeMetadataKind => match tag {
                // Pointers and references of both kinds; DW_TAG_ptr_to_member_type is none.
                0x0f | 0x10 | 0x42 => DebugShape::Pointer(self.at(3)),
                // typedef, const, volatile, restrict, atomic
                0x16 | 0x26 | 0x35 | 0x37 | 0x47 => DebugShape::Alias(self.at(3)),
                _ => DebugShape::Other,
            },
            LLVMDICompositeTypeMetadataKind => match tag {
                0x01 => DebugShape::Array(self.at(3), self.dimensions()),
                0x02 | 0x13 => DebugShape::Struct(self.members()),
                0x17 => DebugShape::Union(self.members()),
                0x04 => DebugShape::Enumeration(self.at(3), self.enumerators()),
                _ => DebugShape::Other,
            },
            LLVMDISubroutineTypeMetadataKind => DebugShape::Function,
            _ => DebugShape::Other,
        }
    }

    /// A field that LLVM's C API does not give, from the text of the node. Nodes of types are not operands of
    /// instructions, so that printing one does not number the whole module.
    fn field(self, key: &str) -> Option<String> {
        let text = unsafe {
            let text = LLVMPrintValueToString(LLVMMetadataAsValue(self.context, self.meta.0));
            let copy = std::ffi::CStr::from_ptr(text).to_string_lossy().into_owned();
            LLVMDisposeMessage(text);
            copy
        };
        // Names come first, and may contain anything.
        let start = text.rfind(key)? + key.len();
        let end = text[start..].find([',', ')'])?;
        Some(text[start..start + end].to_string())
    }

    /// The operands of the list of elements.
    fn elements(self) -> Vec<DebugType> {
        let elements = self.at(4).map(|e| e.meta.operands(self.context)).unwrap_or_default();
        let present = elements.into_iter().filter(|v| !v.is_null());
        present.map(|v| DebugType { meta: Meta(unsafe { LLVMValueAsMetadata(v) }), context: self.context }).collect()
    }

    fn dimensions(self) -> Vec<u64> {
        let count = |range: DebugType| {
            let count = range.meta.operands(self.context).first().copied().filter(|count| !count.is_null());
            let count = count.filter(|&count| unsafe { !LLVMIsAConstantInt(count).is_null() });
            count.map_or(0, |count| unsafe { LLVMConstIntGetSExtValue(count) }.max(0) as u64)
        };
        let ranges = self.elements().into_iter();
        ranges.filter(|e| matches!(e.meta.kind(), LLVMMetadataKind::LLVMDISubrangeMetadataKind)).map(count).collect()
    }

    fn members(self) -> Vec<DebugMember> {
        const DW_TAG_MEMBER: u16 = 0x0d;
        const DW_TAG_INHERITANCE: u16 = 0x1c;
        let has = |flags: LLVMDIFlags, flag: LLVMDIFlags| flags & flag == flag;
        let mut members = Vec::new();
        for element in self.elements() {
            let tag = unsafe { LLVMGetDINodeTag(element.meta.0) };
            if !matches!(element.meta.kind(), LLVMMetadataKind::LLVMDIDerivedTypeMetadataKind)
                || ![DW_TAG_MEMBER, DW_TAG_INHERITANCE].contains(&tag)
            {
                continue;
            }
            let flags = unsafe { LLVMDITypeGetFlags(element.meta.0) };
            // The position of a virtual base class is known only when the program runs.
            if has(flags, LLVMDIFlagStaticMember) || tag == DW_TAG_INHERITANCE && has(flags, LLVMDIFlagVirtual) {
                continue;
            }
            let bits = unsafe { LLVMDITypeGetSizeInBits(element.meta.0) };
            members.push(DebugMember {
                name: element.own_name().filter(|_| tag == DW_TAG_MEMBER),
                offset: unsafe { LLVMDITypeGetOffsetInBits(element.meta.0) },
                bits: has(flags, LLVMDIFlagBitField).then(|| bits.try_into().unwrap_or(0)),
                ty: element.at(3),
            });
        }
        members
    }

    fn enumerators(self) -> Vec<(String, i128)> {
        let number = |e: DebugType| Some((e.meta.string(self.context, 0)?, e.field("value: ")?.parse().ok()?));
        let elements = self.elements().into_iter();
        elements
            .filter(|e| matches!(e.meta.kind(), LLVMMetadataKind::LLVMDIEnumeratorMetadataKind))
            .filter_map(number)
            .collect()
    }

    pub(super) fn new(meta: Meta, context: LLVMContextRef) -> DebugType {
        DebugType { meta, context }
    }

    pub(super) fn meta(self) -> Meta {
        self.meta
    }

    fn at(self, i: usize) -> Option<DebugType> {
        self.meta.operand(self.context, i).map(|meta| DebugType { meta, context: self.context })
    }

    fn own_name(self) -> Option<String> {
        self.meta.string(self.context, 2).filter(|n| !n.is_empty())
    }

    pub(super) fn offset(self) -> u64 {
        unsafe { LLVMDITypeGetOffsetInBits(self.meta.0) / 8 }
    }

    /// Its size in bytes; 0 if it is incomplete.
    pub fn size(self) -> u64 {
        match self.shape() {
            Shape::Alias(Some(inner)) | Shape::Member(Some(inner)) => inner.size(),
            _ => unsafe { LLVMDITypeGetSizeInBits(self.meta.0).div_ceil(8) },
        }
    }

    pub(super) fn shape(self) -> Shape {
        use LLVMMetadataKind::*;
        const DW_TAG_ARRAY: u16 = 0x01;
        const DW_TAG_MEMBER: u16 = 0x0d;
        const DW_TAG_POINTER: u16 = 0x0f;
        const DW_TAG_REFERENCE: u16 = 0x10;
        const DW_TAG_INHERITANCE: u16 = 0x1c;
        const DW_TAG_RVALUE_REFERENCE: u16 = 0x42;
        let tag = unsafe { LLVMGetDINodeTag(self.meta.0) };
        match self.meta.kind() {
            LLVMDIBasicTypeMetadataKind => Shape::Basic,
            LLVMDIDerivedTypeMetadataKind => match tag {
                DW_TAG_POINTER | DW_TAG_REFERENCE | DW_TAG_RVALUE_REFERENCE => Shape::Pointer(self.at(3)),
                DW_TAG_MEMBER | DW_TAG_INHERITANCE => Shape::Member(self.at(3)),
                _ => Shape::Alias(self.at(3)),
            },
            LLVMDICompositeTypeMetadataKind if tag == DW_TAG_ARRAY => Shape::Array(self.at(3)),
            LLVMDICompositeTypeMetadataKind => {
                let elements = self.at(4).map(|e| e.meta.operands(self.context)).unwrap_or_default();
                let elements = elements.into_iter().filter(|v| !v.is_null());
                Shape::Members(
                    elements
                        .map(|v| DebugType { meta: Meta(unsafe { LLVMValueAsMetadata(v) }), context: self.context })
                        .filter(|t| matches!(t.meta.kind(), LLVMDIDerivedTypeMetadataKind))
                        .collect(),
                )
            }
            LLVMDISubroutineTypeMetadataKind => Shape::Function,
            _ => Shape::Other,
        }
    }

    /// The type in C notation, abbreviated.
    pub fn name(self) -> String {
        self.name_within(4)
    }

    fn name_within(self, depth: u32) -> String {
        let of = |inner: Option<DebugType>| match inner {
            None => "void".to_string(),
            Some(_) if depth == 0 => "…".to_string(),
            Some(t) => t.name_within(depth - 1),
        };
        if let Some(name) = self.own_name() {
            return name;
        }
        match self.shape() {
            Shape::Pointer(inner) => match inner.map(|t| t.shape()) {
                Some(Shape::Function) => "function *".into(),
                _ => {
                    let inner = of(inner);
                    let space = if inner.ends_with('*') { "" } else { " " };
                    format!("{inner}{space}*")
                }
            },
            Shape::Alias(inner) | Shape::Member(inner) => of(inner),
            Shape::Array(inner) => format!("{} []", of(inner)),
            Shape::Function => "function".into(),
            _ => "struct".into(),
        }
    }

    /// The path from an object of this type to its part of about `bytes` bytes at `offset`, such as `.next` or `[2].x`,
    /// with the type of that part.
    pub fn path_to(self, offset: u64, bytes: u64) -> (String, Option<DebugType>) {
        self.path_within(offset, bytes, 16)
    }

    fn path_within(self, offset: u64, bytes: u64, depth: u32) -> (String, Option<DebugType>) {
        let whole = (String::new(), Some(self));
        if depth == 0 {
            return whole;
        }
        match self.shape() {
            Shape::Alias(Some(inner)) | Shape::Member(Some(inner)) => inner.path_within(offset, bytes, depth - 1),
            Shape::Array(Some(element)) => {
                let size = element.size();
                if size == 0 {
                    return whole;
                }
                let (path, ty) = element.path_within(offset % size, bytes, depth - 1);
                (format!("[{}]{path}", offset / size), ty)
            }
            Shape::Members(members) => {
                let inside = |m: &&DebugType| {
                    m.offset() <= offset && offset < m.offset() + m.size().max(1) && m.is_stored_member()
                };
                // The best match; among union members, the one with the closest size.
                let best = members.iter().filter(inside).min_by_key(|m| m.size().abs_diff(bytes));
                match best {
                    Some(member) => {
                        let (path, ty) = member.path_within(offset - member.offset(), bytes, depth - 1);
                        match member.own_name() {
                            Some(name) => (format!(".{name}{path}"), ty),
                            None => (path, ty),
                        }
                    }
                    None => (format!(".+{offset}"), None),
                }
            }
            _ if offset == 0 => whole,
            _ => (format!(".+{offset}"), None),
        }
    }

    pub(super) fn is_stored_member(self) -> bool {
        matches!(self.shape(), Shape::Member(_))
            && !unsafe { LLVMDITypeGetFlags(self.meta.0) }.eq(&llvm_sys::debuginfo::LLVMDIFlagStaticMember)
    }

    /// Whether it is a structure, class or union.
    pub fn has_members(self) -> bool {
        match self.shape() {
            Shape::Members(members) => !members.is_empty(),
            Shape::Alias(Some(inner)) => inner.has_members(),
            _ => false,
        }
    }

    /// The target type of a pointer type.
    pub fn pointee(self) -> Option<DebugType> {
        match self.shape() {
            Shape::Pointer(inner) => inner,
            Shape::Alias(Some(inner)) => inner.pointee(),
            _ => None,
        }
    }

    /// The element type of an array type; other types themselves.
    pub fn element(self) -> DebugType {
        match self.shape() {
            Shape::Array(Some(inner)) => inner.element(),
            Shape::Alias(Some(inner)) if matches!(inner.shape(), Shape::Array(_)) => inner.element(),
            _ => self,
        }
    }
}
