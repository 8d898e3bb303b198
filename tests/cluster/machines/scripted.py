"""A web in the lab whose pages request something from one host, by scripts; and a cluster on Ray that crawls it with
browsers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.cluster.machines.cluster import DELAY
from tests.cluster.machines.machines import Lab, until
from tests.cluster.machines.on_ray import RayCluster
from tests.cluster.machines.pages import WebMachine, serve, short_gaps
from tests.support.crawls.crawling import query
from tests.support.web.site import Answer, page
from ttcrawl.cluster.route import table

#: Pages of each host with scripts, and of the host that they request something from.
PAGES = 8

#: A request for a robots.txt would be part of a visit, without a gap before the data.
SETTINGS = {
    "browser.robots": "no",
    "browser.use": "path:/page",
    "browser.resources": "all",
    "browser.sandbox": "no",
    "browser.scrolls": 0,
    "politeness.address_delay": 0,
}


def hosts() -> dict[int, str]:
    """Ring -> a host that it owns. Ring 3 owns the one that the scripts of the others request something from."""
    names = [f"site{number}.test" for number in range(30)]
    ring_of = table((1, 2, 3)).ring_of
    return {ring: next(name for name in names if ring_of(name) == ring) for ring in (1, 2, 3)}


def addresses() -> dict[str, str]:
    return {host: f"198.18.1.{ring}" for ring, host in hosts().items()}


def pages() -> dict[tuple[str, str], Answer]:
    """Each page of rings 1 and 2 has a link to what its script has got: `/got` of its own host, with its number."""
    own = hosts()
    data = (("Content-Type", "application/json"), ("Access-Control-Allow-Origin", "*"))
    web = {}
    for ring in (1, 2):
        web[own[ring], "/"] = Answer(body=page(*[f"/page{number}" for number in range(PAGES)], *_links(own)))
        for number in range(PAGES):
            name = f"{ring}-{number}"
            web[own[3], f"/data?{name}"] = Answer(body=b"1", headers=data)
            web[own[ring], f"/got{number}"] = Answer(body=page())
            script = f"""fetch('http://{own[3]}/data?{name}').then(() => {{
              const link = document.createElement('a'); link.href = '/got{number}'; document.body.append(link); }})"""
            web[own[ring], f"/page{number}"] = Answer(body=f"<body><p>{name}<script>{script}</script>".encode())
    web[own[3], "/"] = Answer(body=page(*[f"/own{number}" for number in range(PAGES)]))
    return web | {(own[3], f"/own{number}"): Answer(body=page()) for number in range(PAGES)}


def _links(own: dict[int, str]) -> list[str]:
    return [f"http://{host}/" for host in own.values()]


def crawled(directory: str, killed: Sequence[int]) -> dict[str, Any]:
    """Crawl; `killed`: rings that are killed meanwhile, one after the other.

    `short`: gaps below the delay; `unlinked`: pages whose script has got nothing; `visits`: rings that have requested
    data, by their own tables; `data`: how often anything was requested.
    """
    with Lab(Path(directory)) as lab:
        cluster = RayCluster(lab, web=WebMachine(lab, __name__, addresses()), settings=SETTINGS)
        for number, ring in enumerate(killed, 1):
            until(lambda number=number: len(_data(cluster)) >= 4 * number, 90, "requests of scripts")
            cluster.rings[ring].kill()
        verdict: dict[str, Any] = {"ended": cluster.ended(200)}
        log = cluster.web.log()
        wanted = {key for key in pages() if key[1].startswith(("/got", "/own", "/data"))}
        verdict["missing"] = sorted(wanted - {(hit.host, hit.path) for hit in log})
        verdict["short"] = short_gaps(log, DELAY, lambda hit: hit.host)
        visits = "SELECT host FROM visit JOIN site ON site.id = visit.site"
        rings = {ring: cluster.rings[ring].directory for ring in (1, 2)}
        verdict["visits"] = {ring: (hosts()[3],) in query(path, visits) for ring, path in rings.items()}
        verdict["data"] = len(_data(cluster))
    return verdict


def _data(cluster: RayCluster) -> list[str]:
    return [hit.path for hit in cluster.web.log() if hit.path.startswith("/data")]


if __name__ == "__main__":
    serve(pages(), addresses())
