//! Lifting of LLVM instructions to the edges of control-flow automata.
//!
//! Stack slots and globals become variables or memory regions, as determined by the points-to analysis. Values that are
//! used once fold into the expressions that use them, so that an edge reads like a source statement. Anything that is
//! not modelled becomes an `Unsupported` edge.

mod arguments;
mod call;
mod checks;
mod constant;
mod control;
mod environment;
mod exception;
mod extent;
mod external;
mod foreseen;
mod function;
mod indeterminate;
mod instruction;
mod intrinsic;
mod jump;
mod math;
mod memory;
mod objects;
mod places;
mod ranges;
mod readonly;
mod regions;
mod rounding;
mod stack;
mod start;
mod types;
mod unknown;
mod wide;

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use clew_verifier::cfa::{
    Assumption, ExternalId, FuncId, Program, ProgramBuilder, PropertySet, Scope, SourceId, TypeId, VarInfo, VarKind,
};
use clew_verifier::expr::{Expr, Sort, Var};

use crate::compile::WRITES_FILES;
use crate::entry::Made;
use crate::ir::{self, Layout, Module, Opcode, Type, TypeKind, Value};
use crate::names::{self, Callee};
use crate::pointsto::{Gaps, NodeId, PointsTo, resolve_alias};

/// The effect of calls to functions that are only declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Externals {
    /// They return an arbitrary value and write nothing.
    Pure,
    /// They return an arbitrary value and havoc all memory reachable from their arguments.
    #[default]
    Havoc,
    /// They are unsupported.
    Error,
}

/// Options for lifting a module.
#[derive(Clone, Debug)]
pub struct LiftOptions {
    /// The entry function.
    pub entry: String,
    /// The arguments that the entry function makes for another one.
    pub made: Option<Made>,
    /// The effect of external functions.
    pub externals: Externals,
    /// External functions and modelled ones that may return any value: their values count as inputs.
    pub assume_any: Vec<String>,
    /// The kinds of properties that are asked for: a check that stands for several kinds is split accordingly.
    pub properties: PropertySet,
    /// What the points-to analysis ignores, for tests: no verdict may become wrong by it.
    pub gaps: Option<Gaps>,
}

impl Default for LiftOptions {
    fn default() -> Self {
        LiftOptions {
            entry: "main".into(),
            made: None,
            externals: Externals::Havoc,
            assume_any: Vec::new(),
            properties: PropertySet::ALL,
            gaps: None,
        }
    }
}

/// Why a module cannot be lifted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LiftError {
    /// The entry function does not exist or has no body.
    NoEntry(String),
    /// The target is big-endian.
    BigEndian,
}

impl std::fmt::Display for LiftError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LiftError::NoEntry(name) => {
                write!(f, "there is no function `{name}` with a body to start from; choose one with --entry")
            }
            LiftError::BigEndian => write!(f, "big-endian targets are not supported"),
        }
    }
}

impl std::error::Error for LiftError {}

/// Lifts a module whose debug info is represented by intrinsics.
pub fn lift(module: &inkwell::module::Module<'_>, options: &LiftOptions) -> Result<Program, LiftError> {
    let module = Module::of(module);
    let entry = module.function(&options.entry).filter(|f| !f.is_declaration());
    let entry = entry.ok_or_else(|| LiftError::NoEntry(options.entry.clone()))?;
    let layout = module.layout();
    if !layout.is_little_endian() {
        return Err(LiftError::BigEndian);
    }
    let mut lifter = Lifter::new(module, layout, entry, options);
    let start = lifter.declare_start();
    lifter.function(entry);
    lifter.lift_reachable();
    lifter.lift_start(start, entry);
    // Constructors and exit handlers may require further functions.
    lifter.lift_reachable();
    lifter.finish_start(start);
    Ok(lifter.finish(start))
}

