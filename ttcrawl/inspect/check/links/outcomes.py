"""The URLs that do not lead to a page at once: errors and redirects, of a crawl and of the external URLs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ttcrawl.inspect.check.pages.rows import LOST
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary.state import FAILED, MOVED, QUEUED

#: How the error of an answer begins; its status follows.
HTTP = "http "

ERRORS = f"""
    SELECT key, url.url, CASE WHEN state = '{FAILED}' THEN reason ELSE '{HTTP}' || page.status END
    FROM url LEFT JOIN page ON page.url = url.id WHERE state = '{FAILED}' OR page.status >= 400"""

#: What the last visit brought to URLs that had a page before.
LAST_VISITS = f"""
    WITH lost AS (SELECT key, url.url FROM url WHERE id IN ({LOST})),
    last AS (SELECT key, lost.url, max(visit.id) AS id FROM lost JOIN visit ON visit.url = lost.url GROUP BY key)
    SELECT key, last.url, CASE WHEN status >= 400 THEN '{HTTP}' || status ELSE reason END AS error
    FROM last JOIN visit ON visit.id = last.id WHERE error != ''"""

REDIRECTS = f"""
    SELECT source.key, source.url, page.status, instr(page.location, '#') > 0,
           json_extract(outlinks.targets, '$[0]'), target.url
    FROM url AS source JOIN page ON page.url = source.id JOIN outlinks ON outlinks.source = source.id
    LEFT JOIN url AS target ON target.id = {{target}} WHERE source.state = '{MOVED}'"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirect:
    """A redirect that was answered; `target` is the key of its URL."""

    url: str
    status: int
    target: int
    target_url: str
    fragment: bool  # its Location has a fragment

    def __str__(self) -> str:
        return f"http {self.status} to {self.target_url}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """Where a URL leads: over redirects to a last URL, which is an error if `error` is not empty."""

    redirects: tuple[Redirect, ...]
    end: int  # key of the last URL
    error: str
    loop: bool

    @property
    def status(self) -> int:
        """The status of an answer that is the error ("http 403"); 0: there is no error, or no answer."""
        return int(self.error.removeprefix(HTTP)) if self.error.startswith(HTTP) else 0

    @property
    def detail(self) -> str:
        """The error, or the redirects in order."""
        if self.error:
            after = f", after a redirect to {self.redirects[-1].target_url}" if self.redirects else ""
            return self.error + after
        return ", ".join(map(str, self.redirects))


class Outcomes:
    """What requests brought, by the key of the URL; of a URL in several crawls, by the last that is added."""

    def __init__(self) -> None:
        self._urls: dict[int, str] = {}
        self._errors: dict[int, str] = {}
        self._redirects: dict[int, Redirect] = {}

    def add(self, db: View) -> None:
        if self._urls:
            for (key,) in db.execute(f"SELECT key FROM url WHERE state != '{QUEUED}'"):
                for outcomes in (self._urls, self._errors, self._redirects):
                    outcomes.pop(key, None)
        for key, url, error in (*db.execute(ERRORS), *db.execute(LAST_VISITS)):
            self._urls[key], self._errors[key] = url, error
        query = REDIRECTS.format(target=db.id_of("json_extract(outlinks.targets, '$[0]')"))
        for key, url, status, fragment, target, target_url in db.execute(query):
            self._urls[key] = url
            self._redirects[key] = Redirect(
                url=url,
                status=status,
                target=target,
                target_url=target_url or "an unknown URL",
                fragment=bool(fragment),
            )

    def __contains__(self, key: int) -> bool:
        return key in self._urls

    def __iter__(self) -> Iterator[int]:
        return iter(self._urls)

    def url(self, key: int) -> str:
        return self._urls[key]

    def path(self, key: int) -> Path:
        """The path from a URL; without redirects and error for a URL that is a page, or was not requested."""
        redirects: list[Redirect] = []
        passed = {key}
        loop = False
        while not loop and key in self._redirects and key not in self._errors:
            redirects.append(self._redirects[key])
            key = redirects[-1].target
            loop = key in passed
            passed.add(key)
        return Path(redirects=tuple(redirects), end=key, error="" if loop else self._errors.get(key, ""), loop=loop)
