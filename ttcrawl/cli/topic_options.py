"""The options of `ttcrawl topic`."""

from __future__ import annotations

import argparse
from pathlib import Path

from ttcrawl.cli.crawl_options import request_options, settings


def topic_commands(topic: argparse.ArgumentParser) -> None:
    add = topic.add_argument
    add("action", metavar="score", choices=("score",), help="score pages by a list of terms, and explain the scores")
    add("target", metavar="DIR|FILE|URL", help="a crawl, a file of HTML or text, or a URL to fetch")
    add("urls", metavar="URL", nargs="*", help="pages of the crawl to explain (default: list its best pages)")
    add("--terms", metavar="FILE", type=Path, required=True, help="the list: lines such as 40: pitcher plant=CP")
    about = "weights by part of the page, or by position and proximity (default: plain)"
    add("--algorithm", default="plain", choices=("plain", "position"), help=about)
    about = "classes on several levels (CP.Drosera below CP): add scores to the class above, or below (default: flat)"
    add("--hierarchy", default="flat", choices=("flat", "up", "down"), help=about)
    add("--stop-words", metavar="FILE", type=Path, help="words that are left out of terms and pages")
    add("--sites-ok", metavar="FILE", type=Path, help="regular expressions of URLs that always pass")
    add("--compatible", action="store_true", help="read and match exactly as Combine")
    add("--limit", metavar="N", type=int, default=20, help="pages of a crawl that are listed (default: 20)")
    add("--format", default="text", choices=("text", "json"))
    request_options(topic)
    settings(topic)
