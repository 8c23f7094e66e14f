//! The points of SV-COMP, and the table by group.

use std::collections::BTreeMap;
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

/// A text table for each configuration, the wrong verdicts, and CPU times where all configurations are right.
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
        text.push_str(&where_all_are_right(outcomes, &configs));
    }
    text
}

fn where_all_are_right(outcomes: &[Outcome], configs: &[String]) -> String {
    let mut by_task: BTreeMap<&str, Vec<&Outcome>> = BTreeMap::new();
    for outcome in outcomes.iter().filter(|outcome| outcome.is_right()) {
        by_task.entry(&outcome.id).or_default().push(outcome);
    }
    let some = by_task.len();
    by_task.retain(|_, right| right.len() == configs.len());
    let mut text = format!("\n{some} tasks are solved by some configuration, {} by all of them.\n", by_task.len());
    for config in configs {
        let right = by_task.values().flatten().filter(|outcome| outcome.config == *config);
        let _ = writeln!(text, "{config:28} {:.1} s CPU on those", right.map(|outcome| outcome.cpu).sum::<f64>());
    }
    text
}
