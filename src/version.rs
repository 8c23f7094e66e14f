//! `clew --version`: the versions of Clew and of what it uses.

use clew_frontend_llvm::compile::Clang;
use clew_verifier::smt::z3_version;

use crate::check::solvers::bitwuzla_version;

/// The versions, one a line. Clew's is the first.
pub fn text() -> String {
    let clang = match Clang::find() {
        Ok(clang) => clang.version().lines().next().unwrap_or_default().to_owned(),
        Err(error) => format!("no clang: {error}"),
    };
    let bitwuzla = bitwuzla_version().map_or_else(|| "no Bitwuzla".into(), |version| format!("Bitwuzla {version}"));
    format!("clew {}\n{clang}\nZ3 {}\n{bitwuzla}", env!("CARGO_PKG_VERSION"), z3_version().trim())
}
