"""Errors are for people: one line on stderr, the right exit status, nothing half-written, never a traceback."""

import os
import re
import resource
import shutil
import sqlite3
import subprocess
from contextlib import closing, suppress

import pytest

from tests.support.crawls import preforked as forked
from tests.support.crawls.crawl_db import crawl_of
from tests.support.crawls.crawling import command, options_for
from tests.support.web.mesh import mesh
from tests.support.web.site import Answer, Web, at, moved, page
from ttcrawl.cli import parser
from ttcrawl.cli.commands import by_group
from ttcrawl.store.sqlite import Store


def run(directory, *options):
    return forked.run(*options, cwd=directory, timeout=180)


def one_line(done):
    lines = [line for line in done.stderr.splitlines() if not line.startswith("ttcrawl: crawling into")]
    assert len(lines) == 1 and lines[0].startswith("ttcrawl: "), done.stderr
    return lines[0]


#: Commands with an option that takes a number from 0.
NUMBERED = (
    ["duplicates", ".", "--limit"],
    ["status", ".", "--hosts"],
    ["report", ".", "--politeness", "--hosts"],
)


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        (["crawl"], 2, "there are no seeds"),
        (["try", "url", "example.org", "/x"], 2, "the base 'example.org' is not an http or https URL"),
        (["crawl", "http://a.test/", "--set", "url.aliases=a"], 2, "write HOST=HOST"),
        (["crawl", "nowhere.invalid"], 1, "the host nowhere.invalid does not resolve"),
        (["crawl", "example"], 2, "the seed 'example' is not an http or https URL"),
        (["crawl", "two.txt"], 2, "if it is a file of seeds, write --seeds two.txt"),
        (["crawl", "ftp://example.org/"], 2, "is not an http or https URL"),
        (["crawl", "http://"], 2, "is not an http or https URL"),
        (["crawl", "--seeds", "none.txt"], 2, "none.txt: No such file"),
        (["crawl", "--seeds", "latin.txt"], 2, "latin.txt is not UTF-8 text in line 1: 'http://caf\\xe9.test/'"),
        (["crawl", "--seeds", "empty.txt"], 2, "there are no seeds"),
        (["crawl", "--seeds", "dos.txt"], 2, "the seed 'ftp://a.test/'"),
        (["crawl", "http://a.test/", "--seeds", "empty.txt"], 2, "there are no seeds in empty.txt"),
        (["crawl", "http://a.test/", "--column", "x"], 2, "--column names a column of a file with seeds"),
        (["check"], 2, "name a URL, a file with seeds (--seeds FILE), a folder, or the directory of a crawl to check"),
        (["check", ".", "--seeds", "empty.txt"], 2, ". is not a crawl directory, and no folder with HTML files"),
        (["crawl", "-c", "dos.ini", "http://a.test/"], 2, "dos.ini, line 2: [politeness] has no key 'dealy'"),
        (["why", ".", "--format", "json", "http://a.test/"], 2, "is not a crawl directory"),
        (["crawl", "http://a.test/", "-c", "none.ini"], 2, "none.ini: No such file"),
        (["crawl", "http://a.test/", "-c", "bad.ini"], 2, "bad.ini, line 2: [politeness] has no key 'dealy'"),
        (["crawl", "http://a.test/", "--set", "politeness.delay"], 2, "section.key=value"),
        (["crawl", "http://a.test/", "--set", "politeness.=1"], 2, "section.key=value"),
        (["crawl", "http://a.test/", "--set", "politeness.delay=x"], 2, "write a number"),
        (["crawl", "http://a.test/", "--max-pages", "many"], 2, "--max-pages: [crawl] max_pages = many: write a whole"),
        (["crawl", "http://a.test/", "--set", "fetch.max_body=1t"], 2, "or one with k, m or g behind it"),
        (["crawl", "http://a.test/", "--exclude", " "], 2, "--exclude: write a pattern"),
        (["crawl", "--seeds", "wrong.txt"], 2, "wrong.txt, line 3: the seed 'no seed' is not an http or https URL"),
        (["crawl", "http://a.test/", "--set", "fetch.retrys=1"], 2, "no key 'retrys' (did you mean retries?)"),
        (["crawl", "http://a.test/", "--set", "fetch.delay=1"], 2, "(did you mean delay in [politeness]?)"),
        (["crawl", "http://a.test/", "--set", "fetch.xyzzy=1"], 2, "its keys are transport, "),
        (
            ["crawl", "http://a.test/", "--set", "polite.delay=1"],
            2,
            "no section [polite] (did you mean politeness?)",
        ),
        (["crawl", "http://a.test/", "--max-pagse", "1"], 2, "(did you mean --max-pages?): see ttcrawl crawl --help"),
        (["crawl", "http://a.test/", "--delay", "3"], 2, "(did you mean --set politeness.delay=VALUE?)"),
        (["crawl", "http://a.test/", "--max-body=3"], 2, "(did you mean --set fetch.max_body=VALUE?)"),
        (["crawl", "http://a.test/", "--cache", "3"], 2, "--set browser.cache=VALUE or --set duplicates.cache=VALUE"),
        (["crawl", "http://a.test/", "--set", "delay=3"], 2, "section.key=value (did you mean politeness.delay?)"),
        (["crawl", "http://a.test/", "--set", "delay"], 2, "section.key=value (did you mean politeness.delay?)"),
        *(
            ([*command.split()], 2, f"the following arguments are required: {missing} (crawls here: full): see")
            for command, missing in (
                ("resume", "DIR"),
                ("recrawl", "DIR"),
                ("cluster resume", "DIR"),
                ("why", "DIR"),
                ("diff", "DIR"),
            )
        ),
        (["crwal", "http://a.test/"], 2, "there is no command crwal (did you mean crawl?): see ttcrawl --help"),
        (["crawl", "http://a.test/", "--set", "links.kinds=+imag"], 2, "imag is not a kind of link"),
        (["crawl", "http://a.test/", "--set", "links.kinds=-image"], 2, "-image: image is not in anchor area"),
        (["crawl", "http://a.test/", "--set", "links.kinds=+image form"], 2, "before all names, or before none"),
        (
            ["crawl", "-c", "latin.txt", "http://a.test/"],
            2,
            "latin.txt is not UTF-8 text: invalid continuation byte at",
        ),
        (["crawl", "http://a.test/", "--resolve", "a.test"], 2, "HOST:PORT:ADDRESS"),
        (["crawl", "http://nowhere.invalid/"], 1, "the host nowhere.invalid does not resolve"),
        (["crawl", "http://127.0.0.1:1/", "-d", "full", "--resolve", "a:1:127.0.0.1"], 2, "already contains a crawl"),
        (["crawl", "http://127.0.0.1:1/", "-d", "mine"], 2, "already contains warc"),
        (
            ["crawl", "http://a.test/", "--set", "archive.operator=\udcff"],
            2,
            "--set archive.operator: write a text in UTF-8",
        ),
        (["crawl", "http://a.test/", "--set", "frontier.number_pattern=("], 2, "number_pattern = (: missing )"),
        (["try", "scope", "http://a.test/", "--exclude", "http://a.test/\udcff"], 2, "in no canonical URL: write %FF"),
        *(
            (["requeue", ".", f"--{name}", "\udcff"], 2, f"--{name} '\\udcff'")
            for name in ("url", "host", "reason", "rule")
        ),
        *(
            (["delete", ".", "--yes", f"--{name}", "/\udcff"], 2, f"--{name} '/\\udcff': write a text in UTF-8")
            for name in ("host", "path", "url")
        ),
        (["mirror", ".", "postgresql://a.test/\udcff"], 2, "write the database as postgresql://"),
        (["search", "postgresql://a.test/\udcff", "x"], 2, "write the database as postgresql://"),
        *(
            (["search", ".", "x", "--limit", n], 2, f"--limit: '{n}' is not a whole number from 1")
            for n in ("0", "-1", "x")
        ),
        *(([*command, "-1"], 2, "'-1' is not a whole number from 0") for command in NUMBERED),
        (["report", "none"], 2, "none"),
        (["report", "."], 2, "crawl"),
        (["plot", "none"], 2, "none"),
    ],
)
def test_bad_input(tmp_path, options, status, said):
    (tmp_path / "latin.txt").write_bytes(b"http://caf\xe9.test/\n")
    (tmp_path / "dos.txt").write_bytes(b"\xef\xbb\xbfftp://a.test/\r\n")
    (tmp_path / "dos.ini").write_bytes(b"\xef\xbb\xbf[politeness]\r\ndealy = 1\r\n")
    (tmp_path / "two.txt").write_text("http://a.test/\n\nb.test\n")
    (tmp_path / "wrong.txt").write_text("# none\n\nno seed\nhttp://\n")
    (tmp_path / "empty.txt").write_text("# nothing\n\n")
    (tmp_path / "bad.ini").write_text("[politeness]\ndealy = 1\n")
    (tmp_path / "mine" / "warc").mkdir(parents=True)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "crawl.db").write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    done = run(tmp_path, *options)
    assert done.returncode == status and said in one_line(done)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.slow
