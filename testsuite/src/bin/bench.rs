//! Runs verifiers over lists of tasks; `scripts/bench` builds and runs it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use clew_testsuite::bench::campaign::{Campaign, Verifier};
use clew_testsuite::bench::supervise::{self, Limits};
use clew_testsuite::bench::{page, regress, results, score, task};

/// Runs Clew, or any verifier, over lists of tasks, and scores it by the rules of SV-COMP.
///
/// A list is a table (.tsv with the columns id, path, property, expected, category, data_model), a task definition of
/// SV-COMP (.yml), a set of them (.set), or a folder of them. A verdict is an exit code: 0 true, 10 false.
///
/// Writes DIR/results.tsv as results come, then DIR/table.txt and DIR/page.html.
///
/// Exits with 1 if a verdict is wrong, or with --regress if a task is lost.
#[derive(Parser)]
#[command(name = "scripts/bench", args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    role: Option<Role>,

    #[command(flatten)]
    bench: Bench,
}

#[derive(Subcommand)]
enum Role {
    /// Runs one command; for the program itself
    #[command(hide = true)]
    Supervise {
        #[arg(long)]
        parent: u32,
        #[command(flatten)]
        limits: LimitArguments,
        #[arg(long)]
        output: PathBuf,
        #[arg(last = true, required = true)]
        command: Vec<String>,
    },
}

#[derive(Args)]
struct LimitArguments {
    /// CPU time of a run, over all its processes, in seconds
    #[arg(long = "cpu-limit", alias = "limit", value_name = "SECONDS", default_value_t = 15.0)]
    cpu: f64,

    /// Wall-clock time of a run in seconds [default: four times the CPU time, and ten seconds]
    #[arg(long = "wall-limit", value_name = "SECONDS")]
    wall: Option<f64>,

    /// Memory of a run, over all its processes, in MB
    #[arg(long = "memory-limit", value_name = "MB", default_value_t = 8000)]
    memory: u64,

    /// Only look at /proc, also where the system has control groups
    #[arg(long = "no-cgroup")]
    no_groups: bool,
}

impl LimitArguments {
    fn limits(&self) -> Limits {
        let wall = self.wall.unwrap_or(4.0 * self.cpu + 10.0);
        Limits { cpu: self.cpu, wall, memory: self.memory, groups: !self.no_groups }
    }
}

#[derive(Args)]
struct Bench {
    /// Lists of tasks
    #[arg(value_name = "LIST")]
    lists: Vec<PathBuf>,

    /// Where the paths in tables start [default: the folder of the first list]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,

    /// Configurations of Clew [default: auto, unless there is a --command]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    config: Vec<String>,

    /// Another verifier; {file} {property} {property_file} {model} {bits} {flags} {cpu} {memory} stand for those of a task
    #[arg(long, value_name = "NAME=COMMAND")]
    command: Vec<String>,

    #[command(flatten)]
    limits: LimitArguments,

    /// How many runs at the same time [default: all cores]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,

    /// Only these groups
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    groups: Vec<String>,

    /// Only these properties
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    properties: Vec<String>,

    /// Only N tasks, spread evenly over the list, always the same ones
    #[arg(long, value_name = "N")]
    sample: Option<usize>,

    /// Where results go
    #[arg(long, value_name = "DIR", default_value = "bench-results")]
    out: PathBuf,

    /// Go on with the results in the output folder
    #[arg(long)]
    resume: bool,

    /// Earlier results: names what is lost, gained, or slower by a factor of two
    #[arg(long, value_name = "OLD.tsv")]
    regress: Option<PathBuf>,

    /// Results of earlier runs to show beside these, such as those of peers
    #[arg(long, value_name = "FILE.tsv")]
    beside: Vec<PathBuf>,

    /// The command under test
    #[arg(long, value_name = "FILE", default_value = "target/release/clew")]
    clew: PathBuf,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let answer = match arguments.role {
        Some(Role::Supervise { parent, limits, output, command }) => {
            supervise::supervise(parent, &command, &limits.limits(), &output).map(|()| true)
        }
        None => bench(&arguments.bench),
    };
    match answer {
        Ok(good) => ExitCode::from(u8::from(!good)),
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::from(2)
        }
    }
}

/// Whether nothing is wrong or lost.
fn bench(options: &Bench) -> Result<bool, String> {
    let campaign = campaign(options)?;
    std::fs::create_dir_all(&options.out).map_err(|error| format!("{}: {error}", options.out.display()))?;
    let outcomes = campaign.run(&|line| eprintln!("{line}"))?;
    let mut shown = outcomes.clone();
    for file in &options.beside {
        let known = |outcome: &results::Outcome| campaign.tasks.iter().any(|task| task.id == outcome.id);
        shown.extend(results::read(file)?.into_iter().filter(known));
    }
    let table = score::table(&shown);
    let write = |name: &str, text: &str| {
        let path = options.out.join(name);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    write("table.txt", &table)?;
    let limits = campaign.limits;
    let title = format!("{} tasks, {} s CPU, {} MB", campaign.tasks.len(), limits.cpu, limits.memory);
    write("page.html", &page::page(&title, &shown))?;
    print!("{table}");
    let mut good = !outcomes.iter().any(results::Outcome::is_wrong);
    if let Some(old) = &options.regress {
        let changes = regress::compare(&results::read(old)?, &outcomes);
        print!("\nsince {}:\n{changes}", old.display());
        good &= !changes.is_regression();
    }
    Ok(good)
}

fn campaign(options: &Bench) -> Result<Campaign, String> {
    let first = options.lists.first().ok_or("a list of tasks is needed; --help says more")?;
    let root = options.root.as_deref().unwrap_or_else(|| first.parent().unwrap_or(Path::new("")));
    let mut tasks = task::read(&options.lists, root)?;
    let chosen = |names: &[String], name: &String| names.is_empty() || names.contains(name);
    tasks.retain(|task| chosen(&options.groups, &task.category) && chosen(&options.properties, &task.property));
    if let Some(count) = options.sample.filter(|count| *count < tasks.len()) {
        tasks = (0..count).map(|index| tasks[index * tasks.len() / count].clone()).collect();
    }
    if tasks.is_empty() {
        return Err("no task is left".to_owned());
    }
    let mut verifiers = options.command.iter().map(|text| Verifier::parse(text)).collect::<Result<Vec<_>, _>>()?;
    let auto = ["auto".to_owned()];
    let configs = if options.config.is_empty() && verifiers.is_empty() { &auto } else { options.config.as_slice() };
    for config in configs {
        let clew = options.clew.to_string_lossy();
        let words = ["check", "--config", config, "--memory-limit", "{memory}MB", "{model}", "{property}", "{file}"];
        let words = [&*clew].into_iter().chain(words).chain(["--", "{flags}"]).map(str::to_owned).collect();
        verifiers.push(Verifier { name: config.clone(), words });
    }
    Ok(Campaign {
        tasks,
        verifiers,
        limits: options.limits.limits(),
        jobs: options.jobs.unwrap_or_else(clew_testsuite::jobs).max(1),
        out: options.out.join("results.tsv"),
        resume: options.resume,
        supervisor: std::env::current_exe().map_err(|error| error.to_string())?,
    })
}
