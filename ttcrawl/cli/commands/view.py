"""`ttcrawl view`."""

from __future__ import annotations

import argparse

from ttcrawl.cli.arguments import between, crawl_directories

SUMMARY = "look at crawls in a browser, while they run and when they are done"
IN_HELP = ("Look", 2)
EXAMPLES = (
    ("look at a crawl", "view crawl-example.org"),
    ("also stop it, go on, queue URLs again and apply rules", "view crawl-example.org --control"),
)


def options(view: argparse.ArgumentParser) -> None:
    crawl_directories(view)
    add = view.add_argument
    add("--port", metavar="N", type=between(0, 65535), default=0, help="the port on 127.0.0.1 (default: a free one)")
    add("--open", action="store_true", help="open the address in the browser")
    about = "let the window stop the crawl, go on with it, queue URLs again and apply rules"
    add("--control", action="store_true", help=about)


def run(args: argparse.Namespace) -> int:
    from ttcrawl.window.application import Settings
    from ttcrawl.window.serving import serve
    from ttcrawl.window.viewed import viewed

    return serve(viewed(args.directories), Settings(control=args.control), args.port, open_browser=args.open)
