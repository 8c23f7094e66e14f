//! Runs `clew check` as a child process, so that nothing it does can harm the compiler.

#include "verdict.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

extern char **environ;

/// The limit for one function, unless there is another one among the options.
static const char TimeLimit[] = "60s";

/// The command: `CLEW`, else the one that was installed with this library, else the one on the path.
static ErrorOr<std::string> findClew() {
  if (const char *Given = std::getenv("CLEW"); Given && *Given)
    return StringRef(Given).contains("/") ? ErrorOr<std::string>(Given) : sys::findProgramByName(Given);
  Dl_info Library;
  if (dladdr(reinterpret_cast<void *>(&findClew), &Library) && Library.dli_fname) {
    SmallString<256> File(Library.dli_fname);
    sys::fs::make_absolute(File);
    StringRef Folder = sys::path::parent_path(File);
    for (const char *Near : {"clew", "../bin/clew", "../../bin/clew"}) {
      SmallString<256> Candidate(Folder);
      sys::path::append(Candidate, Near);
      if (sys::fs::can_execute(Candidate))
        return std::string(Candidate);
    }
  }
  return sys::findProgramByName("clew");
}

/// The environment of the child. Compilers that it starts may load this library, which does nothing there.
static std::vector<std::string> childEnvironment() {
  std::vector<std::string> Variables{"CLEW_PLUGIN=off"};
  for (char **Each = environ; *Each; ++Each)
    if (!StringRef(*Each).starts_with("CLEW_PLUGIN="))
      Variables.push_back(*Each);
  return Variables;
}

static std::vector<char *> pointers(std::vector<std::string> &Texts) {
  std::vector<char *> Result;
  for (std::string &Text : Texts)
    Result.push_back(Text.data());
  Result.push_back(nullptr);
  return Result;
}

/// Runs a command with its output in files. Returns the status of `waitpid`, or an error.
static ErrorOr<int> run(std::vector<std::string> Words, const std::string &Out, const std::string &Err) {
  std::vector<std::string> Variables = childEnvironment();
  std::vector<char *> Arguments = pointers(Words), Environment = pointers(Variables);
  pid_t Parent = getpid();
  pid_t Child = fork();
  if (Child < 0)
    return std::error_code(errno, std::generic_category());
  if (Child == 0) {
    // Only calls that are safe after a fork. The child ends with the compiler, also if that is killed.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    int In = open("/dev/null", O_RDONLY);
    int OutFile = open(Out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int ErrFile = open(Err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (getppid() != Parent || dup2(In, 0) < 0 || dup2(OutFile, 1) < 0 || dup2(ErrFile, 2) < 0)
      _exit(127);
    execve(Arguments[0], Arguments.data(), Environment.data());
    _exit(127);
  }
  int Status = 0;
  while (waitpid(Child, &Status, 0) < 0)
    if (errno != EINTR)
      return std::error_code(errno, std::generic_category());
  return Status;
}

static std::string contents(StringRef File) {
  auto Buffer = MemoryBuffer::getFile(File);
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

/// The error message of a run without a verdict, or the last line of its output.
static std::string complaint(StringRef Messages) {
  SmallVector<StringRef> Lines;
  Messages.split(Lines, '\n', -1, false);
  for (StringRef Line : Lines)
    for (StringRef Prefix : {"clew: error: ", "clew: internal error: ", "error: "})
      if (Line.starts_with(Prefix))
        return Line.drop_front(Prefix.size()).str();
  return Lines.empty() ? "it says nothing" : Lines.back().str();
}

clew::Verdict clew::check(StringRef File, StringRef Folder, StringRef Entry, ArrayRef<std::string> Arguments) {
  ErrorOr<std::string> Clew = findClew();
  if (!Clew)
    return Verdict::failed("the command 'clew' is not found; install it, or set CLEW");
  if (!sys::fs::can_execute(*Clew))
    return Verdict::failed("the command '" + *Clew + "' is not found");
  std::vector<std::string> Words{*Clew, "check", File.str(), "--entry", Entry.str(), "--format=sarif", "--no-progress"};
  if (none_of(Arguments, [](StringRef Word) { return Word.starts_with("--time-limit"); }))
    Words.push_back(std::string("--time-limit=") + TimeLimit);
  Words.insert(Words.end(), Arguments.begin(), Arguments.end());

  std::string Out = (Folder + "/out").str(), Err = (Folder + "/err").str();
  ErrorOr<int> Status = run(std::move(Words), Out, Err);
  if (!Status)
    return Verdict::failed("'" + *Clew + "' cannot be started: " + Status.getError().message());
  if (WIFSIGNALED(*Status))
    return Verdict::failed("'" + *Clew + "' was ended by a signal: " + strsignal(WTERMSIG(*Status)));
  int Code = WEXITSTATUS(*Status);
  if (Code != 0 && Code != 10 && Code != 20)
    return Verdict::failed("'" + *Clew + "' failed with exit code " + std::to_string(Code) + ": " +
                           complaint(contents(Err)));
  return readReport(contents(Out), Code);
}