/// A lifted value: a scalar, or the elements of a struct, array or vector.
#[derive(Clone, Debug)]
enum Val {
    Scalar(Expr),
    Aggregate(Vec<Val>),
    /// `undef` or `poison`: an arbitrary value, chosen at each use.
    Undefined,
}

/// State shared by the lifting of all functions.
struct Lifter {
    module: Module,
    layout: Layout,
    points_to: PointsTo,
    builder: ProgramBuilder,
    externals: Externals,
    assume_any: Vec<String>,
    writes_files: bool,
    /// The name of the entry function.
    entry: String,
    made: Option<Made>,
    selected: PropertySet,
    /// The position of functions, globals and instructions in the module, for deterministic order.
    order: FxHashMap<Value, u32>,
    functions: FxHashMap<Value, FuncId>,
    worklist: VecDeque<Value>,
    recursive: FxHashSet<Value>,
    may_throw: FxHashSet<Value>,
    may_jump: FxHashSet<Value>,
    /// The number of targets of jumps.
    jump_targets: u32,
    objects: objects::Objects,
    regions: regions::Regions,
    owners: foreseen::Owners,
    /// The node of `argv`, if nothing but the system writes it.
    arguments: Option<NodeId>,
    model: ModelVars,
    result_parts: FxHashMap<Value, Vec<Var>>,
    block_addresses: FxHashMap<ir::Block, u64>,
    type_ids: FxHashMap<Value, u32>,
    /// Variables that tell whether weak symbols are defined.
    weak: FxHashMap<Value, Var>,
    source_ids: FxHashMap<ir::DebugLocation, SourceId>,
    source_types: FxHashMap<ir::DebugType, TypeId>,
    scopes: FxHashMap<ir::DebugScope, places::ScopeInfo>,
    /// Whether the program does something that makes sense only if there are several threads or signals.
    is_concurrent: bool,
    /// The initial bytes of globals.
    images: FxHashMap<Value, std::rc::Rc<constant::InitialBytes>>,
    /// The location in the start function after initialisation.
    start_body: Option<clew_verifier::cfa::LocId>,
    names: FxHashMap<(Scope, Box<str>), u32>,
}

/// Variables of the model, created on first use.
#[derive(Default)]
struct ModelVars {
    argument_count: Option<Var>,
    heap_top: Option<Var>,
    stack_top: Option<Var>,
    object_sizes: Option<Var>,
    large_objects: Option<extent::LargeObjects>,
    exception_pending: Option<Var>,
    exception_object: Option<Var>,
    exception_types: Option<Var>,
    exception_seen: Option<Var>,
    jump: Option<jump::Pending>,
    jump_frames: Option<Var>,
    rounding: Option<Var>,
}

impl Lifter {
    fn new(module: Module, layout: Layout, entry: Value, options: &LiftOptions) -> Lifter {
        let mut order = FxHashMap::default();
        for value in module.globals().chain(module.functions()) {
            order.insert(value, order.len() as u32);
        }
        for function in module.functions() {
            for instruction in function.body() {
                order.insert(instruction, order.len() as u32);
            }
        }
        let points_to = PointsTo::analyze(module, entry, options.gaps);
        let builder = ProgramBuilder::new(layout.pointer_bits());
        let mut lifter = Lifter {
            module,
            layout,
            points_to,
            builder,
            externals: options.externals,
            writes_files: entry.has_string_attribute(WRITES_FILES),
            assume_any: options.assume_any.clone(),
            entry: options.entry.clone(),
            made: options.made.clone(),
            selected: options.properties,
            order,
            functions: FxHashMap::default(),
            worklist: VecDeque::new(),
            recursive: FxHashSet::default(),
            may_throw: FxHashSet::default(),
            may_jump: FxHashSet::default(),
            jump_targets: 0,
            objects: objects::Objects::new(layout.pointer_bits()),
            regions: regions::Regions::default(),
            owners: foreseen::Owners::default(),
            arguments: None,
            model: ModelVars::default(),
            result_parts: FxHashMap::default(),
            block_addresses: FxHashMap::default(),
            type_ids: FxHashMap::default(),
            weak: FxHashMap::default(),
            source_ids: FxHashMap::default(),
            source_types: FxHashMap::default(),
            scopes: FxHashMap::default(),
            is_concurrent: false,
            images: FxHashMap::default(),
            start_body: None,
            names: FxHashMap::default(),
        };
        lifter.recursive = lifter.find_recursion();
        lifter.may_throw = lifter.find_throwing();
        lifter.may_jump = lifter.find_jumping();
        lifter.prepare_checks();
        lifter.arguments = lifter.unchanged_arguments(entry);
        lifter
    }

