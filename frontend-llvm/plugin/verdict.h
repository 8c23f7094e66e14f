//! What `clew check` says of one function.
#ifndef CLEW_PLUGIN_VERDICT_H
#define CLEW_PLUGIN_VERDICT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace clew {

/// A place in the source, with what there is to say about it. Columns count characters; 0 is unknown.
struct Remark {
  std::string File;
  unsigned Line = 0;
  unsigned Column = 0;
  std::string Text;
};

/// A violated property, and the steps that lead to it.
struct Violation {
  std::string Kind;
  Remark Claim;
  std::vector<Remark> Path;
  std::vector<std::string> Inputs;
};

/// The result of a run.
struct Verdict {
  enum class Kind { Safe, Unsafe, Unknown, Failed };
  Kind Kind = Kind::Failed;
  std::vector<Violation> Violations;
  /// Why there is no verdict, and where.
  Remark Reason;
  /// What the verdict rests on, and other remarks of the run.
  std::vector<std::string> Notes;

  static Verdict failed(std::string Why);
};

/// The word for a kind of verdict.
llvm::StringRef name(enum Verdict::Kind Kind);

/// Verifies the function `Entry` of the module in `File`. `Folder` is for output that is not kept.
Verdict check(llvm::StringRef File, llvm::StringRef Folder, llvm::StringRef Entry,
              llvm::ArrayRef<std::string> Arguments);

/// Reads a report in SARIF; `Code` is the exit code of the run, which has to agree.
Verdict readReport(llvm::StringRef Sarif, int Code);

} // namespace clew

#endif
