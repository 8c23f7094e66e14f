//! Proofs by distinguished cells, on random programs about arrays whose answer is known by simulation.
//!
//! Each program writes an array in a loop, may write a byte of it again, and then checks a range of its elements. Many
//! miss one element, write across elements, or check one too many.

mod small;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use clew_verifier::cfa::{
    Havoc, LocId, LocationKind, Op, Program, ProgramBuilder, Property, PropertyKind, Scope, SourceId,
};
use clew_verifier::cfa::{InitialCells, Segment};
use clew_verifier::expr::{BinaryOp, Cell, Expr, MemorySort, Sort, Var};
use clew_verifier::monitor::Monitor;
use clew_verifier::strategy::{CheckOptions, Config, Verdict, check};
use clew_verifier::tuning::Tuning;
use small::random::Random;

const NOWHERE: SourceId = SourceId::NONE;
const PROGRAMS: u64 = 90;
const BASE: u16 = 8192;

/// Ends a run that hangs; all others end long before.
const HANG: Duration = Duration::from_secs(120);

/// A program about an array of 16-bit elements in a memory of bytes.
#[derive(Clone, Copy, Debug)]
struct Subject {
    /// The range of elements that the loop writes, and how far it goes on each time.
    first: u8,
    last: u8,
    step: u8,
    value: u16,
    /// A byte that is written afterwards, with its offset.
    again: Option<(u16, u8)>,
    /// Whether the memory is zero at the start.
    zeroed: bool,
    /// Whether the address of the array is in a variable.
    pointer: bool,
    /// The range of elements that are checked, and what they should be.
    from: u8,
    to: u8,
    claim: u16,
    /// Whether the check is a loop over all elements, or about an unknown one.
    all: bool,
}

impl Subject {
    fn new(seed: u64) -> Subject {
        let mut random = Random::new(seed);
        let last = random.between(6, 120) as u8;
        let value = random.pick(&[0, 0, 7, 257, 65535]);
        let again = random.one_in(3).then(|| {
            let offset = random.below(2 * usize::from(last) + 4) as u16;
            (offset, random.pick(&[0, 7, 1, 255]))
        });
        let to = random.pick(&[last, last, last, last - 1, last + 1]);
        Subject {
            first: random.pick(&[0, 0, 0, 1]),
            last,
            step: random.pick(&[1, 1, 1, 1, 2]),
            value,
            again,
            zeroed: random.one_in(4),
            pointer: random.one_in(3),
            from: random.pick(&[0, 0, 1, 3]),
            to,
            claim: if random.one_in(8) { value ^ 1 } else { value },
            all: random.coin(),
        }
    }

    /// Whether some run violates the claim.
    fn fails(&self) -> bool {
        let mut bytes: BTreeMap<u16, u8> = BTreeMap::new();
        if self.zeroed {
            bytes.extend((0..512).map(|offset| (offset, 0)));
        }
        let mut i = self.first;
        while i < self.last {
            let offset = 2 * u16::from(i);
            bytes.extend([(offset, self.value as u8), (offset + 1, (self.value >> 8) as u8)]);
            i += self.step;
        }
        bytes.extend(self.again);
        let element = |i: u8| Some((*bytes.get(&(2 * u16::from(i)))?, *bytes.get(&(2 * u16::from(i) + 1))?));
        (self.from..self.to).any(|i| element(i) != Some((self.claim as u8, (self.claim >> 8) as u8)))
    }

