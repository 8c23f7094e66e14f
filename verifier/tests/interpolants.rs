//! Interpolants of the explicit-value refinement satisfy the conditions of paper 000, §3, and exclude their paths.

mod small;

use std::collections::BTreeSet;

use clew_verifier::cfa::{EdgeId, InitialCells, Op, ProgramBuilder, Scope, Segment, SourceId, Step};
use clew_verifier::cpa::Cpa;
use clew_verifier::cpa::value::cells::CellKey;
use clew_verifier::cpa::value::precision::{Sharing, ValuePrecision};
use clew_verifier::cpa::value::{ValueState, Values};
use clew_verifier::expr::{BinaryOp, Cell, MemorySort, Sort, Var};
use clew_verifier::facts::Facts;
use clew_verifier::interpreter::{Limits, SeededInputs};
use clew_verifier::refine::value::{Choices, Interpolants, Key, Recording, interpolate, record};
use small::Random;
use small::occurrences::{occurrences, tell_path};
use small::trace::trace;

const PROGRAMS: u64 = 500;
const WALKS: u64 = 20;

/// A path with its interpolants.
struct Case<'a, 'p> {
    values: &'a Values<'p>,
    path: &'a [Step],
    recording: Recording,
    interpolants: Interpolants,
}

impl<'a, 'p> Case<'a, 'p> {
    /// `None` if values do not contradict the path.
    fn new(values: &'a Values<'p>, path: &'a [Step]) -> Option<Case<'a, 'p>> {
        let recording = record(&values.semantics, path);
        let interpolants = interpolate(&recording, 0)?;
        Some(Case { values, path, recording, interpolants })
    }

    /// The interpolant at a position, as a state.
    fn state(&self, position: usize) -> ValueState {
        let mut state = self.values.initial();
        for &(key, word) in self.interpolants.at(position) {
            let outer = self.recording.activations_since(position, key);
            state.set(self.values.cells.outer(key.cell, outer), word);
        }
        state
    }

    fn post(&self, state: ValueState, precision: &ValuePrecision, step: Step) -> Option<ValueState> {
        let next = self.values.transfer(state, precision, step).pop()?;
        Some(self.values.adjust(next, precision, step.target(self.values.program())))
    }

    /// The position where the path starting at `position` is contradicted, if it is.
    fn contradicted(&self, position: usize, mut state: ValueState, precision: &ValuePrecision) -> Option<usize> {
        for (i, &step) in self.path.iter().enumerate().skip(position) {
            match self.post(state, precision, step) {
                Some(next) => state = next,
                None => return Some(i),
            }
        }
        None
    }

    /// The violated condition and its position.
    fn violation(&self) -> Option<String> {
        let full = ValuePrecision::full();
        let last = self.interpolants.len() - 1;
        let occurrences = occurrences(self.values.program(), self.path);
        let mut strongest = self.values.initial();
        for position in 0..=last {
            let state = self.state(position);
            if !state.is_within(&strongest) {
                return Some(format!("not implied by the first {position} steps: {}", self.tell(position)));
            }
            if self.contradicted(position, state.clone(), &full).is_none_or(|at| at > last) {
                return Some(format!("the path after {position} steps does not contradict {}", self.tell(position)));
            }
            let next = self.post(state, &full, self.path[position]);
            match next {
                Some(next) if position < last && !self.state(position + 1).is_within(&next) => {
                    return Some(format!("not inductive at {position}: {}", self.tell(position)));
                }
                Some(_) if position == last => return Some(format!("step {last} can be taken")),
                None if position < last => return Some(format!("contradicted already at {position}")),
                _ => {}
            }
            let (before, after) = (&occurrences[..position], &occurrences[position..=last]);
            for (key, _) in self.interpolants.at(position) {
                // A sum occurs where one of its variables does; its functions have at most one activation.
                let sum = self.values.semantics.sums.parts(key.cell.var);
                let is_it = |&(var, activation): &(Var, u32)| match sum {
                    Some(parts) => parts.iter().any(|part| part.0 == var),
                    None => (var, activation) == (key.cell.var, key.activation),
                };
                let occurs = |part: &[BTreeSet<(Var, u32)>]| part.iter().any(|s| s.iter().any(is_it));
                if !occurs(before) || !occurs(after) {
                    return Some(format!("{key:?} does not occur on both sides of position {position}"));
                }
            }
            if position < last {
                match self.post(strongest, &full, self.path[position]) {
                    Some(next) => strongest = next,
                    None => return Some(format!("the strongest post ends at {position}")),
                }
            }
        }
        None
    }

