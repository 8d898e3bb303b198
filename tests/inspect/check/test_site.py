"""A generated site with known problems: they are reported exactly, and external URLs are requested once."""

from __future__ import annotations

import csv
import json
import re
import shutil
import signal
import subprocess
import time
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.inspect.check.sick_site import CLOSED, OTHER, PAGES, PRIVATE, SITE, expected, fine, link
from tests.support.crawls.crawling import command, crawl, options_for, query, verified
from tests.support.crawls.preforked import run
from tests.support.web.site import PORT, Answer, Hit, Web, at, robots
from tests.support.xml_schema import xml_schema
from ttcrawl.cli.check_report import FILES
from ttcrawl.inspect.check.catalogue.kind import LEVELS
from ttcrawl.inspect.check.kinds import DEFAULT, NAMES
from ttcrawl.inspect.check.results.baseline import status_of

FAST = ("--set", "fetch.retries=0", "--set", "politeness.backoff=0.1", "--progress", "none")
#: The kinds of which the site has problems.
SICK = {each.kind for each in expected()}
SOON = ("--no-obey-delay", *FAST)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    report: dict[str, Any]
    log: list[Hit]
    port: int
    directory: Path

    @property
    def origin(self) -> str:
        return f"http://{SITE}:{self.port}"


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Checked:
    """The check of the site, from its seed."""
    directory = tmp_path_factory.mktemp("check") / "c"
    with Web(PAGES) as web:
        done = run("check", web.url(SITE, "/"), "-d", directory, *options_for(web), *SOON, "--format", "json")
        log, port = web.log(), web.port
    assert done.returncode == 1, done.stderr
    return Checked(report=json.loads(done.stdout), log=log, port=port, directory=directory)


@pytest.fixture
def copy(first: Checked, tmp_path: Path) -> Path:
    return shutil.copytree(first.directory, tmp_path / "c")


def cells(problem: Any) -> tuple[str, ...]:
    return (problem.kind, problem.url, problem.source, problem.text, problem.detail)


@pytest.mark.slow
def test_exactly_these_problems(first: Checked) -> None:
    reported = Counter(
        (
            *(each["kind"], each["url"].removeprefix(first.origin), each["source"].removeprefix(first.origin)),
            *(each["text"], each["detail"]),
        )
        for each in first.report["problems"]
    )
    truth = Counter(tuple(part.replace(PORT, str(first.port)) for part in cells(each)) for each in expected())
    assert reported - truth == Counter() and truth - reported == Counter()
    assert first.report["counts"] == Counter(each.kind for each in expected())
    assert first.report["pages"] == 16 and first.report["queued"] == 0 and first.report["unread"] == 0


def test_nothing_is_said_of_what_is_not_known(first: Checked) -> None:
    reasons = {"robots.txt": 1, "external: robots.txt": 1, "external: blocked address": 2}
    assert first.report["unchecked"] == reasons


def test_times(first: Checked) -> None:
    (host,) = first.report["hosts"]
    assert host["host"] == f"{SITE}:{first.port}" and 0 < host["p50"] <= host["p95"]
    assert host["requests"] == len(
        [each for each in query(first.directory, "SELECT status FROM visit WHERE kind = 'page'") if each[0]]
    )
    seconds = [each["seconds"] for each in first.report["slowest"]]
    assert len(seconds) == 10 and seconds == sorted(seconds, reverse=True)


def test_each_external_url_is_requested_once_by_head_and_by_get_where_head_is_refused(first: Checked) -> None:
    methods: dict[str, str] = {}
    for hit in first.log:
        if hit.host == OTHER or hit.path.endswith(".png"):
            methods[hit.path] = methods.get(hit.path, "") + hit.method[0]
    heads = ("/page", "/moved", "/moved-to-missing", "/round", "/round-2")
    images = ("/pixel.png", "/bare.png", "/button.png")
    both = ("/style.css", "/no-head", "/missing", "/missing.png", "/members")
    assert methods == {"/robots.txt": "G", **dict.fromkeys(heads + images, "H"), **dict.fromkeys(both, "HG")}


