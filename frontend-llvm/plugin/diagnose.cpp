//! clang takes diagnostics with a buffer and an offset (`DiagnosticInfoSrcMgr`) as its own: file, line, column, mark, notes.
//!
//! It has no notes for other kinds. opt and lld print one message at a time, and may exit after an error. So there each
//! violation is one message with all its lines.

#include "diagnose.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

#include <map>

using namespace llvm;
using namespace clew;

/// The numbers of steps at both ends of a path that are shown.
static constexpr size_t FirstSteps = 10, LastSteps = 20;

namespace {

/// A message of several lines.
class Text : public DiagnosticInfo {
public:
  Text(DiagnosticSeverity Severity, std::string Message) : DiagnosticInfo(kind(), Severity), Message(Message) {}
  void print(DiagnosticPrinter &Printer) const override { Printer << Message; }

private:
  static int kind() {
    static int Kind = getNextAvailablePluginDiagnosticKind();
    return Kind;
  }
  std::string Message;
};

/// The files of diagnostics, each read once.
class Files {
public:
  /// The diagnostic for a remark. If its file cannot be read, the place is part of the text.
  SMDiagnostic diagnostic(SourceMgr::DiagKind Kind, const Remark &At) {
    if (SMLoc Location = find(At); Location.isValid())
      return Manager.GetMessage(Location, Kind, At.Text);
    std::string Place = At.File.empty() ? "" : At.File + ":";
    if (At.Line)
      Place += std::to_string(At.Line) + ":";
    if (At.Line && At.Column)
      Place += std::to_string(At.Column) + ":";
    return SMDiagnostic("", Kind, Place + (Place.empty() ? "" : " ") + At.Text);
  }

private:
  SMLoc find(const Remark &At) {
    if (At.File.empty() || At.Line == 0)
      return {};
    auto [Entry, IsNew] = Numbers.try_emplace(At.File, 0);
    if (IsNew)
      if (auto Buffer = MemoryBuffer::getFile(At.File, /*IsText=*/true))
        Entry->second = Manager.AddNewSourceBuffer(std::move(*Buffer), SMLoc());
    if (Entry->second == 0)
      return {};
    SMLoc Start = Manager.FindLocForLineAndColumn(Entry->second, At.Line, 1);
    if (!Start.isValid())
      return {};
    const char *End = Manager.getMemoryBuffer(Entry->second)->getBufferEnd();
    const char *Place = Start.getPointer();
    // Without a column, the mark is at the first word.
    if (At.Column == 0)
      while (Place < End && (*Place == ' ' || *Place == '\t'))
        ++Place;
    for (unsigned Column = 1; Column < At.Column && Place < End && *Place != '\n'; ++Column)
      Place = std::min(End, Place + getNumBytesForUTF8(UTF8(*Place)));
    return SMLoc::getFromPointer(Place);
  }

  SourceMgr Manager;
  std::map<std::string, unsigned> Numbers;
};

} // namespace

static SourceMgr::DiagKind kind(DiagnosticSeverity Severity) {
  switch (Severity) {
  case DS_Error:
    return SourceMgr::DK_Error;
  case DS_Warning:
    return SourceMgr::DK_Warning;
  case DS_Remark:
    return SourceMgr::DK_Remark;
  case DS_Note:
    return SourceMgr::DK_Note;
  }
  llvm_unreachable("all severities are above");
}

Reporter::Reporter(Module &M, const Options &Options, bool IsClang)
    : Context(M.getContext()), Given(Options), IsClang(IsClang),
      HasPlaces(M.debug_compile_units_begin() != M.debug_compile_units_end()) {
  for (const Function &F : M)
    if (const DISubprogram *Debug = F.getSubprogram(); Debug && Debug->getFile())
      Folders.try_emplace(Debug->getFilename().str(), Debug->getDirectory().str());
}

/// Debug information has paths relative to a folder, which need not be that of this process.
std::string Reporter::resolved(const std::string &File) const {
  auto Folder = Folders.find(File);
  SmallString<256> Here;
  if (Folder == Folders.end() || sys::path::is_absolute(File) || sys::fs::current_path(Here) || Here == Folder->second)
    return File;
  SmallString<256> Path(File);
  sys::fs::make_absolute(Folder->second, Path);
  return sys::fs::exists(Path) ? std::string(Path) : File;
}