def test_wrong_usage_is_said_by_the_parser(tmp_path):
    for words, name in (
        (["crawls"], "ttcrawl"),
        (["crawl", "--parser", "lxml"], "ttcrawl crawl"),
        (["report", ".", "--nonsense"], "ttcrawl report"),
        (["try", "url", "http://a.test/", "/x", "/y"], "ttcrawl try url"),
        (["why", ".", "--format", "json", "-x"], "ttcrawl why"),
    ):
        done = run(tmp_path, *words)
        assert done.returncode == 2 and one_line(done).endswith(f"see {name} --help")


#: Words of earlier versions with their arguments -> exit status, the words of today.
OLD = {
    ("url", "http://a.test/", "x"): (0, "try url"),
    ("robots", "/dev/null", "/x"): (0, "try robots"),
    ("scope", "http://a.test/"): (0, "try scope"),
    ("recycle", "none"): (2, "requeue --recorded"),
    ("tune-duplicates", "none", "--format", "markdown"): (2, "duplicates --tune"),
}


@pytest.mark.parametrize(("words", "expected"), OLD.items(), ids=[words[0] for words in OLD])
def test_words_of_earlier_versions(tmp_path, words, expected):
    """They do what the new words do, and say them."""
    status, new = expected
    done, today = run(tmp_path, *words), run(tmp_path, *new.split(), *words[1:])
    assert done.returncode == today.returncode == status and done.stdout == today.stdout
    assert done.stderr == f"ttcrawl: {words[0]} is called {new} now\n{today.stderr}"


