"""What people type wrong: one line says what is wrong, where, and what to do; no traceback."""

import re
import shutil

import pytest

from tests.library.sample_crawl import make
from ttcrawl.cli import commands, main
from ttcrawl.store.database import PAGE

FILES = {
    "bad.ini": b"[politeness]\n# a comment\ndealy = 1\n",
    "value.ini": b"[politeness]\ndelay = slow\n",
    "choice.ini": b"[scope]\nscope = hosts\n",
    "section.ini": b"[agent]\n\n[politness]\ndelay = 1\n[politness]\n",
    "line.ini": b"delay = 1\n",
    "twice.ini": b"[crawl]\nthreads = 1\n[agent]\n[crawl]\nthreads = 2\n",
    "latin.ini": b"[agent]\ncontact = caf\xe9\n",
    "nul.ini": b"[agent]\na\0b = c\n",
    "terms.txt": b"no term\n",
    "page.html": b"<a href=http://b.test/>b</a>",
    "other/crawl.db": b"of another program",
    "empty/x": b"",
}

A = "http://a.test/"

#: What is typed -> what is said: what is wrong with its position, then what to do. The exit status is 2.
CASES = {
    ("https://example.org",): ("there is no command https://example.org", "did you mean ttcrawl crawl https://"),
    (f"{A}{'x' * 300}",): ("no command http://a.test/xxx", "did you mean ttcrawl crawl http://a.test/xxx"),
    (f"{A}?x=1&y=2",): ("no command http://a.test/?x", f"did you mean ttcrawl crawl '{A}?x=1&y=2'"),
    ("crwl", "x"): ("no command crwl", "did you mean crawl?"),
    ("fetch", A): ("no command fetch", "did you mean crawl?"),
    ("help", "reprot"): ("no command reprot", "did you mean report?"),
    ("man", "reprot"): ("no command reprot", "did you mean report?"),
    ("site",): ("no command site", "did you mean ttcrawl status site"),
    ("--colour", "never", "status", "site"): ("no option --colour before a command", "did you mean --color?"),
    ("--scope", "host", "crawl", A): ("no option --scope before a command", "see ttcrawl --help"),
    ("crawl", A, "-d", ""): ("-d: the name is empty", "name a directory"),
    ("cluster", "crawl", A, "-d", ""): ("-d: the name is empty", "name a directory"),
    ("cluster", "gather", "site", "-o", ""): ("-o/--out: the name is empty", "name a directory"),
    ("import", "a.warc", "-d", ""): ("-d: the name is empty", "name a directory"),
    ("check", A, "-d", ""): ("-d: the name is empty", "name a directory"),
    ("search", "", "words"): ("DIR: the name is empty", "name a directory"),
    ("export", "site", "-o", ""): ("-o/--out: the name is empty", "name a file, or a directory that exists"),
    ("crawl", A, "--save-cookies", "missing/c.txt"): ("missing is not a directory", "name a file in a directory that"),
    ("crawl",): ("there are no seeds", "name a URL, or a file with seeds: --seeds FILE"),
    ("crawl", "ht!tp://"): ("the seed 'ht!tp://' is not an http", "write one such as https://"),
    ("crawl", "ftp://a.test/"): ("the seed 'ftp://a.test/'", "[fetch] ftp = yes"),
    ("crawl", "bad.ini"): ("the seed 'bad.ini'", "--seeds bad.ini"),
    ("crawl", A, "--max-pags", "3"): ("--max-pags 3", "did you mean --max-pages?"),
    ("crawl", A, "--max-pages", "many"): ("--max-pages: [crawl] max_pages = many", "write a whole number"),
    ("crawl", A, "--max-time", "-1"): ("--max-time: [crawl] max_time = -1", "write a number from 0"),
    ("crawl", A, "--scope", "hosts"): (
        "--scope: invalid choice: 'hosts'",
        "did you mean host?); choose from host, dir",
    ),
    ("crawl", A, "--profile", "politer"): ("--profile: invalid choice: 'politer'", "did you mean polite?"),
    ("crawl", A, "--color", "alway"): ("--color: invalid choice: 'alway'", "did you mean always?"),
    ("crawl", A, "--set", "delay=1"): ("--set delay", "did you mean politeness.delay?"),
    ("crawl", A, "--set", "politeness.dealy=1"): ("[politeness] has no key 'dealy'", "did you mean delay?"),
    ("crawl", A, "--set", "politness.delay=1"): ("no section [politness]", "did you mean politeness?"),
    ("crawl", A, "--set", "politeness.delay=slow"): ("--set: [politeness] delay = slow", "write a number"),
    ("crawl", A, "--set", "politeness.obey_delay=perhaps"): ("obey_delay = perhaps", "write yes or no"),
    ("crawl", A, "--set", "fetch.proxy=p:99999"): ("[fetch] proxy", "write SCHEME://"),
    ("crawl", A, "-c", "missing.ini"): ("missing.ini: No such file", "name a readable file with -c"),
    ("crawl", A, "-c", "empty"): ("empty: Is a directory", "name a readable file with -c"),
    ("crawl", A, "-c", "bad.ini"): ("bad.ini, line 3: [politeness] has no key 'dealy'", "did you mean delay?"),
    ("crawl", A, "-c", "value.ini"): ("value.ini, line 2: [politeness] delay = slow", "write a number"),
    ("crawl", A, "-c", "choice.ini"): ("choice.ini, line 2: [scope] scope = hosts", "write one of host, directory"),
    ("crawl", A, "-c", "section.ini"): (
        "section.ini, line 3: there is no section [politness]",
        "did you mean politeness?",
    ),
    ("crawl", A, "-c", "line.ini"): ("line.ini: line 1 is in no section", "write [SECTION] above it"),
    ("crawl", A, "-c", "twice.ini"): ("twice.ini: [crawl] threads is repeated in line 5", "remove one"),
    ("crawl", A, "-c", "latin.ini"): ("latin.ini is not UTF-8 text", "at byte 21; save it as UTF-8"),
    ("crawl", A, "-c", "nul.ini"): ("nul.ini: line 2 has a NUL character", "remove it"),
    ("crawl", A, "--set", "links.kinds=+"): ("[links] kinds = +", "write a name behind each + and -"),
    ("crawl", A, "--set", "browser.max_memory=1"): ("max_memory = 1", "from 67,108,864 to 1,000,000,000,000"),
    ("crawl", A, "--set", "login.certificates=a.test ~no-one/a.pem"): ("no such home", "write the paths without ~"),
    ("crawl", A, "--seeds", "missing.txt"): ("missing.txt: No such file", "name a readable file with --seeds"),
    ("crawl", A, "-d", "site"): ("site already contains a crawl", "ttcrawl resume site, or choose another with -d"),
    ("crawl", A, "--header", "no colon"): ("--header", "write NAME: VALUE"),
    ("crawl", A, "--resolve", "a.test:80"): ("resolve a.test:80", "write HOST:PORT:ADDRESS"),
    ("crawl", A, "--allow", ""): ("--allow", "write a pattern"),
    ("crawl", A, "--blacklist", "missing"): ("missing: No such file", "name a readable file with --blacklist"),
    ("resume",): ("required: DIR", "crawls here: damaged, other, site"),
    ("resume", "http://a.test/x"): ("http://a.test/x is a URL", "name the directory of its crawl"),
    ("resume", "missing"): ("missing contains no crawl", "name the directory that was given to -d"),
    ("resume", "other"): ("other/crawl.db is not a crawl database", "name the directory that was given to -d"),
    ("resume", "without"): ("without/config.ini is missing", "restore the file"),
    ("resume", "damaged"): ("damaged/crawl.db has damage", "restore a copy, or use its archive: ttcrawl import"),
    ("status", "damaged"): ("damaged/crawl.db has damage", "ttcrawl import damaged/warc -d NEW"),
    ("status", "http://site/"): ("it is a URL", "name the directory of its crawl (did you mean site?)"),
    ("report", "site", "-o", "missing/r.html"): ("missing is not a directory", "name a file in a directory that"),
    ("check", "site", "--html", "missing/c.html"): ("missing is not a directory", "name a file in a directory that"),
    ("report", "site", "-o", "empty"): ("empty is a directory", "name a file"),
    ("check", "site", "--junit", "."): (". is a directory", "name a file"),
    ("check", "page.html"): ("page.html is a page, not a sitemap", "name the folder"),
    ("check", "sitte"): ("sitte does not exist", "name a folder, the directory of a crawl, a sitemap or a URL"),
    ("check", "empty/html"): ("empty/html does not exist", "name a folder"),
    ("check", "./missing"): ("./missing does not exist", "name a folder"),
    ("status", "missing"): ("missing is not a crawl directory: it does not exist", "crawls here: damaged, other"),
    ("status", "empty"): ("empty is not a crawl directory: it contains no crawl.db", "give the directory"),
    ("status", "bad.ini"): ("bad.ini is not a crawl directory: it is a file", "give the directory"),
    ("status", "site", "--hosts", "-1"): ("--hosts: '-1'", "not a whole number from 0 to"),
    ("status", "site", "--hosts", "0000000009999999"): ("--hosts: '0000000009999999'", "not a whole number from 0 to"),
    ("graph", "site", "--nodes", "0", "--picture", "drl"): ("--nodes: '0'", "not a whole number from 1 to"),
    ("why", "site"): ("give one of these", "URLs, --summary, or --as-if"),
    ("why", "site", "htp://a"): ("'htp://a' is not an http", "write the complete URL, HOST/PATH or /PATH"),
    ("page", "site", "/", "--at", "yesterday"): ("'yesterday' is not a moment", "such as 2026-01-31"),
    ("report", "site", "--section", "lawz"): ("no part 'lawz'", "its parts: summary"),
    ("report", "site", "--format", "docx"): ("--format: invalid choice: 'docx'", "choose from text"),
    ("check", "site", "--only", "orphans"): ("--only: invalid choice: 'orphans'", "did you mean orphan?"),
    ("diff", "site", "yesterday"): ("'yesterday' is neither", "such as 2026-01-31"),
    ("requeue", "site"): ("name the URLs to queue again", "--state, --reason, --rule, --host or --url"),
    ("delete", "site"): ("name what to delete", "--host, --path, --digest, --id or --url"),
    ("delete", "site", "--id", "x"): ("--id: 'x' is not a whole number", "see ttcrawl delete --help"),
    ("delete", "site", "--id", "9" * 19): ("--id: '9999", "not a whole number from 1 to 9,223,372,036,854,775,807"),
    ("export", "site", "--where", "stat=1"): (
        "--where 'stat=1', position 1: there is no column stat",
        "did you mean state?",
    ),
    ("export", "site", "-o", "missing/dir/x"): (
        "missing/dir is not a directory",
        "name a file in a directory that exists",
    ),
    ("mirror", "site"): ("name the database", "write postgresql://"),
    ("index", "site"): ("name the directory of the index", "or set [hooks] zebra in site/config.ini"),
    ("try", "url", "a", "b"): ("the base 'a' is not an http", "write the complete URL of a page"),
    ("try", "robots", "missing", "/x"): ("missing: No such file", "name a readable robots.txt, or -"),
    ("topic", "scroe", "x"): ("invalid choice: 'scroe'", "did you mean score?"),
    ("topic", "score", "site", "--terms", "terms.txt"): ("terms.txt, line 1, column 1", "write for example 40: "),
    ("cluster", "crwl"): ("invalid choice: 'crwl'", "did you mean crawl?"),
    ("cluster", "status", "site"): ("site contains no cluster", "name the directory that was given to -d"),
    ("man", "-d", "/proc/none"): ("/proc/none", "name a directory that can be written with -d"),
}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("place")
    make(folder / "site")
    for name, content in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    for name in ("damaged", "without"):
        shutil.copytree(folder / "site", folder / name)
    (folder / "without" / "config.ini").unlink()
    with open(folder / "damaged" / "crawl.db", "r+b") as file:
        file.seek(PAGE)  # the first page of SQLite has the names of the tables, the second is of one of them
        file.write(b"\xff" * 20_000)
    return folder


