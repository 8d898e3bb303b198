"""The map of the directories of a crawl: areas are pages or bytes, and each host has a colour."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape

from ttcrawl.output.number import byte_text, counted
from ttcrawl.output.readable import readable
from ttcrawl.output.tables import clean
from ttcrawl.report.directories import Directory
from ttcrawl.report.html.colours import TILES
from ttcrawl.report.html.treemap import Box, squarified

WIDTH, HEIGHT = 370.0, 240.0
#: Of text: the size and the mean width of a letter, and the height of a line.
SIZE, LETTER, LINE = 11, 6.3, 14.0
FEWEST_LETTERS, MOST_IN_WORDS = 6, 5
OTHERS = "other hosts"


def site_map(directories: Sequence[Directory], title: str, size: Callable[[Directory], int]) -> str:
    """An SVG element. Directories without a size are left out."""
    shown = [each for each in directories if size(each)]
    hosts = _by_size(
        [[each for each in shown if _host(each) == host] for host in {_host(each) for each in shown}], size
    )
    boxes = squarified([sum(map(size, host)) for host in hosts], Box(x=0.5, y=0.5, width=WIDTH - 1, height=HEIGHT - 1))
    # by name, so that a host has the same colour in each map
    colours = {host: number % len(TILES) for number, host in enumerate(sorted({_host(each) for each in directories}))}
    tiles = [
        tile
        for host, box in zip(hosts, boxes, strict=True)
        for tile in _host_tiles(host, box, colours[_host(host[0])], size, several=len(hosts) > 1)
    ]
    largest = sorted(shown, key=lambda each: -size(each))[:MOST_IN_WORDS]
    words = "; ".join(_words(each) for each in largest)
    return (
        f'<svg class="map" role="img" aria-label="{escape(title)}" viewBox="0 0 {WIDTH:g} {HEIGHT:g}">'
        f"<desc>The largest: {words}.</desc>{''.join(tiles)}</svg>"
    )


def _by_size(hosts: Sequence[list[Directory]], size: Callable[[Directory], int]) -> list[list[Directory]]:
    """The largest first, both the hosts and the directories of each."""
    fallen = [sorted(host, key=lambda each: (-size(each), each.path)) for host in hosts]
    return sorted(fallen, key=lambda host: (-sum(map(size, host)), host[0].path))


def _host(directory: Directory) -> str:
    return directory.path.partition("/")[0]


def _host_tiles(
    host: Sequence[Directory], box: Box, colour: int, size: Callable[[Directory], int], *, several: bool
) -> Iterator[str]:
    """The directories of a host; below its name if there are other hosts, and room for it."""
    name = _host(host[0])
    if several and len(host) > 1 and box.height > 3 * LINE:
        yield _tile(box, colour, _text(box, name, 0, bold=True))
        box = Box(x=box.x + 2, y=box.y + LINE + 3, width=box.width - 4, height=box.height - LINE - 5)
        several = False
    for each, inner in zip(host, squarified(list(map(size, host)), box), strict=True):
        path = each.path if several else each.path.partition("/")[2] or ("/" if each.path else "")
        label = _text(inner, readable(path) or OTHERS, 0) + (
            _text(inner, _counts(each, size), 1) if inner.height > 2.4 * LINE else ""
        )
        yield _tile(inner, colour, f"<title>{_words(each)}</title>" + label)


def _tile(box: Box, colour: int, inside: str) -> str:
    rect = f'x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}"'
    return f'<g><rect class="t{colour}" {rect}/>{inside}</g>'


def _text(box: Box, text: str, line: int, *, bold: bool = False) -> str:
    """Text in a line of a box, shortened to its width; none if there is no room for it, or for a number."""
    letters = int((box.width - 8) / LETTER)
    if box.height < LINE + 2 or letters < (len(text) if line else min(FEWEST_LETTERS, len(text))):
        return ""
    weight = ' class="b"' if bold else ""
    return (
        f'<text{weight} x="{box.x + 4:.1f}" y="{box.y + LINE * (line + 0.9):.1f}">{escape(clean(text, letters))}</text>'
    )


def _counts(directory: Directory, size: Callable[[Directory], int]) -> str:
    """What the area of the directory shows."""
    return f"{directory.pages:,}" if size(directory) == directory.pages else byte_text(directory.bytes)


def _words(directory: Directory) -> str:
    path = escape(clean(readable(directory.path) or OTHERS, 200))
    return f"{path}: {counted(directory.pages, 'page')}, {byte_text(directory.bytes)}"