def test_every_command_is_in_one_group_of_the_help():
    grouped = [name for members in by_group().values() for name in members]
    assert sorted(grouped) == sorted(parser().commands) and len(set(grouped)) == len(grouped)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("requeue", "none", "--recorded", "--host", "a.test"), "--recorded queues all URLs"),
        (("requeue", "none", "--recorded", "--visits"), "--recorded queues all URLs"),
        (("duplicates", "none", "http://a.test/", "--tune"), "leave the URL out"),
        (("duplicates", "none", "--pairs", "x"), "go with --tune"),
        (("duplicates", "none", "--format", "markdown"), "go with --tune"),
    ],
)
def test_options_that_do_not_go_together(tmp_path, options, said):
    done = run(tmp_path, *options)
    assert done.returncode == 2 and said in one_line(done)


@pytest.mark.parametrize(
    ("href", "options", "lines"),
    [
        ("../%7ez?b&a#t", (), ["http://a.test/~z?b&a", "as written", "fragment", "resolved", "percent"]),
        ("/?b&a", ("--set", "url.sort_query=yes"), ["http://a.test/?a&b", "as written", "resolved", "sort_query"]),
        ("/a/a/a/a", (), ["http://a.test/a/a/a/a", "as written", "resolved", "refused: trap: repeated segments"]),
        ("/x", ("--set", "scope.max_url=16"), ["http://a.test/x", "as written", "resolved"]),
        ("/" + "x" * 9, ("--set", "scope.max_url=16"), ["http://a.test/x", "as", "resolved", "refused: scope: length"]),
        ("mailto:x", (), ["not an http or https URL", "as written", "resolved", "scheme"]),
    ],
)
def test_what_becomes_of_a_link(tmp_path, href, options, lines):
    done = run(tmp_path, "try", "url", "http://a.test/x/y", href, *options)
    assert done.returncode == 0
    said = [line.strip() for line in done.stdout.splitlines()]
    assert len(said) == len(lines) and all(line.startswith(start) for line, start in zip(said, lines, strict=True)), (
        said
    )


