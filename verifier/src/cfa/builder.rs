//! Construction of programs: variables, functions, locations and edges may be added in any order.
//!
//! [`ProgramBuilder::finish`] establishes the invariants of [`Program`]. Jumps are contracted, unreachable locations
//! dropped, and the locations of a function are consecutive and in reverse postorder. Edges are sorted by source
//! location, and loop heads are marked. Ids of variables and functions are preserved, ids of locations are not.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::assumption::Assumption;
use super::program::{
    AddressSpace, Edge, External, ExternalId, FuncId, Function, InitialCells, LocId, Location, LocationKind, Op,
    Outside, Program, Scope, VarInfo, VarKind,
};
use super::property::PropertySet;
use super::reached::reached;
use super::source::{SourceId, SourceMap};
use super::types::Types;
use crate::expr::{Expr, Pool, Sort, Var};

/// A program under construction.
#[derive(Debug, Default)]
pub struct ProgramBuilder {
    /// All expressions.
    pub pool: Pool,
    /// Files and source positions.
    pub sources: SourceMap,
    /// Types of the source.
    pub types: Types,
    /// The width of a pointer in bits.
    pub pointer_bits: u16,
    /// Initial contents of memory regions.
    pub initial: Vec<InitialCells>,
    /// Notes for the user about the model.
    pub notes: Vec<String>,
    assumptions: BTreeSet<(Assumption, LocId)>,
    /// The layout of objects.
    pub address_space: AddressSpace,
    /// Functions whose results are not known exactly.
    pub externals: Vec<External>,
    /// What the automaton says about them beside its edges.
    pub outside: Outside,
    vars: Vec<VarInfo>,
    functions: Vec<Function>,
    locations: Vec<Location>,
    edges: Vec<Edge>,
}

impl ProgramBuilder {
    /// An empty program for a target with pointers of `pointer_bits` bits.
    pub fn new(pointer_bits: u16) -> ProgramBuilder {
        ProgramBuilder { pointer_bits, ..ProgramBuilder::default() }
    }

    /// Adds a variable; a local one is added to its function.
    pub fn add_var(&mut self, info: VarInfo) -> Var {
        let var = Var(id(self.vars.len()));
        if let Scope::Local(function) = info.scope {
            self.functions[function.index()].locals.push(var);
        }
        self.vars.push(info);
        var
    }

    /// Adds a variable for an intermediate value.
    pub fn add_temporary(&mut self, name: &str, sort: Sort, scope: Scope) -> Var {
        self.add_var(VarInfo {
            name: name.into(),
            sort,
            scope,
            kind: VarKind::Temporary,
            type_name: None,
            declared: SourceId::NONE,
            address: None,
        })
    }

    /// Makes a local variable the next parameter of its function.
    ///
    /// # Panics
    /// If it is a global variable.
    pub fn add_param(&mut self, var: Var) {
        let Scope::Local(function) = self.var(var).scope else { panic!("parameters are local variables") };
        self.functions[function.index()].params.push(var);
    }

    /// Adds a function with an entry and an exit but no edges.
    pub fn add_function(&mut self, name: &str, display_name: &str, result: Option<Sort>, declared: SourceId) -> FuncId {
        let function = FuncId(id(self.functions.len()));
        let entry = self.add_location(function, LocationKind::Normal);
        let exit = self.add_location(function, LocationKind::Exit);
        self.functions.push(Function {
            name: name.into(),
            display_name: display_name.into(),
            params: Vec::new(),
            result,
            locals: Vec::new(),
            entry,
            exit,
            locations: 0..0,
            declared,
        });
        function
    }

    /// The function of that name whose results are not known exactly. `is_any`: its values count as inputs.
    pub fn external(&mut self, name: &str, is_any: bool) -> ExternalId {
        let known = self.externals.iter().position(|external| *external.name == *name);
        let index = known.unwrap_or_else(|| {
            self.externals.push(External { name: name.into(), is_any });
            self.externals.len() - 1
        });
        ExternalId(id(index))
    }

    /// Adds a location to a function.
    pub fn add_location(&mut self, function: FuncId, kind: LocationKind) -> LocId {
        let location = LocId(id(self.locations.len()));
        self.locations.push(Location { function, kind, leaving: 0..0, loop_head: false });
        location
    }

    /// What the violations at error locations are about.
    pub(super) fn error_operands(&self) -> impl Iterator<Item = Expr> {
        let properties = self.locations.iter().filter_map(|location| match &location.kind {
            LocationKind::Error(property) => Some(property),
            _ => None,
        });
        properties.flat_map(|property| property.operands.iter().map(|operand| operand.value))
    }

