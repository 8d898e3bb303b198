"""The links of each page: the numbers of the demo site, before anything has a name.

Everything is an integer. Content targets are page numbers 1..855, which are also the crawl priority (smaller first).
Targets elsewhere are 0..60,888 in the order of discovery, then 201 targets that are only in comments and scripts. The
start page is the first in crawl order; its position is 1.

Content URLs are discovered as in the published figure: by K n^beta with K = 100 and beta = 0.4 at first, then more and
more slowly, and none after the saturation page. The curve of new URLs of any kind falls like a power and is tapered to
its end at the saturation page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random

from ttcrawl.demo.truth import BETA, HTML, REGEX, K

FIXED = 22  # targets 0..21 are on every page: the navigation and the footer; 0 is the start page itself
RUNS_DRY = 120  # content URLs follow the law for this many pages, then fall below it: too few of the 855 are left
SOON = 8  # a page is linked at least this many pages before its turn; more than the 404s, which have no links


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePlan:
    """The links of one crawled page, in the order of the text."""

    position: int  # in crawl order, from 1
    number: int  # page number, 0 for the start page
    missing: bool  # answers 404 and has no links
    content: tuple[int, ...] = ()  # page numbers
    content_hidden: tuple[int, ...] = ()  # page numbers, in comments
    elsewhere: tuple[int, ...] = ()  # targets elsewhere, without the fixed ones
    elsewhere_hidden: tuple[int, ...] = ()  # targets elsewhere, in comments and scripts


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The complete site: its pages in crawl order, and the page numbers that robots.txt forbids."""

    pages: tuple[PagePlan, ...]
    forbidden: tuple[int, ...]


def plan(random: Random) -> Plan:
    """Deal the links of truth.HTML and truth.REGEX to the 811 pages."""
    numbers = range(1, HTML.content_distinct + 1)
    forbidden = frozenset(random.sample(numbers, HTML.blocked_distinct))
    order = [0, *(number for number in numbers if number not in forbidden)]
    html = _answered(random)
    content, content_hidden = _content(random, order, forbidden, html)
    elsewhere, elsewhere_hidden = _elsewhere(random, html)
    return Plan(
        pages=tuple(
            PagePlan(
                position=i + 1,
                number=number,
                missing=not html[i],
                content=tuple(content[i]),
                content_hidden=tuple(content_hidden[i]),
                elsewhere=tuple(elsewhere[i]),
                elsewhere_hidden=tuple(elsewhere_hidden[i]),
            )
            for i, number in enumerate(order)
        ),
        forbidden=tuple(sorted(forbidden)),
    )


def _answered(random: Random) -> list[bool]:
    """Which pages are HTML; the others answer 404: not the first, which carry the growth, nor the saturation page."""
    possible = [i for i in range(30, HTML.crawled) if i != HTML.saturation - 1]
    missing = random.sample(possible, HTML.not_found)
    return [i not in missing for i in range(HTML.crawled)]


def _content(
    random: Random, order: Sequence[int], forbidden: frozenset[int], html: Sequence[bool]
) -> tuple[list[list[int]], list[list[int]]]:
    """Page numbers linked in content on each page: those that both parsers count, and those in comments."""
    new = _introductions(random, order, forbidden, html)
    room = [0.0 if i == 0 or not html[i] else max(3, 13 - len(numbers)) for i, numbers in enumerate(new)]
    repeats = deal(HTML.content - HTML.content_distinct, [space * random.uniform(0.6, 1.5) for space in room])
    # Only pages after the first link to a forbidden page can repeat such a link.
    first = next(i for i, numbers in enumerate(new) if not forbidden.isdisjoint(numbers)) + 1
    slots = [i for i in range(first, len(order)) for _ in range(repeats[i])]
    blocked = _tally(random.sample(slots, HTML.blocked - HTML.blocked_distinct))
    positions = [i for i in range(first, len(order)) if html[i]]
    hidden_blocked = _tally(random.choices(positions, k=REGEX.blocked - HTML.blocked))
    hidden_free = _tally(random.choices(positions, k=REGEX.content - HTML.content - sum(hidden_blocked)))

    visible, hidden = [], []
    linked: tuple[list[int], list[int]] = ([], [])  # free, forbidden
    for i, numbers in enumerate(new):
        links = numbers + _repeat(random, linked[0], repeats[i] - blocked[i]) + _repeat(random, linked[1], blocked[i])
        random.shuffle(links)
        visible.append(links)
        hidden.append(_repeat(random, linked[0], hidden_free[i]) + _repeat(random, linked[1], hidden_blocked[i]))
        for number in numbers:
            linked[number in forbidden].append(number)
    return visible, hidden


