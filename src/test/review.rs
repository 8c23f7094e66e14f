//! Asks for each difference whether it is accepted.

use std::io::{self, BufRead, Write};

use super::compare::Compared;
use super::harness::Harness;
use super::snapshot;
use super::text::Style;

/// The question, with the letters of the answers.
const QUESTION: &str = "  (a)ccept, (r)eject, (s)kip, accept (A)ll, (q)uit? ";

/// Goes through all that is pending. The end of the input means that the rest is skipped.
pub fn review(
    harnesses: &[Harness],
    all: &mut [Compared],
    style: Style,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> io::Result<()> {
    let count = all.iter().filter(|one| one.is_pending()).count();
    let pending = harnesses.iter().zip(all).filter(|(_, one)| one.is_pending());
    let mut accepts_all = false;
    for (number, (harness, compared)) in (1..).zip(pending) {
        if accepts_all {
            compared.accept(harness)?;
            continue;
        }
        writeln!(out, "\n{number}/{count}  {}", harness.name)?;
        write!(out, "{}", style.difference(compared))?;
        match ask(input, out)? {
            Answer::Accept => compared.accept(harness)?,
            Answer::AcceptAll => {
                accepts_all = true;
                compared.accept(harness)?;
            }
            Answer::Reject => snapshot::clear(harness)?,
            Answer::Skip => {}
            Answer::Quit => break,
        }
    }
    Ok(())
}

enum Answer {
    Accept,
    AcceptAll,
    Reject,
    Skip,
    Quit,
}

/// Asks until the answer is valid.
fn ask(input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<Answer> {
    loop {
        write!(out, "{QUESTION}")?;
        out.flush()?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            writeln!(out)?;
            return Ok(Answer::Quit);
        }
        match line.trim() {
            "a" => return Ok(Answer::Accept),
            "A" => return Ok(Answer::AcceptAll),
            "r" => return Ok(Answer::Reject),
            "s" | "" => return Ok(Answer::Skip),
            "q" => return Ok(Answer::Quit),
            _ => {}
        }
    }
}
