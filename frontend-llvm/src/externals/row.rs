//! The notation of the tables: a function and its effects in one line, such as `fgetws  w0 =0?`.
//!
//! | effect | meaning |
//! |---|---|
//! | `reads` | reads memory that its arguments reach, at most, and may set `errno` |
//! | `pure` | the same, but leaves `errno` alone |
//! | `w0` | writes bytes that argument 0 points to, but no pointers |
//! | `W0` | writes anything that argument 0 reaches |
//! | `w1+` | writes bytes that argument 1 and all after it point to |
//! | `c0` | may call functions that argument 0 reaches |
//! | `=0`, `=0+` | returns argument 0, or a pointer into what it points to |
//! | `=fresh`, `=static` | returns memory of its own: new in each call, or always the same |
//! | `=0?`, `=fresh!` | the same, or null; or -1 as a pointer |
//! | `exits` | does not return |
//! | `unsupported WHAT` | cannot be modelled |

/// What a function does.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Effects {
    /// The arguments whose targets it writes.
    pub writes: Arguments,
    /// The arguments from which it may write anything it reaches.
    pub writes_deeply: Arguments,
    /// The arguments from which it may call what it reaches.
    pub calls: Arguments,
    /// Its result, if that is a pointer.
    pub returns: Returns,
    /// Whether the result may be null as well.
    pub or_null: bool,
    /// Whether the result may be -1 as well.
    pub or_error: bool,
    /// Whether it leaves `errno` alone.
    pub pure: bool,
    /// Whether it does not return.
    pub exits: bool,
    /// Why a call cannot be modelled.
    pub unsupported: Option<&'static str>,
}

/// A set of arguments.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Arguments(u32);

impl Arguments {
    fn add(&mut self, text: &str) -> Option<()> {
        let (number, rest) = match text.strip_suffix('+') {
            Some(number) => (number, true),
            None => (text, false),
        };
        let n: u32 = number.parse().ok().filter(|&n| n < 16)?;
        self.0 |= if rest { u32::MAX << n } else { 1 << n };
        Some(())
    }

    /// Whether it has the argument at position `n`.
    pub fn contains(self, n: usize) -> bool {
        n < 32 && self.0 & 1 << n != 0
    }
}

/// The pointer that a function returns.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Returns {
    /// Memory of its own, always the same.
    #[default]
    Static,
    /// Memory of its own, another one in each call.
    Fresh,
    /// That argument.
    Argument(u8),
    /// A pointer into the target of that argument.
    Into(u8),
}

/// The rows of a table: line, and name with effects or what is wrong.
pub fn rows(text: &'static str) -> impl Iterator<Item = (usize, Result<(&'static str, Effects), String>)> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(number, line)| (number + 1, row(line)))
}

fn row(line: &'static str) -> Result<(&'static str, Effects), String> {
    let (name, effects) = line.split_once(' ').ok_or("a name and its effects are expected")?;
    let mut row = Effects::default();
    if let Some(what) = effects.trim().strip_prefix("unsupported ") {
        row.unsupported = Some(what);
        return Ok((name, row));
    }
    for effect in effects.split_whitespace() {
        effect_of(effect, &mut row).ok_or_else(|| format!("`{effect}` is no effect"))?;
    }
    Ok((name, row))
}

fn effect_of(effect: &str, row: &mut Effects) -> Option<()> {
    match effect {
        "reads" => {}
        "pure" => row.pure = true,
        "exits" => row.exits = true,
        _ => match effect.split_at_checked(1)? {
            ("w", n) => row.writes.add(n)?,
            ("W", n) => row.writes_deeply.add(n)?,
            ("c", n) => row.calls.add(n)?,
            ("=", result) => {
                row.or_null = result.ends_with('?');
                row.or_error = result.ends_with('!');
                row.returns = match result.trim_end_matches(['?', '!']) {
                    "fresh" => Returns::Fresh,
                    "static" => Returns::Static,
                    result => match result.strip_suffix('+') {
                        Some(n) => Returns::Into(n.parse().ok()?),
                        None => Returns::Argument(result.parse().ok()?),
                    },
                };
            }
            _ => return None,
        },
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects() {
        let read = |line| row(line).map(|(_, row)| row);
        let both = read("f  w0 W2 c1 =0+?").expect("a row");
        assert!(both.writes.contains(0) && !both.writes.contains(1) && both.writes_deeply.contains(2));
        assert!(both.calls.contains(1) && both.or_null);
        assert_eq!(both.returns, Returns::Into(0));
        let rest = read("f  w1+").expect("a row");
        assert!(!rest.writes.contains(0) && rest.writes.contains(1) && rest.writes.contains(9));
        assert_eq!(read("f  unsupported a second thread").expect("a row").unsupported, Some("a second thread"));
        for wrong in ["f  x0", "f  w", "f  w99", "f  =new", "f  reads0", "f"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
