"""`ttcrawl try robots`: the verdict, its line, what else is in the file, and files that are none."""

import subprocess

import pytest

from tests.support.crawls.crawling import command
from ttcrawl.cli import main

TEXT = "User-agent: *\nDisallow: /private/\nAllow: /private/open\nCrawl-delay: 2.5\n\nSitemap: http://a.test/map.xml\n"
MORE = ["Crawl-delay: 2.5 s", "Sitemap: http://a.test/map.xml"]


@pytest.mark.parametrize(
    ("data", "options", "status", "said"),
    [
        (TEXT, ["/private/x"], 1, ["/private/x: forbidden, by Disallow: /private/ (line 2, group of *)", *MORE]),
        (TEXT, ["/private/open"], 0, ["/private/open: allowed, by Allow: /private/open (line 3, group of *)", *MORE]),
        (
            TEXT,
            ["/private/open", "--reading", "1996"],
            1,
            ["/private/open: forbidden, by Disallow: /private/ (line 2, group of *)", *MORE],
        ),
        (TEXT, ["http://A.test/x#y"], 0, ["http://A.test/x#y: allowed, no rule of the group of * matches", *MORE]),
        (TEXT, ["/robots.txt"], 0, ["/robots.txt: allowed, robots.txt itself may always be read", *MORE]),
        ("", ["/"], 0, ["/: allowed, no group is for this agent"]),
        (
            "User-agent: Bot\nDisallow: /\n",
            ["/", "/b", "--agent", "bot"],
            1,
            [
                "/: forbidden, by Disallow: / (line 2, group of bot)",
                "/b: forbidden, by Disallow: / (line 2, group of bot)",
            ],
        ),
        (
            b"\xef\xbb\xbfUser-agent: *\xff\r\nUser-agent: *\nDisallow: /\xff\x1b[2J\n",
            ["/%EF%BF%BD%1B[2Jx"],
            1,
            ["/%EF%BF%BD%1B[2Jx: forbidden, by Disallow: /\ufffd\\x1b[2J (line 3, group of *)"],
        ),
        (b"#" * (500 << 10) + b"\nUser-agent: *\nDisallow: /\n", ["/"], 0, ["/: allowed, no group is for this agent"]),
    ],
)
def test_files(tmp_path, capsys, data, options, status, said):
    file = tmp_path / "robots.txt"
    file.write_bytes(data if isinstance(data, bytes) else data.encode())
    assert main(["try", "robots", str(file), *options]) == status
    assert capsys.readouterr().out.splitlines() == said


def test_standard_input():
    done = subprocess.run(
        command("try", "robots", "-", "/private/x"), input=TEXT, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (1, "") and "line 2" in done.stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["none", "/"], "none: No such file or directory; name a readable robots.txt"),
        ([".", "/"], "Is a directory"),
        (["f", "gopher://a.test/"], "'gopher://a.test/' is neither an http or https URL nor a path"),
        (["f", "x"], "nor a path"),
    ],
)
def test_bad_input_is_one_line(tmp_path, monkeypatch, capsys, options, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f").touch()
    assert main(["try", "robots", *options]) == 2
    out = capsys.readouterr()
    assert out.out == "" and out.err.count("\n") == 1 and said in out.err
