//! Verdicts as diagnostics of the compiler.
#ifndef CLEW_PLUGIN_DIAGNOSE_H
#define CLEW_PLUGIN_DIAGNOSE_H

#include "options.h"
#include "verdict.h"

#include "llvm/IR/Module.h"

#include <map>

namespace clew {

/// Reports through the handler of the module's context: clang's, opt's or the linker's.
class Reporter {
public:
  /// `IsClang` says whether clang compiles a source file, and so knows source locations.
  Reporter(llvm::Module &M, const Options &Options, bool IsClang);

  /// Has all paths of a verdict lead to their files from the current folder.
  void resolve(Verdict &Verdict) const;
  /// Reports what is not SAFE.
  void report(const llvm::Function &Entry, const Verdict &Verdict);
  /// Reports a message without a place.
  void problem(llvm::DiagnosticSeverity Severity, std::string Text);

private:
  struct Message {
    llvm::DiagnosticSeverity Severity;
    Remark At;
  };
  std::string resolved(const std::string &File) const;
  Remark declaration(const llvm::Function &F, std::string Text) const;
  void emit(const std::vector<Message> &Messages);
  void emit(const llvm::Function &Entry, std::vector<Message> Messages);
  void violation(const llvm::Function &Entry, const Violation &Violation);

  llvm::LLVMContext &Context;
  const Options &Given;
  bool IsClang;
  bool HasPlaces;
  /// The folders of source files, from debug information.
  std::map<std::string, std::string> Folders;
};

} // namespace clew

#endif