    /// Adds an edge within a function. The edges that leave a location keep the order in which they were added.
    ///
    /// # Panics
    /// If the locations belong to different functions.
    pub fn add_edge(&mut self, from: LocId, op: Op, to: LocId, source: SourceId) {
        assert_eq!(self.function_of(from), self.function_of(to), "an edge stays in its function");
        self.edges.push(Edge { from, to, op, source });
    }

    /// Adds an edge to a new location, and returns that location.
    pub fn add_step(&mut self, from: LocId, op: Op, source: SourceId) -> LocId {
        let to = self.add_location(self.function_of(from), LocationKind::Normal);
        self.add_edge(from, op, to, source);
        to
    }

    /// Adds an edge that returns from the function.
    pub fn add_return(&mut self, from: LocId, value: Option<Expr>, source: SourceId) {
        let exit = self.function(self.function_of(from)).exit;
        self.add_edge(from, Op::Return(value), exit, source);
    }

    /// Metadata of a variable.
    pub fn var(&self, var: Var) -> &VarInfo {
        &self.vars[var.index()]
    }

    /// Mutable metadata of a variable. The scope must not change.
    pub fn var_mut(&mut self, var: Var) -> &mut VarInfo {
        &mut self.vars[var.index()]
    }

    /// All variables so far.
    pub fn vars(&self) -> &[VarInfo] {
        &self.vars
    }

    /// A function. [`ProgramBuilder::finish`] sets its range of locations.
    pub fn function(&self, function: FuncId) -> &Function {
        &self.functions[function.index()]
    }

    /// A function, mutably.
    pub fn function_mut(&mut self, function: FuncId) -> &mut Function {
        &mut self.functions[function.index()]
    }

    /// All functions so far.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// Records what a proof rests on if it passes `at`.
    pub fn add_assumption(&mut self, assumption: Assumption, at: LocId) {
        self.assumptions.insert((assumption, at));
    }

    /// The function of a location.
    pub fn function_of(&self, location: LocId) -> FuncId {
        self.locations[location.index()].function
    }

    /// The expression that is the current value of a variable.
    pub fn read(&mut self, var: Var) -> Expr {
        self.pool.var(var, self.vars[var.index()].sort)
    }

    /// All edges so far, in insertion order.
    pub(super) fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Replaces the operation of an edge.
    pub(super) fn set_op(&mut self, edge: usize, op: Op) {
        self.edges[edge].op = op;
    }

    /// Builds the program, which starts in `start`.
    ///
    /// # Panics
    /// If the program has a [`Program::flaw`].
    pub fn finish(mut self, start: FuncId) -> Program {
        let reached = reached(&self.pool, &self.functions, &self.edges, self.locations.len(), start);
        let assumptions = self.assumptions.into_iter().filter(|(_, at)| reached[at.index()]);
        let assumptions: BTreeSet<Assumption> = assumptions.map(|(assumption, _)| assumption).collect();
        let assumptions: Vec<Assumption> = assumptions.into_iter().collect();
        let mut graph = Graph::new(&self.locations, self.edges);
        graph.contract_jumps(&self.locations);
        let entering = graph.entering(&self.locations);
        for function in &mut self.functions {
            function.entry = graph.skip_entry_jump(function.entry, &self.locations, &entering);
        }
        let mut layout = Layout::new(self.locations.len());
        let members: Vec<_> = self.functions.iter_mut().map(|f| layout.place(f, &graph)).collect();
        let (mut locations, mut edges) = (Vec::new(), Vec::new());
        for old in members.into_iter().flatten() {
            let first = id(edges.len());
            edges.extend(graph.leaving(old).map(|edge| Edge {
                from: layout.new_id(edge.from),
                to: layout.new_id(edge.to),
                ..edge.clone()
            }));
            locations.push(Location {
                leaving: first..id(edges.len()),
                loop_head: layout.loop_heads[old.index()],
                ..self.locations[old.index()].clone()
            });
        }
        for function in &mut self.functions {
            function.entry = layout.new_id(function.entry);
            function.exit = layout.new_id(function.exit);
        }
        let program = Program {
            pool: self.pool,
            vars: self.vars,
            functions: self.functions,
            locations,
            edges,
            start,
            sources: self.sources,
            types: Arc::new(self.types),
            pointer_bits: self.pointer_bits,
            initial: self.initial,
            notes: self.notes,
            assumptions,
            unchecked: PropertySet::EMPTY,
            address_space: self.address_space,
            externals: self.externals,
            outside: layout.renumber(self.outside),
            unsimplified: None,
        };
        assert_eq!(program.flaw(), None);
        program
    }
}

fn id(index: usize) -> u32 {
    u32::try_from(index).expect("fewer than 2^32 of each kind")
}

/// The edges grouped by source location.
struct Graph {
    edges: Vec<Edge>,
    /// The edges that leave location `l` are `edges[first[l]..first[l + 1]]`.
    first: Vec<u32>,
}