    /// Why the precision, refined by one of the infeasible sliced prefixes, does not exclude the path.
    fn not_excluded(&self) -> Option<String> {
        let choices = Choices::find(self.values, self.path, |_| true);
        if choices.candidates.is_empty() {
            return Some("no refinement".into());
        }
        (0..choices.candidates.len()).find_map(|chosen| {
            [Sharing::Location, Sharing::Function, Sharing::Global].into_iter().find_map(|sharing| {
                let mut precision = ValuePrecision::empty(self.values.program(), sharing);
                choices.commit(chosen, self.values, self.path, &mut precision);
                let excluded = self.contradicted(0, self.values.initial(), &precision);
                excluded
                    .is_none()
                    .then(|| format!("{chosen} does not exclude it, shared by {sharing:?}: {precision:?}"))
            })
        })
    }

    fn tell(&self, position: usize) -> String {
        let name = |key: &Key| match self.values.semantics.sums.parts(key.cell.var) {
            Some(parts) => format!("{parts:?}"),
            None => self.values.program().var(key.cell.var).name.to_string(),
        };
        let facts = self.interpolants.at(position).iter();
        let facts = facts.map(|(k, word)| format!("{}{:x?}#{}={word:#x}", name(k), k.cell.address, k.activation));
        facts.collect::<Vec<_>>().join(", ")
    }
}

#[test]
fn interpolants_fulfil_their_conditions() {
    let (mut walks, mut infeasible, mut facts) = (0, 0, 0);
    for (seed, size) in small::programs(PROGRAMS) {
        let program = small::generate(seed, size);
        let values = Values::new(&Facts::new(&program, &Default::default()));
        let mut random = Random::new(seed);
        for _ in 0..WALKS {
            let path = small::walk(&program, &mut random, (1, 120));
            walks += 1;
            let Some(case) = Case::new(&values, &path) else { continue };
            infeasible += 1;
            facts += (0..case.interpolants.len()).map(|i| case.interpolants.at(i).len()).sum::<usize>();
            if let Some(why) = case.violation().or_else(|| case.not_excluded()) {
                panic!("seed {seed}: {why}\n{}\n{}", tell_path(&program, &path), small::show(&program));
            }
        }
    }
    eprintln!("{infeasible} infeasible paths, {facts} facts");
    assert!(infeasible > walks / 4, "only {infeasible} paths are contradicted");
    assert!(facts > 5 * infeasible, "only {facts} facts on {infeasible} paths");
}

#[test]
fn paths_of_runs_are_not_contradicted() {
    for (seed, size) in small::programs(PROGRAMS) {
        let program = small::generate(seed, size);
        let values = Values::new(&Facts::new(&program, &Default::default()));
        for run in 0..WALKS / 4 {
            let limits = Limits { steps: 300, depth: 12 };
            let (moments, _) = trace(&program, &mut SeededInputs::new(seed ^ run << 32), limits);
            let path: Vec<Step> = moments.iter().map(|moment| moment.step).collect();
            if let Some(case) = Case::new(&values, &path) {
                let at = case.interpolants.len() - 1;
                panic!(
                    "seed {seed}, run {run}: step {at} was taken\n{}\n{}",
                    tell_path(&program, &path),
                    small::show(&program)
                );
            }
        }
    }
}

