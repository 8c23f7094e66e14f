//! Random straight-line programs on memory against an array of bytes.

use proptest::prelude::*;

use super::*;

/// The addresses used: around a page boundary.
const BASE: u64 = 4096 - 40;
const SPAN: usize = 80;

#[derive(Clone, Debug)]
enum Action {
    Store { at: usize, bytes: usize, value: u128 },
    Fill { at: usize, bytes: usize, byte: u8 },
    Copy { from: usize, to: usize, bytes: usize },
    Forget { at: usize, bytes: usize },
    Read { at: usize, bytes: usize },
}

fn actions() -> impl Strategy<Value = Vec<Action>> {
    let at = 0..SPAN - 16;
    let size = 1..=16usize;
    let length = 0..16usize;
    let action = prop_oneof![
        3 => (at.clone(), size.clone(), any::<u128>()).prop_map(|(at, bytes, value)| Action::Store { at, bytes, value }),
        1 => (at.clone(), length.clone(), any::<u8>()).prop_map(|(at, bytes, byte)| Action::Fill { at, bytes, byte }),
        2 => (at.clone(), at.clone(), length.clone()).prop_map(|(from, to, bytes)| Action::Copy { from, to, bytes }),
        1 => (at.clone(), length).prop_map(|(at, bytes)| Action::Forget { at, bytes }),
        3 => (at, size).prop_map(|(at, bytes)| Action::Read { at, bytes }),
    ];
    prop::collection::vec(action, 1..40)
}

/// A byte of the model: a value, or the number of an unknown that copies share.
#[derive(Clone, Copy, PartialEq)]
enum Byte {
    Known(u8),
    Unknown(usize),
}

/// The contents of the memory after `actions`, and the result of each read, if unknown bytes are zero.
fn expected(actions: &[Action]) -> (Vec<Option<u8>>, Vec<u128>) {
    let mut memory: Vec<Byte> = (0..SPAN).map(Byte::Unknown).collect();
    let mut unknowns = SPAN;
    let mut reads = Vec::new();
    for action in actions {
        match *action {
            Action::Store { at, bytes, value } => {
                (0..bytes).for_each(|i| memory[at + i] = Byte::Known((value >> (8 * i)) as u8));
            }
            Action::Fill { at, bytes, byte } => memory[at..at + bytes].fill(Byte::Known(byte)),
            Action::Copy { from, to, bytes } => memory.copy_within(from..from + bytes, to),
            Action::Forget { at, bytes } => {
                memory[at..at + bytes].iter_mut().enumerate().for_each(|(i, b)| *b = Byte::Unknown(unknowns + i));
                unknowns += bytes;
            }
            Action::Read { at, bytes } => {
                let drawn: Vec<Byte> = memory[at..at + bytes].to_vec();
                let is_drawn = |b: &Byte| matches!(b, Byte::Unknown(_)) && drawn.contains(b);
                memory.iter_mut().filter(|b| is_drawn(b)).for_each(|b| *b = Byte::Known(0));
                let number = |b: Byte| if let Byte::Known(value) = b { value.into() } else { 0u128 };
                reads.push((0..bytes).fold(0, |raw, i| raw | number(memory[at + i]) << (8 * i)));
            }
        }
    }
    let known = |b: &Byte| if let Byte::Known(value) = b { Some(*value) } else { None };
    (memory.iter().map(known).collect(), reads)
}

proptest! {
    #[test]
    fn memory_agrees_with_an_array_of_bytes(actions in actions()) {
        let mut s = Script::new();
        let m = s.global("m", BYTES);
        for (i, action) in actions.iter().enumerate() {
            let offset = |at: usize| BASE + at as u64;
            match *action {
                Action::Store { at, bytes, value } => {
                    let value = s.b.pool.bits(8 * bytes as u16, value);
                    s.store(m, offset(at), value);
                }
                Action::Fill { at, bytes, byte } => {
                    let (address, length) = (s.address(offset(at)), s.address(bytes as u64));
                    let byte = s.b.pool.bits(8, byte.into());
                    s.op(Op::Fill { memory: m, address, byte, bytes: length });
                }
                Action::Copy { from, to, bytes } => {
                    let (from, to) = (s.address(offset(from)), s.address(offset(to)));
                    let bytes = s.address(bytes as u64);
                    s.op(Op::Copy { target: m, to, source: m, from, bytes });
                }
                Action::Forget { at, bytes } => {
                    let (address, bytes) = (s.address(offset(at)), s.address(bytes as u64));
                    s.op(Op::Forget { memory: m, address, bytes });
                }
                Action::Read { at, bytes } => {
                    let x = s.local(&format!("x{i}"), Sort::Bits(8 * bytes as u16));
                    let value = s.load(m, offset(at), bytes as u16);
                    s.assign(x, value);
                }
            }
        }
        let program = s.finish();

        let (mut contents, mut reads) = (vec![None; SPAN], Vec::new());
        let mut watch = |edge: EdgeId, state: &State<'_>| {
            contents = (0..SPAN as u64).map(|i| state.byte(m, BASE + i)).collect();
            if let Op::Assign(x, _) = program.edge(edge).op {
                reads.push(state.value(x).map_or(0, Value::raw));
            }
        };
        let run = Interpreter::new(&program).run_observed(&mut ZeroInputs, Limits::default(), &mut watch);
        prop_assert!(matches!(run.end, RunEnd::Stuck(_)));
        prop_assert_eq!((contents, reads), expected(&actions));
    }
}
