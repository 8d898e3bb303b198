"""Hostile pages in a browser, beside an honest one: judged by what servers saw."""

import pytest

from tests.browser.chromium import Private, needs_chromium
from tests.crawling import crawl, verified
from tests.site import Answer, Web

MOST = 20


def hostile(private):
    """Name -> script."""
    http = f"http://{private}"
    return {
        "endless": "while (true) {}",
        "allocates": "const all = []; while (true) all.push(new Array(1e6).fill(Math.random()))",
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
        "dialog": "alert(1); confirm(2); onbeforeunload = () => 'x'",
    }


@needs_chromium
@pytest.mark.slow
def test_hostile_pages_reach_no_private_address_and_the_crawl_ends(tmp_path):
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
        keys = {"use": "path:/page/", "max_time": 3, "max_requests": MOST, "resources": "all", "media": "yes"}
        options = [part for name, value in keys.items() for part in ("--set", f"browser.{name}={value}")]
        with Web(site) as web:
            crawled = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", *options, timeout=240)
            hits = web.log()
    assert private.reached == []
    assert crawled.status == 0, crawled.err
    states = {url.rpartition("/")[2]: state for url, state in crawled.states().items() if "/page/" in url}
    assert states["endless"] == ("failed", "browser: stuck")
    assert states["allocates"][0] == "failed" and states["allocates"][1].startswith("browser: ")
    # ten thousand refusals may take longer than a page has
    quiet = set(pages) - {"endless", "allocates", "many"}
    assert {states[name] for name in (*quiet, "honest")} == {("fetched", "http 200")}
    assert any(url.endswith("/end") for url in crawled.states())
    assert sum(hit.path.startswith("/many/") for hit in hits) <= 2 * MOST  # of each attempt
    assert {hit.method for hit in hits} == {"GET"}
    assert not [hit for hit in hits if hit.path in ("/secret", "/file.bin")]
    assert verified(crawled.directory) == ""
