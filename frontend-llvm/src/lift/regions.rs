//! Memory regions: the variables that hold the bytes of objects.
//!
//! The pieces of a node with a single object that exists only once are plain variables, all others are memories. A
//! region whose objects never escape their function is local to it.

use rustc_hash::{FxHashMap, FxHashSet};

use clew_verifier::cfa::{Scope, SourceId, SourcePlace, VarInfo, VarKind};
use clew_verifier::expr::{Cell as CellSort, MemorySort, Sort, Var};

use super::Lifter;
use crate::compile::is_model_file;
use crate::ir::{self, Constant, DebugType, LocalVariable, Opcode, TypeKind, Value};
use crate::names::intrinsic_stem;
use crate::pointsto::{AccessKind, Cell, NodeId, Object, Partition, PieceKind};

/// The regions created so far.
#[derive(Default)]
pub struct Regions {
    nodes: FxHashMap<NodeId, Region>,
    private: FxHashMap<Value, bool>,
    /// Source declarations of allocas and globals.
    declared: FxHashMap<Value, LocalVariable>,
    /// The functions whose declarations have been collected.
    searched: FxHashSet<Value>,
    /// Source types of pointees, for nodes with unnamed objects.
    types: Option<FxHashMap<NodeId, (DebugType, i64)>>,
}

/// The storage of one node.
pub struct Region {
    partition: Partition,
    /// The only object, if it exists only once, with its offset in the node.
    plain: Option<(Object, i64)>,
    scope: Scope,
    vars: Vec<Option<Var>>,
}

impl Lifter {
    fn region(&mut self, node: NodeId) -> &mut Region {
        if !self.regions.nodes.contains_key(&node) {
            let region = self.make_region(node);
            self.regions.nodes.insert(node, region);
        }
        self.regions.nodes.get_mut(&node).expect("it was just made")
    }

    fn make_region(&mut self, node: NodeId) -> Region {
        let info = self.points_to.node(node).clone();
        let partition = Partition::of(&info);
        let mut objects: Vec<(Object, i64)> = info.objects.iter().copied().collect();
        objects.sort_by_key(|&(object, offset)| (self.order_of(object), offset));
        let homes: Vec<Option<Value>> = objects.iter().map(|&(o, _)| self.private_home(o)).collect();
        let scope = match homes.first() {
            Some(&Some(home)) if !info.external && homes.iter().all(|&h| h == Some(home)) => {
                Scope::Local(self.function(home))
            }
            _ => Scope::Global,
        };
        let single = objects.len() == 1 && info.stride == 0 && !info.external && !info.dynamic_ranges;
        let plain = objects.first().copied().filter(|&(object, _)| single && self.exists_once(object));
        let vars = vec![None; partition.len()];
        Region { partition, plain, scope, vars }
    }

    /// The position of an object in the module.
    pub(super) fn order_of(&self, object: Object) -> (u32, u32) {
        let (value, i) = match object {
            Object::Global(v) | Object::Alloca(v) | Object::Heap(v) | Object::VarArgs(v) => (v, 0),
            Object::ByValue(v, i) => (v, i),
        };
        (self.order.get(&value).copied().unwrap_or(u32::MAX), i)
    }

    /// The function that an object never escapes.
    fn private_home(&mut self, object: Object) -> Option<Value> {
        match object {
            Object::Alloca(alloca) if self.is_static(alloca) && self.is_private(alloca) => Some(alloca.function()),
            _ => None,
        }
    }

    /// Whether it is allocated once on function entry, with a constant size.
    pub(super) fn is_static(&self, alloca: Value) -> bool {
        let constant = matches!(alloca.operand(0).constant(), Some(Constant::Integer(_)));
        constant && alloca.function().blocks().next() == Some(alloca.block())
    }

    /// Whether the address of a stack slot is only used for accesses to it.
    fn is_private(&mut self, alloca: Value) -> bool {
        if let Some(&known) = self.regions.private.get(&alloca) {
            return known;
        }
        let private = only_accessed(alloca);
        self.regions.private.insert(alloca, private);
        private
    }