def test_a_page_permits_no_private_address(first: Checked) -> None:
    assert PRIVATE not in {hit.host for hit in first.log}


def test_both_crawls_are_consistent(first: Checked) -> None:
    assert verified(first.directory) == "" and verified(first.directory / "external") == ""


def test_a_second_check_needs_no_request(first: Checked, copy: Path) -> None:
    done = run("check", copy, "--format", "json")
    again = json.loads(done.stdout)
    assert done.returncode == 1 and done.stderr == ""
    last = again["last_check"]
    assert (last["new"], last["mended"]) == ([], []) and last["time"] == pytest.approx(time.time(), abs=3600)
    same = {"directory": "", "last_check": None}
    assert again | same == first.report | same


def test_offline_nothing_is_requested(copy: Path) -> None:
    shutil.rmtree(copy / "external")
    done = run("check", copy, "--offline", "--format", "json")
    report = json.loads(done.stdout)
    assert not (copy / "external").exists()
    assert report["external"] == 0 and "external-link" not in report["counts"]
    assert report["counts"]["broken-link"] == 6  # without the image
    lines = run("check", copy, "--offline").stdout.splitlines()
    number = report["unchecked"]["scope: host"]
    assert f"{number:>9,}  not checked: scope: host (Its host is not a host of a seed.)" in lines


def test_without_external_urls_the_files_of_the_site_are_requested(tmp_path: Path) -> None:
    """Pictures, scripts and style sheets, and nothing of another host."""
    head = f'<link rel=stylesheet href="/gone.css"><link rel=stylesheet href="{at(OTHER, "/x.css")}">'
    front = fine("front", '<img src="/gone.png" alt="x"><script src="/gone.js"></script>' + link(at(OTHER, "/")), head)
    with Web({(SITE, "/"): front}) as web:
        words = ("check", web.url(SITE, "/"), "-d", tmp_path / "c", *options_for(web), *SOON)
        done = run(*words, "--no-external", "--format", "json")
        assert {hit.host for hit in web.log()} == {SITE}
        missing = {web.url(SITE, f"/gone.{name}") for name in ("png", "js", "css")}
    report = json.loads(done.stdout)
    assert {each["url"] for each in report["problems"]} == missing and done.returncode == 1
    assert report["unchecked"] == {"scope: host": 1, "kind": 1}


@pytest.mark.slow
def test_new_urls_go_into_a_directory_of_their_own(copy: Path) -> None:
    """Those of an external crawl that was stopped too."""
    db = copy / "external" / "crawl.db"
    forget(db, "UPDATE url SET state = 'queued', processed = NULL, reason = '' WHERE url LIKE '%nowhere.test%'")
    done = run("check", copy, "--only", "external-link", "--format", "csv", *SOON)
    assert "requesting external URLs, images and files: 1\n" in done.stderr
    assert query(copy / "external-2", "SELECT reason FROM url") == [("dns",)]
    assert len(done.stdout.splitlines()) == 1 + sum(each.kind == "external-link" for each in expected())


@pytest.mark.slow
def test_answers_of_other_sites_are_kept_for_a_day(copy: Path) -> None:
    """Then all are requested again, into a directory that takes the place of the older ones."""
    options = ("--only", "external-link", "--format", "json", *SOON)
    forget(copy / "external" / "crawl.db", "UPDATE url SET processed = processed - 86000")
    assert "requesting" not in run("check", copy, *options).stderr
    forget(copy / "external" / "crawl.db", "UPDATE url SET processed = processed - 800")
    done = run("check", copy, *options)
    assert "requesting external URLs, images and files: 17\n" in done.stderr
    assert not (copy / "external").exists() and (copy / "external-2" / "crawl.db").exists()
    assert {each["detail"] for each in json.loads(done.stdout)["problems"]} == {"dns", "connection refused"}
    again = run("check", copy, *options, "--external-age", "0")
    assert "requesting" in again.stderr and (copy / "external-3" / "crawl.db").exists()


