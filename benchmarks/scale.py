"""How a crawl scales with its rings: a calculation with measured prices, up to 1,000 rings and 10^10 pages.

python -m benchmarks.scale [--pages N] [--domains N] [--seed N] [--save]

Domains have sizes by a power law and addresses that some of them share; buckets of the real table give them to rings. A
ring requests from all its domains in turn, each no faster than its own delay and its address's, and all together
no faster than its processor time allows. So pages flow as a liquid would: no request is simulated alone. What is
measured, assumed and calculated: docs/scale.md.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from benchmarks.manual import write
from ttcrawl.cluster.outbox import GATHER
from ttcrawl.cluster.post import MOST
from ttcrawl.cluster.route import BUCKETS, owners

DOCS = Path(__file__).resolve().parent.parent / "docs"
BEGIN, END = "<!-- calculated -->\n", "<!-- end -->\n"
RINGS = (1, 2, 3, 10, 30, 64, 100, 300, 1000)

#: Rings and hosts of a crawl of one domain.
RINGS_OF_ONE, HOSTS_OF_ONE = (1, 3, 10, 30), (40, 400, 4_000, 40_000)

#: KB of the pages that docs/speed.md measures, and of the mean page of a crawl of 2025 (Chan).
PAGE, PAGE_OF_2025 = 31, 242

#: Processors of the machines of that crawl, and dollars an hour: $462 for 12 machines and 25.5 hours.
PROCESSORS, DOLLARS = 16, 462 / (12 * 25.5)

#: Published crawls: name, pages, machines, hours, dollars (0: not published).
PUBLISHED = (
    ("Chan, 2025: 16 processors each", 1.005e9, 12, 25.5, 462),
    ("Nielsen, 2012: EC2", 250_113_669, 20, 39.4, 580),
    ("Common Crawl, 2014: EC2 m2.2xlarge", 2.5e9, 60, 17.5 * 24, 0),
    ("IRLbot, 2007: one server", 6.3e9, 1, 41 * 24, 0),
)

#: Classes of domain sizes; and by how much time grows in a step.
CLASSES, STEP = 300, 1.01

Array: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """Seconds of processor time. The crawl process is one thread; the pools use the other cores."""

    owner: float  # a page, in the crawl process
    pools: float  # a page, in fetch and parse processes
    link: float  # a link that crosses: out of a ring and into another
    batch: float  # a batch and its acknowledgement, at both ends
    lease: float  # a message of a lease
    carried: float = 0.0  # a small message, in the conductor, which carries it from ring to ring
    carried_batch: float = 0.0  # a batch there, without its links
    carried_link: float = 0.0  # a link in a batch there
    carrier: float = 0.5e-3  # a message, in the process that carries it: assumed


@dataclass(frozen=True, slots=True, kw_only=True)
class Web:
    """What is crawled. Domains of each size are spread over addresses alike."""

    pages: float = 1e10
    domains: float = 1e8
    exponent: float = 1.8  # of the density of sizes
    #: (domains on an address, share of all domains)
    shared: tuple[tuple[float, float], ...] = ((1, 0.175), (5, 0.225), (30, 0.4), (1_000, 0.15), (10_000, 0.05))
    limit: float = float("inf")  # pages_per_host
    host: float = float("inf")  # pages of a host: a larger domain has several
    split: float = 1.0  # share of all pages above which the rings share the hosts of a domain


@dataclass(frozen=True, slots=True, kw_only=True)
class Ring:
    """A machine, and the settings of its ring. The settings are ttcrawl's own."""

    cores: int = 8
    delay: float = 1.0
    address_delay: float = 0.2
    response: float = 0.3  # seconds of a request
    links: float = 2.0  # new foreign URLs of a page
    commit_pages: int = 200
    commit_seconds: float = 0.3
    flush: float = GATHER  # seconds for which links wait for others to the same ring; 0: until the next commit
    lease_messages: float = 3.2  # for a request at an address of several rings: 4 in each 0.25 s, 5 requests a second


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """What became of a crawl."""

    rings: int
    capacity: float  # pages a second that all processors allow together
    seconds: Array  # moments
    pages: Array  # until then
    fullest: float  # pages of the fullest ring, of the mean
    buckets: float  # buckets of the fullest ring, of the mean
    batch: float  # links in a batch

    def until(self, share: float) -> float:
        """Return the seconds until this share of the pages that there are is fetched."""
        return float(np.interp(share * self.pages[-1], self.pages, self.seconds))