/// Facts about outer activations of a recursive function are kept while inner ones run.
#[test]
fn outer_activations_are_refined() {
    let mut b = ProgramBuilder::new(64);
    let start = b.add_function("start", "start", None, SourceId::NONE);
    let f = b.add_function("f", "f", None, SourceId::NONE);
    let sort = Sort::Bits(8);
    let (p, x) = (b.add_temporary("p", sort, Scope::Local(f)), b.add_temporary("x", sort, Scope::Local(f)));
    b.add_param(p);
    let (depth, entry) = (b.pool.bits(8, 2), b.function(start).entry);
    let end = b.add_step(entry, Op::Call { callee: f, args: [depth].into(), result: None }, SourceId::NONE);
    b.add_return(end, None, SourceId::NONE);
    let (read_p, read_x, zero, one) = (b.read(p), b.read(x), b.pool.bits(8, 0), b.pool.bits(8, 1));
    let (bottom, less) = (b.pool.eq(read_p, zero), b.pool.binary(BinaryOp::Sub, read_p, one));
    let (deeper, same) = (b.pool.not(bottom), b.pool.eq(read_x, read_p));
    let changed = b.pool.not(same);
    let at = b.function(f).entry;
    let at = b.add_step(at, Op::Assign(x, read_p), SourceId::NONE);
    let last = b.add_step(at, Op::Assume(bottom), SourceId::NONE);
    b.add_return(last, None, SourceId::NONE);
    let at = b.add_step(at, Op::Assume(deeper), SourceId::NONE);
    let back = b.add_step(at, Op::Call { callee: f, args: [less].into(), result: None }, SourceId::NONE);
    let good = b.add_step(back, Op::Assume(same), SourceId::NONE);
    b.add_return(good, None, SourceId::NONE);
    let bad = b.add_step(back, Op::Assume(changed), SourceId::NONE);
    b.add_return(bad, None, SourceId::NONE);
    let program = b.finish(start);
    let values = Values::new(&Facts::new(&program, &Default::default()));
    let mut random = Random::new(1);
    let mut outermost = 0;
    for _ in 0..2000 {
        let path = small::walk(&program, &mut random, (1, 120));
        let Some(case) = Case::new(&values, &path) else { continue };
        if let Some(why) = case.violation().or_else(|| case.not_excluded()) {
            panic!("{why}\n{}", tell_path(&program, &path));
        }
        for position in 0..case.interpolants.len() {
            let facts = case.interpolants.at(position).iter();
            outermost =
                facts.map(|&(key, _)| case.recording.activations_since(position, key)).fold(outermost, u32::max);
        }
    }
    assert!(outermost >= 2, "facts reach only {outermost} activations out");
}

/// A write that overlaps part of an initial cell, even at an unaligned address, hides that cell both for refinement and
/// for exploration.
#[test]
fn overlapping_writes_hide_initial_contents() {
    let sort = MemorySort { address: 64, cell: Cell::Bits(32) };
    // Stores (address, and whether the value is known), and whether the initial cell at 0x1002 is still known after them.
    let cases: [(&[(u128, bool)], bool); 7] = [
        (&[], true),
        (&[(0x1000, true)], false),
        (&[(0x1002, true)], false),
        (&[(0x1002, false)], false),
        (&[(0x1001, false)], false),
        (&[(0x1001, true), (0x1005, true)], false),
        (&[(0x1006, true)], true),
    ];
    for (stores, known) in cases {
        let mut b = ProgramBuilder::new(64);
        b.initial = vec![InitialCells { segments: vec![Segment { address: 0x1000, bytes: 16, data: [1; 16].into() }] }];
        let start = b.add_function("start", "start", None, SourceId::NONE);
        let memory = b.add_temporary("m", Sort::Memory(sort), Scope::Global);
        let at = b.function(start).entry;
        let mut at = b.add_step(at, Op::Initialize { memory, contents: 0 }, SourceId::NONE);
        let unknown = b.add_temporary("u", Sort::Bits(32), Scope::Global);
        for &(address, is_known) in stores {
            let value = if is_known { b.pool.bits(32, 0x0505_0505) } else { b.read(unknown) };
            let address = b.pool.bits(64, address);
            at = b.add_step(at, Op::Store { memory, address, value }, SourceId::NONE);
        }
        let (contents, address) = (b.read(memory), b.pool.bits(64, 0x1002));
        let (read, initial) = (b.pool.read(contents, address, 1), b.pool.bits(32, 0x0101_0101));
        let same = b.pool.eq(read, initial);
        let changed = b.pool.not(same);
        let at = b.add_step(at, Op::Assume(changed), SourceId::NONE);
        b.add_return(at, None, SourceId::NONE);
        let program = b.finish(start);
        let values = Values::new(&Facts::new(&program, &Default::default()));
        let cell = values.cells.number(CellKey::cell(memory, 0x1002));
        let path: Vec<Step> = (0..program.edges.len() as u32 - 1).map(|i| Step::along(EdgeId(i))).collect();
        let refuted = interpolate(&record(&values.semantics, &path), 0).is_some();
        let mut precision = ValuePrecision::empty(&program, Sharing::Global);
        precision.add(program.function(start).entry, cell);
        let mut state = Some(values.initial());
        for &step in &path {
            state = state.and_then(|state| values.transfer(state, &precision, step).pop());
        }
        assert_eq!((refuted, state.is_none()), (known, known), "stores at {stores:x?}");
    }
}