def forget(path: Path, statement: str) -> None:
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(path)) as db, db:
        db.execute(statement)


# -- what is reported, and how ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "kinds"),
    [
        (("--only", "orphan"), {"orphan"}),
        (("--only", "orphan", "--only", "canonical"), {"orphan", "canonical"}),
        (("--skip", "fragment", "--skip", "missing-alt"), SICK - {"fragment", "missing-alt"}),
        (("--only", "orphan", "--only", "redirect", "--skip", "redirect"), {"orphan"}),
    ],
    ids=["one", "two", "others", "both"],
)
def test_kinds(first: Checked, options: tuple[str, ...], kinds: set[str]) -> None:
    done = run("check", first.directory, "--format", "json", *options)
    assert set(json.loads(done.stdout)["counts"]) == kinds


def test_baseline(first: Checked, tmp_path: Path) -> None:
    file = tmp_path / "known"
    written = run("check", first.directory, "--write-baseline", file)
    assert written.returncode == 0 and "0 problems" in written.stdout
    lines = file.read_text().splitlines()
    statuses = [status_of(each) for each in moved_to(first)]
    assert {"404", "410", "403", "unavailable", ""} == set(statuses)
    written = zip(moved_to(first), statuses, strict=True)
    assert lines[1:] == sorted({"\t".join((*each.identity, *filter(None, [status]))) for each, status in written})
    done = run("check", first.directory, "--baseline", file, "--format", "json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["problems"], report["in_baseline"]) == (0, [], len(expected()))
    gone = f"broken-link\t{first.origin}/gone\t{first.origin}/fragments\t410"
    file.write_text("\n".join(line for line in lines if line != gone))
    done = run("check", first.directory, "--baseline", file)
    assert done.returncode == 1 and ": 1 error in " in done.stdout and "broken anyway" in done.stdout


def moved_to(first: Checked) -> Iterator[Any]:
    """The expected problems at the port of the server."""
    from ttcrawl.inspect.check.kinds import Problem

    for each in expected():
        kind, *others = (part.replace(PORT, str(first.port)) for part in cells(each))
        url, source, text, detail = (f"{first.origin}{part}" if part[:1] == "/" else part for part in others)
        yield Problem(kind=kind, url=url, source=source, text=text, detail=detail)


def test_csv(first: Checked) -> None:
    done = run("check", first.directory, "--format", "csv")
    rows = list(csv.DictReader(done.stdout.splitlines()))
    problems = [
        (*(str(value or "") for value in each.values()), first.report["levels"][each["kind"]])
        for each in first.report["problems"]
    ]
    assert [tuple(row.values()) for row in rows] == problems


JUNIT = Path(__file__).with_name("junit.xsd")


def test_junit(first: Checked) -> None:
    done = run("check", first.directory, "--format", "junit", "--skip", "orphan", "--fail-on", "warning")
    xml_schema(JUNIT).validate(done.stdout)
    root = ET.fromstring(done.stdout)
    urls = {kind: {each["url"] for each in first.report["problems"] if each["kind"] == kind} for kind in NAMES}
    suites = {suite.get("name"): suite for suite in root}
    assert set(suites) == DEFAULT - {"orphan"}
    assert {name for name in suites if urls[name]} == SICK - {"orphan"}
    for name, suite in suites.items():
        if not urls[name]:
            assert [len(case) for case in suite] == [0]
            continue
        assert {case.get("name") for case in suite} == urls[name]
        fails = first.report["levels"][name] != "notice"
        assert int(suite.get("failures")) == len(suite.findall("testcase/failure")) == int(suite.get("tests")) * fails
        assert len(suite.findall("testcase/system-out")) == int(suite.get("tests")) * (not fails)
    passed = run("check", first.directory, "--format", "junit", "--baseline", known(first))
    xml_schema(JUNIT).validate(passed.stdout)
    assert (
        passed.returncode == 0 and "<failure" not in passed.stdout and passed.stdout.count("<testcase") == len(DEFAULT)
    )


def test_several_reports_of_one_run(first: Checked, tmp_path: Path) -> None:
    files = {form: tmp_path / form for form in FILES}
    words = [word for form, path in files.items() for word in (f"--{form}", path)]
    done = run("check", first.directory, *words)
    assert done.returncode == 1 and f"{first.origin}/gone  http 410" in done.stdout
    for form, path in files.items():
        again = run("check", first.directory, "--format", form).stdout
        assert without_times(path.read_text()) == without_times(again), form


def without_times(report: str) -> str:
    """Of the check before."""
    return re.sub(r'"time": [0-9.]+|since the check of [0-9-]{10} [0-9:]{5} UTC', "", report)


def known(first: Checked) -> Path:
    file = first.directory.parent / "known"
    if not file.exists():
        run("check", first.directory, "--write-baseline", file)
    return file


def test_text_begins_with_the_counts_and_names_pages(first: Checked) -> None:
    lines = run("check", first.directory).stdout.splitlines()
    levels = Counter(first.report["levels"][each.kind] for each in expected())
    assert lines[0] == f"{first.directory}: {', '.join(f'{levels[n]} {n}s' for n in LEVELS)} in 16 pages"
    assert lines[1].split()[:3] == ["7", "error", "broken-link:"]
    at = lines.index(f"  {first.origin}/gone  http 410")
    assert lines[at + 1] == f'      {first.origin}/  line 2:10  "a broken link", "another text"'
    assert lines.count(f'      same as {first.origin}/twin-1  "Twins"') == 1
    everything = run("check", first.directory, "--all").stdout.splitlines()
    assert not any(line.strip().startswith("and ") for line in everything), "a list is cut"


@pytest.mark.parametrize(
    ("options", "status"),
    [
        ((), 1),
        (("--fail-on", "never"), 0),
        (("--only", "orphan"), 0),
        (("--only", "orphan", "--fail-on", "warning"), 1),
        (("--only", "orphan", "--level", "orphan=error"), 1),
        (("--only", "orphan", "--level", "orphan=notice", "--fail-on", "warning"), 0),
        (("--only", "redirect", "--fail-on", "notice"), 1),
        (("--only", "external-unsure", "--only", "unchecked-link"), 0),
    ],
)
def test_a_level_decides_whether_a_problem_fails(first: Checked, options: tuple[str, ...], status: int) -> None:
    done = run("check", first.directory, *options)
    assert done.returncode == status and "0 problems" not in done.stdout


@pytest.mark.parametrize(
    ("options", "gone"),
    [
        (("--accept", "410"), {"broken-link": 4}),
        (("--accept", "403,404"), {"broken-link": 2, "external-link": 2, "external-unsure": 1}),
        (("--ignore", "*/gone"), {"broken-link": 3, "canonical": 1}),
        (("--ignore-fragment", "#?bsent"), {"fragment": 2}),
        (("--ignore-fragment", "section"), {}),
    ],
)
def test_what_is_no_problem_here(first: Checked, options: tuple[str, ...], gone: dict[str, int]) -> None:
    report = json.loads(run("check", first.directory, "--format", "json", *options).stdout)
    assert Counter(first.report["counts"]) - Counter(report["counts"]) == gone


# -- other sites ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_healthy_site(tmp_path: Path) -> None:
    with Web({(SITE, "/"): fine("front", link("/x")), (SITE, "/x"): fine("x", link("/"))}) as web:
        options = (web.url(SITE, "/"), "-d", tmp_path / "c", *options_for(web), *SOON)
        done = run("check", *options)
        limited = run("check", *options[:1], "-d", tmp_path / "d", *options[3:], "--max-pages", "1")
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, f"{tmp_path / 'c'}: 0 problems in 2 pages")
    assert not (tmp_path / "c" / "external").exists(), "there is nothing to request"
    assert limited.returncode == 3 and "1  still queued: ttcrawl resume" in limited.stdout