def test_a_config_in_the_current_directory_is_read(tmp_path):
    (tmp_path / "config.ini").write_text("[politeness]\ndealy = 1\n")
    assert "config.ini, line 2: [politeness] has no key 'dealy'" in one_line(run(tmp_path, "crawl", "http://a.test/"))


def test_the_command_alone_shows_help_with_examples(tmp_path):
    done = run(tmp_path)
    assert done.returncode == 2 and done.stderr == ""
    examples = done.stdout.partition("\nexamples:\n")[2].splitlines()
    assert [each[:10] for each in examples[1::2]] == ["  ttcrawl "] * 3


@pytest.mark.slow
def test_seeds_that_answer_errors_are_named_and_the_next_commands_follow(tmp_path):
    with Web({("a.test", "/"): Answer(body=page()), ("a.test", "/gone"): Answer(status=410)}) as web:
        (tmp_path / "seeds.txt").write_text(f"{web.url('a.test', '/')}\nno seed\n{web.url('a.test', '/gone')[7:]}\n")
        options = ("-d", "my crawl", *options_for(web), "--progress", "none", "--no-obey-delay")
        done = run(tmp_path, "crawl", "--seeds", "seeds.txt", *options)
    assert done.returncode == 0
    assert "seeds.txt, line 2: the seed 'no seed' is not an http or https URL; continuing with" in done.stderr
    assert f"no page was fetched from {web.url('a.test', '/gone')} (http 410)" in done.stderr
    following = done.stdout.partition("\nNext:")[2].splitlines()
    commands = [re.split(" {3,}", line.strip())[0] for line in following]
    expected = ["ttcrawl report 'my crawl'", "ttcrawl check 'my crawl'", "ttcrawl search 'my crawl' WORDS"]
    assert commands == expected


@pytest.mark.slow
@pytest.mark.parametrize("first", ["crawl", "check", "cluster crawl"])
def test_every_command_reads_seeds_alike_and_goes_on_with_more(tmp_path, first):
    """From files and standard input, beside those of the command line."""
    with Web({("a.test", f"/{name}"): Answer(body=page()) for name in "abcde"}) as web:
        (tmp_path / "list.txt").write_text(f"{web.url('a.test', '/a')} # why\n")
        (tmp_path / "table.csv").write_text(f"id,address\n1,{web.url('a.test', '/b')}\n")
        more = f"address\n{web.url('a.test', '/c')}\n"
        options = ("-d", "c", *options_for(web), "--progress", "none", "--no-obey-delay")
        seeds = (web.url("a.test", "/d"), "--seeds", "table.csv", "--seeds", "-", "--column", "address")
        begin = command(*first.split(), *seeds, *options)
        done = subprocess.run(begin, cwd=tmp_path, input=more, capture_output=True, text=True, timeout=180)
        assert done.returncode in (0, 1), done.stderr
        again = {"check": "recrawl --once --set=revisit.policy=fixed", "crawl": "resume"}.get(first, "cluster resume")
        done = run(tmp_path, *again.split(), "c", "--seeds", "list.txt", "--progress", "none")
        assert done.returncode == 0, done.stderr
        assert {hit.path for hit in web.log()} - {"/robots.txt"} >= {"/a", "/b", "/c", "/d"}
        assert "/e" not in {hit.path for hit in web.log()}


@pytest.mark.slow
def test_nothing_fetched_is_a_failure_that_says_why(tmp_path):
    done = run(tmp_path, "crawl", "http://127.0.0.1:1/", "-d", "c", "--set", "fetch.retries=0")
    assert done.returncode == 1 and "the seed http://127.0.0.1:1/ has failed: connection refused" in one_line(done)


