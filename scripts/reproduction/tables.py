"""Markdown tables in the layout of the papers, and checks of the papers' relations."""

import operator
from dataclasses import dataclass

from .tasks import FAMILIES

MEASURES = {
    "points": lambda results: sum(result.points for result in results),
    "solved": lambda results: sum(result.is_correct for result in results),
    "time": lambda results: round(sum((result.cpu_s for result in results if result.is_correct), 0.0), 2),
}
OPERATORS = {"<": operator.lt, "<=": operator.le, "=": operator.eq}
NO_NUMBER = "–"


@dataclass(frozen=True)
class Series:
    """The results of a configuration, or of another tool, on the tasks of a table."""

    label: str
    origin: str
    paper: dict
    results: list

    def part(self, family):
        """The results on a family of tasks; all results without a family."""
        return [result for result in self.results if family in ("", result.family)]

    def measured(self, measure, family=""):
        return MEASURES[measure](self.part(family))


def families_of(series):
    """The families that have tasks, in their order."""
    present = {result.family for result in series.results}
    return [name for name in FAMILIES if name in present]


def by_family(all_series):
    """A row for each family, and points, solved tasks and time of each configuration."""
    header = ["Category", "Tasks"]
    for series in all_series:
        header += [f"{series.label} points", "solved", "time"]
    rows = []
    for name in [*families_of(all_series[0]), "Overall"]:
        family = "" if name == "Overall" else name
        numbers = [_number(series.measured(measure, family)) for series in all_series for measure in MEASURES]
        rows.append([name, str(len(all_series[0].part(family))), *numbers])
    paper = [_number(series.paper.get(measure)) for series in all_series for measure in MEASURES]
    return markdown(header, [*rows, ["Overall in the paper", NO_NUMBER, *paper]], text_columns=1)


def by_configuration(all_series):
    """A row for each configuration, with the solved tasks of each family; the maximum is bold."""
    families = ["", *families_of(all_series[0])]
    header = ["Heuristic or analysis", "`clew check --config`"]
    header += [f"{family or 'All tasks'} ({len(all_series[0].part(family))})" for family in families]
    columns = [_best_in_bold([series.measured("solved", family) for series in all_series]) for family in families]
    columns.append(_best_in_bold([series.paper.get("solved") for series in all_series]))
    names = [[series.label, f"`{series.origin}`"] for series in all_series]
    rows = [[*name, *numbers] for name, *numbers in zip(names, *columns)]
    return markdown([*header, "Paper"], rows, text_columns=2)


def _best_in_bold(values):
    best = max((value for value in values if value), default=None)
    return [f"**{_number(value)}**" if value and value == best else _number(value) for value in values]


def _number(value):
    """A number for a table; short times have decimals."""
    if value is None:
        return NO_NUMBER
    return f"{value:.2f}" if isinstance(value, float) and value < 100 else f"{value:.0f}"


def markdown(header, rows, text_columns):
    """A table with columns of text followed by columns of numbers."""
    widths = [max(map(len, column)) for column in zip(header, *rows)]
    ruler = ["-" * width if index < text_columns else "-" * (width - 1) + ":" for index, width in enumerate(widths)]

    def line(cells):
        padded = [cell.ljust(width) if index < text_columns else cell.rjust(width)
                  for index, (cell, width) in enumerate(zip(cells, widths))]
        return "| " + " | ".join(padded) + " |"

    return "\n".join(map(line, [header, ruler, *rows]))


def judged(relation, all_series):
    """A line with the paper's numbers, the numbers here, and whether the relation holds here."""
    by_label = {series.label: series for series in all_series}
    sides = [[by_label[label] for label in labels] for labels in (relation.smaller, relation.larger)]
    claim = f"{relation.subject}: {_names(sides[0])} {relation.operator} {_names(sides[1])}"
    paper = relation.paper or _compared(relation, sides, lambda series: series.paper[relation.subject])[0]
    if not all_series[0].part(relation.family):
        return f"- {claim}: paper {paper}; there are no tasks for it here"
    ours, outcome = _compared(relation, sides, lambda series: series.measured(relation.measure, relation.family))
    return f"- {claim}: paper {paper}, here {ours}: {outcome}"


def _names(side):
    return side[0].label if len(side) == 1 else "all others"


def _compared(relation, sides, value_of):
    # The closest pair of series decides.
    smaller, larger = max(value_of(series) for series in sides[0]), min(value_of(series) for series in sides[1])
    if OPERATORS[relation.operator](smaller, larger):
        outcome = "holds"
    else:
        outcome = "equal" if smaller == larger else "does not hold"
    return f"{_number(smaller)} {_sign(smaller, larger)} {_number(larger)}", outcome


def _sign(left, right):
    return "<" if left < right else ">" if left > right else "="