void Reporter::resolve(Verdict &Verdict) const {
  Verdict.Reason.File = resolved(Verdict.Reason.File);
  for (Violation &Each : Verdict.Violations) {
    Each.Claim.File = resolved(Each.Claim.File);
    for (Remark &Step : Each.Path)
      Step.File = resolved(Step.File);
  }
}

/// Where a function is declared, if there is debug information.
Remark Reporter::declaration(const Function &F, std::string Text) const {
  const DISubprogram *Debug = F.getSubprogram();
  if (!Debug || !Debug->getFile())
    return {"", 0, 0, std::move(Text)};
  return {resolved(Debug->getFilename().str()), Debug->getLine(), 0, std::move(Text)};
}

void Reporter::emit(const std::vector<Message> &Messages) {
  Files Sources;
  if (IsClang) {
    for (const Message &Each : Messages)
      Context.diagnose(DiagnosticInfoSrcMgr(Sources.diagnostic(kind(Each.Severity), Each.At), "", false));
    return;
  }
  std::string Lines;
  raw_string_ostream Stream(Lines);
  for (const Message &Each : Messages) {
    bool IsFirst = &Each == &Messages.front();
    // The tool itself prints the severity of the first line.
    Sources.diagnostic(kind(Each.Severity), Each.At).print(nullptr, Stream, /*ShowColors=*/false, !IsFirst);
  }
  Context.diagnose(Text(Messages.front().Severity, StringRef(Stream.str()).rtrim().str()));
}

/// Without debug information, clang knows at least where the function is.
void Reporter::emit(const Function &Entry, std::vector<Message> Messages) {
  if (HasPlaces)
    return emit(Messages);
  Message First = Messages.front();
  First.At = {"", 0, 0, First.At.Text};
  Messages.push_back({DS_Note, {"", 0, 0, "compile with -g or -gline-tables-only to see places"}});
  if (!IsClang) {
    Messages.front() = First;
    return emit(Messages);
  }
  Context.diagnose(DiagnosticInfoUnsupported(Entry, First.At.Text, DiagnosticLocation(), First.Severity));
  Messages.erase(Messages.begin());
  emit(Messages);
}

void Reporter::problem(DiagnosticSeverity Severity, std::string Text) {
  emit({{Severity, {"", 0, 0, "clew: " + Text}}});
}

void Reporter::violation(const Function &Entry, const Violation &Violation) {
  DiagnosticSeverity Severity = Given.ViolationIsError ? DS_Error : DS_Warning;
  std::string Name = demangle(Entry.getName());
  Remark Claim = Violation.Claim;
  Claim.Text = "clew: " + Violation.Claim.Text + " (" + Violation.Kind + ") in a run of '" + Name + "'";
  std::vector<Message> Messages{{Severity, Claim}};
  // Without debug information, places are those of Clew's models of the library, which are of no use here.
  size_t Count = HasPlaces ? Violation.Path.size() : 0;
  bool IsLong = Count > FirstSteps + LastSteps;
  for (size_t I = 0; I < Count; ++I) {
    if (IsLong && I == FirstSteps) {
      I = Count - LastSteps;
      Messages.push_back({DS_Note, {"", 0, 0, std::to_string(I - FirstSteps) + " steps are not shown"}});
    }
    Messages.push_back({DS_Note, Violation.Path[I]});
  }
  if (!Violation.Inputs.empty())
    Messages.push_back({DS_Note, declaration(Entry, "inputs of this run: " + join(Violation.Inputs, ", "))});
  emit(Entry, std::move(Messages));
}

void Reporter::report(const Function &Entry, const Verdict &Verdict) {
  for (const Violation &Each : Verdict.Violations)
    violation(Entry, Each);
  bool IsFailure = Verdict.Kind == Verdict::Kind::Failed;
  if (!IsFailure && Verdict.Kind != Verdict::Kind::Unknown)
    return;
  // A failure is never silent: it is no property of the program.
  if (Given.OnUndecided == Undecided::Ignore && !IsFailure)
    return;
  Remark At = Verdict.Reason;
  At.Text = "clew: '" + demangle(Entry.getName()) + (IsFailure ? "' cannot be verified: " : "' is undecided: ") +
            Verdict.Reason.Text;
  if (At.File.empty())
    At = declaration(Entry, At.Text);
  emit(Entry, {{Given.OnUndecided == Undecided::Error ? DS_Error : DS_Warning, At}});
}
