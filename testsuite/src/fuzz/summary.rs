//! What a campaign found: one record for each program and configuration, and tables of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::Path;

use super::claim::Program;
use super::judge::Verdict;
use super::program::Body;

/// What is known of a program in a configuration.
#[derive(Clone, Debug)]
pub struct Record {
    /// The number of the program.
    pub number: u64,
    /// The module that leads it.
    pub module: String,
    /// Its fragments, as `MODULE/NAME …`.
    pub fragments: String,
    /// Whether its claim holds.
    pub holds: bool,
    /// The configuration; none if the program was discarded.
    pub config: String,
    /// `SAFE`, `UNSAFE`, `UNKNOWN`, `FAILED` or `DISCARDED`.
    pub verdict: String,
    /// Why, for the last three.
    pub reason: String,
    /// How long Clew took.
    pub seconds: f64,
}

impl Record {
    /// A program that Clew has judged.
    pub fn judged(program: &Program, config: &str, verdict: &Verdict, seconds: f64) -> Record {
        let (word, reason) = verdict.words();
        Record {
            number: program.number(),
            module: program.body.module.clone(),
            fragments: fragments(&program.body),
            holds: program.holds,
            config: config.to_owned(),
            verdict: word.to_owned(),
            reason: reason.replace(['\t', '\n'], " "),
            seconds,
        }
    }

    /// A program whose native runs do not define its truth.
    pub fn discarded(body: &Body, holds: bool, why: &str) -> Record {
        Record {
            number: body.number * 2 + u64::from(!holds),
            module: body.module.clone(),
            fragments: fragments(body),
            holds,
            config: String::new(),
            verdict: "DISCARDED".to_owned(),
            reason: why.replace(['\t', '\n'], " "),
            seconds: 0.0,
        }
    }

    /// Whether Clew was wrong, or failed.
    pub fn is_wrong(&self) -> bool {
        match self.verdict.as_str() {
            "SAFE" => !self.holds,
            "UNSAFE" => self.holds,
            "FAILED" => true,
            _ => false,
        }
    }

    /// A line of the results on disk.
    pub fn line(&self) -> String {
        let Record { number, module, fragments, holds, config, verdict, reason, seconds } = self;
        format!("{number}\t{module}\t{fragments}\t{holds}\t{config}\t{verdict}\t{reason}\t{seconds:.2}\n")
    }

    fn parse(line: &str) -> Option<Record> {
        let [number, module, fragments, holds, config, verdict, reason, seconds] =
            line.split('\t').collect::<Vec<_>>()[..]
        else {
            return None;
        };
        Some(Record {
            number: number.parse().ok()?,
            module: module.to_owned(),
            fragments: fragments.to_owned(),
            holds: holds.parse().ok()?,
            config: config.to_owned(),
            verdict: verdict.to_owned(),
            reason: reason.to_owned(),
            seconds: seconds.parse().ok()?,
        })
    }
}

fn fragments(body: &Body) -> String {
    body.used.iter().map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// The results on disk; an incomplete last line, of an interrupted campaign, is left out.
pub fn read(path: &Path) -> Result<Vec<Record>, String> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(text.lines().filter_map(Record::parse).collect()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}

/// All records of a campaign.
pub struct Summary {
    /// The records.
    pub records: Vec<Record>,
    seconds: f64,
}

#[derive(Default)]
struct Counts {
    safe: usize,
    violated: usize,
    unknown: usize,
    wrong: usize,
    discarded: usize,
    seconds: f64,
}

impl Counts {
    fn add(&mut self, record: &Record) {
        self.seconds += record.seconds;
        match record.verdict.as_str() {
            _ if record.is_wrong() => self.wrong += 1,
            "SAFE" => self.safe += 1,
            "UNSAFE" => self.violated += 1,
            "UNKNOWN" => self.unknown += 1,
            _ => self.discarded += 1,
        }
    }
}

impl Summary {
    /// The summary of a campaign that took some seconds.
    pub fn new(records: Vec<Record>, seconds: f64) -> Summary {
        Summary { records, seconds }
    }

    /// The wrong verdicts and failures.
    pub fn wrong(&self) -> Vec<&Record> {
        self.records.iter().filter(|record| record.is_wrong()).collect()
    }

    fn table(&self, title: &str, key: impl Fn(&Record) -> String, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows: BTreeMap<String, Counts> = BTreeMap::new();
        for record in &self.records {
            rows.entry(key(record)).or_default().add(record);
            rows.entry("~ all".to_owned()).or_default().add(record);
        }
        let columns = ["SAFE", "UNSAFE", "UNKNOWN", "wrong", "discarded", "seconds"];
        writeln!(f, "{title:<22}{}", columns.map(|column| format!("{column:>10}")).concat())?;
        for (name, counts) in rows {
            let Counts { safe, violated, unknown, wrong, discarded, seconds } = counts;
            let numbers = [safe, violated, unknown, wrong, discarded].map(|number| format!("{number:>10}")).concat();
            writeln!(f, "{:<22}{numbers}{seconds:>10.0}", name.trim_start_matches("~ "))?;
        }
        writeln!(f)
    }

    /// The fragments that wrong verdicts have in common come first.
    fn suspects(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut programs: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
        for record in self.wrong() {
            for fragment in record.fragments.split(' ') {
                programs.entry(fragment).or_default().insert(record.number);
            }
        }
        let mut programs: Vec<_> = programs.into_iter().map(|(fragment, numbers)| (numbers.len(), fragment)).collect();
        programs.sort_by_key(|&(count, fragment)| (usize::MAX - count, fragment));
        programs.into_iter().try_for_each(|(count, fragment)| writeln!(f, "{count:>5} wrong with {fragment}"))
    }

    fn reasons(&self, verdict: &str, limit: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for record in self.records.iter().filter(|record| record.verdict == verdict) {
            *counts.entry((&record.module, &record.reason)).or_default() += 1;
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|((module, _), count)| (*module, usize::MAX - count));
        let (mut last, mut shown) = ("", 0);
        for ((module, reason), count) in counts {
            shown = if module == last { shown + 1 } else { 0 };
            last = module;
            if shown < limit {
                writeln!(f, "{verdict:<10}{module:<16}{count:>5}  {reason}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.table("module", |record| record.module.clone(), f)?;
        self.table("configuration", |record| record.config.clone(), f)?;
        self.suspects(f)?;
        for verdict in ["UNKNOWN", "DISCARDED", "FAILED"] {
            self.reasons(verdict, 3, f)?;
        }
        for record in self.wrong() {
            let Record { number, fragments, holds, config, verdict, reason, .. } = record;
            let truth = if *holds { "holds" } else { "does not hold" };
            writeln!(f, "wrong: program {number} ({fragments}), {config}: {verdict} {reason}, but the claim {truth}")?;
        }
        let programs = self.records.iter().map(|record| record.number).collect::<BTreeSet<_>>().len();
        let wrong = self.wrong().len();
        writeln!(f, "{programs} programs, {} checks, {wrong} wrong, {:.0} s", self.records.len(), self.seconds)
    }
}
