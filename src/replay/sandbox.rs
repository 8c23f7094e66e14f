//! Confinement of the program that is run: no network, no files outside of its folder, no other process touched.
//!
//! Clew starts itself as a child, which confines itself and then becomes the program. Landlock restricts files,
//! seccomp restricts system calls. Only system libraries can be read besides.

use std::collections::BTreeMap;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus,
    Scope, path_beneath_rules,
};
use rustix::process::{Resource, Rlimit, getpid, setrlimit};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter, sock_filter,
};

use super::syscalls::{ALLOWED, Call, FCNTL, IOCTL, PRLIMIT, SIGNALS};

/// The exit code if the program could not be confined or started; the message begins with [`REFUSED`].
pub const NOT_STARTED: u8 = 126;
/// The start of the message.
pub const REFUSED: &str = "clew: not started: ";

/// Where programs find their libraries.
const LIBRARIES: &[&str] = &[
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libx32",
    "/usr/share/locale",
    "/etc/ld.so.cache",
    "/nix/store",
];

/// The version of Landlock that this code knows. Older kernels enforce what they can, at least all access to files.
const KNOWN: ABI = ABI::V6;

/// Arguments of the hidden command.
#[derive(Debug, clap::Args)]
pub struct Confined {
    /// Start the program even if it cannot be confined.
    #[arg(long)]
    pub unless_possible: bool,
    /// The limit on CPU time, in seconds.
    #[arg(long)]
    pub seconds: u64,
    /// The limit on memory, in bytes.
    #[arg(long)]
    pub memory: u64,
    /// The number of its arguments, beside its name. They are empty.
    #[arg(long)]
    pub arguments: u32,
    /// The folder where the program may write; it is also the working directory.
    pub folder: PathBuf,
    /// The program.
    pub program: PathBuf,
}

/// Confines this process and becomes the program. Returns only on failure.
pub fn become_confined(arguments: &Confined) -> ExitCode {
    let Err(why) = try_become(arguments);
    eprintln!("{REFUSED}{why}");
    ExitCode::from(NOT_STARTED)
}

fn try_become(arguments: &Confined) -> Result<std::convert::Infallible, String> {
    let Confined { unless_possible, seconds, memory, folder, program, arguments } = arguments;
    std::env::set_current_dir(folder).map_err(|error| error.to_string())?;
    limit_resources(*seconds, *memory)?;
    let mut command = Command::new(program);
    command.args((0..*arguments).map(|_| "")).env_clear();
    match restrict_files(folder, program).and_then(|()| restrict_calls()) {
        Ok(()) => {}
        Err(_) if *unless_possible => {}
        Err(why) => return Err(format!("this system offers no sandbox: {why}")),
    }
    Err(command.exec().to_string())
}

fn limit_resources(seconds: u64, memory: u64) -> Result<(), String> {
    /// The largest file that the program may write, in bytes.
    const FILE_SIZE: u64 = 64 << 20;
    /// Recursion may be as deep as in the interpreter.
    const STACK: u64 = 512 << 20;
    let limits = [
        (Resource::Cpu, seconds),
        (Resource::As, memory),
        (Resource::Fsize, FILE_SIZE),
        (Resource::Stack, STACK),
        (Resource::Core, 0),
    ];
    for (resource, most) in limits {
        let limit = Rlimit { current: Some(most), maximum: Some(most) };
        // A smaller limit of the system stays.
        let _ = setrlimit(resource, limit);
    }
    let now = rustix::process::getrlimit(Resource::Cpu).current;
    if now.is_some_and(|now| now <= seconds) { Ok(()) } else { Err("CPU time cannot be limited".into()) }
}

