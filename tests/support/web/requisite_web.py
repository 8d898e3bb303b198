"""Random webs of two hosts whose URLs are pages, page requisites, or both; and what a crawl must fetch of them."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence

from tests.support.web.site import Answer, at, moved

OWN, CDN = "own.test", "cdn.test"
KINDS = {
    "anchor": '<a href="{}">a</a>',
    "image": '<img src="{}">',
    "iframe": '<iframe src="{}"></iframe>',
    "stylesheet": '<link rel=stylesheet href="{}">',
    "script": '<script src="{}"></script>',
}
FOLLOWED = ("anchor", "iframe")

Url = tuple[str, str]


class RequisiteWeb:
    """`most`: links of a page. `links`: URL -> (kind, target) in order; a redirect has one, of the kind redirect."""

    def __init__(
        self, seed: int, size: int = 40, slow: float = 0.05, hosts: Sequence[str] = (OWN, CDN), most: int = 4
    ) -> None:
        rng = random.Random(seed)
        urls = [(rng.choice(hosts), f"/{number}{rng.choice(('', '', '.png'))}") for number in range(1, size)]
        urls = [(OWN, "/"), *urls]
        self.links: dict[Url, list[tuple[str, Url]]] = {}
        for url in urls:
            form = "page" if url == (OWN, "/") else rng.choice(("page", "page", "css", "redirect"))
            if form == "redirect":
                self.links[url] = [("redirect", rng.choice(urls))]
            elif form == "css":
                self.links[url] = [("css", rng.choice(urls)) for _ in range(rng.randrange(3))]
            else:
                self.links[url] = [
                    (rng.choice((*KINDS, "anchor")), rng.choice(urls)) for _ in range(rng.randrange(1, most + 1))
                ]
        self._forms = {
            url: "css" if all(kind == "css" for kind, _ in links) else "page" for url, links in self.links.items()
        }
        self.slow = slow

    def answers(self, order: int) -> dict[Url, Answer]:
        """The answers; `order` changes how long each takes, and so which comes first."""
        rng = random.Random(order)
        return {url: self._answer(url, rng.uniform(0, self.slow)) for url in self.links}

    def _answer(self, url: Url, delay: float) -> Answer:
        links = self.links[url]
        if links and links[0][0] == "redirect":
            target = moved(at(*links[0][1]))
            return Answer(status=target.status, headers=target.headers, delay=delay)
        if self._forms[url] == "css":
            body = "".join(f'@import "{at(*target)}";\n' for _, target in links) + f"/* {url} */"
            return Answer(headers=(("Content-Type", "text/css"),), body=body.encode(), delay=delay)
        body = "".join(KINDS[kind].format(at(*target)) for kind, target in links)
        return Answer(body=f"<!DOCTYPE html><title>{url}</title><p>{body}".encode(), delay=delay)

    def _loaded(self, url: Url) -> list[tuple[str, Url]]:
        """The links of a URL, and the icon of its host: no page here names one."""
        links = self.links.get(url, [])
        is_page = url in self.links and self._forms[url] == "page" and links[0][0] != "redirect"
        return [*links, ("icon", (url[0], "/favicon.ico"))] if is_page else links

    # -- what must be fetched -------------------------------------------------------------------------------------

    def expected(self, max_depth: int) -> dict[Url, tuple[int | None, int]]:
        """Fetched URL -> depth (None: only a page requisite), and steps from the page that shows it (0: none does)."""
        depths: dict[Url, int] = {}
        queue = deque([((OWN, "/"), 0)])
        while queue:
            url, depth = queue.popleft()
            if url[0] != OWN or url[1].endswith(".png") or depth > max_depth or depths.get(url, depth + 1) <= depth:
                continue
            depths[url] = depth
            for kind, target in self.links[url]:
                if kind == "redirect":
                    queue.appendleft((target, depth))
                elif kind in FOLLOWED:
                    queue.append((target, depth + 1))
        steps: dict[Url, int] = {}
        shown = deque(
            (target, 1)
            for url in depths
            for kind, target in self._loaded(url)
            if kind not in ("anchor", "redirect") and target != url
        )
        while shown:
            url, count = shown.popleft()
            if steps.get(url, count + 1) <= count or count > 10:
                continue
            steps[url] = count
            for kind, target in self._loaded(url):
                if kind == "redirect" or (kind != "anchor" and target != url):
                    shown.append((target, count + 1))
        return {url: (depths.get(url), steps.get(url, 0)) for url in {*depths, *steps}}
