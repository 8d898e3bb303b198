"""The page for people: valid and harmless, whole without a browser, with pictures of what is archived in one."""

import base64
import configparser
import io
import re
import shutil
import subprocess
from itertools import pairwise

import html5lib
import pytest

from tests.browser.chromium import needs_chromium
from tests.support.crawls.crawling import command, options_for
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web
from ttcrawl.inspect.check.overview.style import POLICY

HOST = "a.test"
EVIL = "</title><script>alert(1)</script><img src=x onerror=y>\x1b[2J"
STYLE = "<link rel=stylesheet href=/style.css>"
SITE = {
    (HOST, "/"): Answer(
        body=f"<!DOCTYPE html><title>{EVIL.replace('<', '&lt;')}</title><h1>x</h1>{STYLE}<a href=/gone>&lt;b>gone</a>"
        "<a href=/fine>fine</a><img src=/there.png alt=x><img src=/gone.png alt=x>"
        "<meta http-equiv=refresh content=0;url=/fine>".encode()
    ),
    (HOST, "/there.png"): Answer(body=b"PNG", headers=(("Content-Type", "image/png"),)),
    (HOST, "/style.css"): Answer(body=b"html { background: #00f }", headers=(("Content-Type", "text/css"),)),
    (HOST, "/fine"): Answer(body=b"<!DOCTYPE html><title>Fine and long enough</title><h1>Fine</h1><a href=/>start</a>"),
}


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """A crawl directory, and the URL of the site."""
    directory = tmp_path_factory.mktemp("check") / "c"
    with Web(SITE) as web:
        words = ("check", web.url(HOST, "/"), "-d", directory, *options_for(web), "--no-obey-delay")
        assert run(*words, "--progress", "none").returncode == 1
        return directory, web.url(HOST, "/")


def page(directory, *options):
    done = run("check", directory, "--offline", "--format", "html", *options)
    assert done.returncode == 1 and done.stderr == ""
    html5lib.HTMLParser(strict=True).parse(done.stdout)
    return done.stdout, html5lib.parse(done.stdout, namespaceHTMLElements=False)


def without_browser(directory, tmp_path):
    """A copy of a crawl whose configuration names a browser that is not there."""
    copy = shutil.copytree(directory, tmp_path / "c")
    config = configparser.RawConfigParser(strict=False)  # a section may stand twice
    config.read(copy / "config.ini")
    config["browser"]["program"] = "/nowhere"
    with (copy / "config.ini").open("w") as file:
        config.write(file)
    return copy


def texts(tree, element):
    return ["".join(each.itertext()).strip() for each in tree.iter(element)]


@pytest.mark.slow
def test_without_a_browser_it_is_whole(checked, tmp_path):
    directory, url = checked
    text, tree = page(without_browser(directory, tmp_path))
    assert not list(tree.iter("script")) and "\x1b" not in text
    assert texts(tree, "h1") == [f"The health of {url}"]
    assert texts(tree, "h2")[:4] == ["Scores", "What to do first", "The worst pages", "All problems, by area"]
    (policy,) = (each.get("content") for each in tree.iter("meta") if each.get("http-equiv"))
    assert policy == POLICY and "default-src 'none'" in policy
    anchors = {each.get("href")[1:] for each in tree.iter("a") if each.get("href").startswith("#")}
    assert anchors <= {each.get("id") for each in tree.iter()}
    levels = [int(each.tag[1]) for each in tree.iter() if re.fullmatch("h[1-6]", str(each.tag))]
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert "[browser] program = /nowhere is not a program" in text and not list(tree.iter("img"))
    assert f"{url}gone" in text and "of 2 pages have no error and no warning" in text


@pytest.mark.slow
@needs_chromium
def test_a_picture_shows_the_archived_page_and_says_what_is_missing(checked):
    image = pytest.importorskip("PIL.Image")
    _, tree = page(checked[0])
    picture = next(tree.iter("img"))  # of the worst page
    kind, _, data = picture.get("src").partition(",")
    shown = image.open(io.BytesIO(base64.b64decode(data)))
    assert kind == "data:image/jpeg;base64" and shown.size == (640, 400)
    red, green, blue = shown.getpixel((600, 380))
    assert blue > 240 and red < 16 and green < 16
    assert EVIL[:8] in picture.get("alt")
    assert texts(tree, "figcaption")[:1] == ["Without 1 file not in the archive."]


@pytest.mark.slow
def test_a_folder_has_the_urls_of_its_site_and_no_problems_of_a_server(tmp_path):
    folder = tmp_path / "html"
    folder.mkdir()
    (folder / "index.html").write_text("<title>t</title><a href=other.html>other</a><a href=gone.html>gone</a>")
    for name in ("other.html", "unlinked.html"):  # the second one becomes a seed of the crawl
        (folder / name).write_text("<title>t</title>")
    words = ("--as", "https://site.example/docs/", "-d", tmp_path / "c", "--offline", "--progress", "none")
    only = ("--only", "broken-link", "--only", "missing-csp")
    line = command("check", folder, *words, *only, "--format", "html")
    done = subprocess.run(line, capture_output=True, text=True, check=False)  # it serves the folder by a process
    assert done.returncode == 1, done.stderr
    tree = html5lib.parse(done.stdout, namespaceHTMLElements=False)
    assert texts(tree, "h1") == ["The health of https://site.example/docs/"]
    assert "2 of 3 pages have no error and no warning" in done.stdout and "http://site.example" not in done.stdout
    assert [title for title in texts(tree, "h4") if title.startswith("Hosts")] == []