def said(capsys, words):
    """The exit status, and what stderr has."""
    try:
        status = main(words)
    except SystemExit as ended:
        status = ended.code
    return status, capsys.readouterr().err


@pytest.mark.parametrize("words", CASES, ids=" ".join)
def test_one_line_says_what_is_wrong_where_and_what_to_do(place, monkeypatch, capsys, words):
    monkeypatch.chdir(place)
    status, err = said(capsys, list(words))
    what, remedy = CASES[words]
    assert status == 2 and re.fullmatch(r"ttcrawl: [^\n]+\n", err)
    assert what in err and remedy in err.partition(what)[2]


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (KeyboardInterrupt(), 3, "interrupted"),
        (OSError(28, "No space left on device", "x.csv"), 1, "x.csv: No space left on device"),
        (PermissionError(13, "Permission denied", "site"), 1, "site: Permission denied"),
        (OSError(98, "Address already in use"), 1, "Address already in use"),
        (MemoryError(), 1, "too little memory (ulimit -v)"),
    ],
)
def test_what_the_system_refuses_is_one_line(monkeypatch, capsys, error, status, words):
    def run(args):
        raise error

    monkeypatch.setattr(commands.load("config"), "run", run)
    ended, err = said(capsys, ["config"])
    assert ended == status and err.startswith("ttcrawl: ") and words in err and err.count("\n") == 1


@pytest.mark.parametrize("words", [["report", "site", "--section", "summary"], ["export", "site"]])
def test_a_full_disk_is_named(place, monkeypatch, capsys, words):
    monkeypatch.chdir(place)
    status, err = said(capsys, [*words, "-o", "/dev/full", "--quiet"])
    assert (status, err) == (1, "ttcrawl: /dev/full: No space left on device\n")
