"""`ttcrawl crawl`."""

from __future__ import annotations

import argparse

from ttcrawl.cli.arguments import (
    CONFIGURATION,
    directory,
    group,
    inline,
    prepare_processes,
    profile,
    run_options,
    settings,
    view,
)

SUMMARY = "crawl from seeds into a new directory"
IN_HELP = ("Crawl", 1)
EXAMPLES = (
    ("the first 1,000 pages of a site, into crawl-example.org", "crawl example.org --max-pages 1000"),
    (
        "the papers below a directory, and no pictures",
        "crawl example.org/papers/ --scope directory --exclude '*.png'",
    ),
    ("look at the crawl in a browser while it runs", "crawl example.org --view"),
    ("the seeds in a file, for an hour, without a word", "crawl --seeds seeds.txt -d news --max-time 3600 --quiet"),
)


def options(crawl: argparse.ArgumentParser) -> None:
    add = crawl.add_argument
    add("seeds", metavar="SEED", nargs="*", help="URLs at which the crawl begins")
    add("-d", dest="directory", metavar="DIR", type=directory, help="the crawl directory (default: crawl-HOST)")
    run_options(crawl)
    view(crawl)
    inline(crawl)
    settings(group(crawl, CONFIGURATION))
    profile(group(crawl, CONFIGURATION))


def run(args: argparse.Namespace) -> int:
    prepare_processes(args)
    from ttcrawl.cli.configuration import configuration
    from ttcrawl.cli.crawling import of_requests, print_report, save_cookies, seeds_of, viewing

    config = configuration(args, of_requests(args))
    from ttcrawl.engine.run.session import begin, job_of

    job = job_of(seeds_of(args), args.directory, config, args.progress, inline=args.inline)
    with viewing(args, job.directory):
        status = begin(job)
        print_report(args, job.directory)
        save_cookies(args, job.directory)
    return status