impl Graph {
    fn new(locations: &[Location], mut edges: Vec<Edge>) -> Graph {
        edges.sort_by_key(|e| e.from);
        let mut first = vec![0; locations.len() + 1];
        for edge in &edges {
            first[edge.from.index() + 1] += 1;
        }
        for i in 1..first.len() {
            first[i] += first[i - 1];
        }
        Graph { edges, first }
    }

    fn leaving(&self, location: LocId) -> std::slice::Iter<'_, Edge> {
        let range = self.first[location.index()] as usize..self.first[location.index() + 1] as usize;
        self.edges[range].iter()
    }

    /// The target of a location whose only edge is a jump.
    fn jump_target(&self, location: LocId, locations: &[Location]) -> Option<LocId> {
        match self.leaving(location).as_slice() {
            [Edge { op: Op::Skip, to, .. }] if locations[location.index()].kind == LocationKind::Normal => Some(*to),
            _ => None,
        }
    }

    /// Redirects every edge past locations that only jump. A cycle of jumps is reduced to one self-loop: a loop must
    /// not disappear.
    fn contract_jumps(&mut self, locations: &[Location]) {
        const UNSEEN: u32 = u32::MAX;
        const ON_PATH: u32 = u32::MAX - 1;
        let mut goal = vec![UNSEEN; locations.len()];
        let mut path = Vec::new();
        for start in 0..locations.len() {
            let mut at = LocId(start as u32);
            while goal[at.index()] == UNSEEN {
                goal[at.index()] = ON_PATH;
                path.push(at);
                at = self.jump_target(at, locations).unwrap_or(at);
            }
            // Either an already known goal, or the end of the path: a location with other edges, or the start of a
            // cycle.
            let end = if goal[at.index()] == ON_PATH { at.0 } else { goal[at.index()] };
            path.drain(..).for_each(|l| goal[l.index()] = end);
        }
        for edge in &mut self.edges {
            edge.to = LocId(goal[edge.to.index()]);
        }
    }

    /// The number of incoming edges of each location, without those from pure jumps, which are unreachable after
    /// contraction.
    fn entering(&self, locations: &[Location]) -> Vec<u32> {
        let mut count = vec![0; locations.len()];
        for edge in self.edges.iter().filter(|e| self.jump_target(e.from, locations).is_none()) {
            count[edge.to.index()] += 1;
        }
        count
    }

    /// The new entry of a function: the target of its entry jump, unless other edges lead there. Keeping an entry
    /// without incoming edges avoids a loop head at the entry.
    fn skip_entry_jump(&self, entry: LocId, locations: &[Location], entering: &[u32]) -> LocId {
        match self.jump_target(entry, locations) {
            Some(target) if entering[target.index()] == 0 && self.jump_target(target, locations).is_none() => target,
            _ => entry,
        }
    }
}

/// New ids of the locations that are kept.
struct Layout {
    ids: Vec<Option<LocId>>,
    loop_heads: Vec<bool>,
    next: u32,
}

impl Layout {
    fn new(locations: usize) -> Layout {
        Layout { ids: vec![None; locations], loop_heads: vec![false; locations], next: 0 }
    }

    fn new_id(&self, old: LocId) -> LocId {
        self.ids[old.index()].expect("edges that are kept join locations that are kept")
    }

    /// Drops locations that are not kept.
    fn renumber(&self, outside: Outside) -> Outside {
        let new = |old: LocId| self.ids[old.index()];
        let mut facts: Vec<LocId> = outside.facts.into_iter().filter_map(new).collect();
        let objects = outside.objects.into_iter().filter_map(|(at, by, memories)| Some((new(at)?, by, memories)));
        let mut objects: Vec<_> = objects.collect();
        let sorted = |list: Vec<(LocId, ExternalId)>| {
            let mut list: Vec<_> = list.into_iter().filter_map(|(at, by)| Some((new(at)?, by))).collect();
            list.sort_unstable();
            list
        };
        let (calls, inputs) = (sorted(outside.calls), sorted(outside.inputs));
        facts.sort_unstable();
        objects.sort_unstable();
        Outside { facts, calls, inputs, objects }
    }

    /// Numbers the reachable locations of a function in reverse postorder and returns them in that order. The exit is
    /// always kept.
    fn place(&mut self, function: &mut Function, graph: &Graph) -> Vec<LocId> {
        let mut order = self.postorder(function.entry, graph);
        order.reverse();
        if !order.contains(&function.exit) {
            order.push(function.exit);
        }
        let first = self.next;
        for &old in &order {
            self.ids[old.index()] = Some(LocId(self.next));
            self.next += 1;
        }
        function.locations = first..self.next;
        order
    }

