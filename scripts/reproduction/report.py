"""Runs the configurations of a paper's tables, and writes the tables, the observed relations and plots."""

import sys
from dataclasses import replace

from . import runs, tables
from .papers import Relation
from .plot import quantile_plot
from .results import Store


# Returns to the start of the line on a terminal, and clears it.
CLEAR = "\r\x1b[K" if sys.stderr.isatty() else ""


def notify(message):
    """Prints a message to the standard error, in place of the progress if there is any."""
    print(f"{CLEAR}scripts/reproduce: {message}", file=sys.stderr)


def show_progress(message):
    if sys.stderr.isatty():
        print(f"{CLEAR}{message}", end="", file=sys.stderr, flush=True)


class Report:
    """The reproduction of a paper on a set of tasks."""

    def __init__(self, paper, tasks, clew, limit, jobs, out, peers, origin):
        self._paper, self._tasks, self._clew, self._limit, self._jobs = paper, tasks, clew, limit, jobs
        self._out, self._peers = out, peers
        # The conditions that results depend on, besides their configuration.
        self._conditions = {"limit": limit, "version": clew.version, "binary": clew.digest, "tasks": origin}
        self._known = {}
        self._plots = []

    def write(self, numbers):
        """Writes the tables with these numbers, wrong verdicts and plots. Returns whether no verdict is wrong."""
        print(f"# {self._paper.title}\n\n{self._paper.setting}\n")
        for table in self._paper.tables:
            if table.number in numbers:
                self._write_table(table)
        wrong = [f"- WRONG: {words} on {result.id}: expected {result.expected}, got {result.got}"
                 for words, results in self._known.items() for result in results.values() if result.is_wrong]
        print("## Wrong verdicts\n\n" + ("\n".join(wrong) or "There are none.") + "\n")
        print("## Plots\n\n" + "\n".join(f"- {path}" for path in self._plots))
        return not wrong

    def _write_table(self, table):
        configurations = [(each, self._clew.words(each.words)) for each in table.configurations]
        all_series = [tables.Series(each.label, words, each.paper, list(self._results(words).values()))
                      for each, words in configurations]
        all_series, relations, remark = self._compared(table, all_series)
        layout = tables.by_family if self._paper.has_rows_by_family else tables.by_configuration
        path = self._out / f"table-{table.number}.svg"
        times = [(series.label, [result.cpu_s for result in series.results if result.is_correct])
                 for series in all_series]
        path.write_text(quantile_plot(f"Table {table.number}: {table.title}", times, self._limit), encoding="utf-8")
        self._plots.append(path)
        print(f"## Table {table.number}: {table.title}\n")
        print(f"{len(self._tasks)} tasks, {self._limit} s of CPU time each, {self._clew.version}.{remark}\n")
        print(layout(all_series) + "\n")
        if self._paper.has_rows_by_family:
            print("\n".join(f"- {series.label}: `{series.origin}`" for series in all_series if series.origin) + "\n")
        if relations:
            print("What the paper says:\n\n" + "\n".join(tables.judged(each, all_series) for each in relations) + "\n")
        sys.stdout.flush()

    def _compared(self, table, all_series):
        """The series, restricted to the tasks that count; the relations; and a remark on this restriction."""
        if table.tools:
            return self._with_peers(table, all_series)
        if not table.refined_by:
            return all_series, table.relations, ""
        refined = {result.id for series in all_series if series.label in table.refined_by
                   for result in series.results if result.refinements > 0}
        by_which = "any of the configurations" if len(table.refined_by) > 1 else table.refined_by[0]
        remark = f" Only those count on which {by_which} did a refinement: {len(refined)} of {len(self._tasks)}."
        return _on(refined, all_series), table.relations, remark

    def _with_peers(self, table, all_series):
        if not self._peers:
            return all_series, (), " There is no other tool to compare with: --peer NAME=FILE names the results of one."
        common = set.intersection(*map(set, self._peers.values()))
        peers = [tables.Series(name, "", {},
                               [results[task.id].of(task).within(self._limit) for task in self._tasks
                                if task.id in common]) for name, results in self._peers.items()]
        relations = [Relation((name,), (own.label,), paper=table.tools) for name in self._peers for own in all_series]
        own = _on(common, all_series)
        remark = (f" Only those count that all tools were given: {len(own[0].results)} of {len(self._tasks)}. "
                  "The times of other tools are those in their files.")
        return [*peers, *own], relations, remark

    def _results(self, words):
        """The results of a configuration on all tasks, by task id."""
        if words not in self._known:
            self._known[words] = self._run(words)
        return self._known[words]

    def _run(self, words):
        """Runs a configuration on the tasks without a result."""
        name = words.replace(" --", "_").replace(" ", "-").replace(":", "-")
        store = Store(self._out / f"{name}.tsv", {**self._conditions, "configuration": words}, notify)
        missing = [task for task in self._tasks if task.id not in store.results]
        total, done = len(self._tasks), len(self._tasks) - len(missing)
        show_progress(f"{words}: {done} of {total}")
        for result in runs.results(self._clew, words, missing, self._limit, self._jobs):
            store.add(result)
            done += 1
            show_progress(f"{words}: {done} of {total}")
        notify(f"{words}: {len(missing)} of {total} tasks run")
        return {task.id: store.results[task.id].of(task) for task in self._tasks}


def _on(ids, all_series):
    return [replace(series, results=[result for result in series.results if result.id in ids]) for series in all_series]
