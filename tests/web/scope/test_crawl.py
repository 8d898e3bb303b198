"""Crawls with rules: what decides reaches the tables, and depth does not depend on who answers first."""

import pytest

from tests.support.crawls.crawling import crawl
from tests.support.web.site import Answer, Web, at, page
from ttcrawl.cli import main
from ttcrawl.config import read
from ttcrawl.config.compiled import compile_scope

CONFIG = """[scope]
rules =
    exclude path:/private/
    # the papers are wanted
    allow http*://*/private/papers/*
[host:b.test]
rules = exclude *.html
"""


@pytest.mark.slow
def test_rules_of_file_and_command_line(tmp_path):
    hrefs = [
        "/private/x",
        "/private/papers/1",
        "/y",
        "/z.png",
        "/w.pdf",
        "/no",
        "B/v",
        "B/v.html",
    ]
    hrefs = [href.replace("B", at("b.test", "")) for href in hrefs]
    with Web({("a.test", "/"): Answer(body=page(*hrefs))}) as web:
        (tmp_path / "my.ini").write_text(CONFIG)
        (tmp_path / "bad.txt").write_text("# nothing of this\n*/no\n")
        given = ("--exclude", "path:/y", "--allow", f"host:b.test:{web.port}", "--blacklist", tmp_path / "bad.txt")
        seed = web.url("a.test", "/")
        done = crawl(web, seed, tmp_path / "c", "-c", tmp_path / "my.ini", "--no-obey-delay", *given)
        states = {url.split("/", 2)[2].replace(f":{web.port}", ""): found for url, found in done.states().items()}
    reasons = {url: reason for url, (state, reason) in states.items() if state == "refused"}
    assert reasons == {
        "a.test/private/x": "scope: rule",
        "a.test/y": "scope: rule",
        "a.test/z.png": "scope: extension",
        "a.test/no": "scope: blacklist",
        "b.test/v.html": "scope: rule",
    }
    kept = read(tmp_path / "c" / "config.ini")
    again = compile_scope(kept.scope, [seed], kept.hosts)
    assert {url: again.refusal(url) for url in done.states()} == {
        url: reason if state == "refused" else "" for url, (state, reason) in done.states().items()
    }
    rule = again.decide(f"http://a.test:{web.port}/y").rule
    text = (tmp_path / "c" / "config.ini").read_text().split("\n")
    assert rule.line.text == text[rule.line.number - 1].strip() == "exclude path:/y"


@pytest.mark.slow
def test_a_rule_of_depth_cuts_the_same_urls_whoever_answers_first(tmp_path):
    """Behind fast pages /far and /4 are four links away; the slow page makes /far one nearer, and /3, which has /4."""
    answers = {
        ("a.test", "/"): Answer(body=page("/slow", "/1")),
        ("a.test", "/1"): Answer(body=page("/2")),
        ("a.test", "/2"): Answer(body=page("/3")),
        ("a.test", "/3"): Answer(body=page("/4", "/far")),
        ("a.test", "/slow"): Answer(body=page("/3", "/far"), delay=1.0),
        ("a.test", "/far"): Answer(body=page("/beyond")),
        ("a.test", "/beyond"): Answer(body=page("/gone")),
        ("a.test", "/4"): Answer(body=page("/5")),
    }
    with Web(answers) as web:
        options = ("--no-obey-delay", "--exclude", "depth:>3")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *options)
        states = {url.rpartition("/")[2]: found for url, found in done.states().items()}
    assert {name: reason for name, (state, reason) in states.items() if state == "refused"} == {
        "5": "scope: depth",
        "gone": "scope: depth",
    }


