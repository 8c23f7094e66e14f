//! Loops: which ones a location is in, what they change, and from where something of interest can still be reached.

use super::program::{Edge, FuncId, LocId, Op, Program, Var};

/// The loops of all functions. A loop is known by its head; its locations are those from which a jump back to the head
/// can be reached without passing the head.
#[derive(Clone, Debug)]
pub struct Loops {
    /// The heads of all loops around each location, the outermost one first.
    nests: Vec<Box<[LocId]>>,
    is_reducible: bool,
}

impl Loops {
    /// Looks at all functions of `program`.
    pub fn new(program: &Program) -> Loops {
        let mut entering = vec![Vec::new(); program.locations.len()];
        for edge in &program.edges {
            entering[edge.to.index()].push(edge.from);
        }
        let mut nests = vec![Vec::new(); program.locations.len()];
        // Heads come in ascending order, so outer loops come first.
        for head in (0..program.locations.len() as u32).map(LocId).filter(|&l| program.location(l).loop_head) {
            // Locations are numbered in reverse postorder: an edge from a later one, or itself, leads back.
            let mut open: Vec<LocId> = entering[head.index()].iter().copied().filter(|&from| from >= head).collect();
            nests[head.index()].push(head);
            while let Some(location) = open.pop() {
                let nest: &mut Vec<LocId> = &mut nests[location.index()];
                if nest.last() != Some(&head) {
                    nest.push(head);
                    open.extend(entering[location.index()].iter().filter(|&&from| from > head));
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

    /// The heads of all loops that `location` is in, the outermost one first; of a head, its own loop is the last one.
    pub fn nest(&self, location: LocId) -> &[LocId] {
        &self.nests[location.index()]
    }

    /// Is every loop entered at its head only?
    pub fn is_reducible(&self) -> bool {
        self.is_reducible
    }

    /// Does an edge leave a loop?
    pub fn leaves(&self, from: LocId, to: LocId) -> bool {
        let after = self.nest(to);
        self.nest(from).iter().any(|head| !after.contains(head))
    }

    /// What the loop of each head changes: variables of its function, and global ones, by what it calls too.
    pub fn changes(&self, program: &Program, head: LocId) -> Vec<Var> {
        let mut changed = Vec::new();
        let mut called = vec![false; program.functions.len()];
        let mut open = Vec::new();
        let mut look = |edge: &Edge, open: &mut Vec<FuncId>| {
            changed.extend(edge.op.written());
            if let Op::Call { callee, .. } = edge.op
                && !std::mem::replace(&mut called[callee.index()], true)
            {
                // Its parameters and other variables are new in each activation.
                open.push(callee);
            }
        };
        let function = program.location(head).function;
        for (_, edge) in program.edges_of(function) {
            if self.nest(edge.from).contains(&head) && self.nest(edge.to).contains(&head) {
                look(edge, &mut open);
            }
        }
        while let Some(callee) = open.pop() {
            program.edges_of(callee).for_each(|(_, edge)| look(edge, &mut open));
        }
        let is_seen = |var: &Var| match program.var(*var).scope {
            super::program::Scope::Global => true,
            super::program::Scope::Local(owner) => owner == function,
        };
        changed.retain(is_seen);
        changed.sort_unstable();
        changed.dedup();
        changed
    }
}

/// From where targets can be reached: error locations that count, and what is not modelled.
#[derive(Clone, Debug)]
pub struct Prospects {
    /// Is there a target ahead, in this function or in what it calls?
    ahead: Vec<bool>,
    /// Can the function return from here?
    returns: Vec<bool>,
}

impl Prospects {
    /// Looks for the ways to `errors` and to unsupported edges.
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

    /// Can a target be reached from `location` without leaving its function?
    pub fn is_ahead(&self, location: LocId) -> bool {
        self.ahead[location.index()]
    }

    /// Can the function of `location` return from there?
    pub fn returns(&self, location: LocId) -> bool {
        self.returns[location.index()]
    }
}

/// Marks all locations from which a marked one can be reached, or a call that counts.
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
    use crate::cfa::{Havoc, LocationKind, ProgramBuilder, Property, Scope, Sort, SourceId};

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
        let property = Property { kind: "assert".into(), message: "".into(), place: NOWHERE };
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
