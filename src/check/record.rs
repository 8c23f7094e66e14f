//! The options of a run, as its JSON document records them.

use serde::Serialize;

use super::arguments::AnalysisArgs;
use super::choices;
use super::limits::Limits;
use crate::cli::{Externals, ProgramArgs};

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
    order: Option<String>,
    precision: Option<&'static str>,
    track: Vec<String>,
    refinement: &'static str,
    max_recursion: u32,
    blocks: String,
    abstraction: &'static str,
    interpolation: Option<Vec<&'static str>>,
    select: Option<Vec<String>>,
    slices: &'static str,
    refine_first: &'static str,
    value_threshold: u32,
    bound: Option<u32>,
    time_limit_seconds: Option<f64>,
    cpu_time_limit_seconds: Option<f64>,
    memory_limit_bytes: u64,
}

impl Options {
    /// The command that runs the program with `inputs`.
    pub fn replay(&self, inputs: &[String]) -> String {
        let mut words = vec!["clew".to_string(), "run".into()];
        words.extend(self.files.iter().map(|file| quoted(file)));
        words.extend(self.data_model.as_ref().map(|model| format!("--{}", model.to_lowercase())));
        if self.entry != "main" {
            words.push(format!("--entry={}", quoted(&self.entry)));
        }
        if self.externals != Externals::default().to_string() {
            words.push(format!("--externals={}", self.externals));
        }
        if !inputs.is_empty() {
            words.push(format!("--inputs={}", inputs.join(",")));
        }
        if !self.clang_flags.is_empty() {
            words.push("--".into());
            words.extend(self.clang_flags.iter().map(|flag| quoted(flag)));
        }
        words.join(" ")
    }

    /// What the arguments say.
    pub fn new(program: &ProgramArgs, analysis: &AnalysisArgs, limits: &Limits) -> Options {
        let interpolation = |&one| choices::name(choices::INTERPOLATIONS, one);
        Options {
            files: program.files.iter().map(|file| file.display().to_string()).collect(),
            entry: program.entry.clone(),
            data_model: program.data_model().map(|model| model.to_string()),
            externals: program.externals.to_string(),
            clang_flags: program.clang_flags.clone(),
            config: choices::name(choices::CONFIGS, analysis.config),
            properties: analysis.properties.clone(),
            order: analysis.order.map(choices::order_name),
            precision: analysis.precision.map(|scope| choices::name(choices::SCOPES, scope)),
            track: analysis.track.clone(),
            refinement: choices::name(choices::REFINEMENTS, analysis.refinement),
            max_recursion: analysis.max_recursion,
            blocks: choices::blocks_name(analysis.blocks),
            abstraction: choices::name(choices::ABSTRACTIONS, analysis.abstraction),
            interpolation: analysis.interpolation.as_ref().map(|list| list.iter().map(interpolation).collect()),
            select: analysis.select.as_ref().map(choices::heuristics_names),
            slices: choices::name(choices::SLICES, analysis.slices),
            refine_first: choices::name(choices::REFINED_FIRST, analysis.refine_first),
            value_threshold: analysis.value_threshold,
            bound: analysis.bound,
            time_limit_seconds: limits.time.map(|time| time.as_secs_f64()),
            cpu_time_limit_seconds: limits.cpu.map(|time| time.as_secs_f64()),
            memory_limit_bytes: limits.memory,
        }
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+=:@%,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.into();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