@pytest.mark.slow
def test_hops_outside_of_the_seeds_domains(tmp_path):
    """Two links in a row may lead outside; the way back begins anew; the nearest way counts, whoever answers first."""
    away = {name: at(name, "/") for name in ("b.other", "c.other", "d.other", "e.other", "f.other")}
    answers = {
        ("www.a.test", "/"): Answer(body=page(away["b.other"], "/slow")),
        ("www.a.test", "/slow"): Answer(body=page(away["d.other"]), delay=1.0),
        ("b.other", "/"): Answer(body=page(away["c.other"], at("sub.a.test", "/"))),
        ("c.other", "/"): Answer(body=page(away["d.other"])),  # too far on this way
        ("d.other", "/"): Answer(status=302, headers=(("Location", away["e.other"]),)),  # no further than d
        ("e.other", "/"): Answer(body=page("/on")),
        ("e.other", "/on"): Answer(body=page("/further")),
        ("sub.a.test", "/"): Answer(body=page(away["f.other"])),
        ("f.other", "/"): Answer(body=page("/1")),
        ("f.other", "/1"): Answer(body=page("/2")),
    }
    with Web(answers) as web:
        options = ("--no-obey-delay", "--scope", "any", "--exclude", "hops:>2")
        done = crawl(web, web.url("www.a.test", "/"), tmp_path / "c", *options)
        refused = {
            url for url, (state, reason) in done.states().items() if (state, reason) == ("refused", "scope: hops")
        }
        assert refused == {web.url("e.other", "/further"), web.url("f.other", "/2")}
        assert all(state != "refused" for url, (state, _) in done.states().items() if url not in refused)
    assert done.query("SELECT count(*), max(off_domain) FROM url WHERE state != 'refused'") == [(10, 2)]
    assert done.query("SELECT DISTINCT text FROM url JOIN rule ON rule.id = rule") == [("exclude hops:>2 (--exclude)",)]


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        (["crawl", "http://a.test/x.pdf", "--exclude", "*.pdf"], 2, "scope: rule, by exclude *.pdf (--exclude)"),
        (["crawl", "http://a.test/", "--exclude", "regex:("], 2, "--exclude: exclude regex:(: missing )"),
        (["crawl", "http://a.test/", "--blacklist", "none.txt"], 2, "none.txt: No such file"),
        (["crawl", "http://a.test/", "--blacklist", "bad.txt"], 2, "bad.txt, line 3: a.test: a wildcard"),
        (["crawl", "http://a.test/", "-c", "bad.ini"], 2, "bad.ini, line 4: allow depth:>3: write"),
        (["scope", "a.test"], 0, "https://a.test/: in scope\n"),
        (["scope", "a"], 2, "the seed 'a' is not an http or https URL"),
        (["try", "scope", "http://a.test/x", "--seed", "http://a.test/"], 0, "http://a.test/x: in scope\n"),
        (["try", "scope", "http://b.test/", "--seed", "http://a.test/"], 1, "http://b.test/: scope: host\n"),
        (["try", "scope", "http://a.test/", "--exclude", "*", "--allow", "*"], 0, "by allow * (--allow)\n"),
        (["try", "scope", "http://a.test/", "--allow", "*", "--exclude", "*"], 1, "by exclude * (--exclude)\n"),
        (
            ["try", "scope", "http://a.test/", "--exclude", "depth:>2", "--depth", "3"],
            1,
            "scope: depth, by exclude depth:>2",
        ),
        (
            ["try", "scope", "http://a.test/", "--exclude", "hops:>2", "--hops", "3"],
            1,
            "scope: hops, by exclude hops:>2",
        ),
        (["try", "scope", "http://a.test/x", "--blacklist", "good.txt"], 1, "by */x (good.txt, line 2)\n"),
        (["try", "scope", "http://a.test/x", "--blacklist", "dos.txt"], 1, "by */x (dos.txt, line 1)\n"),
        (["try", "scope", "http://a.test/", "--exclude", "*/x", "http://a.test/x"], 1, "by exclude */x (--exclude)\n"),
    ],
)
def test_the_command_line(tmp_path, monkeypatch, capsys, options, status, said):
    (tmp_path / "dos.txt").write_bytes(b"\xef\xbb\xbf*/x\r\n\r\n")
    (tmp_path / "good.txt").write_text("# what is bad\n*/x\n")
    (tmp_path / "bad.txt").write_text("*/x\n\na.test\n")
    (tmp_path / "bad.ini").write_text("[scope]\nrules =\n    exclude path:/x\n  allow depth:>3\n")
    before = sorted(tmp_path.iterdir())
    monkeypatch.chdir(tmp_path)
    assert main([*options, "--inline"] if options[0] == "crawl" else options) == status
    assert said in "".join(capsys.readouterr()) and sorted(tmp_path.iterdir()) == before
