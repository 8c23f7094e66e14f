//! `clew build`: runs the command of a build with the wrapper around clang as its compilers.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Args;
use clew_clang::database::Entry;
use clew_clang::wrapper::LOG;
use clew_clang::{Clang, LLVM_VERSION};

use crate::exit::Failure;

/// The folder of what a build leaves.
const FOLDER: &str = ".clew";

/// Arguments of `build`.
#[derive(Debug, Args)]
pub struct Build {
    /// The command
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

/// Runs the build. Returns its exit code.
pub fn build(arguments: &Build) -> Result<ExitCode, Failure> {
    let [program, rest @ ..] = arguments.command.as_slice() else {
        return Err(Failure::Usage("no command; write clew build -- make".into()));
    };
    Clang::find().map_err(|error| Failure::Load(error.into()))?;
    let folder = env::current_dir()?.join(FOLDER);
    let bin = folder.join("bin");
    let (cc, cxx) = link_compilers(&bin)?;
    let log = folder.join("units.jsonl");
    match fs::remove_file(&log) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    let mut command = Command::new(program);
    command.args(rest).env("CC", cc).env("CXX", cxx).env(LOG, &log);
    for (variable, tool) in [("AR", "llvm-ar"), ("RANLIB", "llvm-ranlib")] {
        if let Some(path) = llvm_tool(tool).filter(|_| env::var_os(variable).is_none()) {
            command.env(variable, path);
        }
    }
    let status = command
        .status()
        .map_err(|error| Failure::Usage(format!("cannot start {}: {error}", Path::new(program).display())))?;
    record(&log, &folder.join("compile_commands.json"))?;
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
    Ok(ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX)))
}

/// Makes both names of the wrapper in a folder: cargo does not install `clew-c++`, since it allows no such name.
fn link_compilers(folder: &Path) -> Result<(PathBuf, PathBuf), Failure> {
    let wrapper = env::current_exe()?.with_file_name("clew-cc");
    if !wrapper.is_file() {
        return Err(Failure::Internal(format!("{} is not installed", wrapper.display())));
    }
    fs::create_dir_all(folder)?;
    let link = |name: &str| {
        let path = folder.join(name);
        // Another build may use the link: it is replaced as a whole.
        let new = folder.join(format!("{name}.{}", std::process::id()));
        symlink(&wrapper, &new).and_then(|()| fs::rename(&new, &path)).map(|()| path)
    };
    Ok((link("clew-cc")?, link("clew-c++")?))
}

/// A tool of LLVM on the path, which also knows objects of `-flto`.
fn llvm_tool(name: &str) -> Option<PathBuf> {
    let named = format!("{name}-{LLVM_VERSION}");
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    let on_path = folders.iter().map(|folder| folder.join(&named)).find(|path| path.is_file());
    on_path.or_else(|| Some(PathBuf::from(format!("/usr/lib/llvm-{LLVM_VERSION}/bin/{name}"))).filter(|p| p.is_file()))
}

/// Adds the units of this build to the database, in place of earlier entries for the same outputs. Names those without
/// bitcode.
fn record(log: &Path, database: &Path) -> Result<(), Failure> {
    let lines = fs::read_to_string(log).unwrap_or_default();
    let new: Vec<Entry> = lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let mut entries: Vec<Entry> =
        fs::read(database).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
    let key = |entry: &Entry| (entry.path(), entry.output.as_ref().map(|output| entry.directory.join(output)));
    // Of several compilations to one output, the last one counts.
    let mut last: BTreeMap<_, &Entry> = new.iter().map(|entry| (key(entry), entry)).collect();
    entries.retain(|old| !last.contains_key(&key(old)));
    entries.extend(new.iter().filter_map(|entry| last.remove(&key(entry))).cloned());
    let text = serde_json::to_string_pretty(&entries).map_err(|error| Failure::Internal(error.to_string()))?;
    fs::write(database, text + "\n")?;
    for entry in &new {
        if let Some(why) = &entry.without_bitcode {
            eprintln!("clew: note: no bitcode of {}: {why}", entry.path().display());
        }
    }
    eprintln!("clew: note: {} compiled, recorded in {FOLDER}/compile_commands.json", sources(new.len()));
    Ok(())
}

fn sources(count: usize) -> String {
    if count == 1 { "1 source".into() } else { format!("{count} sources") }
}
