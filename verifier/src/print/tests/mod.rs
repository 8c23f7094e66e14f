//! Tests of printing, and a small builder of programs for them.

mod exprs;
mod graphs;

use crate::cfa::program::*;
use crate::cfa::property::PropertySet;
use crate::cfa::source::{SourceId, SourceMap, SourcePlace};
use crate::expr::{BinaryOp, Cell, Expr, MemorySort, Node, Pool, Sort, UnaryOp, Value, Var};

/// Builds programs by hand. Nodes are interned directly, so that the output does not depend on simplification.
struct Builder {
    program: Program,
    edges: Vec<Edge>,
    line: u32,
}

const I32: Sort = Sort::Bits(32);
const I64: Sort = Sort::Bits(64);

impl Builder {
    fn new() -> Self {
        let program = Program {
            pool: Pool::default(),
            vars: Vec::new(),
            functions: Vec::new(),
            locations: Vec::new(),
            edges: Vec::new(),
            start: FuncId(0),
            sources: SourceMap::default(),
            pointer_bits: 64,
            initial: Vec::new(),
            notes: Vec::new(),
            assumptions: Vec::new(),
            unchecked: PropertySet::EMPTY,
            externals: vec![External { name: "read".into(), is_any: false }],
            outside: Outside::default(),
            unsimplified: None,
            types: Default::default(),
            address_space: AddressSpace {
                fixed: 0x10000..0x20000,
                functions: vec![(0x1000, "handler".into())],
                objects: vec![(0x10000, 40, "a".into()), (0x10100, 8, "b".into())],
                ..AddressSpace::default()
            },
        };
        Builder { program, edges: Vec::new(), line: 0 }
    }

    /// A function with `locations` locations, the last of which is its exit.
    fn function(&mut self, name: &str, locations: u32, result: Option<Sort>) -> FuncId {
        let id = FuncId(self.program.functions.len() as u32);
        let first = self.program.locations.len() as u32;
        for i in 0..locations {
            let kind = if i + 1 == locations { LocationKind::Exit } else { LocationKind::Normal };
            self.program.locations.push(Location { function: id, kind, leaving: 0..0, loop_head: false });
        }
        self.program.functions.push(Function {
            name: name.into(),
            display_name: name.into(),
            params: Vec::new(),
            result,
            locals: Vec::new(),
            entry: LocId(first),
            exit: LocId(first + locations - 1),
            locations: first..first + locations,
            declared: SourceId::NONE,
        });
        id
    }

    fn var(&mut self, name: &str, sort: Sort, scope: Scope) -> Var {
        let var = Var(self.program.vars.len() as u32);
        if let Scope::Local(function) = scope {
            self.program.functions[function.index()].locals.push(var);
        }
        self.program.vars.push(VarInfo {
            name: name.into(),
            sort,
            scope,
            kind: VarKind::Source,
            type_name: (sort == I32).then(|| "int".into()),
            declared: SourceId::NONE,
            address: None,
        });
        var
    }

    fn region(&mut self, name: &str, cell: Cell) -> Var {
        self.var(name, Sort::Memory(MemorySort { address: 64, cell }), Scope::Global)
    }

    fn read_var(&mut self, var: Var) -> Expr {
        let sort = self.program.var(var).sort;
        self.program.pool.intern(Node::Var(var), sort)
    }

    /// A fresh variable as an expression.
    fn fresh(&mut self, name: &str, sort: Sort) -> Expr {
        let var = self.var(name, sort, Scope::Global);
        self.read_var(var)
    }

    fn int(&mut self, value: i128) -> Expr {
        self.bits(32, value)
    }

    fn bits(&mut self, width: u16, value: i128) -> Expr {
        self.program.pool.intern(Node::Const(Value::bits(width, value as u128)), Sort::Bits(width))
    }

    fn unary(&mut self, op: UnaryOp, a: Expr, sort: Sort) -> Expr {
        self.program.pool.intern(Node::Unary(op, a), sort)
    }

    fn not(&mut self, a: Expr) -> Expr {
        self.unary(UnaryOp::Not, a, Sort::Bool)
    }

    /// An operator whose result has the sort of its arguments.
    fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let sort = self.program.pool.sort(a);
        self.program.pool.intern(Node::Binary(op, a, b), sort)
    }

    fn compare(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        self.program.pool.intern(Node::Binary(op, a, b), Sort::Bool)
    }

    fn read(&mut self, memory: Var, address: Expr, cells: u16) -> Expr {
        let memory = self.read_var(memory);
        let Sort::Memory(region) = self.program.pool.sort(memory) else { panic!("a region is expected") };
        let sort = match region.cell {
            Cell::Bits(width) => Sort::Bits(width * cells),
            Cell::Float(format) => Sort::Float(format),
        };
        self.program.pool.intern(Node::Read { memory, address, cells }, sort)
    }

    /// Sets the source line of the edges that follow.
    fn at(&mut self, line: u32) -> &mut Self {
        self.line = line;
        self
    }

    fn edge(&mut self, function: FuncId, from: u32, to: u32, op: Op) {
        let first = self.program.function(function).locations.start;
        let file = self.program.sources.file("/home/someone/count.c");
        let place = SourcePlace {
            file,
            line: self.line,
            column: 3,
            function: self.program.function(function).name.clone(),
            inlined_at: SourceId::NONE,
        };
        let source = if self.line == 0 { SourceId::NONE } else { self.program.sources.intern(place) };
        self.edges.push(Edge { from: LocId(first + from), to: LocId(first + to), op, source });
    }

    fn finish(mut self) -> Program {
        self.edges.sort_by_key(|edge| edge.from);
        for (i, location) in self.program.locations.iter_mut().enumerate() {
            let start = self.edges.partition_point(|e| e.from.index() < i) as u32;
            let end = self.edges.partition_point(|e| e.from.index() <= i) as u32;
            location.leaving = start..end;
        }
        self.program.edges = self.edges;
        self.program
    }
}