    /// Depth-first search, successors from last to first, so that the reversed order visits the first successor first.
    /// An edge to a location on the stack is a back edge.
    fn postorder(&mut self, entry: LocId, graph: &Graph) -> Vec<LocId> {
        #[derive(Clone, Copy, PartialEq)]
        enum Visit {
            UnderWay,
            Done,
        }
        let mut visits = rustc_hash::FxHashMap::default();
        let mut order = Vec::new();
        let mut stack = vec![(entry, graph.leaving(entry))];
        visits.insert(entry, Visit::UnderWay);
        while let Some((location, edges)) = stack.last_mut() {
            match edges.next_back() {
                None => {
                    visits.insert(*location, Visit::Done);
                    order.push(*location);
                    stack.pop();
                }
                Some(edge) => match visits.get(&edge.to) {
                    Some(Visit::UnderWay) => self.loop_heads[edge.to.index()] = true,
                    Some(Visit::Done) => {}
                    None => {
                        visits.insert(edge.to, Visit::UnderWay);
                        stack.push((edge.to, graph.leaving(edge.to)));
                    }
                },
            }
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOWHERE: SourceId = SourceId::NONE;

    fn shape(program: &Program) -> Vec<(u32, u32)> {
        program.edges.iter().map(|e| (e.from.0, e.to.0)).collect()
    }

    /// `while (i != 10) i = i + 1;` with every jump that a compiler would leave.
    #[test]
    fn jumps_vanish_and_loops_are_found() {
        let mut b = ProgramBuilder::new(64);
        let f = b.add_function("f", "f", None, NOWHERE);
        let i = b.add_temporary("i", Sort::Bits(32), Scope::Local(f));
        let (read, ten, one) = (b.read(i), b.pool.bits(32, 10), b.pool.bits(32, 1));
        let done = b.pool.eq(read, ten);
        let (more, next) = (b.pool.not(done), b.pool.add(read, one));
        let entry = b.function(f).entry;
        let head = b.add_step(entry, Op::Skip, NOWHERE);
        let test = b.add_step(head, Op::Skip, NOWHERE);
        let body = b.add_step(test, Op::Assume(more), NOWHERE);
        let after = b.add_step(test, Op::Assume(done), NOWHERE);
        let latch = b.add_step(body, Op::Assign(i, next), NOWHERE);
        b.add_edge(latch, Op::Skip, head, NOWHERE);
        b.add_return(after, None, NOWHERE);
        b.add_location(f, LocationKind::Halt);
        let program = b.finish(f);

        // entry 0 → head 1; body 2 → head; after 3 → exit 4
        assert_eq!(shape(&program), [(0, 1), (1, 2), (1, 3), (2, 1), (3, 4)]);
        let heads: Vec<_> = program.locations.iter().map(|l| l.loop_head).collect();
        assert_eq!(heads, [false, true, false, false, false]);
        let f = program.function(f);
        assert_eq!((f.entry, f.exit, f.locations.clone()), (LocId(0), LocId(4), 0..5));
        assert_eq!(program.leaving(LocId(1)).count(), 2);
    }

    #[test]
    fn an_entry_that_jumps_to_a_fresh_location_is_contracted() {
        let mut b = ProgramBuilder::new(64);
        let f = b.add_function("f", "f", None, NOWHERE);
        let body = b.add_step(b.function(f).entry, Op::Skip, NOWHERE);
        b.add_return(body, None, NOWHERE);
        assert_eq!(shape(&b.finish(f)), [(0, 1)]);
    }

    #[test]
    fn a_ring_of_jumps_stays_a_loop() {
        let mut b = ProgramBuilder::new(64);
        let f = b.add_function("f", "f", None, NOWHERE);
        let always = b.pool.bool(true);
        let one = b.add_step(b.function(f).entry, Op::Assume(always), NOWHERE);
        let two = b.add_step(one, Op::Skip, NOWHERE);
        b.add_edge(two, Op::Skip, one, NOWHERE);
        let program = b.finish(f);
        assert_eq!(shape(&program), [(0, 1), (1, 1)]);
        assert!(program.locations[1].loop_head);
        assert_eq!(program.location(program.function(f).exit).kind, LocationKind::Exit);
    }

    #[test]
    fn functions_stand_side_by_side() {
        let mut b = ProgramBuilder::new(64);
        let f = b.add_function("f", "f", None, NOWHERE);
        let g = b.add_function("g", "g", None, NOWHERE);
        let call = Op::Call { callee: g, args: Box::new([]), result: None };
        let called = b.add_step(b.function(f).entry, call, NOWHERE);
        b.add_return(b.function(g).entry, None, NOWHERE);
        b.add_return(called, None, NOWHERE);
        let program = b.finish(f);
        assert_eq!(program.function(f).locations, 0..3);
        assert_eq!(program.function(g).locations, 3..5);
        assert!(program.locations[3..].iter().all(|l| l.function == g));
    }
}
