"""What wget and HTTrack keep of a site, and what the commands do that docs/from-others.md has in their place."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.support.crawls.crawling import query
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, at, moved, page, robots

MANUAL = (Path(__file__).parent.parent / "docs" / "from-others.md").read_text()
HOST, SITE = "127.0.0.1", "https://example.org/"

SHOWN = '<link rel=stylesheet href=/style.css><script src=/s.js></script><img src=/i.png srcset="/i2.png 2x">'


def of_type(kind, body=b"x"):
    return Answer(headers=(("Content-Type", kind),), body=body)


LINKS = ("/docs/", "/a?id=1", "/a?id=2", "/private/x.html", "/old", "/missing", "/file.pdf", "/1", at("b.test", "/"))
PAGES = {
    "/robots.txt": robots("User-agent: *", "Disallow: /private/"),
    "/": Answer(body=page(*LINKS, content=SHOWN)),
    "/docs/": Answer(body=page("../", "sub/p.html", "q%20r.html")),
    **{
        path: Answer(body=page("/"))
        for path in ("/docs/sub/p.html", "/docs/q%20r.html", "/a?id=1", "/a?id=2", "/after")
    },
    "/private/x.html": Answer(body=page()),
    "/old": moved("/new"),
    "/new": Answer(body=page("/after")),
    "/file.pdf": of_type("application/pdf", b"%PDF-1.4"),
    **{f"/{number}": Answer(body=page(f"/{number + 1}")) for number in range(1, 8)},
    "/8": Answer(body=page()),
    "/style.css": of_type("text/css", b"@import '/more.css'; body {background: url(/back.png)}"),
    "/more.css": of_type("text/css"),
    "/s.js": of_type("text/javascript"),
    **{f"/{name}.png": of_type("image/png") for name in ("i", "i2", "back")},
}
KEPT = {path for path, answer in PAGES.items() if answer.status == 200} - {"/private/x.html", "/robots.txt"}


def instead_of(typed):
    """What the manual has in place of a command."""
    return re.search(rf"^\| `{re.escape(typed)}` \| `ttcrawl (.*)` \|$", MANUAL, re.MULTILINE)[1]


def files_in(directory):
    """The paths of URLs whose files are there; a redirect has the name of its first URL."""
    paths = (
        "/" + quote(str(each.relative_to(directory)), safe="/?=") for each in directory.rglob("*") if each.is_file()
    )
    names = {re.sub(r"/index\.html$", "/", path) for path in paths}
    return {{"/old": "/new"}.get(name, name) for name in names} - {"/robots.txt"}


def requested(web):
    return {hit.path for hit in web.log() if hit.path in KEPT}


@pytest.mark.slow
@pytest.mark.parametrize(
    "typed",
    [
        "wget -r -l inf https://example.org/",
        "wget -m -p -w 2 https://example.org/",
        "httrack https://example.org/ -O site",
    ],
)
def test_ours_keeps_what_theirs_kept(tmp_path, typed):
    program, *words = shlex.split(typed.replace(" -w 2", ""))
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed")
    with Web({(HOST, path): answer for path, answer in PAGES.items()}, address=HOST) as web:
        seed = web.url(HOST, "/")
        theirs = [program, *(each.replace(SITE, seed) for each in words), *(["-q"] if program == "httrack" else [])]
        subprocess.run(theirs, cwd=tmp_path, capture_output=True, timeout=120)
        of_theirs = files_in(tmp_path / f"{HOST}:{web.port}") if program == "wget" else requested(web)
        ours = shlex.split(instead_of(typed).replace(SITE, seed).replace("politeness.delay=2", "politeness.delay=0"))
        more = ("-d", "c", "--set", "politeness.delay=0", "--set", "politeness.address_delay=0", "--progress", "none")
        done = run(*(each for each in ours if each not in ("-d", "site")), *more, cwd=tmp_path, timeout=120)
    assert done.returncode == 0, done.stderr
    fetched = query(tmp_path / "c", "SELECT url.url FROM page JOIN url ON url.id = page.url WHERE page.status = 200")
    assert {url.removeprefix(seed[:-1]) for (url,) in fetched} == KEPT
    assert of_theirs == KEPT - ({"/i2.png"} if program == "httrack" else set())  # it does not know srcset
