"""What must hold before a crawl begins or continues."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from ttcrawl.config import Agent, Config, Override, headers, logins, resolved
from ttcrawl.config.certificates import certificates
from ttcrawl.config.compiled import compile_scope
from ttcrawl.config.forms import forms
from ttcrawl.config.proxies import proxy_rules
from ttcrawl.core import check_reader
from ttcrawl.engine.own_cookies import own_cookies
from ttcrawl.engine.reporting.beside import check_beside
from ttcrawl.engine.reporting.events import check_events
from ttcrawl.engine.run.job import Job
from ttcrawl.engine.topic.copies import checked_copies
from ttcrawl.errors import UsageError
from ttcrawl.store import objects
from ttcrawl.web.scope import Scope
from ttcrawl.web.scope.redirects import Redirect

NO_CONTACT = (
    "no contact is set, so site owners cannot reach you: set agent.contact to a page or mail address"
    " (config.ini: [agent] contact)"
)

#: What a parser of RFC 9309 section 2.2.1 reads of a name.
_TOKEN = re.compile("[A-Za-z_-]*")


def identity_hint(agent: Agent) -> str:
    """What an owner of a server would miss, for the end of a line; "" if there is nothing."""
    hints = [] if agent.contact or agent.user_agent else [NO_CONTACT]
    read = _TOKEN.match(agent.name)
    if read and read[0] != agent.name:
        hints.append(f"for Google's parser of robots.txt and its like, {agent.name} is {read[0] or 'no name'}")
    return "".join(f"; {hint}" for hint in hints)


def checked(job: Job) -> dict[str, bytes]:
    """Return the files of [topic]. Raises UsageError if the crawl of a job cannot begin."""
    one_in_scope(scope_of(job.config, job.seeds), job.seeds)
    check_programs(job.config, inline=job.inline)
    return checked_copies(job.config.topic)


def check_programs(config: Config, *, inline: bool) -> None:
    """Raises UsageError if a program, function, server, reader or secret that the user names cannot work."""
    check_reader()
    for each in headers(config.fetch.headers):
        resolved(each, os.environ)
    for each_login in logins(config.fetch.login).values():
        each_login.revealed("[fetch] login", os.environ)
    for login in [each.login for rule in proxy_rules(config.fetch.proxy) for each in rule.proxies if each]:
        if login is not None:
            login.revealed("[fetch] proxy", os.environ)
    for certificate in certificates(config.login.certificates):
        certificate.checked(os.environ)
    for form in forms(config.login.form):
        form.revealed(os.environ)
    own_cookies(config.login.cookies)
    check_events(config.hooks.events)
    check_beside(config)
    if config.store.warc_move_to:
        objects.check(config.store.warc_move_to)
    if config.browser.on:
        from ttcrawl.browser.program import check  # it parses selectors, with what parse processes need

        check(config, inline=inline)


def one_in_scope(scope: Scope, seeds: Sequence[str]) -> None:
    """Raises UsageError if there are seeds, and all are out of scope."""
    decisions = [scope.decide(seed) for seed in seeds]
    if decisions and all(decision.reason for decision in decisions):
        raise UsageError(f"the seed {seeds[0]} is out of scope ({decisions[0]}): allow it with a rule, or widen scope")


def unchanged(overrides: Sequence[Override]) -> None:
    """Raises UsageError for keys that are fixed for the life of a crawl."""
    for name, *_ in overrides:
        if name.startswith("url."):
            raise UsageError(
                f"{name} decides which URLs are equal, so it cannot change during a crawl: keep its value, or"
                " begin another crawl"
            )


def scope_of(config: Config, seeds: tuple[str, ...], redirects: Sequence[Redirect] = ()) -> Scope:
    """Return which URLs belong to a crawl. `redirects`: of its seeds."""
    return compile_scope(config.scope, seeds, config.hosts, redirects=redirects)
