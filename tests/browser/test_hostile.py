"""Hostile pages in a browser, beside an honest one: judged by what servers saw."""

import re
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.browser.chromium import Private, needs_chromium
from tests.support.crawls.crawling import Crawled, options_for, verified
from tests.support.faults.killing import descendants, start
from tests.support.web.site import Answer, Web

MOST = 20

WAYS = "SELECT url.url, way, browser_use.reason FROM browser_use JOIN url ON url.id = browser_use.url"

#: Bytes that a page may take, and how many pages there are at once.
MEMORY, PAGES = 1 << 30, 2

#: What a page may take besides until it is noticed: a processor fills at most 2 GB in a second, and the crawl looks
#: four times in a second.
MARGIN = 512 << 20

#: What all processes share, such as the program itself, is no memory of a page; it counts once.
PROGRAM = 400 << 20

ALLOCATE = "const all = []; while (true) all.push(new Array(1e6).fill(Math.random()))"


def hostile(private):
    """Name -> script."""
    http = f"http://{private}"
    return {
        "endless": "while (true) {}",
        "allocates": ALLOCATE,
        "allocates-later": f"setTimeout(() => {{ {ALLOCATE} }}, 100)",
        "buffers": "const all = []; setInterval(() => all.push(new Uint8Array(1 << 26).fill(1)), 20)",
        "canvases": "const all = []; setInterval(() => { const c = document.createElement('canvas');"
        " c.width = c.height = 4096; c.getContext('2d').fillRect(0, 0, 4096, 4096); all.push(c) }, 20)",
        "blobs": "const all = []; setInterval(() => all.push(new Blob([new Uint8Array(1 << 26).fill(1)])), 20)",
        "addresses": "let n = 0; setInterval(() => { for (let k = 0; k < 50; k++) history.pushState({}, '', '/s' + n++)"
        " }, 50)",
        "windows": f"for (let n = 0; n < 50; n++) open('{http}/window' + n)",
        "many": "for (let n = 0; n < 10000; n++) fetch('/many/' + n).catch(() => 0)",
        "metadata": "fetch('http://169.254.169.254/latest/').catch(() => 0)",
        "private": f"fetch('{http}/', {{mode: 'no-cors'}}).catch(() => 0); new Image().src = '{http}/image';"
        f"document.write('<script src={http}/script><\\/script><link rel=preconnect href={http}>')",
        "redirect": "fetch('/to-private', {mode: 'no-cors'}).catch(() => 0)",
        "socket": f"new WebSocket('ws://{private}/'); new EventSource('{http}/events')",
        "worker": f"new Worker(URL.createObjectURL(new Blob([\"fetch('{http}/').catch(() => 0);"
        f" new WebSocket('ws://{private}/')\"]))); new SharedWorker('/shared.js'); "
        f"navigator.serviceWorker && navigator.serviceWorker.register('/shared.js').catch(() => 0)",
        "rtc": f"const c = new RTCPeerConnection({{iceServers: [{{urls: 'stun:{private}'}},"
        f" {{urls: 'turn:{private}?transport=tcp', username: 'u', credential: 'c'}}]}}); c.createDataChannel('x');"
        "c.createOffer().then(o => c.setLocalDescription(o))",
        "transport": f"try {{ new WebTransport('https://{private}/') }} catch (e) {{}}",
        "download": "const a = document.createElement('a'); a.href = '/file.bin'; a.download = 'x'; a.click()",
        "beacon": f"navigator.sendBeacon('{http}/beacon', 'x');"
        "fetch('/post', {method: 'POST', body: 'x'}).catch(() => 0)",
        "frame": f"document.write('<iframe src={http}/frame></iframe><iframe src=/secret></iframe>')",
        "clicked": "document.body.innerHTML = '<button>a</button><button>b</button><button>c</button>"
        "<form method=post action=/post><button>d</button></form>';"
        f"const [a, b, c] = document.querySelectorAll('button'); a.onclick = () => {{ open('{http}/opened');"
        f" location = '{http}/location' }}; b.onpointerdown = () => {{ fetch('{http}/fetch').catch(() => 0);"
        " fetch('/post', {method: 'POST', body: 'x'}).catch(() => 0); document.forms[0].submit() };"
        f"c.onmouseover = () => {{ new WebSocket('ws://{private}/'); document.forms[0].requestSubmit() }}",
        "listeners": "for (let n = 0; n < 20000; n++) { const p = document.createElement('p'); p.onclick = () => 0;"
        " p.onmouseover = () => 0; document.body.append(p) }",
        "grows-when-clicked": "const more = () => { for (let n = 0; n < 1000; n++) { const p ="
        " document.createElement('button'); p.textContent = 'n' + Math.random(); p.onclick = more;"
        " document.body.append(p) } }; more()",
        "grows-upwards": "document.body.style.height = '5000px'; scrollTo(0, 4000); onscroll = () => {"
        " document.body.prepend(Object.assign(document.createElement('p'), {style: 'height: 5000px'}));"
        " scrollTo(0, 9000) }",
        "lies": "Document.prototype.querySelectorAll = Object.keys = () => new Proxy([], {get: () => 1e6});"
        "document.body.innerHTML = '<button>a</button>'",
        "dialog": "alert(1); confirm(2); onbeforeunload = () => 'x'",
    }


