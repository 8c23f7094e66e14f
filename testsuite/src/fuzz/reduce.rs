//! Makes a program with a wrong verdict smaller, line by line and block by block, as long as the verdict stays wrong.

use std::fs;
use std::time::{Duration, Instant};

use super::claim::{Program, assemble};
use super::judge::{Judge, Verdict};
use super::native::{self, Outcome, Unit};

/// Reducing stops after this time, with what it has. It takes seconds, and a minute or two where machines are busy.
const LIMIT: Duration = Duration::from_secs(600);

/// The smaller program, whose verdict is wrong in the same way.
pub fn reduce(judge: &Judge, program: &Program, config: &str, wrong: &Verdict) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join(format!("reduced.{}", program.body.language.extension()));
    let start = Instant::now();
    let is_wrong = |lines: &[String]| {
        if !inputs_are_bounded(lines) || start.elapsed() > LIMIT {
            return false;
        }
        let code = lines.join("\n") + "\n";
        fs::write(&file, assemble(&program.body, &code)).expect("the folder takes files");
        let (verdict, _) = judge.check(&file, program.body.flags, config);
        // Clew first, since native builds take longer.
        verdict.is_like(wrong) && holds(program, &code).is_some_and(|holds| verdict.is_wrong(holds))
    };
    let mut lines: Vec<String> = program.code.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect();
    if !is_wrong(&lines) {
        return format!("// Not reproduced when reduced.\n{}", program.text());
    }
    loop {
        let before = lines.len();
        remove_blocks(&mut lines, &is_wrong);
        remove_lines(&mut lines, &is_wrong);
        if lines.len() == before {
            break;
        }
    }
    assemble(&program.body, &(lines.join("\n") + "\n"))
}

/// Whether the claim of a program holds natively; `None` if that is not defined.
fn holds(program: &Program, code: &str) -> Option<bool> {
    let outcomes = native::run(&[Unit { body: &program.body, code }]).pop()?.ok()?;
    Some(!outcomes.contains(&Outcome::Violated))
}

/// Whether each input still has its bounds: Clew and the native runs must see the same inputs.
fn inputs_are_bounded(lines: &[String]) -> bool {
    let mut next = lines.iter().skip(1);
    lines.iter().all(|line| {
        let next = next.next();
        !line.contains("__VERIFIER_nondet_") || next.is_some_and(|next| next.contains("__VERIFIER_assume("))
    })
}

/// Removes functions, loops and other blocks as a whole; then what is around a block.
fn remove_blocks(lines: &mut Vec<String>, is_wrong: &dyn Fn(&[String]) -> bool) {
    let mut at = lines.len();
    while at > 0 {
        at -= 1;
        let Some(end) = block_end(lines, at) else { continue };
        let without: Vec<String> = lines[..at].iter().chain(&lines[end + 1..]).cloned().collect();
        if is_wrong(&without) {
            *lines = without;
            at = at.min(lines.len());
            continue;
        }
        let inside = lines[..at].iter().chain(&lines[at + 1..end]).chain(&lines[end + 1..]);
        let inside: Vec<String> = inside.cloned().collect();
        if is_wrong(&inside) {
            *lines = inside;
            at = at.min(lines.len());
        }
    }
}

/// The line that closes the block that a line opens.
fn block_end(lines: &[String], start: usize) -> Option<usize> {
    let balance = |line: &str| line.matches('{').count() as i64 - line.matches('}').count() as i64;
    if balance(&lines[start]) <= 0 {
        return None;
    }
    let mut depth = 0;
    lines[start..]
        .iter()
        .position(|line| {
            depth += balance(line);
            depth <= 0
        })
        .map(|length| start + length)
}

/// Removes runs of lines, ever shorter ones.
fn remove_lines(lines: &mut Vec<String>, is_wrong: &dyn Fn(&[String]) -> bool) {
    for size in [4, 2, 1] {
        let mut end = lines.len();
        while end >= size {
            let without: Vec<String> = lines[..end - size].iter().chain(&lines[end..]).cloned().collect();
            if is_wrong(&without) {
                *lines = without;
                end = end.min(lines.len());
            } else {
                end -= 1;
            }
        }
    }
}
