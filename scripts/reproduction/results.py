"""Results of runs, in TSV files that are appended to, so that an interrupted reproduction can be resumed."""

import json
import os
from dataclasses import asdict, dataclass, fields, replace

from .problem import Problem
from .tasks import family, read_table

# Points of SV-COMP'12, by expected and actual verdict.
POINTS = {("true", "true"): 2, ("false", "false"): 1, ("true", "false"): -2, ("false", "true"): -4}


@dataclass(frozen=True)
class Result:
    """The verdict of a verifier on a task, and its resource usage."""

    id: str
    category: str
    expected: str
    got: str
    cpu_s: float
    wall_s: float = 0.0
    mem_mb: int = 0
    refinements: int = 0
    reason: str = ""

    @property
    def is_correct(self):
        return self.got == self.expected

    @property
    def is_wrong(self):
        return not self.is_correct and self.got != "unknown"

    @property
    def points(self):
        return POINTS.get((self.expected, self.got), 0)

    @property
    def family(self):
        return family(self.category)

    def of(self, task):
        """The result with the category and the expected verdict of the current list."""
        return replace(self, category=task.category, expected=task.expected)

    def within(self, limit):
        """The result under a shorter time limit."""
        return self if self.cpu_s <= limit else replace(self, got="unknown", reason="time")


FIELDS = [field.name for field in fields(Result)]
NEEDED = {"id", "category", "expected", "got", "cpu_s"}


def read_results(path):
    """The results of a file by task id. Files of other tools may lack columns or have additional ones."""
    results = {}
    for row in read_table(path, NEEDED):
        try:
            results[row["id"]] = Result(**{field.name: field.type(row[field.name])
                                           for field in fields(Result) if field.name in row})
        except ValueError as error:
            raise Problem(f"{path}: {row['id']}: {error}") from None
    return results


class Store:
    """A file of results, with a companion file of the conditions that they depend on."""

    def __init__(self, path, conditions, notify):
        self.path = path
        self._companion = path.with_suffix(path.suffix + ".json")
        self.results = self._earlier(conditions, notify)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._companion.write_text(json.dumps(conditions, indent=2) + "\n")
        # Rewritten, since the last row may be incomplete; replaced atomically, so that no row is lost.
        rewritten = path.with_suffix(path.suffix + ".part")
        with open(rewritten, "w", encoding="utf-8") as file:
            file.write("\t".join(FIELDS) + "\n" + "".join(map(_row, self.results.values())))
        os.replace(rewritten, path)

    def _earlier(self, conditions, notify):
        if not self.path.exists():
            return {}
        try:
            before = json.loads(self._companion.read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            before = {}
        different = [name for name, value in conditions.items() if before.get(name) != value]
        if different:
            notify(f"{self.path}: the earlier results are for another {', '.join(different)}; starting anew")
            return {}
        return read_results(self.path)

    def add(self, result):
        self.results[result.id] = result
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(_row(result))


def _row(result):
    return "\t".join(str(value) for value in asdict(result).values()) + "\n"