/// Denies all files but the folder, the program and the libraries.
fn restrict_files(folder: &Path, program: &Path) -> Result<(), String> {
    let text = |error: landlock::RulesetError| error.to_string();
    let status = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(KNOWN))
        .and_then(|ruleset| ruleset.handle_access(AccessNet::from_all(KNOWN)))
        .and_then(|ruleset| ruleset.scope(Scope::from_all(KNOWN)))
        .and_then(|ruleset| ruleset.create())
        .and_then(|ruleset| ruleset.add_rules(path_beneath_rules(LIBRARIES, AccessFs::from_read(KNOWN))))
        .and_then(|ruleset| ruleset.add_rules(path_beneath_rules([program], AccessFs::from_read(KNOWN))))
        .and_then(|ruleset| ruleset.add_rules(path_beneath_rules(["/dev/null"], AccessFs::from_file(KNOWN))))
        .and_then(|ruleset| {
            // Nothing that the program writes can be executed.
            let access = AccessFs::from_all(KNOWN) & !AccessFs::Execute;
            ruleset.add_rules(path_beneath_rules([folder], access))
        })
        .and_then(|ruleset| ruleset.restrict_self())
        .map_err(text)?;
    match status.ruleset {
        RulesetStatus::NotEnforced => Err("the kernel has no Landlock".into()),
        _ => Ok(()),
    }
}

/// Denies all system calls but those of the list; they fail with `EPERM`.
fn restrict_calls() -> Result<(), String> {
    let filter = if cfg!(target_arch = "x86_64") { filter() } else { Err("an unknown architecture".into()) };
    apply_filter(&filter?).map_err(|error| error.to_string())
}

/// One filter for both instruction sets, since a 64-bit process starts the program.
fn filter() -> Result<BpfProgram, String> {
    const LOAD_WORD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
    const JUMP_IF_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
    const JUMP: u16 = (libc::BPF_JMP | libc::BPF_JA) as u16;
    /// The offset of the architecture in the data of a filter.
    const ARCHITECTURE: u32 = 4;
    const AUDIT_ARCH_X86_64: u32 = 0xc000_003e;
    const AUDIT_ARCH_I386: u32 = 0x4000_0003;
    let long = compiled(|call| call.1)?;
    let mut short = compiled(|call| call.2)?;
    // The crate knows no i386, which differs in the numbers and in the architecture that the filter tests first.
    let test = short.iter_mut().find(|instruction| instruction.k == AUDIT_ARCH_X86_64);
    test.ok_or("the filter tests no architecture")?.k = AUDIT_ARCH_I386;
    let distance = u32::try_from(long.len()).map_err(|error| error.to_string())?;
    let mut program = vec![
        sock_filter { code: LOAD_WORD, jt: 0, jf: 0, k: ARCHITECTURE },
        sock_filter { code: JUMP_IF_EQUAL, jt: 0, jf: 1, k: AUDIT_ARCH_I386 },
        sock_filter { code: JUMP, jt: 0, jf: 0, k: distance },
    ];
    program.extend(long);
    program.extend(short);
    Ok(program)
}

/// The filter for one instruction set, by the numbers of its calls.
fn compiled(number: impl Fn(&Call) -> i64) -> Result<BpfProgram, String> {
    let text = |error: seccompiler::BackendError| error.to_string();
    let condition = |argument, operator, value| {
        SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value).map_err(text)
    };
    let only = |conditions: Vec<SeccompCondition>| SeccompRule::new(conditions).map_err(text);
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    for call in ALLOWED {
        rules.insert(number(call), Vec::new());
    }
    let own = getpid().as_raw_nonzero().get() as u64;
    for call in SIGNALS {
        rules.insert(number(call), vec![only(vec![condition(0, SeccompCmpOp::Eq, own)?])?]);
    }
    for call in FCNTL {
        let not = |command: i32| condition(1, SeccompCmpOp::Ne, command as u64);
        /// `F_SETOWN_EX`, which the crate `libc` does not have.
        const SET_OWNER: i32 = 15;
        rules.insert(number(call), vec![only(vec![not(libc::F_SETOWN)?, not(SET_OWNER)?])?]);
    }
    let questions = [libc::TCGETS, libc::TIOCGWINSZ, libc::FIONREAD];
    let questions = questions.into_iter().map(|question| only(vec![condition(1, SeccompCmpOp::Eq, question)?]));
    rules.insert(number(&IOCTL), questions.collect::<Result<_, String>>()?);
    let no_change = SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Eq, 0).map_err(text)?;
    rules.insert(number(&PRLIMIT), vec![only(vec![no_change])?]);
    rules.remove(&-1);
    let denied = SeccompAction::Errno(libc::EPERM as u32);
    let filter = SeccompFilter::new(rules, denied, SeccompAction::Allow, TargetArch::x86_64).map_err(text)?;
    filter.try_into().map_err(text)
}
