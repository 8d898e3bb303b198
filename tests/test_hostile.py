"""One crawl through everything that a hostile server can do, beside healthy pages."""

import collections
import contextlib
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import trustme
from warcio.archiveiterator import ArchiveIterator

from tests.support.crawls.crawling import Crawled, command
from tests.support.crawls.preforked import run
from tests.support.faults.killing import processes
from tests.support.web import hostile
from tests.support.web.certificates import pem
from tests.support.web.site import PORT, Answer, Web, at, page

HEALTHY = {
    (f"healthy-{host}.test", path): Answer(body=page(*(f"/{n}" for n in range(25)), title=path))
    for host in range(8)
    for path in ("/", *(f"/{n}" for n in range(25)))
}
START = "start.test"

#: Memory that a process has for itself, MB: Python with its libraries takes 30 to 60, and the limits below bound the
#: rest (32 answers of 1 MB under way, 8 MB when decoded, some copies of that).
MOST_MB = 160


# -- the webs ----------------------------------------------------------------------------------------------------------


def repeated(url, times):
    return [url, *(f"{url}?{n}" for n in range(1, times))]


@dataclass(slots=True, kw_only=True)
class Expected:
    """URL as a page has it -> what becomes of the URL of the ledger."""

    links: list[str] = field(default_factory=list)
    states: dict[str, str] = field(default_factory=dict)


def plain_web(times):
    """All over HTTP, each hostile page under several URLs; and what is to be expected of it."""
    web, expected = dict(hostile.pages()), Expected()
    for host, table in hostile.TABLES.items():
        for path, (answer, outcome) in table.items():
            # who says 429 or 503 to every one of many URLs is left alone for longer and longer, as it should be
            for each in repeated(path, 1 if host.startswith("busy") else times):
                web[host, each] = answer
                expected.states[at(host, each)] = outcome
    for host, (_, outcomes) in hostile.ROBOTS.items():
        expected.states |= {at(host, path): outcome for path, outcome in outcomes.items()}
    for host, (_, outcome) in hostile.HANDSHAKES.items():
        expected.states[at(host, "/").replace("http:", "https:")] = outcome
    expected.states["http://closed.test:1/"] = "failed: connection refused"
    expected.links = [*expected.states, *hostile.PRIVATE]
    expected.states |= {url: hostile.BLOCKED for url in hostile.PRIVATE.values()}
    expected.states |= {at("redirects.test", path): outcome for path, outcome in hostile.BEHIND.items()}
    # what came of a body that is too large, or breaks off, is read
    expected.states |= {at(host, "/behind"): "fetched: http 404" for host in ("endless.page.test", "resets.test")}
    expected.states |= {at("127.0.0.1", path): hostile.BLOCKED for path in ("/metadata", "/credentials")}
    return web | HEALTHY, expected


def secure_web(ca, place):
    kinds = {f"{kind}.tls.test": kind for kind in hostile.TLS}
    certificates = {host: pem(kind, ca, host, place) for host, kind in kinds.items()}
    pages = {(host, path): Answer(body=page("/x")) for host in kinds for path in ("/", "/x")}
    expected = {
        f"https://{host}:{PORT}{path}": outcome
        for host, outcome in ((f"{kind}.tls.test", outcome) for kind, outcome in hostile.TLS.items())
        for path in (("/", "/x") if outcome == hostile.OK else ("/",))
    }
    expected[f"http://plain.tls.test:{PORT}/"] = "failed: disconnected"
    return Web(pages, certificates=certificates), expected


# -- the crawl ---------------------------------------------------------------------------------------------------------


