"""`ttcrawl try`: what the rules say of a link or a URL, without a crawl."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from ttcrawl.cli.arguments import CONFIGURATION, RULES, between, group, output_form, part, rule_options, settings
from ttcrawl.errors import DONE, FAILED, UsageError

SUMMARY = "try a link, a robots.txt, a scope, or steps of the browser"
IN_HELP = ("Tools", 1)
EXAMPLES = (
    ("how a link is resolved", "try url https://example.org/a/ '../b?utm_source=x'"),
    ("may these URLs be fetched?", "try robots robots.txt /private/ /public/ --agent mybot"),
    ("which rule decides?", "try scope https://example.org/a.pdf --seed https://example.org/ --exclude '*.pdf'"),
    ("what do the steps in the browser do?", "try steps https://example.org/login -c config.ini --pictures steps"),
)


def options(attempts: argparse.ArgumentParser) -> None:
    actions: Any = attempts.add_subparsers(metavar="WHAT", required=True, help="what is tried")
    about = "how a link is resolved: its canonical URL, each step, and whether it is a trap"
    _url_options(part(actions, "url", _url, about))
    about = "may these URLs be fetched, and which line of robots.txt decides?"
    _robots_options(part(actions, "robots", _robots, about))
    _scope_options(part(actions, "scope", _scope, "are these URLs in scope, and which rule decides?"))
    about = "what [browser] steps do with a page: each with its outcome and a picture"
    _steps_options(part(actions, "steps", _steps, about))


def _url_options(url: argparse.ArgumentParser) -> None:
    url.add_argument("base", metavar="BASE", help="the base URL of the page")
    url.add_argument("href", metavar="HREF", help="the link as it is written on the page")
    output_form(url, "json")
    settings(group(url, CONFIGURATION))


def _robots_options(robots: argparse.ArgumentParser) -> None:
    add = robots.add_argument
    add("file", metavar="FILE", help="a robots.txt; - reads standard input")
    add("urls", metavar="URL", nargs="+", help="URLs of its host, or paths")
    add("--agent", metavar="NAME", default="ttcrawl", help="product token (default: ttcrawl)")
    add("--reading", default="rfc9309", choices=("rfc9309", "1996"), help="longest or first match")
    output_form(robots, "json")


def _scope_options(scope: argparse.ArgumentParser) -> None:
    add = scope.add_argument
    add("urls", metavar="URL", nargs="+", help="URLs to decide about")
    add("--seed", dest="seeds", metavar="URL", action="append", default=[], help="a seed of the crawl (repeatable)")
    about = "number of links from the seeds (default: 0)"
    add("--depth", metavar="N", type=between(0, 1_000_000), default=0, help=about)
    about = "number of links since the seeds' domains were left (default: 0)"
    add("--hops", metavar="N", type=between(0, 1_000_000), default=0, help=about)
    rule_options(group(scope, RULES))
    output_form(scope, "json")
    settings(group(scope, CONFIGURATION))


def _steps_options(steps: argparse.ArgumentParser) -> None:
    steps.add_argument("url", metavar="URL", help="the page; it is requested, and steps may send forms")
    about = "directory of the pictures, one for each step (default: steps)"
    steps.add_argument("--pictures", metavar="DIR", type=Path, default=Path("steps"), help=about)
    settings(group(steps, CONFIGURATION))


def run(args: argparse.Namespace) -> int:
    status: int = args.part(args)
    return status


def _url(args: argparse.Namespace) -> int:
    from ttcrawl.cli.configuration import file_of, overrides
    from ttcrawl.config import read
    from ttcrawl.config.compiled import canon_of, compile_traps
    from ttcrawl.output.json_form import json_form
    from ttcrawl.output.terminal import show_line
    from ttcrawl.vocabulary.reason import SCOPE_LENGTH
    from ttcrawl.web.url import canonical

    config = read(file_of(args), overrides(args))
    if canonical(args.base, ftp=config.fetch.ftp) is None:
        raise UsageError(f"the base {args.base!r} is not an http or https URL: write the complete URL of a page")
    steps = canon_of(config).steps(args.base, args.href)
    url = steps[-1].after
    refusal = compile_traps(config.traps, time.gmtime().tm_year, session=config.has_session).refusal(url) if url else ""
    if url and len(url) > config.scope.max_url:
        refusal = SCOPE_LENGTH
    if args.format == "json":
        named = [{"name": each.name, "url": each.after} for each in steps]
        print(json_form({"url": url, "as_written": args.href, "steps": named, "refused": refusal or None}))
        return DONE
    print(url or "not an http or https URL: not followed")
    show_line(f"  {'as written':20} {args.href}")
    for step in steps:
        show_line(f"  {step.name:20} {step.after or 'none'}")
    if refusal:
        print(f"refused: {refusal}")
    return DONE


def _robots(args: argparse.Namespace) -> int:
    from dataclasses import asdict

    from ttcrawl.inspect.why.robots import judge, text_of_robots
    from ttcrawl.output.json_form import json_form
    from ttcrawl.output.terminal import show_line

    verdicts = judge(text_of_robots(args.file), args.urls, args.agent, args.reading)
    if args.format == "json":
        urls = [{"url": url, **asdict(each)} for url, each in verdicts.urls]
        print(json_form({"urls": urls, "delay": verdicts.delay, "sitemaps": verdicts.sitemaps}))
    else:
        for line in verdicts.lines:
            show_line(line)
    return DONE if verdicts.all_allowed else FAILED


def _scope(args: argparse.Namespace) -> int:
    from ttcrawl.cli.configuration import configuration, lines_of
    from ttcrawl.config.compiled import canon_of, compile_scope
    from ttcrawl.engine.run.seeds import seed_urls
    from ttcrawl.output.display import tell
    from ttcrawl.output.json_form import json_form
    from ttcrawl.output.terminal import show_line

    config = configuration(args)
    canon = canon_of(config)
    urls = seed_urls(lines_of(args.urls), canon, tell)
    seeds = seed_urls(lines_of(args.seeds), canon, tell) if args.seeds else urls
    scope = compile_scope(config.scope, seeds, config.hosts)
    decisions = [scope.decide(url, args.depth, args.hops) for url in urls]
    both = zip(urls, decisions, strict=True)
    if args.format == "json":
        rows = [
            {"url": url, "reason": each.reason or None, "rule": None if each.rule is None else str(each.rule)}
            for url, each in both
        ]
        print(json_form(rows))
    else:
        for url, decision in both:
            show_line(f"{url}: {decision}")
    return FAILED if any(decision.reason for decision in decisions) else DONE


def _steps(args: argparse.Namespace) -> int:
    from dataclasses import replace

    from ttcrawl.cli.configuration import file_of, overrides
    from ttcrawl.config import read
    from ttcrawl.errors import require
    from ttcrawl.output.terminal import show_line
    from ttcrawl.ring.clock import SteadyClock
    from ttcrawl.web.url import canonical

    config, url = read(file_of(args), overrides(args)), canonical(args.url)
    if url is None:
        raise UsageError(f"{args.url!r} is not an http or https URL: write the complete URL of a page")
    config = replace(config, browser=replace(config.browser, use="yes"))
    require("playwright")
    from ttcrawl.browser.trial import Tried, try_steps  # it needs Playwright
    from ttcrawl.engine.run.addresses import granted_by

    outcomes = list[Tried]()

    def report(outcome: Tried) -> None:
        outcomes.append(outcome)
        show_line(f"{len(outcomes)} {outcome.step}: {f'failed: {outcome.failed}' if outcome.failed else 'done'}")
        show_line(f"  then {outcome.url} {outcome.title!r}, {outcome.picture or 'no picture'}")

    try_steps(url, config, granted_by(config, [url]), SteadyClock.start(), args.pictures, report)
    return FAILED if any(each.failed for each in outcomes) else DONE