def largest(web: Web) -> float:
    """Return the size of the largest domain: with it, domains of this density have all these pages together."""
    low, high = 2.0, 1e18
    while high / low > 1 + 1e-9:
        middle = (low * high) ** 0.5
        low, high = (middle, high) if _mean(web.exponent, middle) < web.pages / web.domains else (low, middle)
    return low


def _mean(exponent: float, most: float) -> float:
    """Return the mean of a power law from 1 to `most`, for exponents but 1 and 2."""
    of_pages, of_domains = 2 - exponent, 1 - exponent
    return float((most**of_pages - 1) / of_pages / ((most**of_domains - 1) / of_domains))


def classes(web: Web) -> tuple[Array, Array]:
    """Return the sizes of domains by class, and how many domains each has."""
    edges = np.geomspace(1.0, largest(web), CLASSES + 1)
    of_domains, of_pages = 1 - web.exponent, 2 - web.exponent
    weights = np.diff(edges**of_domains) / of_domains
    sizes = np.diff(edges**of_pages) / of_pages / weights
    counts = np.diff(np.round(web.domains * weights.cumsum() / weights.sum()), prepend=0.0)
    return np.minimum(sizes, web.limit), counts


def batches(rate: float, rings: int, ring: Ring) -> tuple[float, float]:
    """Return the batches a second that leave a ring with these pages a second, and the links in each."""
    if rings == 1 or rate == 0:
        return 0.0, 0.0
    commits = max(1 / ring.commit_seconds, rate / ring.commit_pages)
    flushes = 1 / max(1 / commits, ring.flush)
    links, others = rate * ring.links * (rings - 1) / rings, rings - 1
    # rings that get a link or more, because links choose at random
    each = max(others * -float(np.expm1(-links / flushes / others)), links / flushes / MOST)
    return flushes * each, links / flushes / each


def capacity(rings: int, ring: Ring, prices: Prices, contested: float) -> float:
    """Return the pages a second of a ring that its processors allow, and the one of the conductor, a single process.

    `contested`: the share of requests at addresses of several rings.
    """
    low, high = 0.0, ring.cores / (prices.owner + prices.pools)
    high = min(high, 1 / prices.owner)
    for _ in range(60):
        rate = (low + high) / 2
        number, _ = batches(rate, rings, ring)
        messages = rate * contested * ring.lease_messages if rings > 1 else 0.0
        crossing = rate * ring.links * (rings - 1) / rings * prices.link + number * prices.batch
        crawl = rate * prices.owner + crossing + messages * prices.lease
        carried = (number * 2 + messages) * prices.carrier
        conducted = number * prices.carried_batch + (number + messages) * prices.carried  # with acknowledgements
        conducted += rate * ring.links * (rings - 1) / rings * prices.carried_link
        fits = crawl <= 1 and crawl + rate * prices.pools + carried <= ring.cores and rings * conducted <= 1
        low, high = (rate, high) if fits else (low, rate)
    return low


