//! A campaign: generates programs, lets native runs and Clew judge them, and records what they say.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use fastrand::Rng;

use super::claim::{Program, Table, claim};
use super::fragment::{self, Language};
use super::judge::Judge;
use super::native::{self, Outcome, Unit};
use super::program::{self, Body};
use super::summary::{Record, Summary};
use super::{reduce, summary};
use crate::{in_parallel_with, testsuite};

/// Bodies whose native runs share an executable: enough to make compiling cheap, few enough to keep all workers busy.
const BATCH: u64 = 64;

/// Which configurations judge a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Configs {
    /// The default one.
    Default,
    /// The default one, and all others for a tenth of the programs.
    Tenth,
    /// All of them.
    All,
}

/// What a campaign does.
pub struct Options {
    /// Programs depend on it.
    pub seed: u64,
    /// The first program; even.
    pub from: u64,
    /// How many programs.
    pub count: u64,
    /// Which configurations judge them.
    pub configs: Configs,
    /// How many workers.
    pub jobs: usize,
    /// Whether to go on with the campaign whose results are in `out`.
    pub resume: bool,
    /// Where results go.
    pub out: PathBuf,
    /// The modules that lead programs; none means all.
    pub only: Vec<String>,
    /// Fragments that programs do without, as `MODULE/NAME`.
    pub without: Vec<String>,
    /// The command under test and its limit.
    pub judge: Judge,
    /// How many of the wrong verdicts are reduced.
    pub reduce: usize,
}

/// The results of a campaign so far, on disk.
struct Results {
    file: Mutex<fs::File>,
    records: Mutex<Vec<Record>>,
    wrong: AtomicUsize,
    /// Why all programs of a batch were discarded, if that is the machine's fault.
    unlinked: Mutex<Option<String>>,
}

impl Results {
    fn add(&self, records: Vec<Record>) {
        let text: String = records.iter().map(Record::line).collect();
        let mut file = self.file.lock().expect("no worker panics with the lock");
        file.write_all(text.as_bytes()).expect("the folder takes results");
        drop(file);
        self.records.lock().expect("no worker panics with the lock").extend(records);
    }
}

/// Runs a campaign; `tell` gets its progress.
pub fn run(options: &Options, tell: &(dyn Fn(&str) + Sync)) -> Result<Summary, String> {
    let mut fragments = fragment::load(&testsuite().join("fuzz"))?;
    if let Some(name) = options.without.iter().find(|name| fragments.iter().all(|known| known.path() != **name)) {
        return Err(format!("no fragment {name}"));
    }
    fragments.retain(|fragment| !options.without.contains(&fragment.path()));
    let modules = program::modules(&fragments, &options.only);
    for name in &options.only {
        if !modules.iter().any(|(module, _)| module == name) {
            let known: Vec<_> = program::modules(&fragments, &[]).into_iter().map(|(module, _)| module).collect();
            return Err(format!("no module {name}; there are {}", known.join(", ")));
        }
    }
    let all_configs = options.judge.configs()?;
    native::probe()?;
    let problem = |error: std::io::Error| format!("{}: {error}", options.out.display());
    fs::create_dir_all(options.out.join("wrong")).map_err(problem)?;
    let path = options.out.join("results.tsv");
    let known = if options.resume { summary::read(&path)? } else { Vec::new() };
    let file = fs::OpenOptions::new().create(true).append(true).open(&path).map_err(problem)?;
    if !options.resume {
        file.set_len(0).map_err(problem)?;
    }
    let done: BTreeSet<u64> = known.iter().map(|record| record.number / 2).collect();
    let wrong = AtomicUsize::new(known.iter().filter(|record| record.is_wrong()).count());
    let results = Results { file: Mutex::new(file), records: Mutex::new(known), wrong, unlinked: Mutex::new(None) };

    let (first, bodies) = (options.from / 2, options.count.div_ceil(2));
    // Small campaigns have small batches, so that all workers have some.
    let batch = BATCH.min(bodies.div_ceil(options.jobs as u64)).max(1);
    let batches: Vec<u64> = (0..bodies.div_ceil(batch)).collect();
    let (start, finished) = (Instant::now(), AtomicUsize::new(0));
    in_parallel_with(options.jobs, &batches, |index| {
        if results.unlinked.lock().expect("no worker panics with the lock").is_some() {
            return;
        }
        let numbers = (index * batch..((index + 1) * batch).min(bodies))
            .map(|at| first + at)
            .filter(|number| !done.contains(number));
        let mut bodies: Vec<Body> = Vec::new();
        for number in numbers {
            match program::generate(&fragments, &modules, options.seed, number) {
                Ok(body) => bodies.push(body),
                Err(problem) => tell(&format!("no program {}: {problem}", number * 2)),
            }
        }
        // What is compiled together has the same language and flags.
        let kinds: BTreeSet<(bool, &[&str])> =
            bodies.iter().map(|body| (body.language == Language::C, body.flags)).collect();
        for kind in kinds {
            let meant: Vec<&Body> =
                bodies.iter().filter(|body| (body.language == Language::C, body.flags) == kind).collect();
            judge_bodies(options, &all_configs, &meant, &results, tell);
        }
        let finished = finished.fetch_add(1, Ordering::Relaxed) + 1;
        let wrong = results.wrong.load(Ordering::Relaxed);
        let seconds = start.elapsed().as_secs();
        tell(&format!("{finished} of {} batches after {seconds} s, {wrong} wrong", batches.len()));
    });
    if let Some(problem) = results.unlinked.into_inner().expect("all workers ended") {
        return Err(format!("no program of a batch can be linked\n{problem}"));
    }
    let records = results.records.into_inner().expect("all workers ended");
    let summary = Summary::new(records, start.elapsed().as_secs_f64());
    fs::write(options.out.join("summary.txt"), summary.to_string()).map_err(problem)?;
    Ok(summary)
}

