"""The verification tasks: lists of programs with expected verdicts, and the programs of the repository itself."""

import csv
from dataclasses import dataclass
from pathlib import Path

from .problem import Problem

PROPERTY = "unreach-call"
DATA_MODELS = {"ILP32": "--ilp32", "LP64": "--lp64"}
COLUMNS = {"id", "path", "property", "expected", "category", "data_model"}
EXPECTED_BY_TRUTH = {"safe": "true", "unsafe": "false"}
LIMITS = {"--time-limit", "--memory-limit"}

# The families of the papers, with the prefixes of their categories. Besides `heap-` and `list-`, the latter are the
# categories of the set of heap programs in SV-COMP.
FAMILIES = {
    "Own programs": ("own",),
    "ControlFlowInteger": ("locks", "ntdrivers", "ssh"),
    "DeviceDrivers": ("ldv-",),
    "HeapManipulation": ("heap-", "list-", "forester-heap", "ddv-machzwd", "memsafety-ext"),
    "SystemC": ("systemc",),
    "ECA": ("eca-",),
    "ProductLines": ("product-lines",),
    "Sequentialized": ("seq-",),
    "Loops": ("loop",),
    "BitVectors": ("bitvector",),
    "Other": ("",),
}


@dataclass(frozen=True)
class Task:
    """A program with its expected verdict and its arguments for `clew check`."""

    id: str
    category: str
    expected: str
    file: Path
    flags: tuple


def family(category):
    """The family of a category."""
    return next(name for name, prefixes in FAMILIES.items() if category.startswith(prefixes))


def own_programs(folder):
    """The programs of the test suite with an expected verdict in their first comment lines."""
    tasks = []
    for file in sorted([*folder.glob("*.c"), *folder.glob("*.cpp")]):
        header = _header(file)
        if "truth" in header:
            flags = without_options(header.get("flags", "").split(), LIMITS)
            tasks.append(Task(file.name, "own", EXPECTED_BY_TRUTH[header["truth"]], file, tuple(flags)))
    if not tasks:
        raise Problem(f"{folder}: no programs with a line `// truth: ...`; give a list with --tasks")
    return tasks


def _header(file):
    header = {}
    for line in file.read_text().splitlines():
        if not line.startswith("// "):
            break
        key, _, value = line[3:].partition(": ")
        header[key] = value.strip()
    return header


def without_options(words, names):
    """The arguments without these options and their values."""
    kept, is_value = [], False
    for word in words:
        option, equals, _ = word.partition("=")
        if option in names:
            is_value = not equals
        elif is_value:
            is_value = False
        else:
            kept.append(word)
    return kept


def listed(path, root):
    """The reachability tasks of a list whose programs are below `root`."""
    rows = [row for row in read_table(path, COLUMNS) if row["property"] == PROPERTY]
    if not rows:
        raise Problem(f"{path}: no task has the property {PROPERTY}")
    tasks = {}
    for row in rows:
        if row["expected"] not in EXPECTED_BY_TRUTH.values():
            raise Problem(f"{path}: {row['id']}: expected is {row['expected']!r}, neither true nor false")
        if row["data_model"] not in DATA_MODELS:
            raise Problem(f"{path}: {row['id']}: data_model is {row['data_model']!r}, neither ILP32 nor LP64")
        if row["id"] in tasks:
            raise Problem(f"{path}: {row['id']} is there twice; ids tell tasks apart")
        flags = (DATA_MODELS[row["data_model"]], f"--property={PROPERTY}")
        tasks[row["id"]] = Task(row["id"], row["category"], row["expected"], (root / row["path"]).resolve(), flags)
    return list(tasks.values())


def read_table(path, columns):
    """The rows of a TSV file that must have these columns. Incomplete rows are skipped."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            missing = sorted(columns - set(reader.fieldnames or []))
            if missing:
                raise Problem(f"{path}: no column {', '.join(missing)} in the first line, which names the columns")
            return [row for row in reader if None not in row.values()]
    except FileNotFoundError:
        raise Problem(f"{path}: no such file") from None
    except UnicodeDecodeError:
        raise Problem(f"{path}: is not a text file") from None


def check_files(tasks, root):
    """Fails if a program is missing, before the first one is run."""
    missing = [task.file for task in tasks if not task.file.is_file()]
    if missing:
        raise Problem(f"{missing[0]}: no such program ({len(missing)} of {len(tasks)} are missing below {root}); "
                      "give the folder that the paths of the list start from with --root")


def sample(tasks, count):
    """A deterministic sample of the tasks, spread evenly."""
    if count >= len(tasks):
        return tasks
    return [tasks[index * len(tasks) // count] for index in range(count)]