def simulated(rings: int, web: Web, ring: Ring, prices: Prices, seed: int = 1) -> Course:
    """Crawl until each domain has given all its pages, each ring with what its buckets have."""
    chance = np.random.default_rng(seed)
    sizes, counts = classes(web)
    hosts = np.maximum(np.ceil(sizes / web.host), 1)  # of a domain
    members = Counter(owners(tuple(range(1, rings + 1))))
    share = np.array([members[number] for number in range(1, rings + 1)]) / BUCKETS
    on_address = np.array([number for number, _ in web.shared])
    of_group = np.array([part for _, part in web.shared])
    # rings x groups x classes: how many hosts
    grouped = chance.multinomial(counts.astype(np.int64), of_group / of_group.sum())
    split = sizes > web.split * web.pages
    moving, staying = np.where(split, hosts, 1).astype(np.int64), np.where(split, 1, hosts)
    drawn = chance.multinomial(grouped.T * moving, share).transpose(2, 0, 1) * staying
    order = np.argsort(sizes / hosts, kind="stable")
    domains, sizes = drawn[..., order].astype(np.float64), (sizes / hosts)[order]
    alone = (1 / rings) ** (on_address - 1)  # the chance that all domains of an address belong to one ring
    contested = float((of_group * (1 - alone)).sum())
    most = capacity(rings, ring, prices, contested)
    seconds, pages = _flow(domains, sizes, on_address, most, ring)
    of_ring = (domains * sizes).sum(axis=(1, 2))
    return Course(
        rings=rings,
        capacity=most * rings,
        seconds=seconds,
        pages=pages,
        fullest=float(of_ring.max() / of_ring.mean()),
        buckets=float(share.max() * rings),
        batch=batches(most, rings, ring)[1],
    )


def _flow(domains: Array, sizes: Array, on_address: Array, most: float, ring: Ring) -> tuple[Array, Array]:
    """Return moments and the pages until then.

    `progress` has the pages that each domain of a ring and group has given: all of them as many, until one has no more.
    What is active at the begin of a step counts for all of it, so no rate is too high.
    """
    rings, groups, classes = domains.shape
    zero = np.zeros((rings, groups, 1))
    active = np.concatenate([domains[..., ::-1].cumsum(-1)[..., ::-1], zero], axis=-1)  # domains of this size or more
    ended = np.concatenate([zero, (domains * sizes).cumsum(-1)], axis=-1)  # pages of all smaller ones
    progress, index = np.zeros((rings, groups)), np.zeros((rings, groups), np.int64)
    begun = np.maximum(domains.sum(axis=(0, 2)), 1.0)  # by group
    now, moments, totals = 1.0, [0.0], [0.0]
    while index.min() < classes:
        step = now * (STEP - 1)
        at_work = np.take_along_axis(active, index[..., None], -1)[..., 0]
        beside = np.maximum(on_address * at_work.sum(axis=0) / begun, 1.0)  # domains of an address that are active
        polite = np.minimum(1 / (ring.delay + ring.response), 1 / (ring.address_delay * beside))
        wanted = (at_work * polite).sum(axis=1)
        served = np.minimum(1.0, most / np.maximum(wanted, 1e-9))
        progress += served[:, None] * polite * step
        index = np.searchsorted(sizes, progress, side="right")
        done = np.take_along_axis(ended, index[..., None], -1)[..., 0]
        done += progress * np.take_along_axis(active, index[..., None], -1)[..., 0]
        now += step
        moments.append(now - 1.0)
        totals.append(float(done.sum()))
    return np.array(moments), np.array(totals)


def polite_bound(web: Web, ring: Ring) -> Course:
    """Return what is possible with any number of rings: delays alone."""
    free = Prices(owner=1e-12, pools=1e-12, link=0.0, batch=0.0, lease=0.0, carrier=0.0)
    return simulated(1, web, ring, free)


def of_one_domain(rings: int, hosts: int, ring: Ring, prices: Prices, *, split: bool) -> float:
    """Return the pages a second of a crawl of one domain with many pages on each of its hosts."""
    share = rings if split else 1  # rings that have work
    return min(hosts / (ring.delay + ring.response), share * capacity(share, ring, prices, 0.0))