def memory(pid):
    """What a process has for itself, MB; shared memory (the slots) is not counted."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) / 1024
    return 0.0


def watched(arguments, environment, most):
    """Run the command; its standard error, its exit status and the most memory of each of its processes by role."""
    process = subprocess.Popen(
        arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True, env=environment
    )
    peaks = collections.defaultdict(float)
    end = time.monotonic() + most
    try:
        while process.poll() is None and time.monotonic() < end:
            for role, pids in processes(process.pid).items():
                for pid in pids:
                    peaks[role, pid] = max(peaks[role, pid], memory(pid))
            time.sleep(0.05)
    finally:
        process.kill()
    return process.communicate(timeout=20)[1], process.returncode, peaks


@pytest.mark.parametrize(
    ("times", "transport"),
    [
        (1, "curl"),
        pytest.param(1, "urllib3", marks=pytest.mark.slow),
        pytest.param(10, "curl", marks=[pytest.mark.slow, pytest.mark.alone]),
        pytest.param(10, "urllib3", marks=[pytest.mark.slow, pytest.mark.alone]),
    ],
)
def test_one_crawl_through_everything(tmp_path, times, transport):
    ca = trustme.CA()
    ca.cert_pem.write_to_path(tmp_path / "ca.pem")
    pages, expected = plain_web(times)
    tls, secured = secure_web(ca, tmp_path)
    with tls, Web(pages) as web:
        states = {url.replace(PORT, str(web.port)): outcome for url, outcome in expected.states.items()}
        states |= {url.replace(PORT, str(tls.port)): outcome for url, outcome in secured.items()}
        most = time_bound(states)
        with Web({(START, "/"): Answer(body=page(*links(web, tls, expected, secured)))}) as start:
            seed, began = start.url(START, "/"), time.monotonic()
            resolve = [*web.resolve, *start.resolve, *tls.resolve]
            resolve += [f"plain.tls.test:{tls.port}:127.0.0.1", "closed.test:1:127.0.0.1"]
            environment = {**os.environ, "SSL_CERT_FILE": str(tmp_path / "ca.pem")}
            err, status, peaks = watched(arguments(seed, tmp_path / "c", resolve, transport), environment, most)
            took = time.monotonic() - began
        log = [*web.log(), *tls.log()]
    assert status == 0 and "Traceback" not in err and "replaced" not in err, err
    assert took < most
    assert peaks and max(peaks.values()) < MOST_MB, peaks
    done = Crawled(status=status, out="", err=err, directory=tmp_path / "c")
    states |= {web.url(host, path): hostile.OK for host, path in HEALTHY} | {seed: hostile.OK}
    ledger = {url: f"{state}: {reason}" for url, (state, reason) in done.states().items()}
    pairs = {url: (ledger.get(url), states.get(url)) for url in sorted(states.keys() | ledger.keys())}
    differ = [f"{url[:150]}: {got}, not {wanted}" for url, (got, wanted) in pairs.items() if got != wanted]
    assert not differ, "\n".join(differ)
    asked = collections.Counter((hit.host, hit.path) for hit in log)
    assert {place: asked[place] for place in HEALTHY} == dict.fromkeys(HEALTHY, 1)
    assert all(host.endswith(".test") for host, _ in asked), "somebody was asked who was not named"
    in_order(tmp_path / "c")


def arguments(seed, directory, resolve, transport):
    return [
        *command("crawl", seed, "-d", directory, "--scope", "any", "--no-obey-delay", "--progress", "none"),
        *(part for each in resolve for part in ("--resolve", each)),
        "--set",
        f"fetch.transport={transport}",
        *(part for key, value in hostile.LIMITS.items() for part in ("--set", f"{key}={value}")),
    ]


def links(web, tls, expected, secured):
    """What the first page leads to."""
    for url in expected.links:
        yield url.replace(PORT, str(web.port))
    for url in secured:
        yield url.replace(PORT, str(tls.port))
    for host in sorted({host for host, _ in HEALTHY}):
        yield web.url(host, "/")


def time_bound(states):
    """What follows from the timeouts: all that wait to the end, twice each, 16 of a host at once; and some work."""
    total = float(hostile.LIMITS["fetch.total_timeout"])
    by_host = collections.Counter(urlsplit(url).netloc for url, outcome in states.items() if "timeout" in outcome)
    return 2 * total * sum(-(-number // 16) for number in by_host.values()) + 0.03 * len(states) + 10


def in_order(directory):
    verified = run("verify", directory)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    archives = sorted((directory / "warc").glob("*.warc.gz"))
    assert archives
    for archive in archives:  # as `warcio check` does, which however undoes codings and stumbles over brotli
        with open(archive, "rb") as file:
            for record in ArchiveIterator(file, check_digests=True):
                record.raw_stream.read()
                assert record.digest_checker.passed is not False, record.digest_checker.problems
        checked = subprocess.run([sys.executable, "-m", "fastwarc.cli", "check", archive], capture_output=True)
        assert checked.returncode == 0, checked.stdout
