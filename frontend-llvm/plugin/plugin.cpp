//! The plugin for clang, opt and lld: verifies functions of a module before it is optimised.

#include "diagnose.h"
#include "options.h"
#include "verdict.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <set>

using namespace llvm;
using namespace clew;

/// The annotation that `CLEW_PROOF` of clew.h gives a function.
static const char Annotation[] = "clew_proof";

/// The functions with the annotation.
static std::set<const Function *> annotated(const Module &M) {
  std::set<const Function *> Result;
  const GlobalVariable *Table = M.getGlobalVariable("llvm.global.annotations");
  const auto *Rows = Table && Table->hasInitializer() ? dyn_cast<ConstantArray>(Table->getInitializer()) : nullptr;
  if (!Rows)
    return Result;
  for (const Use &Row : Rows->operands()) {
    const auto *Cells = dyn_cast<ConstantStruct>(Row);
    if (!Cells || Cells->getNumOperands() < 2)
      continue;
    const auto *Entry = dyn_cast<Function>(Cells->getOperand(0)->stripPointerCasts());
    const auto *Name = dyn_cast<GlobalVariable>(Cells->getOperand(1)->stripPointerCasts());
    const auto *Text = Name && Name->hasInitializer() ? dyn_cast<ConstantDataArray>(Name->getInitializer()) : nullptr;
    if (Entry && Text && Text->isCString() && Text->getAsCString() == Annotation)
      Result.insert(Entry);
  }
  return Result;
}

/// Whether `Name` is that of the function: its symbol, or its name in C++ with or without parameters.
static bool isNamed(const Function &F, StringRef Name) {
  if (F.getName() == Name)
    return true;
  std::string Full = demangle(F.getName());
  return Full == Name || StringRef(Full).split('(').first == Name;
}

/// The functions to verify, in the order of the module.
static std::vector<const Function *> entries(const Module &M, const Options &Given) {
  std::set<const Function *> Annotated = annotated(M);
  std::vector<const Function *> Result;
  for (const Function &F : M) {
    bool IsAsked = any_of(Given.Entries, [&](StringRef Name) { return isNamed(F, Name); });
    if ((IsAsked || Annotated.count(&F)) && !F.isDeclarationForLinker())
      Result.push_back(&F);
  }
  return Result;
}

/// A copy of the module as it was before assignment tracking, which clang begins before this pass at -O1 and above: each
/// variable has a declaration again.
static std::unique_ptr<Module> withDeclarations(const Module &M) {
  std::unique_ptr<Module> Copy = CloneModule(M);
  for (Function &F : *Copy) {
    SmallVector<DbgVariableRecord *> Assignments;
    for (Instruction &I : instructions(F))
      for (DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange()))
        if (Record.isDbgAssign())
          Assignments.push_back(&Record);
    std::set<std::pair<Value *, DILocalVariable *>> Declared;
    for (DbgVariableRecord *Record : Assignments) {
      Value *Address = Record->isKillAddress() ? nullptr : Record->getAddress();
      bool IsSlot = Address && isa<AllocaInst>(Address);
      if (IsSlot && Declared.insert({Address, Record->getVariable()}).second) {
        DIExpression *Whole = DIExpression::get(F.getContext(), {});
        DbgVariableRecord::createDVRDeclare(Address, Record->getVariable(), Whole, Record->getDebugLoc(), *Record);
      }
      Record->eraseFromParent();
    }
  }
  return Copy;
}

/// A folder of this process, which ends with it.
struct Scratch {
  SmallString<256> Path;
  std::error_code Error = sys::fs::createUniqueDirectory("clew-plugin", Path);
  ~Scratch() {
    if (!Error)
      sys::fs::remove_directories(Path);
  }
};

/// Where the module is written: in the folder of `-clew-save` under the name of its source, else in `Scratch`.
static std::string moduleFile(const Module &M, const Options &Given, StringRef Scratch) {
  SmallString<256> File(Scratch);
  std::string Name = "module";
  if (!Given.Save.empty() && !sys::fs::create_directories(Given.Save)) {
    File = Given.Save;
    Name = M.getSourceFileName();
    for (char &Each : Name)
      Each = isAlnum(Each) || Each == '.' || Each == '-' ? Each : '_';
  }
  sys::path::append(File, Name + ".bc");
  return std::string(File);
}

static json::Object place(const Remark &At) {
  json::Object Object{{"message", At.Text}};
  if (!At.File.empty())
    Object["file"] = At.File;
  if (At.Line)
    Object["line"] = int64_t(At.Line);
  if (At.Column)
    Object["column"] = int64_t(At.Column);
  return Object;
}

