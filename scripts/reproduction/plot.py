"""Quantile plots as SVG: the number of solved tasks over time."""

import math
from html import escape

# The Okabe-Ito palette, which is safe for colour blindness, without yellow, which is pale on white. The numbers of
# colours and dashes are coprime, so there are 28 different pairs.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9")
DASHES = ("", "7 3", "2 2.5", "9 3 2 3")
LEFT, TOP, WIDTH, HEIGHT = 70, 40, 560, 380
LEGEND_LINE = 20
# The approximate width of a character in the legend.
CHARACTER = 7.4


def quantile_plot(title, lines, limit):
    """The plot of `lines`, pairs of a label and the times of correct results, up to the time limit."""
    lines = [(f"{label} ({len(times)})", sorted(times)) for label, times in lines]
    x_ticks = _counts(max((len(times) for _, times in lines), default=0))
    x_of = _scale(LEFT, WIDTH, x_ticks[-1])
    y_of = _time_scale(limit)
    bottom, legend = TOP + HEIGHT, LEFT + WIDTH + 25
    width = legend + 40 + CHARACTER * max((len(label) for label, _ in lines), default=0) + 10
    height = max(bottom + 60, TOP + LEGEND_LINE * len(lines) + 20)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="sans-serif" font-size="12" fill="#000000">',
        f"<title>{escape(title)}</title>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        _text(LEFT, TOP - 16, title, 'font-size="14"'),
        *(_grid(x_of(count), TOP, x_of(count), bottom) for count in x_ticks),
        *(_text(x_of(count), bottom + 18, count, 'text-anchor="middle"') for count in x_ticks),
        *(_grid(LEFT, y_of(time), LEFT + WIDTH, y_of(time)) for time in _times(limit)),
        *(_text(LEFT - 8, y_of(time) + 4, f"{time:g}", 'text-anchor="end"') for time in _times(limit)),
        f'<path d="M{LEFT} {TOP}V{bottom}H{LEFT + WIDTH}" fill="none" stroke="#000000"/>',
        _text(LEFT + WIDTH / 2, bottom + 42, "n-th fastest correct result", 'text-anchor="middle"'),
        _text(-(TOP + HEIGHT / 2), 22, "CPU time in s (linear up to 1 s, then logarithmic)",
              'text-anchor="middle" transform="rotate(-90)"'),
    ]
    for index, (label, times) in enumerate(lines):
        colour = COLOURS[index % len(COLOURS)]
        style = f'stroke="{colour}" stroke-width="1.8" stroke-dasharray="{DASHES[index % len(DASHES)] or "none"}"'
        y = TOP + 10 + LEGEND_LINE * index
        parts.append(f'<path d="M{legend} {y}h32" fill="none" {style}/>')
        parts.append(_text(legend + 40, y + 4, label))
        if times:
            points = [(x_of(count), y_of(time)) for count, time in enumerate(times, 1)]
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            parts.append(f'<polyline points="{path}" fill="none" stroke-linejoin="round" {style}/>')
            # Marks the end of a line, and makes a line of a single point visible.
            parts.append(f'<circle cx="{points[-1][0]:.1f}" cy="{points[-1][1]:.1f}" r="2.6" fill="{colour}"/>')
    return "\n".join([*parts, "</svg>", ""])


def _scale(start, length, largest):
    return lambda value: start + length * value / largest


def _time_scale(limit):
    """Linear up to one second, then logarithmic; the linear part is as wide as each power of ten."""
    def height(time):
        return time if time <= 1 else 1 + math.log10(time)

    position = _scale(TOP + HEIGHT, -HEIGHT, height(limit))
    return lambda time: position(height(time))


def _counts(largest):
    """Round numbers from 0 to the first one not below `largest`, in at most ten steps."""
    steps = (factor * 10**power for power in range(9) for factor in (1, 2, 5))
    step = next(step for step in steps if step * 10 >= largest)
    return range(0, max(step, largest + -largest % step) + 1, step)


def _times(limit):
    """Round times up to the limit, and the limit itself, without round times too close to it."""
    rounded = [0, 0.5, 1, *(factor * 10**power for power in range(6) for factor in (2, 5, 10))]
    return [time for time in rounded if time < limit * 0.8] + [limit]


def _grid(x1, y1, x2, y2):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#dddddd"/>'


def _text(x, y, text, attributes=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {attributes}>{escape(str(text))}</text>'