def memory(leader):
    """Proportional set size of all processes of Chromium below a process, bytes."""
    total = 0
    for pid, _ in descendants(leader):
        try:
            if "chrom" in Path(f"/proc/{pid}/comm").read_text():
                rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
                total += 1024 * int(re.search(r"^Pss:\s+(\d+) kB", rollup, re.MULTILINE)[1])
        except (OSError, TypeError):
            continue  # it has just ended
    return total


def watched(process, peaks):
    while process.poll() is None:
        peaks.append(memory(process.pid))
        time.sleep(0.1)


@needs_chromium
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the memory of processes is read from /proc")
@pytest.mark.slow
def test_hostile_pages_reach_no_private_address_and_the_crawl_ends_within_its_memory(tmp_path):
    with Private("127.0.0.77") as private:
        pages = hostile(private.authority)
        shared = f"fetch('http://{private.authority}/shared'); new WebSocket('ws://{private.authority}/')"
        link = b"<body><script>document.write('<a href=/' + 'end>x</a>')</script>"
        site = {
            ("a.test", "/"): Answer(
                body="".join(f"<a href=/page/{name}>x</a>" for name in (*pages, "honest")).encode()
            ),
            **{
                ("a.test", f"/page/{name}"): Answer(body=f"<script>{text}</script>".encode())
                for name, text in pages.items()
            },
            ("a.test", "/robots.txt"): Answer(body=b"User-agent: *\nDisallow: /secret\nDisallow: /file.bin\n"),
            ("a.test", "/page/honest"): Answer(body=link),
            ("a.test", "/end"): Answer(body=b"<p>end"),
            ("a.test", "/to-private"): Answer(status=302, headers=(("Location", f"http://{private.authority}/"),)),
            ("a.test", "/shared.js"): Answer(body=shared.encode(), headers=(("Content-Type", "text/javascript"),)),
            ("a.test", "/file.bin"): Answer(body=b"\0" * 1000, headers=(("Content-Disposition", "attachment"),)),
        }
        keys = {"use": "path:/page/", "max_time": 10, "max_requests": MOST, "resources": "all", "media": "yes"}
        keys |= {"pages": PAGES, "max_memory": MEMORY, "clicks": 3}
        options = [part for name, value in keys.items() for part in ("--set", f"browser.{name}={value}")]
        with Web(site) as web:
            options += [*options_for(web), "--no-obey-delay", "--set", "crawl.fetchers=1"]
            process, peaks = start(tmp_path, "crawl", web.url("a.test", "/"), "-d", tmp_path / "c", *options), [0]
            thread = threading.Thread(target=watched, args=(process, peaks))
            thread.start()
            _, err = process.communicate(timeout=400)
            thread.join()
            hits = web.log()
    assert private.reached == []
    assert process.returncode == 0 and "Traceback" not in err, err
    crawled = Crawled(status=0, out="", err=err, directory=tmp_path / "c")
    states = {url.rpartition("/")[2]: state for url, state in crawled.states().items() if "/page/" in url}
    assert {states[name] for name in (*pages, "honest")} == {("fetched", "http 200")}  # their answers are there
    ways = {url.rpartition("/")[2]: way for url, *way in crawled.query(WAYS)}
    assert ways["endless"] == ["static", "browser failed: stuck"]
    assert ways["allocates"] == ways["allocates-later"] == ["static", "browser failed: died"]
    assert ways["buffers"] == ["static", "browser failed: memory"]
    # ten thousand refusals may take longer than a page has, and how much memory these two take depends on the version
    quiet = set(pages) - {"endless", "allocates", "allocates-later", "buffers", "many", "canvases", "blobs"}
    assert {ways[name][0] for name in (*quiet, "honest")} == {"browser"}
    assert any(url.endswith("/end") for url in crawled.states())
    assert sum(hit.path.startswith("/many/") for hit in hits) <= 2 * MOST  # of each attempt
    assert {hit.method for hit in hits} == {"GET"}
    assert not [hit for hit in hits if hit.path in ("/secret", "/file.bin")]
    assert MEMORY // 2 < max(peaks) <= PAGES * (MEMORY + MARGIN) + PROGRAM
    assert verified(crawled.directory) == ""