@pytest.mark.slow
def test_a_seed_that_redirects_out_of_scope_says_so(tmp_path):
    with Web({("a.test", "/"): Answer(status=301, headers=(("Location", "http://www.a.test/"),))}) as web:
        options = ("-d", "c", *options_for(web), "--progress", "none", "--no-obey-delay")
        done = run(tmp_path, "crawl", web.url("a.test", "/"), *options)
    assert done.returncode == 1
    assert "redirects to http://www.a.test/" in one_line(done) and "--scope" in one_line(done)


@pytest.mark.slow
def test_some_seeds_without_a_host_do_not_stop_the_others(tmp_path):
    with Web({("a.test", "/"): Answer(body=page())}) as web:
        seeds = [web.url("a.test", "/"), "http://nowhere.invalid/"]
        done = run(tmp_path, "crawl", *seeds, *options_for(web), "--no-obey-delay", "--set", "fetch.retries=0")
    assert done.returncode == 0 and "nowhere.invalid does not resolve" in done.stderr


@pytest.mark.slow
def test_the_directory_is_named_after_the_seed(tmp_path):
    with Web({("a.test", "/"): Answer(body=page())}) as web:
        for _ in range(2):
            assert run(tmp_path, "crawl", web.url("a.test", "/"), *options_for(web), "--no-obey-delay").returncode == 0
        names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [f"crawl-a.test-{web.port}", f"crawl-a.test-{web.port}-2"]
    assert {"crawl.db", "config.ini", "warc", "report.txt"} <= {path.name for path in (tmp_path / names[0]).iterdir()}


def test_a_read_only_place(tmp_path):
    place = tmp_path / "locked"
    place.write_text("a file where a directory should be")
    done = run(tmp_path, "crawl", "http://127.0.0.1:1/", "-d", "locked/c")
    assert done.returncode == 1 and "cannot write the crawl directory locked/c" in one_line(done)
    assert "choose another with -d" in one_line(done)


@pytest.mark.slow
def test_too_little_room_for_answers(tmp_path):
    done = subprocess.run(
        command("crawl", "http://127.0.0.1:1/", "-d", "c"),
        **{"cwd": tmp_path, "capture_output": True, "text": True, "timeout": 60},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (400 << 10, 400 << 10)),
    )
    assert done.returncode == 2 and "lower crawl.threads" in one_line(done)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 2 MB."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", place], capture_output=True, text=True)
    if mounted.returncode:
        pytest.skip(f"a small file system cannot be mounted here: {mounted.stderr.strip()}")
    yield place
    subprocess.run(["umount", "--lazy", place], check=True)