@pytest.mark.slow
def test_hostile_texts_are_escaped(tmp_path: Path) -> None:
    evil = "=cmd|'x'!A1 \x1b[2J\u202e &lt;b>"
    content = f'<a href="/gone\x1b">{evil}</a><img width=1 height=1 src="\x07\x1b\t\n<x>">' + link("/x#\x1b\u202e")
    with Web({(SITE, "/"): fine("front", content), (SITE, "/x"): fine("x")}) as web:
        run("check", web.url(SITE, "/"), "-d", tmp_path / "c", *options_for(web), *SOON)
    outputs = {form: run("check", tmp_path / "c", "--format", form).stdout for form in ("text", "csv", "junit", "json")}
    baseline = tmp_path / "known"
    assert run("check", tmp_path / "c", "--write-baseline", baseline).returncode == 0
    assert run("check", tmp_path / "c", "--baseline", baseline).returncode == 0
    for output in (*outputs.values(), baseline.read_text()):
        assert not {"\x1b", "\u202e", "\x07"} & set(output)
    xml_schema(JUNIT).validate(outputs["junit"])
    assert "'=cmd" in outputs["csv"]
    assert set(json.loads(outputs["json"])["counts"]) == {"broken-link", "fragment", "missing-alt"}


@pytest.mark.slow
def test_the_delay_holds_from_one_crawl_to_the_other(tmp_path: Path) -> None:
    pages = {
        (SITE, "/robots.txt"): robots("User-agent: *", "Crawl-delay: 1"),
        (SITE, "/"): fine("front", '<img src="/a.png" alt="a"><img src="/b.png" alt="b">'),
        **{(SITE, f"/{name}.png"): Answer(headers=(("Content-Type", "image/png"),), body=b"x") for name in "ab"},
    }
    with Web(pages) as web:
        done = run("check", web.url(SITE, "/"), "-d", tmp_path / "c", *options_for(web), *FAST)
        log = web.log()
    assert done.returncode == 0, done.stderr + done.stdout
    assert [hit.path for hit in log] == ["/robots.txt", "/", "/robots.txt", "/a.png", "/b.png"]
    assert all(later.arrived - earlier.answered >= 1 for earlier, later in pairwise(log) if earlier.answered)


