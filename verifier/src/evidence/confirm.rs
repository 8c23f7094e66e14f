//! Confirmation of counterexamples by runs of the compiled program.

use super::counterexample::{Counterexample, Evidence};
use super::verdict::Reason;
use crate::cfa::program::{Havoc, Program};
use crate::expr::{FloatFormat, Value};
use crate::monitor::{Monitor, NativeInput, NativeRun, Phase, RunResult};
use crate::print::values;

/// Runs the program with the inputs of a counterexample, if it can be run. An error says why the path is no evidence.
///
/// A path that depends on values of external functions counts only if the run confirms it. Any other path has been
/// replayed by the interpreter; it is refuted only by a run that nothing but the inputs influences.
pub(super) fn confirm(
    program: &Program,
    mut found: Counterexample,
    monitor: &Monitor,
) -> Result<Counterexample, Reason> {
    let Some(native) = monitor.native_runs() else { return Ok(found) };
    let result = match native_run(program, &found) {
        Ok(run) => {
            let before = monitor.enter(Phase::Running);
            let result = native.run(&run, monitor.until_deadline());
            monitor.enter(before);
            result
        }
        Err(why) => RunResult::Unknown(why),
    };
    let how = match result {
        RunResult::Reached => {
            found.evidence = Evidence::Native;
            return Ok(found);
        }
        RunResult::Unknown(why) => Err(why),
        RunResult::Missed(how) => Ok(how),
    };
    if let Some(assumed) = found.dependence.assumed.first() {
        // Truth values are choices inside of a model.
        let value = assumed.value.filter(|value| !matches!(value, Value::Bool(_))).map(shown);
        let function = program.external(assumed.function).name.to_string();
        let (Ok(why) | Err(why)) = how;
        let place = program.sources.describe(found.violation.property.place);
        let what = format!("the violation at {place} depends on {function}");
        match &value {
            Some(value) => reject(monitor, what, &format!(" giving {value}: {why}")),
            None => reject(monitor, what, &format!(": {why}")),
        }
        return Err(Reason::External { function, value, why, place: assumed.place, path: found.path });
    }
    found.evidence = match how {
        Err(why) => Evidence::Interpreter(why),
        Ok(_) if found.dependence.undefined => {
            Evidence::Interpreter("it depends on uninitialised or undefined values, which a run does not repeat".into())
        }
        Ok(_) if found.dependence.environment => {
            Evidence::Interpreter("it depends on the environment, which a run does not repeat".into())
        }
        Ok(how) => {
            let place = program.sources.describe(found.violation.property.place);
            reject(monitor, format!("the violation at {place} does not happen in a native run"), &format!(": {how}"));
            return Err(Reason::Native { how, path: found.path });
        }
    };
    Ok(found)
}

/// Records a violation that is not confirmed, once for each `what`.
fn reject(monitor: &Monitor, what: String, why: &str) {
    const MAX_RECORDED: usize = 10;
    let known = &monitor.unconfirmed;
    if known.len() < MAX_RECORDED && !known.iter().any(|text| text.starts_with(&what)) {
        known.push(what + why);
    }
}

/// A value in a message.
fn shown(value: Value) -> String {
    match value {
        // With an exponent where it is shorter.
        Value::Float { format: FloatFormat::Single, bits } => format!("{:?}", f32::from_bits(bits as u32)),
        Value::Float { format: FloatFormat::Double, bits } => format!("{:?}", f64::from_bits(bits as u64)),
        _ => values::plain(value),
    }
}

/// The run that takes the path of a counterexample, or why it cannot be described.
pub fn native_run(program: &Program, found: &Counterexample) -> Result<NativeRun, String> {
    let mut inputs = Vec::new();
    let mut argument_count = None;
    for input in &found.inputs {
        match input.kind {
            Havoc::Input => {
                let from = program.edge(found.path[input.step].edge).from;
                let function = program.input_function(from).ok_or("the entry function takes arguments")?.to_string();
                let line = program.sources.place(input.place).map_or(0, |place| place.line);
                inputs.push(NativeInput { function, bits: input.value.raw(), line });
            }
            Havoc::External(_) if argument_count.is_none() && input.place == crate::cfa::SourceId::NONE => {
                argument_count = match input.value {
                    Value::Bits { width: 32, bits } => u32::try_from(bits).ok().filter(|&count| count > 0),
                    _ => None,
                };
            }
            _ => {}
        }
    }
    let place = program.sources.place(found.violation.property.place).ok_or("the violation has no place")?;
    let place = (program.sources.path(place.file).to_string(), place.line, place.column);
    Ok(NativeRun { inputs, argument_count, place })
}
