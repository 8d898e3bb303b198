"""The parts of the crawl process, made in one order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from ttcrawl.engine.admission import Admission
from ttcrawl.engine.archive_moving import movers
from ttcrawl.engine.companion import Companion, Processor
from ttcrawl.engine.duplicates.originals import Originals
from ttcrawl.engine.duplicates.repeats import Repeats
from ttcrawl.engine.environment import Environment
from ttcrawl.engine.hooked import HookedPages
from ttcrawl.engine.limits import Limits
from ttcrawl.engine.logins import Logins
from ttcrawl.engine.own_cookies import own_cookies
from ttcrawl.engine.recrawl.recrawling import Recrawling
from ttcrawl.engine.redirected_seeds import RedirectedSeeds
from ttcrawl.engine.requests import Requests
from ttcrawl.engine.requisites import EarlierRequisites
from ttcrawl.engine.settle import HostSettler, ParseQueue, ProbeSettler, Soft404s, TrapMemory, UrlSettler, Visits
from ttcrawl.engine.settle.circles import Circles
from ttcrawl.engine.shared import Shared, shared_parts
from ttcrawl.engine.topic.best_first import Rescoring
from ttcrawl.engine.topic.recall import TargetRecall
from ttcrawl.frontier.host import ForeignRobots, Host, Probe
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.frontier.session import Session
from ttcrawl.frontier.visit import Rereading, Visit
from ttcrawl.web.cookies.jar import Jar


class Parts(Struct, frozen=True, kw_only=True):
    """What the main loop consists of. `processors`: by the type of the task of a turn."""

    shared: Shared
    jar: Jar
    hosts: HostSettler
    visits: Visits
    parse_queue: ParseQueue
    requests: Requests
    limits: Limits
    admission: Admission
    processors: Mapping[type, Processor]
    companions: Sequence[Companion]
    logins: Logins | None


def wired(environment: Environment) -> Parts:
    """Return the parts with the state of the last commit."""
    config, store = environment.config, environment.store

    def forget(host: Host) -> None:
        visits.forget(host)
        shared.ledger.forget(host)

    shared = shared_parts(config, store, environment.clock, environment.bounds, forget, environment.order)
    visits = Visits(shared)
    originals = Originals(store, config.duplicates)
    repeats = Repeats(store, config.duplicates, store.about().get("seeds", ""))
    jar = Jar(config.fetch.cookies, store.cookies.all(), own=own_cookies(config.login.cookies))
    circles, redirected, traps = Circles(shared, jar), RedirectedSeeds(shared), TrapMemory(shared)
    urls = UrlSettler(shared, circles, originals, repeats, redirected, traps, environment.say)
    hosts, probes = HostSettler(shared), ProbeSettler(shared, environment.bounds.everywhere)
    recrawling = Recrawling(shared, urls, originals, environment.recrawl, environment.say)
    recall = TargetRecall(environment.held_back, config.topic, store) if environment.held_back else None
    # in the order in which they are called
    hooked = HookedPages(shared, environment.say) if config.hooks.page else None
    logins = _logins(environment, shared, jar) if config.login.form else None
    optional = (logins, hooked, recall, recrawling if environment.recrawl is not None or config.browser.on else None)
    companions: list[Companion] = [visits, repeats, redirected, probes, EarlierRequisites(shared), Rescoring(shared)]
    companions += [*movers(shared, environment.say), *(each for each in optional if each is not None)]
    companions += [originals, Soft404s(shared), *(make(shared) for make in environment.more)]
    shared.ledger.on_nearer = originals.nearer
    if environment.peers is not None:
        environment.peers.join(shared, environment.bounds, hosts, recall)
        companions.append(environment.peers)  # last: it packs what the others have changed
    processors: dict[type, Processor] = {
        **({Session: logins} if logins is not None else {}),
        Queued: urls,
        Visit: recrawling,
        Rereading: recrawling,
        Probe: probes,
        Host: hosts,
        ForeignRobots: hosts,
    }
    parse_all = bool(config.hooks.page) or config.topic.on
    return Parts(
        shared=shared,
        jar=jar,
        hosts=hosts,
        visits=visits,
        parse_queue=ParseQueue(
            originals.identical, environment.ring.read, exact=config.duplicates.exact, parse_all=parse_all
        ),
        requests=Requests(
            jar,
            config.fetch.retries,
            traps.compares,
            recrawling.plan,
            store.answers.link_metas.of if hooked else None,
            scripts=config.browser.on,
        ),
        limits=Limits(config.crawl, shared.counters, recall, shared.frontier, environment.recrawl),
        admission=Admission(shared, processors, companions, repeats, traps, environment.bounds.again),
        processors=processors,
        companions=companions,
        logins=logins,
    )


def _logins(environment: Environment, shared: Shared, jar: Jar) -> Logins:
    is_foreign = environment.peers.is_foreign if environment.peers is not None else None
    return Logins(shared, jar, environment.say, is_foreign)
