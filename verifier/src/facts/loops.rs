//! Loops: nesting, the variables that they modify, and from where targets are reachable.

use crate::cfa::program::{Edge, FuncId, LocId, Op, Program, Scope};
use crate::expr::Var;

/// The loops of all functions. A loop is identified by its head and consists of the locations from which a back edge to
/// the head is reachable without passing the head.
#[derive(Clone, Debug)]
pub struct Loops {
    /// The heads of all loops that contain each location, outermost first.
    nests: Vec<Box<[LocId]>>,
    is_reducible: bool,
}

impl Loops {
    /// Computes the loops of all functions of `program`.
    pub fn new(program: &Program) -> Loops {
        let mut entering = vec![Vec::new(); program.locations.len()];
        for edge in &program.edges {
            entering[edge.to.index()].push(edge.from);
        }
        let mut nests = vec![Vec::new(); program.locations.len()];
        // Heads are visited in ascending order, so outer loops come first.
        for head in (0..program.locations.len() as u32).map(LocId).filter(|&l| program.location(l).loop_head) {
            // Locations are in reverse postorder: an edge from the head itself or a later location is a back edge.
            let mut worklist: Vec<LocId> =
                entering[head.index()].iter().copied().filter(|&from| from >= head).collect();
            nests[head.index()].push(head);
            while let Some(location) = worklist.pop() {
                let nest: &mut Vec<LocId> = &mut nests[location.index()];
                if nest.last() != Some(&head) {
                    nest.push(head);
                    worklist.extend(entering[location.index()].iter().filter(|&&from| from > head));
                }
            }
        }
        let nests: Vec<Box<[LocId]>> = nests.into_iter().map(Vec::into_boxed_slice).collect();
        let enters_at_head = |edge: &Edge| {
            let (from, to) = (&nests[edge.from.index()], &nests[edge.to.index()]);
            to.iter().all(|head| *head == edge.to || from.contains(head))
        };
        let is_reducible = program.edges.iter().all(enters_at_head);
        Loops { nests, is_reducible }
    }

    /// The heads of all loops that contain `location`, outermost first. The last one of a head is the head itself.
    pub fn nest(&self, location: LocId) -> &[LocId] {
        &self.nests[location.index()]
    }

    /// Whether every loop is entered only at its head.
    pub fn is_reducible(&self) -> bool {
        self.is_reducible
    }

    /// Whether an edge leaves a loop.
    pub fn leaves(&self, from: LocId, to: LocId) -> bool {
        let after = self.nest(to);
        self.nest(from).iter().any(|head| !after.contains(head))
    }

    /// The variables that the loop of `head` may modify: global ones and those of its function, including writes by
    /// callees.
    pub fn changes(&self, program: &Program, head: LocId) -> Vec<Var> {
        let mut changed = Vec::new();
        let mut called = vec![false; program.functions.len()];
        let mut worklist = Vec::new();
        let mut look = |edge: &Edge, worklist: &mut Vec<FuncId>| {
            changed.extend(edge.op.written());
            if let Op::Call { callee, .. } = edge.op
                && !std::mem::replace(&mut called[callee.index()], true)
            {
                // The callee's own variables are fresh in each activation.
                worklist.push(callee);
            }
        };
        let function = program.location(head).function;
        for (_, edge) in program.edges_of(function) {
            if self.nest(edge.from).contains(&head) && self.nest(edge.to).contains(&head) {
                look(edge, &mut worklist);
            }
        }
        while let Some(callee) = worklist.pop() {
            program.edges_of(callee).for_each(|(_, edge)| look(edge, &mut worklist));
        }
        let is_seen = |var: &Var| match program.var(*var).scope {
            Scope::Global => true,
            Scope::Local(owner) => owner == function,
        };
        changed.retain(is_seen);
        changed.sort_unstable();
        changed.dedup();
        changed
    }
}

/// Backward reachability of targets: the given error locations and unsupported operations.
#[derive(Clone, Debug)]
pub struct Prospects {
    /// Whether a target is reachable in this function or its callees.
    ahead: Vec<bool>,
    /// Whether the function can return.
    returns: Vec<bool>,
}