    fn exists_once(&mut self, object: Object) -> bool {
        matches!(object, Object::Global(_)) || self.has_fixed_address(object)
    }

    /// Whether the object has the same address throughout the run.
    pub(super) fn has_fixed_address(&mut self, object: Object) -> bool {
        match object {
            Object::Global(_) => true,
            Object::Alloca(alloca) => {
                self.is_static(alloca) && (self.is_private(alloca) || !self.recursive.contains(&alloca.function()))
            }
            Object::ByValue(call, _) => !self.recursive.contains(&call.function()),
            Object::Heap(_) | Object::VarArgs(_) => false,
        }
    }

    /// The size of an object in bytes, if it is constant.
    pub(super) fn object_bytes(&self, object: Object) -> Option<u64> {
        match object {
            Object::Global(global) => Some(self.layout.alloc_size(global.value_type())),
            Object::Alloca(alloca) => match alloca.operand(0).constant() {
                Some(Constant::Integer(n)) => {
                    u64::try_from(n).ok()?.checked_mul(self.layout.alloc_size(alloca.allocated_type()))
                }
                _ => None,
            },
            Object::ByValue(call, i) => call.call_type_attribute(i, "byval").map(|ty| self.layout.alloc_size(ty)),
            Object::Heap(_) | Object::VarArgs(_) => None,
        }
    }

    /// The address of an object with a fixed address.
    pub(super) fn fixed_address(&mut self, object: Object) -> u64 {
        if let Some(known) = self.objects.known(object) {
            return known;
        }
        let bytes = self.object_bytes(object).unwrap_or(0);
        let (alignment, name) = match object {
            Object::Global(g) => (g.alignment().max(self.layout.alignment(g.value_type())), self.object_name(object)),
            Object::Alloca(a) => (a.alignment(), self.object_name(object)),
            _ => (16, self.object_name(object)),
        };
        let address = self.objects.fixed(object, bytes, alignment, &name);
        self.record_object(object, address);
        address
    }

    /// The type of an object in the source.
    pub(super) fn declared_type(&mut self, object: Object) -> Option<DebugType> {
        let is_program = |file: &str| !is_model_file(file);
        let variable = self.declaration(object).filter(|variable| variable.is_direct)?;
        // What models keep to themselves means nothing to people.
        variable.ty.filter(|_| is_program(&variable.file) && is_program(&variable.directory))
    }

    /// The source declaration of an object.
    fn declaration(&mut self, object: Object) -> Option<LocalVariable> {
        let value = match object {
            Object::Global(v) | Object::Alloca(v) => v,
            _ => return None,
        };
        if let Some(known) = self.regions.declared.get(&value) {
            return Some(known.clone());
        }
        let found = match object {
            Object::Global(_) => ir::debug_type_of_global(value)?,
            _ => {
                // Collects all variables of the function at once.
                if !self.regions.searched.insert(value.function()) {
                    return None;
                }
                for call in value.function().body() {
                    if is_debug_declare(call)
                        && let Some((storage, variable)) = ir::declared_variable(call)
                    {
                        self.regions.declared.entry(storage).or_insert(variable);
                    }
                }
                return self.regions.declared.get(&value).cloned();
            }
        };
        self.regions.declared.insert(value, found.clone());
        Some(found)
    }

    /// Whether the source declares this stack slot.
    pub(super) fn is_declared(&mut self, alloca: Value) -> bool {
        self.declaration(Object::Alloca(alloca)).is_some()
    }

    /// A display name.
    pub(super) fn object_name(&mut self, object: Object) -> String {
        if let Some(variable) = self.declaration(object) {
            return variable.name;
        }
        let value = match object {
            Object::Global(v) | Object::Alloca(v) | Object::Heap(v) => v,
            Object::VarArgs(f) => return format!("{}.varargs", f.name()),
            Object::ByValue(call, i) => return format!("{}.argument.{i}", call.callee().name()),
        };
        match (object, value.name()) {
            (Object::Heap(_), _) => "heap".into(),
            (Object::Alloca(_), "") => "slot".into(),
            (_, "") => "global".into(),
            (_, name) => name.trim_start_matches('.').into(),
        }
    }

