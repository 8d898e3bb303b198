"""Fragments of pages that scripts make: told from the browser's document, unknown without one."""

import json

import pytest

from tests.browser.chromium import needs_chromium
from tests.support.crawls.crawling import options_for
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, moved

HOST = "a.test"
LINKS = "".join(f'<p><a href="{href}">{href}</a>' for href in ("/app#made", "/app#gone", "/old#gone", "/plain#gone"))
SITE = {
    (HOST, "/"): Answer(body=f"<!DOCTYPE html><title>t</title><h1>Links</h1>{LINKS}".encode()),
    (HOST, "/old"): moved("/app"),
    (HOST, "/app"): Answer(
        body=b"<!DOCTYPE html><title>t</title><div id=root></div>"
        b"<script>root.innerHTML = '<h1 id=made>Made by a script, with many words of text</h1>'</script>"
    ),
    (HOST, "/plain"): Answer(body=b"<!DOCTYPE html><title>t</title><p>" + b"Words. " * 30 + b"<script>0</script>"),
}


def problems(tmp_path, *options):
    """Kind, fragment and detail of the problems of links with fragments."""
    with Web(SITE) as web:
        words = ("check", web.url(HOST, "/"), "-d", tmp_path / "c", *options_for(web), "--no-obey-delay")
        done = run(*words, "--format", "json", "--progress", "none", *options)
        start = len(web.url(HOST, ""))
    report = json.loads(done.stdout)["problems"]
    return {(each["kind"], each["url"][start:], each["detail"]) for each in report if "#" in each["url"]}


@pytest.mark.slow
def test_without_a_browser_they_are_unknown(tmp_path):
    detail = "scripts make its page: crawl with [browser] use = auto"
    unknown = {("unchecked-link", f"/{each}", detail) for each in ("app#made", "app#gone", "old#gone")}
    assert problems(tmp_path) == {("fragment", "/plain#gone", ""), *unknown}


@pytest.mark.slow
@needs_chromium
def test_with_a_browser_they_are_known(tmp_path):
    missing = {("fragment", f"/{each}", "") for each in ("app#gone", "old#gone", "plain#gone")}
    assert problems(tmp_path, "--set", "browser.use=yes") == missing
