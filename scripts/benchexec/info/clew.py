"""Tool-info module for BenchExec: how to call Clew, and what its output means.

The module is found with `PYTHONPATH=scripts/benchexec` and `tool="info.clew"` in a benchmark definition.
"""

import benchexec.result as result
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task
from benchexec.tools.template import BaseTool2

# Kinds of violations and the property of SV-COMP that they violate, where BenchExec tells them apart.
STATUS_OF_KIND = {
    "unreach-call": result.RESULT_FALSE_REACH,
    "assert": result.RESULT_FALSE_REACH,
    "overflow": result.RESULT_FALSE_OVERFLOW,
}

# What stopped a run, from the last line of its output.
REASONS = {
    "out of time": "TIMEOUT",
    "out of memory": "OUT OF MEMORY",
    "not modelled": "unsupported",
    "recursion": "recursion",
}


class Tool(BaseTool2):
    """Clew, a verifier for compiled C and C++."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("clew", subdir="target/release")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="clew")

    def name(self):
        return "Clew"

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", *options]
        if task.property_file:
            command += ["--property", task.property_file]
        model = get_data_model_from_task(task, {ILP32: "--ilp32", LP64: "--lp64"})
        if model and model not in options:
            command.append(model)
        # Clew ends a run before it is killed, so that it can say why.
        if rlimits.walltime and "--time-limit" not in options:
            command += ["--time-limit", f"{rlimits.walltime}s"]
        if rlimits.memory and "--memory-limit" not in options:
            command += ["--memory-limit", f"{rlimits.memory * 9 // 10}B"]
        return command + list(task.input_files)

    def determine_result(self, run):
        last = next((line.strip() for line in reversed(run.output) if line.strip()), "")
        code = run.exit_code.value
        # The exit code decides, and the last line must agree: a wrapper may exit with any code.
        if code == 0 and last == "SAFE":
            return result.RESULT_TRUE_PROP
        if code == 10 and last.startswith("UNSAFE"):
            kind = last.removeprefix("UNSAFE:").strip().split(":")[0]
            return STATUS_OF_KIND.get(kind, f"{result.RESULT_FALSE_PROP}({kind})")
        if code == 20 and last.startswith("UNKNOWN"):
            reason = last.removeprefix("UNKNOWN:").strip()
            for text, status in REASONS.items():
                if text in reason:
                    return status if status.isupper() else f"{result.RESULT_UNKNOWN} ({status})"
            return result.RESULT_UNKNOWN
        errors = {2: "bad usage", 3: "does not compile", 4: "internal error"}
        return f"{result.RESULT_ERROR} ({errors.get(code, last[:60] or 'no output')})"

    def get_value_from_output(self, output, identifier):
        """Numbers of `--stats`, such as `states` or `solver calls`."""
        for line in output:
            if line.startswith(identifier):
                words = line.removeprefix(identifier).split()
                if words:
                    return words[0]
        return None