    /// The sort of the variable that holds a piece of a node.
    pub(super) fn piece_sort(&mut self, node: NodeId, piece: usize) -> Sort {
        let address = self.layout.pointer_bits();
        let region = self.region(node);
        let kind = region.partition.kind(piece);
        if region.plain.is_some() && kind == Some(PieceKind::Uniform(AccessKind::Truth)) {
            return Sort::Bool;
        }
        let cell = match kind {
            Some(PieceKind::Uniform(AccessKind::Float(format))) => CellSort::Float(format),
            _ => CellSort::Bits((region.partition.bytes(piece) * 8).min(u64::from(u16::MAX)) as u16),
        };
        match region.plain {
            Some(_) => cell.sort(),
            None => Sort::Memory(MemorySort { address, cell }),
        }
    }

    /// The variable that holds a piece of a node.
    pub(super) fn piece_var(&mut self, node: NodeId, piece: usize) -> Var {
        if let Some(var) = self.region(node).vars[piece] {
            return var;
        }
        let region = self.region(node);
        let (start, bytes) = (region.partition.start(piece), region.partition.bytes(piece));
        let (plain, scope) = (region.plain, region.scope);
        let sort = self.piece_sort(node, piece);
        let (name, type_name, declared) = self.piece_name(node, start, bytes, plain);
        let address = match plain {
            // Private scalars need no address.
            Some(_) if matches!(scope, Scope::Local(_)) => None,
            Some((object, offset)) => Some(self.fixed_address(object).wrapping_add_signed(start - offset)),
            None => None,
        };
        let name = self.unique_name(scope, &name);
        let in_model =
            plain.is_some_and(|(object, _)| matches!(object, Object::Global(g) if g.name().starts_with("__clew_")));
        let var = self.builder.add_var(VarInfo {
            name,
            sort,
            scope,
            kind: if in_model { VarKind::Model } else { VarKind::Source },
            type_name: type_name.map(Into::into),
            declared,
            address,
        });
        self.region(node).vars[piece] = Some(var);
        self.record_piece(var, node, start, plain);
        var
    }

    fn piece_name(
        &mut self,
        node: NodeId,
        start: i64,
        bytes: u64,
        plain: Option<(Object, i64)>,
    ) -> (String, Option<String>, SourceId) {
        let info = self.points_to.node(node);
        let array = info.stride != 0;
        let mut objects: Vec<(Object, i64)> = info.objects.iter().copied().collect();
        objects.sort_by_key(|&(object, offset)| (self.order_of(object), offset));
        let named = objects.iter().copied().find_map(|(o, at)| self.declaration(o).map(|d| (d, at)));
        if let Some((variable, at)) = named.filter(|_| plain.is_some() || objects.len() == 1) {
            let offset = (start - at).max(0) as u64;
            let (path, ty) = match variable.ty {
                Some(ty) if array => ty.element().path_to(offset, bytes),
                Some(ty) => ty.path_to(offset, bytes),
                None => (String::new(), None),
            };
            let file = self.builder.sources.file_in(&variable.directory, &variable.file);
            let place =
                SourcePlace { file, line: variable.line, column: 0, function: "".into(), inlined_at: SourceId::NONE };
            // What holds a pointer to the variable, or several variables, has no value to show. Nor has what models use.
            let is_shown =
                variable.is_direct && ![&variable.file, &variable.directory].into_iter().any(|p| is_model_file(p));
            let declared = if is_shown { self.builder.sources.intern(place) } else { SourceId::NONE };
            return (format!("{}{path}", variable.name), ty.map(|t| t.name()), declared);
        }
        if let Some((ty, at)) = self.pointee_type(node) {
            let (path, part) = ty.element().path_to((start - at).max(0) as u64, bytes);
            return (format!("{}{path}", ty.name()), part.map(|t| t.name()), SourceId::NONE);
        }
        let name = objects.first().map_or("external".to_string(), |&(o, _)| self.object_name(o));
        let name = if start == 0 { name } else { format!("{name}.+{start}") };
        (name, None, SourceId::NONE)
    }