impl Prospects {
    /// Computes reachability of `errors` and of unsupported edges.
    pub fn new(program: &Program, errors: &[LocId]) -> Prospects {
        let mut targets = vec![false; program.locations.len()];
        errors.iter().for_each(|location| targets[location.index()] = true);
        let mut exits = vec![false; program.locations.len()];
        for edge in &program.edges {
            match edge.op {
                Op::Unsupported(_) => targets[edge.from.index()] = true,
                Op::Return(_) => exits[edge.from.index()] = true,
                _ => {}
            }
        }
        let returns = spread(program, exits, |_, _| false);
        let ahead = spread(program, targets, |callee, ahead| ahead[program.function(callee).entry.index()]);
        Prospects { ahead, returns }
    }

    /// Whether a target is reachable from `location` without leaving its function.
    pub fn is_ahead(&self, location: LocId) -> bool {
        self.ahead[location.index()]
    }

    /// Whether the function of `location` can return from there.
    pub fn returns(&self, location: LocId) -> bool {
        self.returns[location.index()]
    }
}

/// Marks all locations from which a marked one is reachable, or a call for which `call` holds.
fn spread(program: &Program, mut marked: Vec<bool>, call: impl Fn(FuncId, &[bool]) -> bool) -> Vec<bool> {
    loop {
        let mut changed = false;
        for edge in program.edges.iter().rev() {
            let goes_on = !matches!(edge.op, Op::Return(_) | Op::Unsupported(_));
            let leads = goes_on && marked[edge.to.index()]
                || matches!(edge.op, Op::Call { callee, .. } if call(callee, &marked));
            if leads && !marked[edge.from.index()] {
                marked[edge.from.index()] = true;
                changed = true;
            }
        }
        if !changed {
            return marked;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfa::{Havoc, LocationKind, ProgramBuilder, Property, PropertyKind, Scope, SourceId};
    use crate::expr::Sort;

    const NOWHERE: SourceId = SourceId::NONE;

    /// `f`: `g = 1`. `main`: `while (c) { while (c) f(); d = 1; } fail`.
    #[test]
    fn loops_change_what_they_and_their_callees_write() {
        let mut b = ProgramBuilder::new(64);
        let g = b.add_temporary("g", Sort::Bool, Scope::Global);
        let f = b.add_function("f", "f", None, NOWHERE);
        let own = b.add_temporary("own", Sort::Bool, Scope::Local(f));
        let at = b.add_step(b.function(f).entry, Op::Havoc(g, Havoc::Input), NOWHERE);
        let at = b.add_step(at, Op::Havoc(own, Havoc::Input), NOWHERE);
        b.add_return(at, None, NOWHERE);
        let main = b.add_function("main", "main", None, NOWHERE);
        let (c, d) = (
            b.add_temporary("c", Sort::Bool, Scope::Local(main)),
            b.add_temporary("d", Sort::Bool, Scope::Local(main)),
        );
        let yes = b.read(c);
        let no = b.pool.not(yes);
        let outer = b.function(main).entry;
        let inner = b.add_step(outer, Op::Assume(yes), NOWHERE);
        let done = b.add_step(outer, Op::Assume(no), NOWHERE);
        let body = b.add_step(inner, Op::Assume(yes), NOWHERE);
        b.add_edge(body, Op::Call { callee: f, args: Box::new([]), result: None }, inner, NOWHERE);
        let left = b.add_step(inner, Op::Assume(no), NOWHERE);
        b.add_edge(left, Op::Havoc(d, Havoc::Input), outer, NOWHERE);
        let property = Property::new(PropertyKind::Assert, "", NOWHERE);
        let error = b.add_location(main, LocationKind::Error(property));
        b.add_edge(done, Op::Skip, error, NOWHERE);
        let program = b.finish(main);
        let loops = Loops::new(&program);
        let heads: Vec<LocId> =
            (0..program.locations.len() as u32).map(LocId).filter(|&l| program.location(l).loop_head).collect();
        let [outer, inner] = heads[..] else { panic!("there are two loops, not {heads:?}") };
        assert!(loops.is_reducible());
        assert_eq!(loops.nest(outer), [outer]);
        assert_eq!(loops.nest(inner), [outer, inner]);
        assert_eq!(loops.changes(&program, outer), [g, d]);
        assert_eq!(loops.changes(&program, inner), [g]);
        let errors: Vec<LocId> = program.error_locations().map(|(location, _)| location).collect();
        let prospects = Prospects::new(&program, &errors);
        assert!(prospects.is_ahead(inner) && !prospects.returns(inner));
        let entry = program.function(f).entry;
        assert!(!prospects.is_ahead(entry) && prospects.returns(entry));
    }
}
