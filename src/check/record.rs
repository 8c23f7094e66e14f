//! The options of a run, as its JSON document records them.

use serde::Serialize;

use super::arguments::Check;
use super::choices;
use super::limits::Limits;

/// What the run was asked to do.
#[derive(Serialize, Debug)]
pub struct Options {
    files: Vec<String>,
    entry: String,
    data_model: Option<String>,
    externals: String,
    clang_flags: Vec<String>,
    config: &'static str,
    properties: Vec<String>,
    order: String,
    precision: &'static str,
    refinement: &'static str,
    max_recursion: u32,
    time_limit_seconds: Option<f64>,
    cpu_time_limit_seconds: Option<f64>,
    memory_limit_bytes: u64,
}

impl Options {
    /// What the arguments say.
    pub fn new(arguments: &Check, limits: &Limits) -> Options {
        let (program, analysis) = (&arguments.program, &arguments.analysis);
        Options {
            files: program.files.iter().map(|file| file.display().to_string()).collect(),
            entry: program.entry.clone(),
            data_model: program.data_model().map(|model| model.to_string()),
            externals: program.externals.to_string(),
            clang_flags: program.clang_flags.clone(),
            config: choices::name(choices::CONFIGS, analysis.config),
            properties: analysis.properties.clone(),
            order: choices::order_name(analysis.order),
            precision: choices::name(choices::SCOPES, analysis.precision),
            refinement: choices::name(choices::REFINEMENTS, analysis.refinement),
            max_recursion: analysis.max_recursion,
            time_limit_seconds: limits.time.map(|time| time.as_secs_f64()),
            cpu_time_limit_seconds: limits.cpu.map(|time| time.as_secs_f64()),
            memory_limit_bytes: limits.memory,
        }
    }
}
