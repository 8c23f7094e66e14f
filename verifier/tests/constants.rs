//! Facts that are claimed constant do not change in any run, and are not read before they are set.

mod small;

use clew_verifier::cfa::{Op, Program};
use clew_verifier::expr::{Node, Var};
use clew_verifier::facts::Constants;
use clew_verifier::interpreter::{Limits, SeededInputs};
use small::trace::{Moment, trace};

const PROGRAMS: u64 = 600;
const RUNS: u64 = 3;
const LIMITS: Limits = Limits { steps: 300, depth: 12 };

/// Whether the operation reads the variable.
fn reads(program: &Program, op: &Op, var: Var) -> bool {
    let mut open = Vec::new();
    op.for_each_expr(|expr| open.push(expr));
    let mut found = matches!(op, Op::Copy { source, .. } if *source == var);
    while let Some(expr) = open.pop() {
        found |= program.pool.node(expr) == Node::Var(var);
        open.extend(program.pool.children(expr));
    }
    found
}

/// Checks one run. Returns the number of comparisons of constants with the run.
fn compare(program: &Program, constants: &Constants, moments: &[Moment]) -> Result<usize, String> {
    let all = constants.scalars.keys().chain(constants.memories.keys());
    let mut unset: Vec<Var> = all.copied().collect();
    let mut compared = 0;
    for Moment { step, after } in moments {
        let op = &program.edge(step.edge).op;
        if let Some(&var) = unset.iter().find(|&&var| reads(program, op, var)) {
            return Err(format!("{} is read before it is set", program.var(var).name));
        }
        unset.retain(|&var| op.written() != Some(var));
        for &(var, value) in &after.values {
            let constant = constants.scalars.get(&var).filter(|_| !unset.contains(&var));
            if constant.is_some_and(|&constant| constant != value) {
                return Err(format!("{} is {value:?}", program.var(var).name));
            }
            compared += usize::from(constant.is_some());
        }
        for &(memory, address, byte) in &after.bytes {
            let contents = constants.memories.get(&memory).filter(|_| !unset.contains(&memory));
            let initial = contents.and_then(|&contents| program.initial_cells(contents).read(address, 1));
            if initial.is_some_and(|initial| initial != byte.into()) {
                return Err(format!("{} holds {byte} at {address}", program.var(memory).name));
            }
            compared += usize::from(initial.is_some());
        }
    }
    Ok(compared)
}

#[test]
fn constants_keep_their_values() {
    let (mut scalars, mut memories, mut compared) = (0, 0, 0);
    for (seed, size) in small::programs(PROGRAMS) {
        let program = small::generate(seed, size);
        let constants = Constants::new(&program);
        (scalars, memories) = (scalars + constants.scalars.len(), memories + constants.memories.len());
        for run in 0..RUNS {
            let (moments, _) = trace(&program, &mut SeededInputs::new(seed ^ run << 32), LIMITS);
            compared += compare(&program, &constants, &moments)
                .unwrap_or_else(|why| panic!("seed {seed}, size {size}: {why}\n{}", small::show(&program)));
        }
    }
    eprintln!("{scalars} scalars, {memories} memories, {compared} comparisons");
    assert!(scalars > 50 && memories > 20 && compared > 2_000, "{scalars} {memories} {compared}");
}
