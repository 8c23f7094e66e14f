//! Each option is `-clew-NAME`, or the environment variable `CLEW_NAME`.
//!
//! clang parses `-mllvm` before it loads the plugins of `-fpass-plugin`, so there the variables are the simpler way.

#include "options.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"

#include <cstdlib>

using namespace llvm;

static cl::OptionCategory Category("Clew");

static cl::list<std::string> Entry("clew-entry", cl::CommaSeparated, cl::cat(Category), cl::value_desc("f,g"),
                                   cl::desc("Verify these functions"));
static cl::opt<std::string> Verdicts("clew-verdicts", cl::cat(Category), cl::value_desc("file"),
                                     cl::desc("Append the verdicts to a file, as JSON lines"));
static cl::opt<bool> AsErrors("clew-error", cl::cat(Category), cl::desc("Violations are errors, not warnings"));
static cl::opt<std::string> Unknown("clew-unknown", cl::cat(Category), cl::value_desc("ignore|warning|error"),
                                    cl::desc("What a function is that cannot be decided (default: warning)"));
static cl::opt<std::string> Arguments("clew-options", cl::cat(Category), cl::value_desc("options"),
                                      cl::desc("Options of `clew check`, separated by spaces"));
static cl::opt<std::string> Save("clew-save", cl::cat(Category), cl::value_desc("folder"),
                                 cl::desc("Keep the verified modules in a folder"));

static std::string variable(const char *Name) {
  const char *Value = std::getenv(Name);
  return Value ? Value : "";
}

static std::string either(const cl::opt<std::string> &Option, const char *Name) {
  return Option.getNumOccurrences() ? Option.getValue() : variable(Name);
}

/// The parts of a text that are not empty.
static std::vector<std::string> parts(StringRef Text, char Separator) {
  SmallVector<StringRef> Parts;
  Text.split(Parts, Separator, -1, false);
  std::vector<std::string> Trimmed;
  for (StringRef Part : Parts)
    if (!Part.trim().empty())
      Trimmed.push_back(Part.trim().str());
  return Trimmed;
}

clew::Options clew::options() {
  Options Result;
  Result.Entries = Entry.empty() ? parts(variable("CLEW_ENTRY"), ',') : std::vector<std::string>(Entry);
  Result.Arguments = parts(either(Arguments, "CLEW_OPTIONS"), ' ');
  Result.Verdicts = either(Verdicts, "CLEW_VERDICTS");
  Result.Save = either(Save, "CLEW_SAVE");
  std::string FromEnvironment = variable("CLEW_ERROR");
  Result.ViolationIsError =
      AsErrors.getNumOccurrences() ? AsErrors.getValue() : !FromEnvironment.empty() && FromEnvironment != "0";
  std::string How = either(Unknown, "CLEW_UNKNOWN");
  if (How == "ignore")
    Result.OnUndecided = Undecided::Ignore;
  else if (How == "error")
    Result.OnUndecided = Undecided::Error;
  else if (!How.empty() && How != "warning")
    Result.Problem = "-clew-unknown is ignore, warning or error, not '" + How + "'";
  return Result;
}
