"""A crawl of pages of two classes, which their paths tell."""

from __future__ import annotations

from pathlib import Path

from tests.support.web.site import Answer, Pages, Web, page, robots
from tests.topic.pages import labelled
from ttcrawl.cli import main

HOST = "a.test"


def site_of(count: int, noise: float = 0.25) -> Pages:
    """A page that links to `count` pages of each class: /plants/N and /cities/N."""
    bodies = {
        f"/{'plants' if relevant else 'cities'}/{number}": page(
            title=each.title, content=f"<h1>{each.headings[0]}</h1><p>{each.text}"
        )
        for number, (relevant, each) in enumerate(labelled(count, noise=noise))
    }
    pages: Pages = {(HOST, path): Answer(body=body) for path, body in bodies.items()}
    return pages | {(HOST, "/"): Answer(body=page(*bodies)), (HOST, "/robots.txt"): robots()}


def crawled(directory: Path, web: Web, *more: str) -> Path:
    words = ["--set", f"fetch.resolve={' '.join(web.resolve)}", "--set", "politeness.delay=0", *more]
    assert main(["crawl", web.url(HOST, "/"), "-d", str(directory), "--progress", "none", *words]) == 0
    return directory
