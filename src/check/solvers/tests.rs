//! Contracts of solvers in processes of their own, and of races with those that crash, lie, hang or are killed.

#[path = "../../../verifier/tests/hard/mod.rs"]
mod hard;
#[path = "../../../verifier/tests/trees/mod.rs"]
mod trees;

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use clew_verifier::expr::eval::{Env, evaluate};
use clew_verifier::expr::{BinaryOp, Expr, MemorySort, Pool, Sort, Value, Var};
use clew_verifier::monitor::Monitor;
use clew_verifier::smt::{Answer, Options, Solver};
use clew_verifier::tuning::Tuning;
use rustix::process::{Pid, Signal, kill_process};
use trees::{Maker, World, build};

use super::{Programs, Words, find};

const INT: Sort = Sort::Bits(32);

/// A monitor for which every query is hard, with these solvers.
fn monitor(solvers: &[(&str, Words)], includes_z3: bool) -> Monitor {
    let mut tuning = Tuning::default();
    for (name, value) in [("smt.unwatched_rlimit", "1"), ("smt.alone", "50")] {
        tuning.set(name, value).expect("the parameter exists");
    }
    let monitor = Monitor::new(Some(Instant::now() + Duration::from_secs(300))).with_tuning(tuning);
    let found = solvers.iter().map(|(name, command)| ((*name).to_owned(), command.clone())).collect();
    monitor.set_solvers(Box::new(Programs::of(found, includes_z3, u64::MAX)));
    monitor
}

fn shell(script: &str) -> Words {
    ["sh", "-c", script].map(String::from).to_vec()
}

fn installed() -> Words {
    find("bitwuzla").expect("scripts/setup installs Bitwuzla")
}

/// The values of all variables and cells that `expr` depends on, and that it has its value.
fn facts(pool: &mut Pool, expr: Expr, world: &mut World) -> Option<(Vec<Expr>, Expr)> {
    let value = evaluate(pool, expr, world).ok()?;
    let mut facts = Vec::new();
    for (index, &sort) in world.sorts.iter().enumerate() {
        if !matches!(sort, Sort::Memory(_)) {
            let var = Var(index as u32);
            let (variable, value) = (pool.var(var, sort), pool.constant(world.scalar(var, sort)));
            facts.push(pool.eq(variable, value));
        }
    }
    for (memory, sort, address) in std::mem::take(&mut world.read) {
        let value = world.read(memory, sort, address, 1).ok()?;
        let (memory, address) = (pool.var(memory, Sort::Memory(sort)), pool.bits(sort.address, address));
        let (cell, value) = (pool.read(memory, address, 1), pool.constant(value));
        facts.push(pool.eq(cell, value));
    }
    let value = pool.constant(value);
    Some((facts, pool.eq(expr, value)))
}

/// A generator of bytes; the same on every machine.
struct Bytes(u64);

impl Bytes {
    fn next(&mut self) -> u8 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 56) as u8
    }
}

/// Whether an answer may be missing: time was up, or there are operators that solvers do not know exactly.
fn may_be_unknown(why: &str, text: &str) -> bool {
    let is_slow = why.contains("timeout") || why.contains("canceled");
    is_slow || why.contains("does not satisfy") && (text.contains("FloatRem") || text.contains("FloatMath"))
}

/// Random expressions have the values that evaluation says.
fn agrees_with_evaluation(name: &str, command: &Words) {
    let monitor = monitor(&[(name, command.clone())], false);
    let options = Options { time: Some(Duration::from_secs(5)), memory: None };
    let mut solver_answers = 0;
    for seed in 0..150 {
        let mut random = Bytes(seed);
        let bytes: Vec<u8> = (0..120).map(|_| random.next()).collect();
        let mut maker = Maker::new(&bytes);
        let sort = match maker.byte() % 4 {
            0 => Sort::Bool,
            1 | 2 => Sort::Bits(maker.width()),
            _ => Sort::Float(maker.format()),
        };
        let tree = maker.tree(sort, 2);
        let text = format!("{tree:?}");
        let mut pool = Pool::default();
        let expr = build(&tree, &mut pool);
        let mut world = World { seed, sorts: maker.sorts.clone(), read: Vec::new() };
        let Some((mut facts, claim)) = facts(&mut pool, expr, &mut world) else { continue };
        let mut solver = Solver::new(&monitor, options);
        facts.push(claim);
        match solver.check_once(&pool, &facts) {
            Answer::Sat(model) => assert_eq!(model.value(&pool, claim), Ok(Value::Bool(true)), "{text}"),
            Answer::Unsat(_) => panic!("{name}: {text} cannot have its value"),
            Answer::Unknown(why) => assert!(may_be_unknown(&why, &text), "{name}: {text}: {why}"),
        }
        facts.pop();
        facts.push(pool.not(claim));
        match solver.core(&pool, &facts) {
            Answer::Sat(_) => panic!("{name}: {text} can have another value"),
            Answer::Unsat(core) => {
                let core: Vec<Expr> = core.iter().map(|&at| facts[at]).collect();
                assert!(!matches!(solver.check_once(&pool, &core), Answer::Sat(_)), "{name}: {text}: no core");
                solver_answers += 1;
            }
            Answer::Unknown(why) => assert!(may_be_unknown(&why, &text), "{name}: {text}: {why}"),
        }
    }
    assert!(solver_answers > 20, "{solver_answers}");
    let counters = monitor.solver_counters().find(|one| one.name == name).expect("it was asked");
    assert_eq!(counters.failures.load(Ordering::Relaxed), 0, "{name}");
    assert!(counters.wins.load(Ordering::Relaxed) > 20, "{name}: {counters:?}");
}

#[test]
fn bitwuzla_agrees_with_evaluation() {
    agrees_with_evaluation("bitwuzla", &installed());
}