def one_domain(ring: Ring, prices: Prices) -> str:
    lines = ["| hosts | delays allow | whole " + "".join(f"| {each} rings " for each in RINGS_OF_ONE[1:]) + "|"]
    lines.append("|--:" * (2 + len(RINGS_OF_ONE)) + "|")
    for hosts in HOSTS_OF_ONE:
        rates = [of_one_domain(rings, hosts, ring, prices, split=True) for rings in RINGS_OF_ONE]
        figures = [hosts / (ring.delay + ring.response), *rates]
        lines.append(f"| {hosts:,} | " + " | ".join(f"{each:,.0f}" for each in figures) + " |")
    return "\n".join(lines)


def cost(ring: Ring, prices: Prices) -> str:
    """Return machines and money for 10^9 pages, beside published crawls."""
    lines = [
        "| crawl | machines | pages/s of a machine | machine-hours for 10<sup>9</sup> | dollars for 10<sup>9</sup> |",
        "|---|--:|--:|--:|--:|",
    ]
    for name, pages, machines, hours, dollars in PUBLISHED:
        rate, time = pages / (machines * hours * 3600), machines * hours * 1e9 / pages
        money = f"{dollars * 1e9 / pages:,.0f}" if dollars else "not published"
        lines.append(f"| {name} | {machines} | {rate:,.0f} | {time:,.0f} | {money} |")
    for size in (PAGE, PAGE_OF_2025):
        large = replace(prices, pools=prices.pools * size / PAGE)
        rate = capacity(10, ring, large, 0.0) * PROCESSORS / ring.cores
        time = 1e9 / rate / 3600
        name = f"ttcrawl, calculated: pages of {size} KB, {PROCESSORS} processors"
        lines.append(f"| {name} | 5 | {rate:,.0f} | {time:,.0f} | {time * DOLLARS:,.0f} |")
    return "\n".join(lines)


def directly(prices: Prices) -> Prices:
    """Return the prices where no letter between rings passes the conductor."""
    return replace(prices, carried=0.0, carried_batch=0.0, carried_link=0.0)


def measured() -> Prices:
    """Return the prices that docs/speed.md and docs/scale.md have."""
    speed = _figures((DOCS / "speed.md").read_text(encoding="utf-8").partition("| process |")[2])
    scale = _figures((DOCS / "scale.md").read_text(encoding="utf-8").partition("| price |")[2])
    ends = ("out of a ring", "into a ring")
    return Prices(
        owner=speed["ttcrawl"] * 1e-3,
        pools=(speed["ttcrawl-fetch"] + speed["ttcrawl-parse"]) * 1e-3,
        link=sum(scale[f"a link {end}, us"] for end in ends) * 1e-6,
        batch=sum(scale[f"a batch {end}, us"] for end in ends) * 1e-6,
        lease=scale["a message of a lease, us"] * 1e-6,
        carried=scale["a message of a lease through the conductor, us"] * 1e-6,
        carried_batch=scale["a batch through the conductor, us"] * 1e-6,
        carried_link=scale["a link through the conductor, us"] * 1e-6,
    )


def _figures(text: str) -> dict[str, float]:
    """Return the second column of the first table of a text, by the first one."""
    rows = [line.split("|")[1:3] for line in text.partition("\n\n")[0].splitlines() if line.startswith("| ")]
    return {name.strip(): float(figure.replace(",", "")) for name, figure in rows if figure.strip()}


