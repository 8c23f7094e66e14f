//! Verdicts as diagnostics of the compiler.
#ifndef CLEW_PLUGIN_DIAGNOSE_H
#define CLEW_PLUGIN_DIAGNOSE_H

#include "options.h"
#include "verdict.h"

#include "llvm/IR/Module.h"

namespace clew {

/// Reports through the handler of the module's context: clang's, opt's or the linker's.
class Reporter {
public:
  /// `IsClang` says whether clang compiles a source file, and so knows source locations.
  Reporter(llvm::Module &M, const Options &Options, bool IsClang);

  /// Reports what is not SAFE.
  void report(const llvm::Function &Entry, const Verdict &Verdict);
  /// Reports a message without a place.
  void problem(llvm::DiagnosticSeverity Severity, std::string Text);

private:
  struct Message {
    llvm::DiagnosticSeverity Severity;
    Remark At;
  };
  void emit(const std::vector<Message> &Messages);
  void emit(const llvm::Function &Entry, std::vector<Message> Messages);
  void violation(const llvm::Function &Entry, const Violation &Violation);

  llvm::LLVMContext &Context;
  const Options &Given;
  bool IsClang;
  bool HasPlaces;
};

} // namespace clew

#endif
