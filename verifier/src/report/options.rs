//! The options of a run, as reports record them.

use std::collections::BTreeMap;

use serde::Serialize;

/// The options of a run, in the terms of the command line.
#[derive(Clone, Default, Serialize, Debug)]
#[allow(missing_docs, reason = "each field is the command-line option of its name")]
pub struct Options {
    pub files: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unit: Vec<String>,
    pub entry: String,
    /// What the arguments of the entry are like, as words of the command line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub entry_arguments: Vec<String>,
    pub data_model: Option<String>,
    pub externals: String,
    pub assume_any: Vec<String>,
    pub clang_flags: Vec<String>,
    pub config: &'static str,
    pub properties: Vec<String>,
    /// Whether the program is compiled with checks for the properties.
    #[serde(skip)]
    pub instrumented: bool,
    pub order: Option<String>,
    pub precision: Option<&'static str>,
    pub track: Vec<String>,
    pub refinement: &'static str,
    pub max_recursion: u32,
    pub blocks: String,
    pub abstraction: &'static str,
    pub interpolation: Option<Vec<&'static str>>,
    pub select: Option<Vec<String>>,
    pub slices: &'static str,
    pub refine_first: &'static str,
    pub value_threshold: u32,
    pub bound: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver: Option<String>,
    pub invariants: &'static str,
    pub all: bool,
    pub replay: Option<&'static str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tune: BTreeMap<&'static str, u64>,
    pub time_limit_seconds: Option<f64>,
    pub cpu_time_limit_seconds: Option<f64>,
    pub memory_limit_bytes: u64,
}