def _introductions(
    random: Random, order: Sequence[int], forbidden: frozenset[int], html: Sequence[bool]
) -> list[list[int]]:
    """The page numbers that each page is the first to link.

    Their sum follows the published law and then falls below it (`_discoveries`). Pages whose turn comes soon go first,
    so that the next number in the order is always known in time.
    """
    counts = deal(HTML.content_distinct, _discoveries(html))
    position = {number: i for i, number in enumerate(order)}
    # The later its turn, the later a page tends to be discovered; forbidden pages have no turn.
    waiting = sorted(
        range(1, HTML.content_distinct + 1), key=lambda number: number * random.random() ** 0.5 + random.random() * 40
    )
    new: list[list[int]] = []
    for i, count in enumerate(counts):
        soon = [number for number in waiting if number not in forbidden and position[number] <= i + SOON]
        soon.sort()
        batch = soon[:count]
        batch += [number for number in waiting if number not in batch][: count - len(batch)]
        waiting = [number for number in waiting if number not in batch]
        new.append(batch)
    return new


def _discoveries(html: Sequence[bool]) -> list[float]:
    """New content URLs that each page should bring.

    Up to RUNS_DRY pages their sum is K n^beta, as published. From there on the rate continues and falls, and the rest
    comes until saturation. The next page brings the share of a missing page.
    """
    law = [K * n**BETA for n in range(1, RUNS_DRY + 1)]
    rest, span = HTML.content_distinct - law[-1], HTML.saturation - RUNS_DRY
    steep = K * BETA * RUNS_DRY ** (BETA - 1) * span / rest
    curve = law + [law[-1] + rest * (1 - (1 - n / span) ** steep) for n in range(1, span + 1)]
    curve += curve[-1:] * (HTML.crawled - HTML.saturation)
    weights, before = [], 0.0
    for answered, total in zip(html, curve, strict=True):
        weights.append(total - before if answered else 0.0)
        before = total if answered else before
    return weights


def _growth(random: Random, html: Sequence[bool]) -> list[float]:
    """Weight of each page in bringing new targets elsewhere: a power, tapered to the saturation page, with noise."""
    span = HTML.saturation + 3
    curve = [(i + 180) ** -0.4 * (1 - i / span) ** 0.5 for i in range(HTML.saturation)]
    noisy = [weight * random.uniform(0.92, 1.08) if html[i] else 0.0 for i, weight in enumerate(curve)]
    return noisy + [0.0] * (HTML.crawled - HTML.saturation)


def _elsewhere(random: Random, html: Sequence[bool]) -> tuple[list[list[int]], list[list[int]]]:
    """Targets elsewhere on each page without the fixed ones: for both parsers, and for the regex only."""
    pages = range(HTML.crawled)
    growth = _growth(random, html)
    new = deal(HTML.elsewhere_distinct - FIXED, growth, least=1)
    html_pages = HTML.crawled - HTML.not_found
    repeats = deal(
        HTML.elsewhere - HTML.elsewhere_distinct - FIXED * (html_pages - 1),
        [
            0.0 if i == 0 or not html[i] else (0.4 if i < HTML.saturation else 1) * random.uniform(0.7, 1.3)
            for i in pages
        ],
    )
    hidden_new = deal(
        REGEX.elsewhere_distinct - HTML.elsewhere_distinct, [weight * random.random() ** 3 for weight in growth]
    )
    later = [i for i in pages if i > 0 and html[i]]
    hidden_count = REGEX.elsewhere - HTML.elsewhere - sum(hidden_new)
    hidden_repeats = _tally(random.choices(later, k=hidden_count))

    visible, hidden = [], []
    total, hidden_total = FIXED, HTML.elsewhere_distinct
    for i in pages:
        links = list(range(total, total + new[i])) + [_skewed(random, FIXED, total) for _ in range(repeats[i])]
        unseen = list(range(hidden_total, hidden_total + hidden_new[i]))
        for _ in range(hidden_repeats[i]):
            old = hidden_total > HTML.elsewhere_distinct and random.random() < 0.5
            unseen.append(_skewed(random, HTML.elsewhere_distinct, hidden_total) if old else random.randrange(total))
        visible.append(links)
        hidden.append(unseen)
        total += new[i]
        hidden_total += hidden_new[i]
    return visible, hidden


def deal(total: int, weights: Sequence[float], *, least: int = 0) -> list[int]:
    """Whole shares of `total` in proportion to the weights, at least `least` per nonzero weight. The sum is exact.

    >>> deal(8, [1, 2, 0, 1])
    [2, 4, 0, 2]
    """
    shares = [least if weight else 0 for weight in weights]
    total -= sum(shares)
    sums = list(accumulate(weights))
    marks = [round(total * mark / sums[-1]) for mark in sums]
    return [share + mark - before for share, mark, before in zip(shares, marks, [0, *marks], strict=False)]


def _tally(positions: Iterable[int]) -> list[int]:
    """How often each position (from 0) occurs."""
    counter = Counter(positions)
    return [counter[i] for i in range(HTML.crawled)]


def _repeat(random: Random, targets: Sequence[int], count: int) -> list[int]:
    """`count` of the known targets; older ones are more frequent, so that some pages become hubs."""
    return [targets[_skewed(random, 0, len(targets))] for _ in range(count)]


def _skewed(random: Random, low: int, high: int) -> int:
    """A number in low..high-1; low numbers are more frequent."""
    return low + int((high - low) * random.random() ** 1.7)
