//! The points of SV-COMP, and the table by group.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::results::{Outcome, configs};
use super::task::Verdict;

/// A proof counts twice as much as a violation; a wrong proof costs twice as much as a false alarm.
pub fn points(expected: Verdict, got: Verdict) -> i64 {
    match (expected, got) {
        (Verdict::True, Verdict::True) => 2,
        (Verdict::False, Verdict::False) => 1,
        (Verdict::True, Verdict::False) => -16,
        (Verdict::False, Verdict::True) => -32,
        _ => 0,
    }
}

/// What a configuration reached in one group, or in all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sum {
    /// How many tasks.
    pub tasks: usize,
    /// Proofs that are right.
    pub right_true: usize,
    /// Violations that are right.
    pub right_false: usize,
    /// Verdicts that are wrong.
    pub wrong: usize,
    /// Points.
    pub score: i64,
    /// Points if all verdicts were right.
    pub most: i64,
    /// CPU time of the tasks with a right verdict, in seconds.
    pub cpu: f64,
}

impl Sum {
    /// How many tasks have a right verdict.
    pub fn solved(&self) -> usize {
        self.right_true + self.right_false
    }

    fn add(&mut self, outcome: &Outcome) {
        self.tasks += 1;
        self.score += points(outcome.expected, outcome.got);
        self.most += points(outcome.expected, outcome.expected);
        self.wrong += usize::from(outcome.is_wrong());
        if outcome.is_right() {
            self.cpu += outcome.cpu;
            match outcome.got {
                Verdict::True => self.right_true += 1,
                _ => self.right_false += 1,
            }
        }
    }
}

/// The sums of a configuration by group, in the order of their names, and `ALL` at the end.
pub fn by_group(outcomes: &[Outcome], config: &str) -> Vec<(String, Sum)> {
    let mut groups: BTreeMap<String, Sum> = BTreeMap::new();
    let mut all = Sum::default();
    for outcome in outcomes.iter().filter(|outcome| outcome.config == config) {
        groups.entry(outcome.category.clone()).or_default().add(outcome);
        all.add(outcome);
    }
    groups.into_iter().chain([("ALL".to_owned(), all)]).collect()
}

/// A text table for each configuration, the wrong verdicts, and configurations in pairs.
pub fn table(outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    let configs = configs(outcomes);
    for config in &configs {
        let _ = writeln!(
            text,
            "\n{config}\n{:28} {:>5} {:>5} {:>5} {:>5} {:>5} {:>6} {:>6} {:>15}",
            "group", "tasks", "true", "false", "wrong", "unkn", "score", "max", "cpu s (solved)"
        );
        for (group, sum) in by_group(outcomes, config) {
            let unknown = sum.tasks - sum.solved() - sum.wrong;
            let _ = writeln!(
                text,
                "{group:28} {:5} {:5} {:5} {:5} {unknown:5} {:6} {:6} {:15.1}",
                sum.tasks, sum.right_true, sum.right_false, sum.wrong, sum.score, sum.most, sum.cpu
            );
        }
    }
    for outcome in outcomes.iter().filter(|outcome| outcome.is_wrong()) {
        let _ = writeln!(
            text,
            "WRONG {} ({}): expected {}, got {}",
            outcome.id, outcome.config, outcome.expected, outcome.got
        );
    }
    if configs.len() > 1 {
        text.push_str(&in_pairs(outcomes, &configs));
    }
    text
}

/// What each two configurations solve, alone and both, and the CPU time of each on what both solve.
fn in_pairs(outcomes: &[Outcome], configs: &[String]) -> String {
    let solved: Vec<BTreeMap<&str, f64>> = configs
        .iter()
        .map(|config| {
            let right = outcomes.iter().filter(|outcome| outcome.config == *config && outcome.is_right());
            right.map(|outcome| (outcome.id.as_str(), outcome.cpu)).collect()
        })
        .collect();
    let some: BTreeSet<&str> = solved.iter().flat_map(BTreeMap::keys).copied().collect();
    let mut text = format!("\n{} tasks are solved by some configuration\n", some.len());
    for (a, first) in solved.iter().enumerate() {
        for (b, second) in solved.iter().enumerate().skip(a + 1) {
            let both: Vec<&str> = first.keys().copied().filter(|id| second.contains_key(id)).collect();
            // The sum of nothing is negative zero.
            let cpu = |times: &BTreeMap<&str, f64>| both.iter().map(|id| times[id]).sum::<f64>() + 0.0;
            let _ = writeln!(
                text,
                "{} alone {}, {} alone {}, both {}: {:.1} s and {:.1} s CPU",
                configs[a],
                first.len() - both.len(),
                configs[b],
                second.len() - both.len(),
                both.len(),
                cpu(first),
                cpu(second)
            );
        }
    }
    text
}
