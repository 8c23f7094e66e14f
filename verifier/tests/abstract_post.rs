//! The explicit-value domain over-approximates the interpreter: along every run and for any precision, the abstract
//! successor of a state that represents the concrete one represents the next concrete one.

mod small;

use clew_verifier::cfa::{Op, Program, Scope};
use clew_verifier::cpa::Cpa;
use clew_verifier::cpa::value::cells::CellKey;
use clew_verifier::cpa::value::precision::{Sharing, ValuePrecision};
use clew_verifier::cpa::value::{ValueState, Values};
use clew_verifier::expr::{Sort, Value, Var};
use clew_verifier::facts::Facts;
use clew_verifier::interpreter::{Limits, SeededInputs};
use small::Random;
use small::trace::{Moment, Snapshot, trace};

const PROGRAMS: u64 = 3000;
const RUNS: u64 = 4;
const LIMITS: Limits = Limits { steps: 300, depth: 12 };

/// The known part of the concrete state: one snapshot for each active function, innermost last.
struct Concrete<'p> {
    program: &'p Program,
    frames: Vec<Snapshot>,
}

impl<'p> Concrete<'p> {
    fn new(program: &'p Program) -> Concrete<'p> {
        let location = program.function(program.start).entry;
        let start = Snapshot { location, depth: 1, values: Vec::new(), bytes: Vec::new(), copies: Vec::new() };
        Concrete { program, frames: vec![start] }
    }

    fn take(&mut self, moment: &Moment) {
        match self.program.edge(moment.step.edge).op {
            Op::Call { .. } => self.frames.push(moment.after.clone()),
            Op::Return(_) if moment.step.call.is_some() => {
                self.frames.pop();
                self.replace(moment);
            }
            _ => self.replace(moment),
        }
    }

    fn replace(&mut self, moment: &Moment) {
        *self.frames.last_mut().expect("the start function is under way") = moment.after.clone();
    }

    /// The snapshot of the activation that is `outer` further out than the innermost one of the variable's function.
    fn frame(&self, var: Var, outer: u32) -> Option<&Snapshot> {
        match self.program.var(var).scope {
            Scope::Global => self.frames.last().filter(|_| outer == 0),
            Scope::Local(function) => {
                let active = self.frames.iter().rev();
                active.filter(|f| self.program.location(f.location).function == function).nth(outer as usize)
            }
        }
    }

    /// The value of a cell; `None` if it has none yet or is not visible.
    fn value(&self, key: CellKey, outer: u32) -> Option<Value> {
        let frame = self.frame(key.var, outer)?;
        match (key.address, self.program.var(key.var).sort) {
            (None, _) => frame.values.iter().find(|(var, _)| *var == key.var).map(|&(_, value)| value),
            (Some(address), Sort::Memory(sort)) => {
                let byte = |i| {
                    let at = |&&(var, a, _): &&(Var, u64, u8)| var == key.var && a == address.wrapping_add(i);
                    frame.bytes.iter().find(at).map(|&(.., byte)| u128::from(byte))
                };
                let raw = (0..sort.cell.bytes()).try_fold(0, |raw, i| Some(raw | byte(i)? << (8 * i)))?;
                Value::from_raw(sort.cell.sort(), raw)
            }
            (Some(_), sort) => panic!("a cell of {sort}"),
        }
    }

    /// The value of a sum of variables.
    fn sum(&self, sort: Sort, parts: &[(Var, u64)]) -> Option<Value> {
        let term =
            |&(var, factor): &(Var, u64)| Some(self.value(CellKey::scalar(var), 0)?.raw().wrapping_mul(factor.into()));
        let sum = parts.iter().try_fold(0_u128, |sum, part| Some(sum.wrapping_add(term(part)?)))?;
        Value::from_raw(sort, sum)
    }

    /// Why `state` does not represent this concrete state, if so.
    fn excluded(&self, values: &Values<'_>, state: &ValueState) -> Option<String> {
        state.entries().into_iter().find_map(|(cell, word)| {
            let (key, outer) = values.cells.key(cell);
            let sort = values.sort_of(key.var);
            let parts = values.semantics.sums.parts(key.var);
            let really = parts.map_or_else(|| self.value(key, outer), |parts| self.sum(sort, parts));
            let known = values.semantics.words.value(sort, word);
            (known != really).then(|| format!("{key:?}, {outer} out: {known:?} instead of {really:?}, {parts:?}"))
        })
    }
}

/// All cells, or random sets of cells.
fn precision(values: &Values<'_>, random: &mut Random) -> ValuePrecision {
    let program = values.program();
    if random.one_in(3) {
        return ValuePrecision::full();
    }
    let mut cells = Vec::new();
    for var in (0..program.vars.len() as u32).map(Var) {
        let outermost = if program.var(var).scope == Scope::Global { 0 } else { 2 };
        let keys: Vec<CellKey> = match program.var(var).sort {
            Sort::Memory(sort) => {
                let fixed = program.address_space.fixed.clone();
                let addresses = if fixed.is_empty() { 0..1 << program.pointer_bits } else { fixed };
                addresses.step_by(sort.cell.bytes() as usize).map(|a| CellKey::cell(var, a)).collect()
            }
            _ => vec![CellKey::scalar(var)],
        };
        cells.extend(keys.iter().flat_map(|&p| (0..=outermost).map(move |outer| values.cells.outer(p, outer))));
    }
    cells.extend(values.semantics.sums.iter().map(|sum| values.cells.number(CellKey::scalar(sum))));
    let sharing = random.pick(&[Sharing::Location, Sharing::Function, Sharing::Global]);
    let rarity = random.between(1, 6);
    let mut precision = ValuePrecision::empty(program, sharing);
    for location in (0..program.locations.len() as u32).map(clew_verifier::cfa::LocId) {
        for &cell in &cells {
            if !random.one_in(rarity + 1) {
                precision.add(location, cell);
            }
        }
    }
    precision
}

/// Follows one run. Returns the numbers of facts in the abstract states, in total and about sums.
fn follow(program: &Program, values: &Values<'_>, seed: u64, moments: &[Moment]) -> Result<[usize; 2], String> {
    let mut random = Random::new(seed);
    let precision = precision(values, &mut random);
    let mut concrete = Concrete::new(program);
    let mut state = values.initial();
    let [mut facts, mut sums] = [0, 0];
    for (i, moment) in moments.iter().enumerate() {
        concrete.take(moment);
        let step = moment.step;
        let successors = values.transfer(state, &precision, step);
        let adjusted = successors.into_iter().map(|s| values.adjust(s, &precision, step.target(program)));
        let mut adjusted: Vec<ValueState> = adjusted.collect();
        let excluded: Vec<String> = adjusted.iter().filter_map(|s| concrete.excluded(values, s)).collect();
        if adjusted.len() == excluded.len() {
            return Err(format!("step {i}, {step:?}, {:?}: {excluded:?}", program.edge(step.edge).op));
        }
        adjusted.retain(|s| concrete.excluded(values, s).is_none());
        state = adjusted.swap_remove(random.below(adjusted.len()));
        facts += state.len();
        let is_sum = |cell| values.semantics.sums.parts(values.cells.key(cell).0.var).is_some();
        sums += state.entries().iter().filter(|&&(cell, _)| is_sum(cell)).count();
        if random.one_in(4) {
            for (cell, _) in state.entries() {
                if random.one_in(4) {
                    state.remove(cell);
                }
            }
        }
    }
    Ok([facts, sums])
}

#[test]
fn abstract_posts_stand_for_the_steps_of_the_interpreter() {
    let [mut steps, mut facts, mut sums] = [0; 3];
    for (seed, size) in small::programs(PROGRAMS) {
        let program = small::generate(seed, size);
        let values = Values::new(&Facts::new(&program, &Default::default()));
        for run in 0..RUNS {
            let (moments, _) = trace(&program, &mut SeededInputs::new(seed ^ run << 32), LIMITS);
            steps += moments.len();
            match follow(&program, &values, seed * RUNS + run, &moments) {
                Ok([known, of_sums]) => (facts, sums) = (facts + known, sums + of_sums),
                Err(why) => panic!("seed {seed}, run {run}: {why}\n{}", small::show(&program)),
            }
        }
    }
    eprintln!("{steps} steps, {facts} facts, {sums} about sums");
    assert!(facts > 2 * steps, "only {facts} facts along {steps} steps: states that know nothing are always right");
    assert!(sums > steps / 100, "only {sums} facts about sums along {steps} steps");
}