@pytest.mark.slow
def test_after_ctrl_c_nothing_else_is_requested(tmp_path: Path) -> None:
    front = fine("front", link("/slow") + link("/never") + link(f"http://{OTHER}:{PORT}/"))
    pages = {(SITE, "/"): front, (SITE, "/slow"): replace(fine("slow"), delay=1), (OTHER, "/"): fine("other")}
    with Web(pages) as web:
        options = ("check", web.url(SITE, "/"), "-d", tmp_path / "c", *options_for(web), *FAST)
        words = command(*options, "--set", "politeness.delay=0.1")
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not any(hit.path == "/slow" for hit in web.log()):
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert {hit.path for hit in web.log()} == {"/robots.txt", "/", "/slow"}, err
    assert process.returncode == 3 and "0 problems in 2 pages" in out and "1  still queued" in out, err


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["urllib3", "curl"])
def test_all_external_urls_may_be_errors(tmp_path: Path, transport: str) -> None:
    pages = {(SITE, "/"): fine("front", link(f"http://{OTHER}:{PORT}/") + link(f"http://{OTHER}:{PORT}/x"))}
    with Web({**pages, (OTHER, "/x"): Answer(status=500)}) as web:
        options = ("-d", tmp_path / "c", *options_for(web), *SOON, "--set", f"fetch.transport={transport}")
        done = run("check", web.url(SITE, "/"), *options)
    assert done.returncode == 1 and "http 404" in done.stdout and "http 500" in done.stdout, done.stderr