    /// The possible callees of a call instruction.
    fn possible_callees(&self, call: Value) -> Vec<Value> {
        let callee = resolve_alias(call.callee());
        if callee.is_function() { vec![callee] } else { self.points_to.callees(call).to_vec() }
    }

    fn is_call(instruction: Value) -> bool {
        matches!(instruction.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke)
    }

    /// The functions that may have several activations at once.
    fn find_recursion(&self) -> FxHashSet<Value> {
        let mut graph = petgraph::graph::DiGraph::<Value, ()>::new();
        let nodes: FxHashMap<Value, _> =
            self.module.functions().filter(|f| !f.is_declaration()).map(|f| (f, graph.add_node(f))).collect();
        for function in self.module.functions() {
            for call in function.body().filter(|&i| Self::is_call(i)) {
                for callee in self.possible_callees(call) {
                    if let (Some(&from), Some(&to)) = (nodes.get(&function), nodes.get(&callee)) {
                        graph.update_edge(from, to, ());
                    }
                }
            }
        }
        let mut recursive = FxHashSet::default();
        for component in petgraph::algo::tarjan_scc(&graph) {
            if component.len() > 1 || graph.contains_edge(component[0], component[0]) {
                recursive.extend(component.into_iter().map(|n| graph[n]));
            }
        }
        recursive
    }

    /// The automaton of a function with a body. A new one is queued for lifting.
    fn function(&mut self, function: Value) -> FuncId {
        if let Some(&id) = self.functions.get(&function) {
            return id;
        }
        let ty = function.value_type();
        let result = match ty.result().kind() {
            TypeKind::Void => None,
            _ if ty.result().is_aggregate() => None,
            _ => self.sort(ty.result()),
        };
        let (display, declared) = match ir::subprogram(function) {
            Some(s) => {
                let file = self.builder.sources.file_in(&s.directory, &s.file);
                let place = clew_verifier::cfa::SourcePlace {
                    file,
                    line: s.line,
                    column: 0,
                    function: s.name.as_str().into(),
                    inlined_at: SourceId::NONE,
                };
                (s.name.clone(), self.builder.sources.intern(place))
            }
            None => (function.name().to_string(), SourceId::NONE),
        };
        let id = self.builder.add_function(function.name(), &display, result, declared);
        self.functions.insert(function, id);
        self.worklist.push_back(function);
        id
    }

    fn lift_reachable(&mut self) {
        while let Some(function) = self.worklist.pop_front() {
            function::FunctionLifter::lift(self, function);
        }
    }

    /// The sort of a scalar type; `None` if expressions cannot represent it.
    fn sort(&self, ty: Type) -> Option<Sort> {
        match ty.kind() {
            TypeKind::Integer(1) => Some(Sort::Bool),
            TypeKind::Integer(width) if width <= u32::from(clew_verifier::expr::MAX_BITS) => {
                Some(Sort::Bits(width as u16))
            }
            TypeKind::Float(format) => format.map(Sort::Float),
            TypeKind::Pointer => Some(self.pointer_sort()),
            _ => None,
        }
    }

    fn pointer_sort(&self) -> Sort {
        Sort::Bits(self.layout.pointer_bits())
    }

