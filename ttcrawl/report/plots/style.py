"""Shared by all figures: the looks of crawls, also readable in grey, axes, legends, and the writing of files."""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, TypeAlias

from ttcrawl.output.tables import clean
from ttcrawl.store.replaced import make_directory, replaced

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

Look: TypeAlias = tuple[str, str, tuple[float, ...]]

FORMATS = ("png", "svg")
WIDTH, ROW = 13.0, 0.23  # inches: of a figure, of a row of its legend
DPI = 160
COLOURS = 128  # of a PNG: seven colours and their blends with white
#: For each crawl: a colour, a marker, and the dashes of its fit. Colour-blind readers can distinguish the colours (the
#: first two are Okabe and Ito's), and so can readers of a grey copy: their lightness is 34, 64, 19, 77 and 53 %.
LOOKS: tuple[Look, ...] = (
    ("#0072B2", "o", (5, 2)),
    ("#E69F00", "s", (2, 1.2)),
    ("#661144", "^", (9, 2)),
    ("#C4C4C4", "D", (6, 1.5, 1.5, 1.5)),
    ("#CC6677", "v", (9, 2, 2, 2)),
)
#: The label of an axis: as in the tables, images and other page requisites are pages too.
PAGES = "Pages crawled (of all types)"
DARK, REFERENCE, POOL, SHADE = "#222222", "#D55E00", "#CC6677", "#eeeeee"
LONGEST_NAME = 24
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

#: On top of matplotlib's default style, so that a user's matplotlibrc changes no figure.
STYLE = {
    "font.size": 10,  # of every letter: titles, labels, ticks and legends
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.labelsize": 10,
    "xtick.labelsize": 10,
    "ytick.labelsize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 10,
    "svg.hashsalt": "ttcrawl",  # ids inside the SVG are the same every time
}


def draw(
    path: Path,
    height: float,
    drawing: Callable[[Figure], None],
    formats: Sequence[str] = FORMATS,
    *,
    skip_empty: bool = False,
) -> list[Path]:
    """Write `path` with each format as its ending, `height` inches high. The same drawing gives the same bytes.

    With `skip_empty`, a figure whose panels have no data is not written.
    """
    make_directory(path.parent)
    with figure_of(height, drawing) as figure:
        if skip_empty and not any(axes.has_data() for axes in figure.axes):
            return []
        return [_save(figure, path.with_suffix(f".{each}")) for each in formats]


@contextmanager
def figure_of(height: float, drawing: Callable[[Figure], None], more: Mapping[str, object] = {}) -> Iterator[Figure]:
    """A figure in our style, and `more` of it; what is saved belongs into the block."""
    from matplotlib import style
    from matplotlib.figure import Figure  # not pyplot, which would choose a backend and keep every figure

    with style.context(["default", {**STYLE, **more}]), warnings.catch_warnings():
        # a name from the web in letters that the font lacks; in SVG of the report it is text, in another font
        warnings.filterwarnings("ignore", r"(?s)Glyph .* missing from font", UserWarning)
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        drawing(figure)
        yield figure


def _save(figure: Figure, path: Path) -> Path:
    with replaced(path) as fresh:
        if path.suffix == ".png":
            _save_png(figure, fresh)
        else:
            date = "CreationDate" if path.suffix == ".pdf" else "Date"  # the same crawl gives the same bytes
            figure.savefig(fresh, metadata={date: None, "Creator": "ttcrawl"})
    return path


def _save_png(figure: Figure, path: Path) -> None:
    """With a palette, which is sufficient for a drawing of few colours and takes a third of the bytes."""
    from PIL import Image  # a dependency of matplotlib

    with io.BytesIO() as buffer:
        figure.savefig(buffer, format="png", dpi=DPI)
        with Image.open(buffer) as image:
            few = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
            few.save(path, optimize=True, dpi=(DPI, DPI))


def looks(count: int) -> list[Look]:
    """One look for each crawl; they repeat after five."""
    return [look for look, _ in zip(cycle(LOOKS), range(count), strict=False)]


def size(index: int, count: int) -> float:
    """Size of the markers of a crawl: the first has the largest, so that an identical crawl does not hide it."""
    return 3.5 + 1.1 * (min(count, len(LOOKS)) - 1 - index % len(LOOKS))


def thousands(*axes: Axis) -> None:
    """Counts: whole numbers with separators of thousands."""
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    for axis in axes:
        axis.set_major_locator(MaxNLocator(5, integer=True, min_n_ticks=1, steps=[1, 2, 5, 10]))
        axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))


def legend_below(figure: Figure, panels: Sequence[Axes], columns: int = 2) -> None:
    """One legend for all panels, below them, where no curve can cross it. The figure grows by the legend's rows."""
    handles, labels = [], []
    for axes in panels:
        for handle, text in zip(*axes.get_legend_handles_labels(), strict=True):
            if text not in labels:
                handles.append(handle)
                labels.append(text)
    if labels:
        figure.legend(handles, labels, loc="outside lower center", ncols=columns, handlelength=4, columnspacing=4)
        figure.set_figheight(figure.get_figheight() + ROW * -(-len(labels) // columns))


def linear_scale(axes: Axes, top: float) -> None:
    """From 0, with separators of thousands. A law far above all measured values leaves the panel."""
    axes.set_ylim(0, 1.06 * max(1.0, min(float(axes.dataLim.y1), 2 * top)))
    axes.set_xlim(left=0)
    thousands(axes.xaxis, axes.yaxis)


def empty(axes: Axes, reason: str) -> None:
    axes.text(0.5, 0.5, reason, ha="center", va="center", transform=axes.transAxes)
    axes.set(xticks=[], yticks=[])


def short_names(names: Sequence[str]) -> list[str]:
    """Crawls by the last component of their directories, if that distinguishes them."""
    ends = [PurePath(name).name or name for name in names]
    return ends if len(set(ends)) == len(ends) else list(names)


def label(name: str) -> str:
    """The end of a directory's name, escaped so that matplotlib neither reads mathematics nor hides the label."""
    text = clean(name, 200).replace("$", r"\$")
    text = text if len(text) <= LONGEST_NAME else "…" + text[1 - LONGEST_NAME :]
    return f" {text}" if text.startswith("_") else text


def powers_of_ten(*axes: Axis) -> None:
    """Labels of logarithmic axes as text ("10³"): letters of one size, quicker than matplotlib's mathematics."""
    from matplotlib.ticker import LogFormatter

    class Power(LogFormatter):
        """Labels the ticks that its base labels."""

        def __call__(self, x: float, pos: int | None = None) -> str:
            return power_text(x) if super().__call__(x, pos) else ""

    for axis in axes:
        if axis.get_scale() == "log":
            axis.set_major_formatter(Power())
            axis.set_minor_formatter(Power())


def power_text(number: float) -> str:
    """A number as a tick of a logarithmic axis.

    >>> power_text(1000.0), power_text(0.01), power_text(600.0), power_text(20_000.0), power_text(1.0)
    ('10³', '10⁻²', '600', '2·10⁴', '1')
    """
    power = math.floor(math.log10(number) + 1e-9)
    digit = round(number / 10**power)
    if digit == 1:
        return "1" if power == 0 else f"10{str(power).translate(SUPERSCRIPT)}"
    return f"{digit * 10**power:g}" if -3 < power < 4 else f"{digit}·10{str(power).translate(SUPERSCRIPT)}"
