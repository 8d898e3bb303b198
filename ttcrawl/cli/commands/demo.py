"""`ttcrawl demo`."""

from __future__ import annotations

import argparse

from ttcrawl.cli.arguments import directory, output_form

SUMMARY = "crawl the bundled campus site, and compare its known figures"
IN_HELP = ("Tools", 6)
EXAMPLES = (("crawl the campus site, and compare", "demo -d campus"),)


def options(demo: argparse.ArgumentParser) -> None:
    about = "where to write (default: demo-crawl)"
    demo.add_argument("-d", dest="directory", metavar="DIR", type=directory, help=about)
    demo.add_argument("--obey-delay", action="store_true", help="obey its Crawl-delay of 1 s in full (14 minutes)")
    output_form(demo, "json")


def run(args: argparse.Namespace) -> int:
    from ttcrawl.demo.compare import demo
    from ttcrawl.engine.run.directory import free

    return demo(args.directory or free("demo-crawl"), obey_delay=args.obey_delay, form=args.format)