#[test]
fn z3_as_a_process_agrees_with_evaluation() {
    let folder = std::path::Path::new(env!("CLEW_BITWUZLA")).ancestors().nth(3).expect("a folder of solvers");
    let z3 = folder.join("z3-solver-5.4.0.0/bin/z3");
    agrees_with_evaluation("z3-process", &vec![z3.display().to_string(), "-in".into()]);
}

/// `x · y` is 35 · 37 with both above 1 and below 100, and x below y or not.
fn question(pool: &mut Pool, is_satisfiable: bool) -> Vec<Expr> {
    let (x, y) = (pool.var(Var(0), INT), pool.var(Var(1), INT));
    let (product, number) = (pool.binary(BinaryOp::Mul, x, y), pool.bits(32, 35 * 37));
    let (one, hundred) = (pool.bits(32, 1), pool.bits(32, 100));
    let mut below = |a, b| pool.binary(BinaryOp::UnsignedLess, a, b);
    let mut conditions = vec![below(one, x), below(x, hundred), below(one, y), below(y, hundred), below(x, y)];
    if !is_satisfiable {
        conditions.push(below(y, x));
    }
    conditions.push(pool.eq(product, number));
    conditions
}

/// Both answers are right, several times, whatever the solver does.
fn is_contained(name: &str, command: Words) -> Monitor {
    let monitor = monitor(&[(name, command)], true);
    for _ in 0..5 {
        for is_satisfiable in [true, false] {
            let mut pool = Pool::default();
            let conditions = question(&mut pool, is_satisfiable);
            let answer = Solver::new(&monitor, Options::default()).check_once(&pool, &conditions);
            assert_eq!(matches!(answer, Answer::Sat(_)), is_satisfiable, "{name}: {answer}");
            assert_eq!(matches!(answer, Answer::Unsat(_)), !is_satisfiable, "{name}: {answer}");
        }
    }
    monitor
}

/// The failures and wrong models of the solver `name`.
fn troubles(monitor: &Monitor, name: &str) -> (u64, u64) {
    let counters = monitor.solver_counters().find(|one| one.name == name).expect("it was asked");
    (counters.failures.load(Ordering::Relaxed), counters.wrong_models.load(Ordering::Relaxed))
}

#[test]
fn crashes_and_garbage_are_contained() {
    let scripts = ["exit 1", "kill -SEGV $$", "read line; echo garbage; cat", "read line; echo sat; exit 0"];
    for script in scripts.into_iter().map(shell).chain([vec!["/nonexistent".into()]]) {
        let text = script.join(" ");
        // It is given up after the third failure.
        assert_eq!(troubles(&is_contained("broken", script), "broken"), (3, 0), "{text}");
    }
}

#[test]
fn wrong_models_are_contained() {
    let lies =
        "while read line; do case $line in *check-sat*) echo sat;; *get-value*) echo '((v0 #x00000007))';; esac; done";
    assert_eq!(troubles(&is_contained("liar", shell(lies)), "liar"), (0, 3));
}

#[test]
fn z3_is_stopped_when_another_solver_answers_and_can_be_asked_again() {
    let slow = "while read line; do case $line in *check-sat*) sleep 0.4; echo unsat;; esac; done";
    let monitor = monitor(&[("slow", shell(slow))], true);
    for _ in 0..2 {
        let mut pool = Pool::default();
        let conditions = hard::hard(&mut pool);
        let answer = Solver::new(&monitor, Options::default()).check_once(&pool, &conditions);
        assert!(matches!(answer, Answer::Unsat(_)), "{answer}");
        // Z3's context is that of the thread.
        is_contained("mute", shell("exec sleep 1000"));
    }
}

#[test]
fn silence_is_contained() {
    assert_eq!(troubles(&is_contained("mute", shell("exec sleep 1000")), "mute"), (0, 0));
}

/// Sets a flag when it goes.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The processes with `marker` on their command line.
fn marked(marker: &str) -> Vec<Pid> {
    let processes = fs::read_dir("/proc").expect("there is /proc").flatten();
    let marked = processes.filter(|process| {
        let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).split('\0').any(|word| word == marker)
    });
    marked.filter_map(|process| Pid::from_raw(process.file_name().to_str()?.parse().ok()?)).collect()
}

#[test]
fn killing_solvers_changes_no_answer_and_leaves_no_process() {
    let marker = format!("--marker-{}", std::process::id());
    let mut command = installed();
    command.push(marker.clone());
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut random = Bytes(7);
            while !is_over.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(u64::from(random.next() % 64)));
                for process in marked(&marker) {
                    let _ = kill_process(process, Signal::KILL);
                }
            }
        });
        // The thread ends even if an assertion fails.
        let _end = End(&is_over);
        for _ in 0..5 {
            is_contained("victim", command.clone());
        }
    });
    is_contained("victim", command);
    assert_eq!(marked(&marker), []);
}

#[test]
fn memories_have_the_values_of_the_model() {
    let monitor = monitor(&[("bitwuzla", installed())], false);
    let sort = MemorySort { address: 64, cell: clew_verifier::expr::Cell::Bits(8) };
    let mut pool = Pool::default();
    let (memory, address) = (pool.var(Var(0), Sort::Memory(sort)), pool.bits(64, 7));
    let (word, value) = (pool.read(memory, address, 2), pool.bits(16, 0x1234));
    let condition = pool.eq(word, value);
    let mut solver = Solver::new(&monitor, Options::default());
    let Answer::Sat(model) = solver.check_once(&pool, &[condition]) else { panic!("it can be so") };
    assert_eq!(model.cell(Var(0), sort, 8), Value::bits(8, 0x12));
    assert_eq!(model.value(&pool, word), Ok(Value::bits(16, 0x1234)));
}