    fn program(&self) -> Program {
        let mut code = Code { b: ProgramBuilder::new(16) };
        let b = &mut code.b;
        let main = b.add_function("main", "main", None, NOWHERE);
        let sort = Sort::Memory(MemorySort { address: 16, cell: Cell::Bits(8) });
        let memory = b.add_temporary("memory", sort, Scope::Global);
        let local = |b: &mut ProgramBuilder, name, width| b.add_temporary(name, Sort::Bits(width), Scope::Local(main));
        let (i, x, p, r) = (local(b, "i", 8), local(b, "x", 8), local(b, "p", 16), local(b, "r", 16));
        let mut at = b.function(main).entry;
        if self.zeroed {
            let segment = Segment { address: BASE.into(), bytes: 512, data: Box::default() };
            b.initial.push(InitialCells { segments: vec![segment] });
            at = b.add_step(at, Op::Initialize { memory, contents: 0 }, NOWHERE);
        }
        let mut base = b.pool.bits(16, BASE.into());
        if self.pointer {
            at = b.add_step(at, Op::Assign(p, base), NOWHERE);
            base = b.read(p);
        }
        let head = code.set(at, i, self.first);
        let (body, after) = code.less(head, i, self.last);
        let (address, value) = (code.element(base, i), code.b.pool.bits(16, self.value.into()));
        let body = code.b.add_step(body, Op::Store { memory, address, value }, NOWHERE);
        code.advance(body, i, self.step, head);
        let mut at = after;
        if let Some((offset, byte)) = self.again {
            let offset = code.b.pool.bits(16, offset.into());
            let address = code.b.pool.add(base, offset);
            let value = code.b.pool.bits(8, byte.into());
            at = code.b.add_step(at, Op::Store { memory, address, value }, NOWHERE);
        }
        let head = if self.all {
            code.set(at, x, self.from)
        } else {
            let drawn = code.b.add_step(at, Op::Havoc(x, Havoc::Input), NOWHERE);
            let (_, enough) = code.less(drawn, x, self.from);
            enough
        };
        let (body, after) = code.less(head, x, self.to);
        let address = code.element(base, x);
        let memory = code.b.read(memory);
        let contents = code.b.pool.read(memory, address, 2);
        // The element is compared at once, or copied before.
        let (body, contents) = if self.value == 7 {
            (code.b.add_step(body, Op::Assign(r, contents), NOWHERE), code.b.read(r))
        } else {
            (body, contents)
        };
        let claim = code.b.pool.bits(16, self.claim.into());
        let holds = code.b.pool.eq(contents, claim);
        let (right, wrong) = code.branch(body, holds);
        let error = LocationKind::Error(Property::new(PropertyKind::Assert, "", NOWHERE));
        let error = code.b.add_location(main, error);
        code.b.add_edge(wrong, Op::Skip, error, NOWHERE);
        if self.all {
            code.advance(right, x, 1, head);
        } else {
            code.b.add_return(right, None, NOWHERE);
        }
        code.b.add_return(after, None, NOWHERE);
        code.b.finish(main)
    }
}

struct Code {
    b: ProgramBuilder,
}

impl Code {
    fn set(&mut self, at: LocId, var: Var, value: u8) -> LocId {
        let value = self.b.pool.bits(8, value.into());
        self.b.add_step(at, Op::Assign(var, value), NOWHERE)
    }

    fn branch(&mut self, at: LocId, condition: Expr) -> (LocId, LocId) {
        let not = self.b.pool.not(condition);
        (self.b.add_step(at, Op::Assume(condition), NOWHERE), self.b.add_step(at, Op::Assume(not), NOWHERE))
    }

    fn less(&mut self, at: LocId, var: Var, limit: u8) -> (LocId, LocId) {
        let (value, limit) = (self.b.read(var), self.b.pool.bits(8, limit.into()));
        let condition = self.b.pool.binary(BinaryOp::UnsignedLess, value, limit);
        self.branch(at, condition)
    }

    fn advance(&mut self, at: LocId, var: Var, by: u8, to: LocId) {
        let (value, by) = (self.b.read(var), self.b.pool.bits(8, by.into()));
        let next = self.b.pool.add(value, by);
        self.b.add_edge(at, Op::Assign(var, next), to, NOWHERE);
    }

    /// The address of an element.
    fn element(&mut self, base: Expr, index: Var) -> Expr {
        let (index, two) = (self.b.read(index), self.b.pool.bits(16, 2));
        let index = self.b.pool.zero_extend(index, 16);
        let offset = self.b.pool.binary(BinaryOp::Mul, index, two);
        self.b.pool.add(base, offset)
    }
}

/// What is proved holds, and most of what holds is proved.
#[test]
fn proofs_agree_with_simulation() {
    let (mut safe, mut proved) = (0, 0);
    for seed in 0..PROGRAMS {
        let subject = Subject::new(seed);
        let options =
            CheckOptions { config: Config::named("cells").expect("the table has this row"), ..CheckOptions::default() };
        // Work limits the proof, not time.
        let mut tuning = Tuning::default();
        (tuning.cells.time, tuning.guess.clauses_time, tuning.guess.clause_time) = (HANG, HANG, HANG);
        tuning.bmc.induction_time = HANG;
        let monitor = Monitor::new(Some(Instant::now() + HANG)).with_tuning(tuning);
        let verdict = check(&subject.program(), &options, &monitor);
        let fails = subject.fails();
        safe += usize::from(!fails);
        match verdict {
            Verdict::Safe => {
                assert!(!fails, "seed {seed}: {subject:?} is wrong, but proved");
                proved += 1;
            }
            Verdict::Unsafe(_) => panic!("seed {seed}: it looks for no errors"),
            Verdict::Unknown(_) => {}
        }
    }
    eprintln!("{proved} of {safe} proved");
    assert!(safe * 4 >= PROGRAMS as usize && safe * 4 <= 3 * PROGRAMS as usize, "{safe} of {PROGRAMS} are safe");
    assert!(proved * 10 >= safe * 7, "only {proved} of {safe} are proved");
}
