//! Reads the reports of `clew check --format sarif`.

#include "verdict.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace clew;

Verdict Verdict::failed(std::string Why) {
  Verdict Result;
  Result.Reason.Text = std::move(Why);
  return Result;
}

StringRef clew::name(enum Verdict::Kind Kind) {
  switch (Kind) {
  case Verdict::Kind::Safe:
    return "SAFE";
  case Verdict::Kind::Unsafe:
    return "UNSAFE";
  case Verdict::Kind::Unknown:
    return "UNKNOWN";
  case Verdict::Kind::Failed:
    return "FAILED";
  }
  llvm_unreachable("all kinds are above");
}

namespace {

/// A part of a document. What is missing is empty, so that paths need no tests.
struct Node {
  const json::Value *Value;

  Node operator[](StringRef Name) const {
    const json::Object *Object = Value ? Value->getAsObject() : nullptr;
    return {Object ? Object->get(Name) : nullptr};
  }
  Node operator[](size_t Index) const {
    const json::Array *Array = Value ? Value->getAsArray() : nullptr;
    return {Array && Index < Array->size() ? &(*Array)[Index] : nullptr};
  }
  size_t size() const {
    const json::Array *Array = Value ? Value->getAsArray() : nullptr;
    return Array ? Array->size() : 0;
  }
  std::string text() const { return Value ? Value->getAsString().value_or("").str() : ""; }
  unsigned number() const { return Value ? unsigned(Value->getAsInteger().value_or(0)) : 0; }
};

} // namespace

/// The path in a URI.
static std::string path(StringRef Uri) {
  Uri.consume_front("file://");
  std::string Path;
  for (size_t I = 0; I < Uri.size(); ++I) {
    unsigned char Byte;
    if (Uri[I] == '%' && I + 2 < Uri.size() && tryGetHexFromNibbles(Uri[I + 1], Uri[I + 2], Byte)) {
      Path.push_back(char(Byte));
      I += 2;
    } else {
      Path.push_back(Uri[I]);
    }
  }
  return Path;
}

static Remark remark(Node Location, std::string Text) {
  Node Physical = Location["physicalLocation"];
  return {path(Physical["artifactLocation"]["uri"].text()), Physical["region"]["startLine"].number(),
          Physical["region"]["startColumn"].number(), std::move(Text)};
}

static Violation violation(Node Finding) {
  Violation Result;
  Result.Kind = Finding["ruleId"].text();
  Result.Claim = remark(Finding["locations"][0], Finding["message"]["text"].text());
  Node Steps = Finding["codeFlows"][0]["threadFlows"][0]["locations"];
  for (size_t I = 0; I < Steps.size(); ++I)
    if (Steps[I]["importance"].text() == "important")
      Result.Path.push_back(remark(Steps[I]["location"], Steps[I]["location"]["message"]["text"].text()));
  Node Inputs = Finding["properties"]["inputs"];
  for (size_t I = 0; I < Inputs.size(); ++I)
    Result.Inputs.push_back(Inputs[I].text());
  return Result;
}

Verdict clew::readReport(StringRef Sarif, int Code) {
  Expected<json::Value> Document = json::parse(Sarif);
  if (!Document)
    return Verdict::failed("its report is damaged: " + toString(Document.takeError()));
  Node Run = Node{&*Document}["runs"][0];
  std::string Word = Run["properties"]["verdict"].text();
  Verdict Result;
  // Both have to agree, so that a report that was cut off or mixed up is never a proof.
  if (Word == "SAFE" && Code == 0)
    Result.Kind = Verdict::Kind::Safe;
  else if (Word == "UNSAFE" && Code == 10)
    Result.Kind = Verdict::Kind::Unsafe;
  else if (Word == "UNKNOWN" && Code == 20)
    Result.Kind = Verdict::Kind::Unknown;
  else
    return Verdict::failed("its report says '" + Word + "', but its exit code is " + std::to_string(Code));

  Node Findings = Run["results"];
  for (size_t I = 0; I < Findings.size(); ++I)
    Result.Violations.push_back(violation(Findings[I]));
  if ((Result.Kind == Verdict::Kind::Unsafe) != !Result.Violations.empty())
    return Verdict::failed("its report says " + Word + " with " + std::to_string(Findings.size()) + " violations");

  Node Notes = Run["invocations"][0]["toolExecutionNotifications"];
  for (size_t I = 0; I < Notes.size(); ++I) {
    std::string Text = Notes[I]["message"]["text"].text();
    if (Notes[I]["level"].text() == "note")
      Result.Notes.push_back(Text);
    else
      Result.Reason = remark(Notes[I]["locations"][0], StringRef(Text).split("UNKNOWN: ").second.str());
  }
  return Result;
}
