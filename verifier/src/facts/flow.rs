//! Control flow: joins, nesting depths of loops, and recursive functions.

use petgraph::graph::DiGraph;

use crate::cfa::program::{FuncId, LocId, Op, Program};

/// Facts about the control flow of a program.
#[derive(Clone, Debug)]
pub struct Flow {
    joins: Vec<bool>,
    loop_depth: Vec<u16>,
    recursive: Vec<bool>,
    recursive_entries: Vec<bool>,
}

impl Flow {
    /// Computes the facts for `program`.
    pub fn new(program: &Program) -> Flow {
        let recursive = recursive(program);
        let mut recursive_entries = vec![false; program.locations.len()];
        for (function, _) in program.functions.iter().zip(&recursive).filter(|(_, is_recursive)| **is_recursive) {
            recursive_entries[function.entry.index()] = true;
        }
        let loop_depth = loop_depths(program);
        Flow { joins: joins(program), loop_depth, recursive, recursive_entries }
    }

    /// Whether `location` has several predecessors within one calling context.
    pub fn is_join(&self, location: LocId) -> bool {
        self.joins[location.index()]
    }

    /// The number of loops of its function that contain `location`.
    pub fn loop_depth(&self, location: LocId) -> u16 {
        self.loop_depth[location.index()]
    }

    /// Whether `location` is the entry of a recursive function.
    pub fn starts_recursion(&self, location: LocId) -> bool {
        self.recursive_entries[location.index()]
    }

    /// Whether several activations of `function` can exist at once.
    pub fn is_recursive(&self, function: FuncId) -> bool {
        self.recursive[function.index()]
    }
}

/// Every `Return` of the callee is a predecessor of the location after a call.
fn joins(program: &Program) -> Vec<bool> {
    let mut entering = vec![0_u32; program.locations.len()];
    let mut returns = vec![0; program.functions.len()];
    for function in &program.functions {
        entering[function.entry.index()] += 1;
    }
    for edge in program.edges.iter().filter(|e| matches!(e.op, Op::Return(_))) {
        returns[program.location(edge.from).function.index()] += 1;
    }
    for edge in &program.edges {
        entering[edge.to.index()] += match edge.op {
            Op::Call { callee, .. } => returns[callee.index()],
            _ => 1,
        };
    }
    entering.into_iter().map(|count| count > 1).collect()
}

fn recursive(program: &Program) -> Vec<bool> {
    let mut calls = DiGraph::<(), ()>::new();
    let nodes: Vec<_> = program.functions.iter().map(|_| calls.add_node(())).collect();
    for edge in &program.edges {
        if let Op::Call { callee, .. } = edge.op {
            calls.update_edge(nodes[program.location(edge.from).function.index()], nodes[callee.index()], ());
        }
    }
    let mut recursive = vec![false; program.functions.len()];
    for component in petgraph::algo::tarjan_scc(&calls) {
        let calls_itself = component.len() > 1 || calls.contains_edge(component[0], component[0]);
        for node in component {
            recursive[node.index()] = calls_itself;
        }
    }
    recursive
}

/// The loop of a head: the locations from which a back edge to the head is reachable without passing the head.
fn loop_depths(program: &Program) -> Vec<u16> {
    let mut entering = vec![Vec::new(); program.locations.len()];
    for edge in &program.edges {
        entering[edge.to.index()].push(edge.from);
    }
    let mut depths = vec![0; program.locations.len()];
    let mut seen = vec![None; program.locations.len()];
    for head in (0..program.locations.len() as u32).map(LocId).filter(|&l| program.location(l).loop_head) {
        // Locations are in reverse postorder: an edge from the head itself or a later location is a back edge.
        let mut stack: Vec<LocId> = entering[head.index()].iter().copied().filter(|&from| from >= head).collect();
        seen[head.index()] = Some(head);
        depths[head.index()] += 1;
        while let Some(location) = stack.pop() {
            if seen[location.index()].replace(head) != Some(head) {
                depths[location.index()] += 1;
                stack.extend(entering[location.index()].iter().filter(|&&from| from > head));
            }
        }
    }
    depths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfa::{ProgramBuilder, Scope, SourceId};
    use crate::expr::Sort;

    #[test]
    fn nested_loops_and_joins() {
        const NOWHERE: SourceId = SourceId::NONE;
        let mut b = ProgramBuilder::new(64);
        let f = b.add_function("f", "f", None, NOWHERE);
        let c = b.add_temporary("c", Sort::Bool, Scope::Local(f));
        let yes = b.read(c);
        let no = b.pool.not(yes);
        let outer = b.function(f).entry;
        let inner = b.add_step(outer, Op::Assume(yes), NOWHERE);
        let done = b.add_step(outer, Op::Assume(no), NOWHERE);
        b.add_edge(inner, Op::Assume(yes), inner, NOWHERE);
        b.add_edge(inner, Op::Assume(no), outer, NOWHERE);
        let call = Op::Call { callee: f, args: Box::new([]), result: None };
        let after = b.add_step(done, call, NOWHERE);
        b.add_return(after, None, NOWHERE);
        let program = b.finish(f);
        let flow = Flow::new(&program);
        let depths: Vec<_> = (0..5).map(|l| flow.loop_depth(LocId(l))).collect();
        assert_eq!(depths, [1, 2, 0, 0, 0]);
        let joins: Vec<_> = (0..5).map(|l| flow.is_join(LocId(l))).collect();
        assert_eq!(joins, [true, true, false, false, false]);
        assert!(flow.is_recursive(f));
    }
}
