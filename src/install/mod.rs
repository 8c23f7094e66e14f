//! What belongs to an installation beside the executables: headers, the compiler plugin, the CMake package, manual pages
//! and completions. The executable carries or makes all of it, so `cargo install` alone is enough.

mod files;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use clap::{Args, CommandFactory, ValueEnum};
use clap_complete::Shell;
use clew_frontend_llvm::compile::Cache;

use crate::cli::Cli;
use crate::exit::Failure;

/// Arguments of `config`.
#[derive(Debug, Args)]
pub struct Config {
    /// What to print, without a name before it [default: everything]
    #[arg(value_enum)]
    pub what: Option<What>,
}

/// What `config` prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum What {
    /// The folder of clew.h
    IncludeDir,
    /// The flags with which compilers find clew.h
    Cflags,
    /// The plugin for clang, opt and lld
    Plugin,
    /// The folder of the CMake package, for Clew_DIR
    CmakeDir,
}

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Arguments of `__install`.
#[derive(Debug, Args)]
pub struct Install {
    /// The folder, such as /usr/local
    pub prefix: PathBuf,
}

/// Prints where files for builds are.
pub fn config(arguments: &Config) -> Result<ExitCode, Failure> {
    let prefix = prefix()?;
    let value = |what: What| {
        let path = |name: &str| prefix.join(name).display().to_string();
        match what {
            What::IncludeDir => path("include"),
            What::Cflags => format!("-I{}", path("include")),
            What::Plugin => path(files::PLUGIN),
            What::CmakeDir => path(files::CMAKE_FOLDER),
        }
    };
    let mut out = io::stdout().lock();
    match arguments.what {
        Some(what) => writeln!(out, "{}", value(what))?,
        None => {
            for what in What::value_variants() {
                let name = what.to_possible_value().map_or_else(String::new, |name| name.get_name().to_string());
                writeln!(out, "{name:<12} {}", value(*what))?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the completions of a shell.
pub fn completions(arguments: &Completions) -> Result<ExitCode, Failure> {
    io::stdout().lock().write_all(&files::completions(arguments.shell))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the files of an installation.
pub fn install(arguments: &Install) -> Result<ExitCode, Failure> {
    write_all(&arguments.prefix, &files::all()?)?;
    Ok(ExitCode::SUCCESS)
}

/// The folder with the files: that of this installation, else one in the cache, which is written if it is missing.
fn prefix() -> Result<PathBuf, Failure> {
    let this = env::current_exe().map_err(|e| Failure::Internal(format!("cannot find the program itself: {e}")))?;
    let installed = this.parent().and_then(Path::parent).filter(|prefix| prefix.join(files::MARK).is_file());
    if let Some(prefix) = installed {
        return Ok(prefix.into());
    }
    let Cache::Folder(cache) = Cache::of_user() else {
        let why = "Clew is not installed, and has no cache folder for its files: set HOME or XDG_CACHE_HOME";
        return Err(Failure::Usage(why.into()));
    };
    let all = files::for_builds();
    let prefix = cache.join(format!("files-{:016x}", files::fingerprint(&all)));
    if !prefix.join(files::MARK).is_file() {
        // The mark is the last file, so that what was cut off is written again.
        write_all(&prefix, &all)?;
    }
    link_command(&prefix, &this)?;
    Ok(prefix)
}

/// Has the plugin in `prefix` find this command.
fn link_command(prefix: &Path, command: &Path) -> io::Result<()> {
    let link = prefix.join("bin/clew");
    if fs::read_link(&link).is_ok_and(|target| target == command) {
        return Ok(());
    }
    fs::create_dir_all(prefix.join("bin"))?;
    // Renamed into its place, since others may start it at the same time.
    let new = prefix.join(format!("bin/.new-{}", std::process::id()));
    std::os::unix::fs::symlink(command, &new)?;
    fs::rename(new, link)
}

/// Writes files below a folder. Each appears as a whole.
fn write_all(folder: &Path, files: &[files::File]) -> io::Result<()> {
    for file in files {
        let path = folder.join(&file.path);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent)?;
        let new = parent.join(format!(".new-{}", std::process::id()));
        fs::write(&new, &file.contents)?;
        fs::rename(new, path)?;
    }
    Ok(())
}

/// The command line without hidden commands, for manual pages and completions.
fn command_line() -> clap::Command {
    let full = Cli::command();
    let visible: Vec<clap::Command> = full.get_subcommands().filter(|one| !one.is_hide_set()).cloned().collect();
    clap::Command::new("clew")
        .version(env!("CARGO_PKG_VERSION"))
        .about(full.get_about().cloned().unwrap_or_default())
        .after_help(full.get_after_help().cloned().unwrap_or_default())
        .subcommand_required(true)
        .subcommands(visible)
}
