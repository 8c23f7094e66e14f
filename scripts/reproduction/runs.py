"""Runs Clew on tasks in parallel, each with a limit on CPU time."""

import hashlib
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from .problem import Problem
from .results import Result
from .tasks import without_options

VERDICTS = {"SAFE": "true", "UNSAFE": "false"}
BAD_USAGE = 2
POLL_SECONDS = 0.005


@dataclass(frozen=True)
class Clew:
    """The command under measurement."""

    path: Path
    version: str
    digest: str
    # Maps names of configurations in the papers to those of Clew.
    names: tuple = ()

    @staticmethod
    def at(path):
        """The command at this path; fails if it does not start."""
        try:
            asked = subprocess.run([path, "--version"], capture_output=True, text=True)
        except OSError as error:
            raise Problem(f"{path}: does not start: {error.strerror}; give the path of clew with --clew") from None
        if asked.returncode != 0:
            raise Problem(f"{path} --version: fails: {asked.stderr.strip()}; give the path of clew with --clew")
        names = tuple((row["paper"].split(", ")[-1], row["name"]) for row in Clew._table(path) if row["paper"])
        return Clew(path, asked.stdout.strip(), hashlib.sha256(path.read_bytes()).hexdigest(), names)

    @staticmethod
    def _table(path):
        asked = subprocess.run([path, "show", "configs", "--format", "json"], capture_output=True, text=True)
        try:
            return json.loads(asked.stdout)
        except ValueError:
            raise Problem(f"{path} show configs: gives no table; give the path of a newer clew with --clew") from None

    def words(self, words):
        """The arguments of a configuration, with `@LABEL` replaced by Clew's name for it."""
        names = dict(self.names)
        first, *rest = words.split(" ", 1)
        if first.startswith("@") and first[1:] not in names:
            raise Problem(f"{self.path} show configs: has no configuration for {first[1:]}")
        return " ".join([names.get(first[1:], first), *rest])

    def command(self, configuration, task):
        """The command line for a task. Options of the configuration override the flags of the task."""
        chosen = configuration.split()
        flags = without_options(task.flags, {word for word in chosen if word.startswith("--")})
        return [self.path, "check", "--json", "--no-progress", "--config", *chosen, *flags, task.file]


def build(root, path):
    """Builds the command of the repository at `path`."""
    command = ["cargo", "build", "--release", "--package", "clew"]
    try:
        status = subprocess.run(command, cwd=root, stdout=sys.stderr).returncode
    except FileNotFoundError:
        raise Problem(f"{path}: no such file, and no cargo to build it; call scripts/setup, or give --clew") from None
    if status != 0:
        raise Problem(f"{path}: does not build; see above, or give another clew with --clew")


class Run:
    """A running process for a task."""

    def __init__(self, command, task, limit):
        self.task, self._limit = task, limit
        # Files, since a full pipe would block the process.
        self._output, self._messages = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        self._start = time.monotonic()
        self._too_long = False
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self._output, stderr=self._messages,
            start_new_session=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 2)))

    def poll(self):
        """The result if the process has ended."""
        pid, status, usage = os.wait4(self._process.pid, os.WNOHANG)
        if pid == 0:
            # The system limits CPU time, but a process can also block forever.
            if not self._too_long and time.monotonic() - self._start > 3 * self._limit + 5:
                self._too_long = True
                self._kill()
            return None
        self._process.returncode = os.waitstatus_to_exitcode(status)
        self._kill()  # Its remaining children, such as a compiler.
        return self._result(usage)

    def _result(self, usage):
        code = self._process.returncode
        if code == BAD_USAGE:
            raise Problem(f"{_text(self._messages).strip()}\nclew rejects: {' '.join(map(str, self._process.args))}")
        try:
            report = json.loads(_text(self._output))
        except json.JSONDecodeError:
            reason = "wall time" if self._too_long else f"signal {-code}" if code < 0 else f"exit {code}"
            report = {"verdict": "UNKNOWN", "reason": {"kind": reason}}
        return Result(
            self.task.id, self.task.category, self.task.expected, VERDICTS.get(report["verdict"], "unknown"),
            cpu_s=round(usage.ru_utime + usage.ru_stime, 2), wall_s=round(time.monotonic() - self._start, 2),
            mem_mb=usage.ru_maxrss >> 10, refinements=(report.get("statistics") or {}).get("refinements", 0),
            reason=(report.get("reason") or {}).get("kind", "")).within(self._limit)

    def _kill(self):
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def abandon(self):
        self._kill()
        self._process.wait()


def _text(file):
    file.seek(0)
    return file.read().decode(errors="replace")


def results(clew, configuration, tasks, limit, jobs):
    """Runs the tasks and yields each result as soon as it is available."""
    waiting, running = list(reversed(tasks)), []
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                task = waiting.pop()
                running.append(Run(clew.command(configuration, task), task, limit))
            time.sleep(POLL_SECONDS)
            for run in list(running):
                result = run.poll()
                if result:
                    running.remove(run)
                    yield result
    finally:
        for run in running:
            run.abandon()