/// Lets native runs judge the bodies together, and then Clew each program.
fn judge_bodies(
    options: &Options,
    all_configs: &[String],
    bodies: &[&Body],
    results: &Results,
    tell: &(dyn Fn(&str) + Sync),
) {
    let units: Vec<Unit<'_>> = bodies.iter().map(|body| Unit { body, code: &body.code }).collect();
    let outcomes = native::run(&units);
    if let Some(problem) = native::unlinked(&outcomes) {
        *results.unlinked.lock().expect("no worker panics with the lock") = Some(problem);
        return;
    }
    for (body, outcomes) in bodies.iter().zip(outcomes) {
        let table = outcomes.and_then(|outcomes| table(body, &outcomes));
        let table = match table {
            Ok(table) => table,
            Err(why) => {
                let short = why.lines().find(|line| line.contains("error:")).unwrap_or(&why).to_owned();
                results.add([true, false].map(|holds| Record::discarded(body, holds, &short)).to_vec());
                continue;
            }
        };
        let all = match options.configs {
            Configs::Default => false,
            // Modules take turns by number; drawing lots gives all of them a tenth.
            Configs::Tenth => Rng::with_seed(body.number).u8(..10) == 0,
            Configs::All => true,
        };
        let configs = if all { all_configs } else { &all_configs[..1] };
        let mut records = Vec::new();
        for holds in [true, false] {
            let program = claim(body, &table, holds, options.seed);
            records.extend(configs.iter().map(|config| judge_program(options, &program, config, results, tell)));
        }
        results.add(records);
    }
}

/// The results of native runs, if each one has computed something.
fn table(body: &Body, outcomes: &[Outcome]) -> Result<Table, String> {
    let value = |outcome: &Outcome| match outcome {
        Outcome::Result(value) => Ok(*value),
        other => Err(format!("no result: {other:?}")),
    };
    let values: Vec<i64> = outcomes.iter().map(value).collect::<Result<_, _>>()?;
    Ok(native::combinations(body).into_iter().zip(values).collect())
}

fn judge_program(
    options: &Options,
    program: &Program,
    config: &str,
    results: &Results,
    tell: &(dyn Fn(&str) + Sync),
) -> Record {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join(format!("program.{}", program.body.language.extension()));
    fs::write(&file, program.text()).expect("the folder takes files");
    let (verdict, seconds) = options.judge.check(&file, program.body.flags, config);
    if verdict.is_wrong(program.holds) {
        let kept = keep(options, program, config, &verdict.words());
        tell(&format!("{} where the claim {}: {}", verdict.words().0, truth(program.holds), kept.display()));
        if results.wrong.fetch_add(1, Ordering::Relaxed) < options.reduce {
            let reduced = reduce::reduce(&options.judge, program, config, &verdict);
            let file = kept.with_extension(format!("reduced.{}", program.body.language.extension()));
            fs::write(file, reduced).expect("the folder takes files");
        }
    }
    Record::judged(program, config, &verdict, seconds)
}

fn truth(holds: bool) -> &'static str {
    if holds { "holds" } else { "does not hold" }
}

/// Saves a program with a wrong verdict, and how to reproduce it; its file.
fn keep(options: &Options, program: &Program, config: &str, (word, why): &(&str, &str)) -> PathBuf {
    let name = format!("{}-{config}.{}", program.number(), program.body.language.extension());
    let file = options.out.join("wrong").join(name);
    let command = options.judge.arguments(config).join(" ");
    let note = format!(
        "// The claim {}; Clew says {word} {why}.\n// clew {command} {}\n// seed {}, program {}, made of {}\n",
        truth(program.holds),
        file.file_name().unwrap_or_default().to_string_lossy(),
        options.seed,
        program.number(),
        program.body.used.iter().map(String::as_str).collect::<Vec<_>>().join(", "),
    );
    fs::write(&file, note + &program.text()).expect("the folder takes files");
    file
}