@pytest.mark.parametrize("options", [(), pytest.param(("--inline",), marks=pytest.mark.slow)], ids=["pools", "inline"])
def test_a_full_disk_stops_the_crawl_with_one_line(tmp_path, small_disk, options):
    hosts = ["a.test", "b.test"]
    with Web(mesh(hosts, 600, seed=1)) as web:
        done = run(
            tmp_path,
            *("crawl", web.url("a.test", "/"), "-d", small_disk / "c", "--no-obey-delay", "--scope", "any"),
            *(*options_for(web), *options, "--progress", "none", "--set", "crawl.min_disk=0"),
        )
        assert done.returncode == 1
        line = one_line(done)
        assert "No space left on device" in line or "disk is full" in line
        assert f"{small_disk}/c/crawl.db: " in line or f"{small_disk}/c/warc/" in line  # the file that has no room
        assert not [path for path in (small_disk / "c").rglob("*") if path.suffix in (".new", ".next")]
        shutil.copytree(small_disk / "c", tmp_path / "copy")  # to where there is room
        done = run(tmp_path, "resume", "copy", "--progress", "none", *options)
        assert done.returncode == 0, done.stderr
    with closing(sqlite3.connect(tmp_path / "copy" / "crawl.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        states = dict(database.execute("SELECT state, count(*) FROM url GROUP BY state"))
        assert states["fetched"] == 1200 + 120 and "queued" not in states and "failed" not in states


@pytest.mark.slow
def test_going_on_while_the_disk_is_still_full_is_one_line(tmp_path, small_disk):
    """Whether it is the opening of the tables, the first commit or a later one that has no room."""
    with Web(mesh(["a.test"], 300, seed=1)) as web:
        options = ("--no-obey-delay", "--progress", "none", "--set", "crawl.min_disk=0", "--max-pages", "20")
        done = run(tmp_path, "crawl", web.url("a.test", "/"), "-d", small_disk / "c", *options_for(web), *options)
        assert done.returncode == 3, done.stderr
        with open(small_disk / "filler", "wb", buffering=0) as filler:
            with suppress(OSError):
                while True:
                    filler.write(bytes(4096))
            full = filler.tell()
            for left in (0, 9, 12, 15):
                filler.truncate(full - left * 4096)
                done = run(tmp_path, "resume", small_disk / "c", "--max-pages", "0", "--progress", "none")
                line = one_line(done)
                assert done.returncode == 1 and "disk/c" in line
                assert "No space left on device" in line or "disk is full" in line


@pytest.mark.slow
def test_a_full_disk_while_a_crawl_is_changed_or_visited_again(tmp_path, small_disk):
    with Web(mesh(["a.test"], 200, seed=1)) as web:
        options = ("--no-obey-delay", "--progress", "none", "--set", "crawl.min_disk=0")
        seed = web.url("a.test", "/")
        assert run(tmp_path, "crawl", seed, "-d", small_disk / "c", *options_for(web), *options).returncode == 0
        with open(small_disk / "filler", "wb", buffering=0) as filler:
            with suppress(OSError):
                while True:
                    filler.write(bytes(4096))
            line = one_line(run(tmp_path, "delete", small_disk / "c", "--host", "a.test", "--yes"))
            assert line.startswith(f"ttcrawl: cannot change {small_disk}/c/crawl.db: database or disk is full")
            filler.truncate(filler.tell() - (200 << 10))
            visits = ("--set", "revisit.policy=fixed", "--set", "revisit.interval=1", "--progress", "none")
            done = run(tmp_path, "recrawl", small_disk / "c", *visits)
    assert done.returncode == 1 and one_line(done).endswith(f"continue with ttcrawl recrawl {small_disk}/c")


@pytest.mark.slow
def test_a_crawl_that_somebody_reads_as_it_ends_is_whole_in_one_file(tmp_path):
    """A notebook, a browser of tables: SQLite cannot take the log away then, and many copy crawl.db alone."""
    with Web(mesh(["a.test"], 50, seed=1)) as web:
        options = ("--no-obey-delay", "--progress", "none")
        assert run(tmp_path, "crawl", web.url("a.test", "/"), "-d", "c", *options_for(web), *options).returncode == 0
        with closing(sqlite3.connect(tmp_path / "c" / "crawl.db")) as reader:
            store = Store(tmp_path / "c" / "crawl.db")
            reader.execute("SELECT count(*) FROM url").fetchall()
            store.set(finished="whole")
            store.close()
            shutil.copy(tmp_path / "c" / "crawl.db", tmp_path / "alone.db")
    with closing(sqlite3.connect(tmp_path / "alone.db")) as database:
        assert database.execute("SELECT value FROM crawl WHERE name = 'finished'").fetchall() == [("whole",)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--max-pages", "3"], "stopped (max_pages) with {queued} queued; ttcrawl resume c --max-pages N continues"),
        (["--set", "crawl.max_bytes=1"], "ttcrawl resume c --set crawl.max_bytes=N continues (0: no limit)"),
        (
            ["--max-time", "1", "--obey-delay"],
            "stopped (max_time) with {queued} queued; ttcrawl resume c continues for",
        ),
    ],
)
def test_a_crawl_that_was_stopped_says_how_to_go_on(tmp_path, options, said):
    with Web(mesh(["a.test"], 20, seed=1)) as web:
        seed = web.url("a.test", "/")
        done = run(tmp_path, "crawl", seed, "-d", "c", *options_for(web), "--no-obey-delay", *options)
        again = run(tmp_path, "resume", "c") if "pages" in options[0] else done  # the limit is still there
    with closing(sqlite3.connect(tmp_path / "c" / "crawl.db")) as database:
        ((queued,),) = database.execute("SELECT count(*) FROM url WHERE state = 'queued'")
    for each in (done, again):
        assert each.returncode == 3 and said.format(queued=queued) in each.stderr.splitlines()[-1]


@pytest.mark.slow
def test_too_little_disk_stops_cleanly_and_the_crawl_goes_on_elsewhere(tmp_path, small_disk):
    """With crawl.min_disk the crawl stops with status 3 before the disk is full, and loses nothing."""
    with Web(mesh(["a.test", "b.test"], 300, seed=1)) as web:
        options = ("--no-obey-delay", "--scope", "any", "--set", "store.commit_pages=10", "--progress", "none")
        done = run(
            tmp_path,
            *("crawl", web.url("a.test", "/"), "-d", small_disk / "c", *options_for(web), *options),
            *("--set", "crawl.min_disk=1m"),
        )
        assert done.returncode == 3 and "continues when there is room on the disk" in one_line(done)
        shutil.copytree(small_disk / "c", tmp_path / "c")
        done = run(tmp_path, "resume", "c", "--set", "crawl.min_disk=0", "--progress", "none")
        assert done.returncode == 0, done.stderr
    with closing(sqlite3.connect(tmp_path / "c" / "crawl.db")) as database:
        states = dict(database.execute("SELECT state, count(*) FROM url GROUP BY state"))
    assert states["fetched"] == 600 + 60 and "queued" not in states and "failed" not in states


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "iso-8859-1", "utf-8", "locale C"])
def test_what_the_terminal_has_no_letters_for_is_written_out(tmp_path, encoding):
    """Titles are in any alphabet, and not every terminal or pipe is UTF-8."""
    place = crawl_of(tmp_path / "c", {"http://a.test/": ["http://a.test/x"]}, titles={"http://a.test/": "Größe 日本"})
    (place / "config.ini").write_text("")
    run = command("page", place, "http://a.test/")
    chosen = {"LC_ALL": "C"} if encoding == "locale C" else {"PYTHONIOENCODING": encoding}
    done = subprocess.run(run, capture_output=True, env=os.environ | chosen | {"PYTHONUTF8": "0"})
    assert (done.returncode, done.stderr) == (0, b"")
    said = {"ascii": b"Gr\\xf6\\xdfe \\u65e5\\u672c", "iso-8859-1": b"Gr\xf6\xdfe \\u65e5\\u672c"}
    said["locale C"] = said["ascii"]
    assert said.get(encoding, "Größe 日本".encode()) in done.stdout


