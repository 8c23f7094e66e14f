//! Claims about the result of a program, true and false ones, from what native runs have computed.

use fastrand::Rng;

use super::program::{Body, RESULT};

/// The native result of each combination of inputs.
pub type Table = Vec<(Vec<i64>, i64)>;

/// A program with a claim.
#[derive(Clone, Debug)]
pub struct Program {
    /// What it was made from.
    pub body: Body,
    /// Whether the claim holds in all native runs.
    pub holds: bool,
    /// The code from `MARK` on.
    pub code: String,
}

impl Program {
    /// Its number: two for each body.
    pub fn number(&self) -> u64 {
        self.body.number * 2 + u64::from(!self.holds)
    }

    /// The whole program, as Clew gets it.
    pub fn text(&self) -> String {
        assemble(&self.body, &self.code)
    }
}

/// The whole program with some code.
pub fn assemble(body: &Body, code: &str) -> String {
    let mut text = String::new();
    for header in &body.headers {
        text += &format!("#include <{header}>\n");
    }
    format!("{text}{}{}\n{code}", body.declarations, super::program::MARK)
}

/// A program with a claim that holds, or one that does not.
pub fn claim(body: &Body, table: &Table, holds: bool, seed: u64) -> Program {
    let mut random = Rng::with_seed(seed ^ (body.number * 2 + u64::from(!holds)).wrapping_mul(0xA24B_AED4_963E_E407));
    let condition = condition(body, table, holds, &mut random);
    let statement = if random.bool() || condition.contains('\n') {
        // As a statement of its own, with the table in front of it.
        let (before, condition) = condition.rsplit_once('\n').map_or(("", &*condition), |(b, c)| (b, c));
        format!("{before}{}    if (!({condition}))\n        reach_error();", if before.is_empty() { "" } else { "\n" })
    } else {
        format!("    assert({condition});")
    };
    let mut body = body.clone();
    if statement.contains("assert(") {
        body.headers.insert("assert.h".to_owned());
    }
    let code = body.code.replace(RESULT, &statement);
    Program { body, holds, code }
}

/// A condition on `r`; lines in front of it are statements.
fn condition(body: &Body, table: &Table, holds: bool, random: &mut Rng) -> String {
    let mut values: Vec<i64> = table.iter().map(|(_, value)| *value).collect();
    values.sort_unstable();
    values.dedup();
    let (min, max) = (values[0], values[values.len() - 1]);
    let some = values[random.usize(..values.len())];
    let (inputs, value) = &table[random.usize(..table.len())];
    let equal = |inputs: &[i64]| {
        let each = body.inputs.iter().zip(inputs).map(|(input, value)| format!("{} == {value}", input.name));
        each.collect::<Vec<_>>().join(" && ")
    };
    match random.usize(..5) {
        _ if inputs.is_empty() => format!("r == {}", if holds { *value } else { value + 1 }),
        0 => match (holds, random.bool()) {
            (true, _) => format!("r >= {min} && r <= {max}"),
            (false, true) => format!("r >= {} && r <= {max}", min + 1),
            (false, false) => format!("r >= {min} && r < {max}"),
        },
        1 if values.len() <= 5 => {
            let kept = values.iter().filter(|&&value| holds || value != some);
            let each: Vec<_> = kept.map(|value| format!("r == {value}")).collect();
            if each.is_empty() { format!("r != {some}") } else { each.join(" || ") }
        }
        2 => {
            let absent = (some..).find(|value| !values.contains(value)).unwrap_or(max + 1);
            format!("r != {}", if holds { absent } else { some })
        }
        3 if body.inputs.len() == 1 && table.len() as i64 == body.inputs[0].max + 1 => {
            let mut entries: Vec<i64> = table.iter().map(|(_, value)| *value).collect();
            if !holds {
                let at = random.usize(..entries.len());
                entries[at] += if random.bool() { 1 } else { -1 };
            }
            let entries: Vec<_> = entries.iter().map(i64::to_string).collect();
            let name = body.inputs[0].name;
            format!("    static const int expected[] = {{{}}};\nr == expected[{name}]", entries.join(", "))
        }
        _ => format!("!({}) || r == {}", equal(inputs), if holds { *value } else { value + 1 }),
    }
}
