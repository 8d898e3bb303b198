"""What a page shows of itself before its scripts run."""

import pytest

from ttcrawl.browser.shape import STILL, is_shell, shape_of

LONG = b"<p>" + b"word " * 30

STATIC = {
    "no script": b"<h1>A</h1>",
    "data": b"<script type='application/ld+json'>{}</script>",
    "data without quotes": b"<script type=application/json>{}</script>",
    "data after other attributes": b'<script data-type=module TYPE\n="Application/JSON; charset=utf-8">{}</script>',
    "a template": b"<script type='text/template'><p>{{x}}</p></script>",
    "an import map": b'<script type="importmap">{}</script>',
    "a handler that waits for a user": b"<a onclick='x()'>y</a>",
}


@pytest.mark.parametrize("name", STATIC)
def test_without_scripts_that_run_a_page_is_still(name):
    assert shape_of(STATIC[name]) == STILL


@pytest.mark.parametrize(
    "html",
    [
        b"<script>x()</script>",
        b"<SCRIPT SRC=a.js></SCRIPT >",
        b"<script type=module src=a.js></script>",
        b"<script data-type='application/json' src=a.js></script>",
        b"<script async data-x=' type=text/html' type = text/javascript>x()</script>",
        b"<script type='' data-type=importmap>x()</script>",
        b"<body onload='x()'>",
        b"<svg\nonload=x()>",
        b"<iframe srcdoc='&lt;script&gt;'></iframe>",
        "<script>x()</script>".encode("utf-16"),
    ],
)
def test_what_runs_without_a_user_is_a_script(html):
    assert shape_of(html).scripts


SHELLS = {
    "a root and a bundle": b"<div id=root></div><script src=/app.js></script>",
    "loading": b"<div id=app><p>Loading ...</div><noscript>%b</noscript><script src=/app.js></script>" % LONG,
    "nothing": b"<script>run()</script>",
    "a title": b"<title>%b</title><style>%b</style><app-root></app-root><script src=a.js></script>" % (LONG, LONG),
}
NO_SHELLS = {
    "text": LONG + b"<div id=root></div><script src=/app.js></script>",
    "links": b"<a href=/x>x</a><div id=root></div><script src=/app.js></script>",
    "an image": b"<img src=x.png><script src=/app.js></script>",
    "no script": b"<div id=root></div>",
}


@pytest.mark.parametrize("name", SHELLS)
def test_an_empty_shell_is_one_at_once(name):
    assert shape_of(SHELLS[name]).shell and is_shell(SHELLS[name])


@pytest.mark.parametrize("name", NO_SHELLS)
def test_a_page_that_shows_something_is_no_shell(name):
    assert not shape_of(NO_SHELLS[name]).shell and not is_shell(NO_SHELLS[name])


SCRIPT = b"<script src=/js/page-1a2b3c4d5e.js?v=1></script><script>var id = 17; run('a')</script>"
BASE = LONG + b"<span id=price-17></span>" + SCRIPT


@pytest.mark.parametrize(
    ("before", "after", "alike"),
    [
        (b"word", b"other", True),  # text
        (b"price-17", b"price-18", True),  # numbers in names
        (b"1a2b3c4d5e.js?v=1", b"99887766ff.js?v=2", True),  # a bundle of its own
        (b"17; run('a')", b"18; run('b')", True),  # data in a script
        (b"<span id=price-17></span>", b"", False),  # an element to fill
        (b"<span id=price-17></span>", b"<span id=price-17>2</span>", False),
        (b"var id", b"let id", False),
        (b"/js/page", b"/js/list", False),
        (b"<p>", b"<p data-replies=3>", False),
    ],
)
def test_pages_with_the_same_scripts_and_empty_elements_are_of_one_template(before, after, alike):
    assert before in BASE
    assert (shape_of(BASE).signature == shape_of(BASE.replace(before, after)).signature) is alike


def test_markup_that_never_ends_is_read_in_linear_time():
    comments = (b"<!-- <style></style> ", b"<title><!-- -->", b"<!-- <!-- <svg></svg>")
    for piece in (b"<script", b"<script>", b"<div ", b"<a-", b"<!--", b"<p onload", b"data-", *comments):
        assert shape_of(SCRIPT + piece * (1 << 20)).scripts
        assert shape_of(piece * (1 << 20)).signature > 0


@pytest.mark.parametrize(
    ("unseen", "shell"),
    [
        (b"<!-- %b -->", True),
        (b"<STYLE>%b</style >", True),
        (b"<svg><title>%b</svg></title>", True),
        (b"<!-- %b", False),  # it does not end: the text may be shown
        (b"<template>%b</script>", False),
        (b"<title><!-- </title>%b", False),
        (b"<styled>%b</style>", False),
    ],
)
def test_text_that_is_not_shown_does_not_count(unseen, shell):
    assert is_shell(SCRIPT + unseen % LONG) is shell