@pytest.mark.slow
def test_a_crawl_that_has_lost_its_archive(tmp_path: Path) -> None:
    with Web({(SITE, "/"): fine("front")}) as web:
        crawl(web, web.url(SITE, "/"), tmp_path / "c")
    shutil.rmtree(tmp_path / "c" / "warc")
    done = run("check", tmp_path / "c")
    assert done.returncode == 0 and "1  pages not read again" in done.stdout


@pytest.mark.slow
def test_a_host_that_puts_off_takes_no_more_than_its_time(tmp_path: Path) -> None:
    """It is said, other hosts are complete, and a later check asks for what is left."""
    slow = {(OTHER, f"/{n}"): [Answer(status=429, headers=(("Retry-After", "600"),)), fine(f"{n}")] for n in range(3)}
    others = {(CLOSED, f"/{n}"): fine(f"{n}") for n in range(3)}
    links = "".join(link(at(host, path)) for host, path in (*slow, *others))
    with Web({(SITE, "/"): fine("front", links), **slow, **others}) as web:
        patient = ("--set", "fetch.retries=9", "--host-time", "3")
        requests = (*options_for(web), *SOON, *patient, "--format", "json", "--only", "unchecked-link")
        began = time.monotonic()
        done = run("check", web.url(SITE, "/"), "-d", tmp_path / "c", *requests)
        assert time.monotonic() - began < 60, "it has waited"
        report = json.loads(done.stdout)
        assert {each["url"] for each in report["problems"]} == {web.url(OTHER, f"/{n}") for n in range(3)}
        assert {(each["kind"], each["detail"]) for each in report["problems"]} == {("unchecked-link", "no time left")}
        assert done.returncode == 0 and report["external"] == 3, done.stderr
        again = run("check", tmp_path / "c", *requests)
    assert again.returncode == 0 and "images and files: 3\n" in again.stderr, again.stderr


# -- usage ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("check",), "name a URL, a file with seeds (--seeds FILE), a folder, or the directory"),
        (("check", "DIR", "-d", "x"), "-d is for a new crawl"),
        (("check", "DIR", "--max-pages", "3"), "--max-pages is for a new crawl"),
        (("check", "."), "is not a crawl directory"),
        (("check", "DIR", "--only", "titles"), "invalid choice: 'titles'"),
        (("check", "DIR", "--only", "orphan", "--skip", "orphan"), "leave no kind of problem"),
        (("check", "http://a.test/", "--offline"), "name the directory of a crawl"),
        (("check", "DIR", "--level", "orphan=fatal"), "write a kind, = and a level (error, warning, notice)"),
        (("check", "DIR", "--accept", "200"), "write statuses of errors (400 to 599, or 999), such as 403,429"),
        (("check", "DIR", "--since", "yesterday"), "'yesterday' is neither last nor a moment such as 2026-01-31"),
        (("check", "DIR", "--host-time", "-1"), "'-1' is not a whole number from 0 to"),
        (("check", "DIR", "--baseline", "missing"), "missing: No such file or directory"),
        (("check", "DIR", "--baseline", "wrong"), "wrong, line 2: write a kind, a URL and a page, separated by tabs"),
        (("check", "DIR", "--write-baseline", "no/such/file"), "name a file in a directory that exists"),
        (("check", "DIR", "--sarif", "no/such/file"), "name a file in a directory that exists"),
        (("check", "http://a.test/", "--baseline", "missing"), "missing: No such file or directory"),
        (
            ("check", "not a url"),
            "not a url does not exist: name a folder, the directory of a crawl, a sitemap or a URL",
        ),
    ],
    ids=" ".join,
)
def test_wrong_usage(first: Checked, tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    (tmp_path / "wrong").write_text("# comment\nbroken-link http://a.test/\n")
    done = run(*(first.directory if word == "DIR" else word for word in words), cwd=tmp_path)
    assert done.returncode == 2 and message in done.stderr and done.stderr.count("\n") == 1, done.stderr
    assert not list(tmp_path.glob("crawl*")), "a crawl was begun in vain"
