//! What the plugin is asked to do, on the command line or in the environment.
#ifndef CLEW_PLUGIN_OPTIONS_H
#define CLEW_PLUGIN_OPTIONS_H

#include <optional>
#include <string>
#include <vector>

namespace clew {

/// The effect of a function that cannot be decided.
enum class Undecided { Ignore, Warning, Error };

/// The options. Those on the command line override those of the environment.
struct Options {
  /// Names of functions, as in the source or mangled.
  std::vector<std::string> Entries;
  /// Further arguments of `clew check`.
  std::vector<std::string> Arguments;
  /// The file that verdicts are appended to, or empty.
  std::string Verdicts;
  /// The folder that keeps the verified modules, or empty.
  std::string Save;
  /// Whether a violation is an error.
  bool ViolationIsError = false;
  Undecided OnUndecided = Undecided::Warning;
  /// An option with an invalid value.
  std::optional<std::string> Problem;
};

/// Reads the options.
Options options();

} // namespace clew

#endif
