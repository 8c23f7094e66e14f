//! `clew init`: writes a first manifest and a first harness.

use std::fs::OpenOptions;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use crate::exit::Failure;

/// Arguments of `init`.
#[derive(Debug, Args)]
pub struct Init {
    /// The folder of the project
    #[arg(value_name = "DIR", default_value = ".")]
    pub folder: PathBuf,
}

const MANIFEST: &str = "clew.toml";
const HARNESS: &str = "proofs/first.c";

/// Folders that projects call like this are the first guess for headers.
const INCLUDES: &[&str] = &["include", "inc", "src"];

const HARNESS_TEXT: &str = "\
// A harness: a small program around the code to verify. Clew considers all runs of it.
// Options of its own go to another line up here, which starts with the word clew and a colon.
#include <clew.h>

// In place of a function of the project.
static int middle(int low, int high) { return low + (high - low) / 2; }

int main(void) {
    int low = clew_any_int(), high = clew_any_int();    // any values
    clew_assume(0 <= low && low <= high);               // but only these
    int found = middle(low, high);
    clew_assert(low <= found && found <= high);         // must hold for all of them
}
";

/// The manifest, for headers in these folders.
fn manifest(includes: &[&str]) -> String {
    let includes: Vec<String> = includes.iter().map(|name| format!("\"{name}\"")).collect();
    format!(
        "\
# Harnesses of `clew test`. Paths are relative to this file.
harnesses = [\"proofs/*.c\"]

# For all harnesses; all keys are optional.
[defaults]
# sources = [\"src/parse.c\"]       # linked with every harness
includes = [{}]
# flags = [\"-DNDEBUG\"]            # for clang
# properties = [\"assert\", \"ub\"]   # see `clew check --help`
time-limit = \"60s\"

# Other settings for one harness; each key replaces that of the defaults.
# [harness.parse]
# file = \"proofs/parse.c\"
# entry = \"parse\"
",
        includes.join(", ")
    )
}

/// Writes the files, and says what to do with them.
pub fn init(arguments: &Init) -> Result<ExitCode, Failure> {
    let folder = &arguments.folder;
    let path = |name: &str| folder.strip_prefix(".").unwrap_or(folder).join(name);
    if folder.join(MANIFEST).exists() {
        return Err(Failure::Usage(format!("{} is there already; nothing was written", path(MANIFEST).display())));
    }
    let includes: Vec<&str> = INCLUDES.iter().copied().filter(|name| folder.join(name).is_dir()).collect();
    let mut out = io::stdout().lock();
    for (name, text) in [(HARNESS, HARNESS_TEXT), (MANIFEST, &manifest(&includes))] {
        let what = if create(&folder.join(name), text)? { "wrote" } else { "kept " };
        writeln!(out, "{what} {}", path(name).display())?;
    }
    let here = if folder == Path::new(".") { String::new() } else { format!(" {}", folder.display()) };
    writeln!(
        out,
        "\nNext:\n  clew test{here}             checks the harness; its verdict is new, so the run fails\n  \
         clew test{here} --review    shows the verdict and asks whether to accept it\n\
         Commit the accepted verdict in proofs/snapshots, and add harnesses to proofs."
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Creates a file; `false` if there is one already.
fn create(path: &Path, text: &str) -> Result<bool, Failure> {
    let explain = |error: io::Error| Failure::Usage(format!("{} cannot be written: {error}", path.display()));
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(explain)?;
    }
    match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(mut file) => file.write_all(text.as_bytes()).map(|()| true).map_err(explain),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(explain(error)),
    }
}