    /// The type that a pointer variable of the source gives to the objects of a node.
    pub(super) fn pointee_type(&mut self, node: NodeId) -> Option<(DebugType, i64)> {
        if self.regions.types.is_none() {
            let mut types = FxHashMap::default();
            for function in self.module.functions() {
                for call in function.body().filter(|&i| is_debug_declare(i)) {
                    let Some((storage, variable)) = ir::declared_variable(call) else { continue };
                    let Some(ty) = variable.ty.and_then(|t| t.pointee()) else { continue };
                    let target = self.points_to.cell(storage).and_then(|cell| self.points_to.link(cell));
                    if let Some(target) = target {
                        let known = types.entry(target.node).or_insert((ty, target.offset));
                        // Objects are of the derived class, and no bytes.
                        let is_larger = !known.0.has_members() || known.0.bytes() < ty.bytes();
                        if ty.has_members() && is_larger {
                            *known = (ty, target.offset);
                        }
                    }
                }
            }
            self.regions.types = Some(types);
        }
        self.regions.types.as_ref()?.get(&node).copied()
    }

    /// The only object of a node, if it exists only once.
    pub(super) fn plain_object(&mut self, node: NodeId) -> Option<(Object, i64)> {
        self.region(node).plain
    }

    /// The partition of the bytes of a node.
    pub(super) fn partition(&mut self, node: NodeId) -> &Partition {
        &self.region(node).partition
    }

    /// Whether a pointer has any target object.
    pub(super) fn is_known(&self, cell: Cell) -> bool {
        let node = self.points_to.node(cell.node);
        node.external || !node.objects.is_empty()
    }

    /// Whether an access of that size is known, so that it covers whole pieces.
    pub(super) fn is_accessed(&mut self, cell: Cell, bytes: u64) -> bool {
        let parts = self.partition(cell.node).parts(cell.offset, bytes);
        parts.iter().map(|p| p.bytes).sum::<u64>() == bytes
    }

    /// The global memories and variables created so far: node, piece and variable.
    pub(super) fn global_storage(&self) -> Vec<(NodeId, usize, Var)> {
        let mut found: Vec<(NodeId, usize, Var)> = self
            .regions
            .nodes
            .iter()
            .filter(|(_, region)| region.scope == Scope::Global)
            .flat_map(|(&node, region)| {
                region.vars.iter().enumerate().filter_map(move |(piece, var)| var.map(|var| (node, piece, var)))
            })
            .collect();
        found.sort_by_key(|&(_, _, var)| var);
        found
    }

    /// The variables of all accessed pieces of a node.
    pub(super) fn node_vars(&mut self, node: NodeId) -> Vec<Var> {
        let pieces = self.partition(node).touched(0, None);
        pieces.into_iter().map(|piece| self.piece_var(node, piece)).collect()
    }
}

fn is_debug_declare(instruction: Value) -> bool {
    instruction.opcode() == Opcode::LLVMCall && instruction.callee().name() == "llvm.dbg.declare"
}

/// Whether a pointer is only used for accesses to its target.
fn only_accessed(pointer: Value) -> bool {
    pointer.users().all(|user| match user.opcode() {
        Opcode::LLVMLoad => true,
        Opcode::LLVMStore => user.operand(0) != pointer,
        Opcode::LLVMGetElementPtr => user.operand(0) == pointer && only_accessed(user),
        Opcode::LLVMCall => {
            let name = user.callee().name();
            matches!(
                intrinsic_stem(name),
                "memcpy" | "memmove" | "memset" | "lifetime.start" | "lifetime.end" | "dbg.declare" | "dbg.value"
            ) && name.starts_with("llvm.")
        }
        _ => false,
    } && user.ty().kind() != TypeKind::Other)
}
