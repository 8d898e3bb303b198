"""External URLs, and what pages load: each is requested once, by a crawl of its own in the crawl directory.

That crawl has all promises of any crawl: robots.txt, delays, address checks, the archive and the record of visits. Its
seeds are URLs that the site's own crawl refused only for their host, extension or kind. They come from pages, so they
permit no address that the site's own crawl may not contact.

HEAD is enough where it is answered with a page or a redirect: style sheets alone are wanted, so that pictures of pages
look like these pages; other bodies are not (`refused: type`). After any other answer to HEAD, GET decides.

A host has a minute: the crawl ends then, and another one begins with the URLs of hosts that no request has reached.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Set
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

from ttcrawl.config import Config
from ttcrawl.config.compiled import compile_scope
from ttcrawl.engine.run.job import Job
from ttcrawl.engine.run.session import begin
from ttcrawl.errors import DONE
from ttcrawl.inspect.check.links.targets import NOT_ON_PAGES, ON_PAGES, links_to
from ttcrawl.inspect.why.open_crawl import compile_rules
from ttcrawl.output.crawl_progress import Form
from ttcrawl.ring import fork_server
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.regular import is_there, must_be_own
from ttcrawl.store.stopped import stopped
from ttcrawl.vocabulary.reason import KIND, SCOPE_DIRECTORY, SCOPE_DOMAIN, SCOPE_EXTENSION, SCOPE_HOST, SCOPE_LIST, Code
from ttcrawl.vocabulary.state import QUEUED, REFUSED
from ttcrawl.web.url import host, key

#: The directories of these crawls: a later one requests the URLs that no earlier one has processed.
NAME = "external"

_NUMBERED = re.compile(f"{NAME}(?:-([1-9][0-9]{{0,8}}))?")

#: Reasons of URLs that lead out of the site.
OUT_OF_SITE = (SCOPE_HOST, SCOPE_DIRECTORY, SCOPE_DOMAIN, SCOPE_LIST)
#: Why a crawl refuses a URL that is requested here.
REASONS = (*OUT_OF_SITE, SCOPE_EXTENSION, KIND)

#: What differs from the configuration of the site's own crawl. Its rules, politeness and identity stay.
SETTINGS: dict[str, object] = {
    **dict.fromkeys(("crawl.max_depth", "crawl.max_pages", "crawl.max_time", "crawl.max_bytes"), 0),
    "scope.scope": "any",
    "scope.extensions": "",
    "fetch.head_first": "yes",
    "fetch.types": "text/css",
    "fetch.max_body": 512 << 10,  # also of error pages, and of what has no type
    "links.kinds": "",
    "links.recorded": "",
    **dict.fromkeys(("traps.same_content", "traps.same_bytes", "traps.pages_per_host"), 0),
    **dict.fromkeys(("duplicates.exact", "duplicates.near", "files.save", "documents.convert"), False),
    "duplicates.soft_404": 0,
}

#: What is patient in a crawl and would cost minutes here: these values at most.
AT_MOST: dict[str, float] = {
    "fetch.connect_timeout": 10,
    "fetch.read_timeout": 15,
    "fetch.total_timeout": 30,
    "fetch.retries": 1,
    "politeness.backoff": 5,
    "politeness.give_up": 2,
}

#: Seconds that a host may take.
HOST_TIME = 60

#: Why a URL of a host that took longer is not checked.
OUT_OF_TIME = "no time left"


class Candidates:
    """The URLs that pages link to, and that only their host, extension or kind kept out of the crawl."""

    def __init__(self, db: View) -> None:
        reasons = ", ".join(f"'{each}'" for each in REASONS)
        rows = db.execute(f"SELECT key, url, reason FROM url WHERE state = '{REFUSED}' AND reason IN ({reasons})")
        refused: dict[int, tuple[str, Code]] = {key: (url, reason) for key, url, reason in rows}
        linked = {link.target for link in links_to(db, refused.keys(), ON_PAGES | NOT_ON_PAGES)}
        #: key -> (URL, reason)
        self.urls = {key: about for key, about in refused.items() if key in linked}


def crawls(directory: Path) -> list[Path]:
    """The directories of the crawls of external URLs, the first one first; numbers of removed ones are missing."""
    matches = ((_NUMBERED.fullmatch(path.name), path) for path in directory.glob(f"{NAME}*"))
    numbered = {int(match[1] or 1): path for match, path in matches if match and is_there(path / "crawl.db")}
    return [numbered[number] for number in sorted(numbered)]


def _next(directory: Path) -> Path:
    """The directory of the next one."""
    last = crawls(directory)[-1:]
    if not last:
        return directory / NAME
    _, _, number = last[0].name.partition("-")
    return directory / f"{NAME}-{int(number or 1) + 1}"


def remove_superseded(directory: Path) -> None:
    """Remove the crawls whose seeds were all requested again by later ones."""
    later = set[int]()
    for path in reversed(crawls(directory)):
        with closing(View(path)) as db:
            seeds, keys = set(map(key, db.seeds)), {each for each, _ in processed(db)}
        if later and seeds <= later:
            with stopped(path):
                pass  # no process is crawling there
            shutil.rmtree(path)
        later |= keys


@contextmanager
def views(directory: Path) -> Iterator[list[View]]:
    """The crawls of external URLs, opened for reading. Raises NotACrawl."""
    with ExitStack() as opened:
        yield [opened.enter_context(closing(View(each))) for each in crawls(directory)]


def processed(db: View, since: float = 0.0) -> Iterator[tuple[int, str]]:
    """Key and reason of each URL that such a crawl has processed since a moment; "" if there was an answer."""
    yield from db.execute(
        f"SELECT key, CASE WHEN state = '{REFUSED}' AND page.url IS NULL THEN reason ELSE '' END"
        f" FROM url LEFT JOIN page ON page.url = url.id WHERE state != '{QUEUED}' AND coalesce(processed, 0) >= ?",
        (since,),
    )


def queued(db: View) -> Iterator[tuple[int, str]]:
    """Key and URL of each URL that such a crawl has left."""
    yield from db.execute(f"SELECT key, url FROM url WHERE state = '{QUEUED}'")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """`others`: URLs of other sites are requested, too; `host_time`: seconds, 0: no limit; `since`: URLs that were
    requested before this moment are requested again; `own`: the beginning of URLs that are not, "": of none."""

    others: bool = True
    host_time: int = HOST_TIME
    since: float = 0.0
    own: str = ""


def job_of_missing(
    directory: Path, db: View, config: Config, progress: Form, limits: Limits, spent: Set[str]
) -> Job | None:
    """The crawl of the URLs that no earlier one has processed, and that the rules allow; None if there are none.

    Hosts in `spent` are left out. Raises UsageError if a link has the name of its directory.
    """
    own_hosts = compile_rules(db.config, db.settings).scope
    urls = {
        key: url
        for key, (url, _) in Candidates(db).urls.items()
        if (limits.others or own_hosts.refusal(url) not in OUT_OF_SITE)
        and not (limits.own and url.startswith(limits.own))
    }
    with views(directory) as earlier:
        for crawl in earlier:
            for key, _ in processed(crawl, limits.since):
                urls.pop(key, None)
    config = config.changed(SETTINGS | _impatient(config) | {"crawl.max_time": limits.host_time})
    scope = compile_scope(config.scope, list(urls.values()), config.hosts)
    seeds = tuple(url for url in urls.values() if not scope.refusal(url) and host(url) not in spent)
    pairs = json.loads(db.settings.get("allowed", "[]"))
    own = _next(directory)
    must_be_own(own, directory=True)
    job = Job(
        seeds=seeds,
        directory=own,
        config=config,
        progress=progress,
        permitted=frozenset((name, address) for name, address in pairs),
    )
    return job if seeds else None


def _impatient(config: Config) -> dict[str, object]:
    """The smaller ones of the values of a configuration and AT_MOST."""
    values = {name: attrgetter(name)(config) for name in AT_MOST}
    return {name: most for name, most in AT_MOST.items() if values[name] > most}


def seconds_due(db: View, job: Job, now: float) -> float:
    """Until each host of the job may be visited again after the site's own crawl; at most the largest delay."""
    if not job.config.politeness.obey_delay:
        return 0.0
    hosts = {host(url) for url in job.seeds}
    moments = (moment for name, moment in db.execute("SELECT host, next_at FROM site") if name in hosts)
    return min(max(0.0, max(moments, default=0.0) - now), job.config.politeness.max_delay)


def request(job: Job) -> set[str] | None:
    """Request the URLs. Return the hosts that took all of the time; None after Ctrl-C. Raises what a crawl raises."""
    fork_server.prepare(fetch_first=True)
    if begin(job) == DONE:
        return set()
    with closing(View(job.directory)) as db:
        if db.settings.get("finished") == "interrupted":
            return None
        asked = {name for (name,) in db.execute("SELECT host FROM site WHERE requested > 0")}
        return asked & {host(url) for _, url in queued(db)}