@pytest.mark.slow
def test_seeds_without_a_page_are_counted_by_reason_with_what_to_do(tmp_path):
    pages = {("a.test", "/"): Answer(body=page()), ("a.test", "/out"): moved(at("b.test", "/there"))}
    pages |= {
        ("a.test", "/in"): moved("/gone"),
        ("b.test", "/"): Answer(body=page()),
        ("a.test", "/shut"): Answer(fate="close"),
    }
    with Web(pages) as web:
        paths = ["/", "/a.zip", "/b.zip", "/" + "c" * 300 + ".zip", "/gone", "/in", "/out", "/shut"]
        (tmp_path / "seeds.txt").write_text("\n".join(web.url("a.test", path) for path in paths))
        options = ("-d", "c", *options_for(web), "--progress", "none", "--no-obey-delay", "--set", "fetch.retries=0")
        done = run(tmp_path, "crawl", "--seeds", "seeds.txt", *options)
        line = one_line(done)
        start = web.url("a.test", "")
    assert done.returncode == 0
    assert "no page was fetched from 7 of 8 seeds: 3 scope: extension (" in line
    assert f"{start}/a.zip, {start}/b.zip, {start}/{'c' * (99 - len(start))}..." in line
    assert f"1 redirected out of scope: scope: host ({start}/out to http://b.test" in line
    assert f"1 http 404 ({start}/gone)" in line and f"1 redirected: http 404 ({start}/in to {start}/gone)" in line
    assert f"1 disconnected ({start}/shut)" in line
    remedies = ("--allow PATTERN", "requeue c --state failed", "redirected_seeds=always", "ttcrawl report c --seeds")
    for remedy in remedies:
        assert remedy in line
    told = run(tmp_path, "report", "c", "--seeds", "--limit", "1").stdout
    assert "moved: http 301, to refused: scope: host" in told and "refused: scope: extension" in told
    assert told.count(start) == 1