/// Appends a line to the file of verdicts, in one piece, since other compilers may write to it.
static std::error_code record(const Options &Given, const Module &M, const Function &Entry, const Verdict &Verdict) {
  json::Array Violations;
  for (const Violation &Each : Verdict.Violations) {
    json::Object Object = place(Each.Claim);
    Object["kind"] = Each.Kind;
    Object["inputs"] = json::Array(Each.Inputs);
    json::Array Path;
    for (const Remark &Step : Each.Path)
      Path.push_back(place(Step));
    Object["path"] = std::move(Path);
    Violations.push_back(std::move(Object));
  }
  json::Object Line{{"source", M.getSourceFileName()},
                    {"entry", Entry.getName()},
                    {"name", demangle(Entry.getName())},
                    {"verdict", name(Verdict.Kind)},
                    {"violations", std::move(Violations)},
                    {"reason", Verdict.Reason.Text.empty() ? json::Value(nullptr) : place(Verdict.Reason)},
                    {"notes", json::Array(Verdict.Notes)}};
  std::string Text;
  raw_string_ostream(Text) << json::Value(std::move(Line)) << '\n';
  std::error_code Error;
  raw_fd_ostream Out(Given.Verdicts, Error, sys::fs::CD_OpenAlways, sys::fs::FA_Write, sys::fs::OF_Append);
  if (Error)
    return Error;
  Out.SetUnbuffered();
  Out << Text;
  Error = Out.error();
  Out.clear_error();
  return Error;
}

static void verify(Module &M, const Options &Given, Reporter &Reporter, ArrayRef<const Function *> Entries) {
  DiagnosticSeverity Severity = Given.OnUndecided == Undecided::Error ? DS_Error : DS_Warning;
  Scratch Scratch;
  if (Scratch.Error)
    return Reporter.problem(Severity, "no temporary folder: " + Scratch.Error.message());
  std::string File = moduleFile(M, Given, Scratch.Path);
  std::error_code Error;
  {
    raw_fd_ostream Out(File, Error);
    if (!Error) {
      WriteBitcodeToFile(*withDeclarations(M), Out);
      Out.flush();
      Error = Out.error();
      Out.clear_error();
    }
  }
  if (Error)
    return Reporter.problem(Severity, "cannot write '" + File + "': " + Error.message());
  for (const Function *Entry : Entries) {
    Verdict Verdict = check(File, Scratch.Path, Entry->getName(), Given.Arguments);
    Reporter.resolve(Verdict);
    Reporter.report(*Entry, Verdict);
    if (Given.Verdicts.empty())
      continue;
    if (std::error_code Error = record(Given, M, *Entry, Verdict))
      Reporter.problem(Severity, "cannot write '" + Given.Verdicts + "': " + Error.message());
  }
}

namespace {

struct VerifierPass : PassInfoMixin<VerifierPass> {
  /// Whether this is the start of a pipeline for one source file.
  bool IsCompiler;

  explicit VerifierPass(bool IsCompiler) : IsCompiler(IsCompiler) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    const char *State = std::getenv("CLEW_PLUGIN");
    if (State && StringRef(State) == "off")
      return PreservedAnalyses::all();
    Options Given = options();
    std::vector<const Function *> Entries = entries(M, Given);
    // clang names a module after its source file, and other tools after a file of bitcode.
    StringRef Name = M.getModuleIdentifier();
    bool IsClang = IsCompiler && Name == M.getSourceFileName() && Name != "<stdin>" && !Name.ends_with(".ll") &&
                   !Name.ends_with(".bc");
    Reporter Reporter(M, Given, IsClang);
    if (Given.Problem)
      Reporter.problem(DS_Error, *Given.Problem);
    else if (!Entries.empty())
      verify(M, Given, Reporter, Entries);
    return PreservedAnalyses::all();
  }

  /// Runs at -O0 and within functions of attribute `optnone` too.
  static bool isRequired() { return true; }
};

} // namespace

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "clew", CLEW_VERSION, [](PassBuilder &Builder) {
            Builder.registerPipelineStartEPCallback(
                [](ModulePassManager &Passes, OptimizationLevel) { Passes.addPass(VerifierPass(true)); });
            Builder.registerFullLinkTimeOptimizationEarlyEPCallback(
                [](ModulePassManager &Passes, OptimizationLevel) { Passes.addPass(VerifierPass(false)); });
            Builder.registerPipelineParsingCallback(
                [](StringRef Name, ModulePassManager &Passes, ArrayRef<PassBuilder::PipelineElement>) {
                  if (Name != "clew")
                    return false;
                  Passes.addPass(VerifierPass(false));
                  return true;
                });
          }};
}