    /// The scalar types of which a type consists, in order.
    fn leaves(ty: Type) -> Vec<Type> {
        if !ty.is_aggregate() {
            return vec![ty];
        }
        (0..ty.element_count()).flat_map(|i| Self::leaves(ty.element(i))).collect()
    }

    /// The variables through which a function returns an aggregate.
    fn result_parts(&mut self, callee: Value, ty: Type) -> Vec<Var> {
        if let Some(parts) = self.result_parts.get(&callee) {
            return parts.clone();
        }
        let leaves = Self::leaves(ty);
        let parts: Vec<Var> = leaves
            .iter()
            .enumerate()
            .map(|(i, &leaf)| {
                let sort = self.sort(leaf).unwrap_or(Sort::Bool);
                self.model_var(&format!("{}.result.{i}", callee.name()), sort)
            })
            .collect();
        self.result_parts.insert(callee, parts.clone());
        parts
    }

    fn model_var(&mut self, name: &str, sort: Sort) -> Var {
        let name = self.unique_name(Scope::Global, name);
        self.builder.add_var(VarInfo {
            name,
            sort,
            scope: Scope::Global,
            kind: VarKind::Model,
            type_name: None,
            declared: SourceId::NONE,
            address: None,
        })
    }

    /// A name unique in the scope: `x`, `x#2`, ….
    fn unique_name(&mut self, scope: Scope, name: &str) -> Box<str> {
        let count = self.names.entry((scope, name.into())).or_insert(0);
        *count += 1;
        if *count == 1 { name.into() } else { format!("{name}#{count}").into() }
    }

    fn finish(mut self, start: FuncId) -> Program {
        let has_outside = self.points_to.nodes().into_iter().any(|node| self.points_to.node(node).external);
        self.builder.address_space = self.objects.address_space(&self.model, has_outside);
        // The interpreter reads the ends of heap and stack directly.
        let ends = [self.model.heap_top, self.model.stack_top];
        let kept: Vec<Box<str>> = ends.iter().flatten().map(|&v| self.builder.var(v).name.clone()).collect();
        self.builder.drop_unread(|var| var.kind != VarKind::Source && !kept.contains(&var.name));
        let at = self.builder.function(start).entry;
        if self.is_concurrent {
            self.builder.add_assumption(Assumption::OneThread, at);
        }
        if self.module.has_inline_assembly() {
            self.builder.add_assumption(Assumption::ModuleAssembly, at);
        }
        let mut program = self.builder.finish(start);
        checks::name_operands(&mut program);
        program
    }

    /// The functions that may be left by an exception.
    fn find_throwing(&self) -> FxHashSet<Value> {
        let mut throwing = FxHashSet::default();
        loop {
            let before = throwing.len();
            for function in self.module.functions().filter(|f| !f.has_attribute("nounwind")) {
                let throws = function.body().any(|i| match i.opcode() {
                    Opcode::LLVMResume => true,
                    Opcode::LLVMCall => self.call_may_throw(i, &throwing),
                    _ => false,
                });
                if throws {
                    throwing.insert(function);
                }
            }
            if throwing.len() == before {
                return throwing;
            }
        }
    }

    /// The function of that name whose results are not known exactly.
    fn external(&mut self, name: &str) -> ExternalId {
        // Headers rename the functions of scanf by the standard in use.
        let name = ["__isoc99_", "__isoc23_"].iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
        let is_any =
            self.assume_any.iter().any(|any| any == name) || environment::is_environment(name, self.writes_files);
        self.builder.external(name, is_any)
    }

    fn call_may_throw(&self, call: Value, throwing: &FxHashSet<Value>) -> bool {
        use names::Primitive::*;
        if call.callee().is_inline_assembly() {
            return false;
        }
        self.possible_callees(call).into_iter().any(|callee| match names::classify(callee) {
            Callee::Primitive(Throw) => true,
            Callee::Defined => throwing.contains(&callee) && !call.call_has_attribute("nounwind"),
            _ => false,
        })
    }
}