def table(courses: Sequence[Course], single: float) -> str:
    lines = [
        "| rings | pages/s processors allow | of rings alone | links a batch | 50 %, days | 90 %, days | 99 %, days "
        "| pages/s until 90 % | fullest ring | pages a ring |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for each in courses:
        days = " | ".join(f"{each.until(share) / 86_400:,.2f}" for share in (0.5, 0.9, 0.99))
        total = each.pages[-1]
        lines.append(
            f"| {each.rings:,} | {each.capacity:,.0f} | {each.capacity / single / each.rings:.2f} | {each.batch:,.1f} "
            f"| {days} | {0.9 * total / each.until(0.9):,.0f} | {each.fullest:.2f} | {total / each.rings:.1e} |"
        )
    return "\n".join(lines)


def plot(variants: Mapping[str, Sequence[Course]], bound: Course, path: Path) -> None:
    """Draw pages a second by rings, and the share of pages by time."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 5.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    colours = dict(zip(variants, ("#0072B2", "#D55E00", "#CC79A7", "#E69F00", "#009E73"), strict=False))
    first = next(iter(variants.values()))
    rings = [each.rings for each in first]
    left.loglog(rings, [first[0].capacity * each for each in rings], ":", color="#888888", label="in proportion")
    for number, (name, courses) in enumerate(variants.items()):
        until = [0.9 * each.pages[-1] / each.until(0.9) for each in courses]
        width = 1 + 0.8 * (len(variants) - number)  # what a later line covers stays visible as its border
        left.loglog(rings, [each.capacity for each in courses], "--", color=colours[name], lw=width)
        left.loglog(rings, until, "o-", color=colours[name], lw=width, label=name)
    left.axhline(0.9 * bound.pages[-1] / bound.until(0.9), color="#222222", lw=0.8)
    left.text(1, 0.95 * bound.pages[-1] / bound.until(0.9), "politeness", va="bottom")
    left.set(xlabel="Rings", ylabel="Pages/s until 90 %")
    left.legend(
        frameon=False, title="dashed: what processors allow", loc="upper left", bbox_to_anchor=(0, -0.14)
    )  # below: the lines fill the axes
    for each in [*(course for course in first if course.rings in (10, 100, 1000)), bound]:
        name = "politeness alone" if each is bound else f"{each.rings:,} rings"
        right.semilogx(each.seconds[1:] / 86_400, 100 * each.pages[1:] / each.pages[-1], label=name)
    right.set(xlabel="Days", ylabel="% of pages", xlim=(1e-2, None))
    right.legend(frameon=False)
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=110, metadata={"Software": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=float, default=Web().pages)
    parser.add_argument("--domains", type=float, default=Web().domains)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", action="store_true", help="write the result into docs/scale.md")
    options = parser.parse_args()
    prices, ring, web = measured(), Ring(), Web(pages=options.pages, domains=options.domains)
    direct, hosted = directly(prices), replace(web, host=1e5)
    cases = {
        "letters through the conductor": (web, ring, prices),
        "letters from ring to ring": (web, ring, direct),
        "a host for each 100,000 pages, domains whole": (hosted, ring, direct),
        "a host for each 100,000 pages, domains above 0.001 % split": (replace(hosted, split=1e-5), ring, direct),
        "at most 100,000 pages of a domain": (replace(web, limit=1e5), ring, direct),
    }
    variants = {name: [simulated(rings, *case, options.seed) for rings in RINGS] for name, case in cases.items()}
    single = capacity(1, ring, prices, 0.0)
    blocks = [f"{name.capitalize()}:\n\n{table(courses, single)}" for name, courses in variants.items()]
    bound = polite_bound(web, ring)
    days = ", ".join(f"{share:.0%} in {bound.until(share) / 86_400:.2f} days" for share in (0.5, 0.9, 0.99))
    blocks.append(f"One domain, pages/s that its hosts and rings allow:\n\n{one_domain(ring, direct)}")
    blocks.append(f"Machines and money:\n\n{cost(ring, direct)}")
    blocks.append(f"Delays alone, with any number of rings: {days}. The largest domain has {largest(web):,.0f} pages.")
    text = "\n\n".join(blocks)
    print(text)
    if options.save:
        write(DOCS / "scale.md", BEGIN, END, text)
        plot(variants, bound, DOCS / "scale.png")


if __name__ == "__main__":
    main()
