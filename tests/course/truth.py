"""What a crawl of the government web must have found, by the log of its server and by its pages alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from html.parser import HTMLParser
from itertools import combinations, pairwise
from urllib.parse import urldefrag, urljoin, urlsplit

from tests.course import government
from tests.support.web.site import PORT, Answer, Hit

HTML, SITEMAP, IMAGE = "text/html", "application/xml", "image/png"


def body(answer: Answer) -> str:
    return answer.body.decode().replace(f":{PORT}", "")


def content_type(answer: Answer) -> str:
    return dict(answer.headers).get("Content-Type", HTML)


class Links(HTMLParser):
    """(tag, URL) of all that a page links to and shows, in order."""

    def __init__(self, url: str, text: str) -> None:
        super().__init__()
        self.url, self.found = url, list[tuple[str, str]]()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        href = values.get({"a": "href", "img": "src"}.get(tag, "")) or ""
        if (script := values.get("onclick") or "").startswith("location.href="):
            href = script.split("'")[1]
        if href:
            self.found.append((tag, urldefrag(urljoin(self.url, href)).url))


class Truth:
    """Of one crawl, by the requests that the server saw. URLs are written without the port."""

    def __init__(self, hits: Iterable[Hit]) -> None:
        self.hits = list(hits)
        web = {f"http://{host}{path}": answer for (host, path), answer in government.web().items()}
        self.statuses = {f"http://{hit.host}{hit.path}": hit.status for hit in self.hits if hit.path != "/robots.txt"}
        missing = Answer(status=404)
        self.answers = {url: web.get(url, missing) for url, status in self.statuses.items() if status}

    @cached_property
    def pages(self) -> dict[str, Answer]:
        """The URLs that answered with anything but a redirect."""
        return {url: answer for url, answer in self.answers.items() if not 300 <= answer.status < 400}

    def of_status(self, status: int) -> int:
        return sum(answer.status == status for answer in self.answers.values())

    def of_type(self, *types: str) -> dict[str, Answer]:
        """The pages with status 200 of these types."""
        return {url: each for url, each in self.pages.items() if each.status == 200 and content_type(each) in types}

    @cached_property
    def html(self) -> dict[str, Answer]:
        return self.of_type(HTML)

    @cached_property
    def links(self) -> dict[str, list[tuple[str, str]]]:
        """Of each HTML page its links over http, images too."""
        found = {url: Links(url, body(answer)).found for url, answer in self.html.items()}
        return {url: [each for each in links if each[1].startswith("http")] for url, links in found.items()}

    def found(self, *tags: str) -> tuple[int, int]:
        """Links by these elements, and distinct URLs among them."""
        urls = [url for links in self.links.values() for tag, url in links if tag in tags]
        return len(urls), len(set(urls))

    def forbidden(self) -> tuple[int, int]:
        """Links to URLs that robots.txt forbids, and distinct URLs among them."""
        urls = [url for links in self.links.values() for _, url in links if is_forbidden(url)]
        return len(urls), len(set(urls))

    @cached_property
    def images(self) -> dict[str, set[str]]:
        """Of each HTML page the images that it shows."""
        return {page: {url for tag, url in links if tag == "img"} for page, links in self.links.items()}

    def shown(self, pages: Iterable[str]) -> set[str]:
        """The distinct images of some pages."""
        return {image for page in pages for image in self.images[page]}

    def linked(self) -> set[str]:
        """The URLs to which links with a text lead, and images."""
        return {url for links in self.links.values() for _, url in links}

    def robots(self) -> int:
        """Hosts that answered a request for their robots.txt."""
        return len({hit.host for hit in self.hits if hit.path == "/robots.txt" and hit.status})

    def short_gaps(self, delay: float) -> int:
        """How often a host was requested sooner than this after its last answer."""
        of_host: dict[str, list[Hit]] = {}
        for hit in self.hits:
            of_host.setdefault(hit.host, []).append(hit)
        gaps = [
            after.arrived - before.answered
            for hits in of_host.values()
            for before, after in pairwise(hits)
            if before.answered
        ]
        return sum(gap < delay for gap in gaps)

    def methods(self, url: str) -> list[str]:
        """Of the requests of a URL."""
        return [hit.method for hit in self.hits if f"http://{hit.host}{hit.path}" == url]

    def pairs(self) -> set[tuple[str, str]]:
        """(page, URL within the domain) of all links, of sitemaps and redirects too."""
        found = {(page, url) for page, links in self.links.items() for _, url in links}
        for sitemap, answer in self.of_type(SITEMAP).items():
            found |= {(sitemap, url) for url in re.findall(r"<loc>(.*?)</loc>", body(answer))}
        found |= {(url, self._end(url)) for url, each in self.answers.items() if each.status == 302}
        return {(page, url) for page, url in found if is_within(url)}

    @cached_property
    def graph(self) -> set[tuple[str, str]]:
        """The links between pages that can link; a link to a redirect leads to its end."""
        types = {HTML, *(type for type, _ in government.DOCUMENTS.values())}
        nodes = {url for url, answer in self.pages.items() if content_type(answer) in types}
        pairs = {
            (page, self._end(url)) for page, links in self.links.items() for tag, url in links if tag in ("a", "button")
        }
        return {(page, end) for page, end in pairs if {page, end} <= nodes and page != end}

    def _end(self, url: str) -> str:
        answer = self.answers.get(url)
        return urljoin(url, dict(answer.headers)["Location"]) if answer and answer.status == 302 else url

    def of_host(self, urls: Iterable[str], host: str = "s00.gov.test") -> list[str]:
        """Those of the seed's host."""
        return [url for url in urls if urlsplit(url).hostname == host]

    def hosts(self, urls: Iterable[str]) -> set[str]:
        return {urlsplit(url).hostname or "" for url in urls}

    def copies(self, urls: Iterable[str]) -> int:
        """How many have the bytes of another one."""
        return sum(count - 1 for count in Counter(self.answers[url].body for url in urls).values())

    def near_copies(self) -> int:
        """Pages whose text shares nine tenths of its shingles with another one of their site; they are no copies."""
        urls = [url for url in self.html if "/near/" in url]
        close = {
            max(pair)
            for pair in combinations(sorted(urls), 2)
            if urlsplit(pair[0]).hostname == urlsplit(pair[1]).hostname
            and similarity(*(body(self.answers[url]) for url in pair)) >= 0.9
        }
        return len(close)


def is_within(url: str) -> bool:
    return (urlsplit(url).hostname or "").endswith(f".{government.DOMAIN}")


def is_forbidden(url: str) -> bool:
    return "/private/" in url or urlsplit(url).hostname == f"closed.{government.DOMAIN}"


def similarity(one: str, other: str) -> float:
    """Jaccard similarity of the shingles of three words in two texts; a heading of two words is one of them."""
    first, second = map(_shingles, (one, other))
    return len(first & second) / len(first | second)


def _shingles(text: str) -> set[tuple[str, ...]]:
    heading, paragraph = re.findall(r"<(?:h1|p)>(.*?)</", text)
    words = paragraph.split()
    return {tuple(heading.split()), *zip(words, words[1:], words[2:], strict=False)}


def parts(nodes: Iterable[str], links: Iterable[tuple[str, str]]) -> list[int]:
    """Sizes of the weakly connected parts of a graph, the largest first."""
    part = {node: node for node in nodes}

    def root(node: str) -> str:
        while part[node] != node:
            part[node] = node = part[part[node]]
        return node

    for one, other in links:
        part[root(one)] = root(other)
    return sorted(Counter(map(root, part)).values(), reverse=True)
