"""What commands say of pages that are gone, have moved, or have lost their links."""

import json
import re

import pytest

import ttcrawl
from tests.recrawl.moving import GONE, OLD, TEXT, home, page, scripted, words
from tests.recrawl.recrawled import Clock, recrawl, served
from tests.recrawl.servers import DAY
from tests.support.crawls.crawling import query
from ttcrawl.cli import main
from ttcrawl.store.sqlite import Store


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """(directory, beginning of its URLs): /old has moved, /none and its copy are gone, /half has a copy that stays."""
    half, none = (0, 200, page("half", words("half"))), (0, 200, page("none", words("none")))
    pages = {
        "": home((0, ["/old", "/none", "/none-2", "/half", "/half-2", "/alone"]), (7.5, ["/new", "/half-2", "/none"])),
        **{
            "/old": scripted(OLD, GONE),
            "/new": scripted(OLD),
            "/half": scripted(half, GONE),
            "/half-2": scripted(half),
        },
        **{"/none": scripted(none, GONE), "/none-2": scripted(none, GONE)},
        "/alone": scripted((0, 200, page("alone", words("alone")))),
    }
    clock, directory = Clock(), tmp_path_factory.mktemp("gone") / "c"
    with served({f"a.test{name}": each for name, each in pages.items()}, clock) as port:
        recrawl(directory, ["a.test"], port, clock, 13 * DAY, {"revisit.longest": 4 * DAY})
    return directory, f"http://a.test:{port}"


def told(capsys, *words):
    assert main([str(word) for word in words]) == 0
    return re.sub(r"\s+", " ", capsys.readouterr().out)


@pytest.mark.slow
def test_why_names_the_new_url_of_a_page_and_its_old_one(done, capsys):
    directory, base = done
    text = told(capsys, "why", directory, f"{base}/old")
    assert "state fetched, gone: http 404" in text and "it is gone." in text
    assert f"moved to {base}/new, by the same bytes its content is still at {base}/new" in text
    assert f"moved here {base}/old" in told(capsys, "why", directory, f"{base}/new")


def test_why_tells_whether_a_content_is_there(done, capsys):
    directory, base = done
    assert f"its content is still at {base}/half-2" in told(capsys, "why", directory, f"{base}/half")
    text = told(capsys, "why", directory, f"{base}/none")
    assert "its content is not at all 2 URLs that have shown it any more" in text
    assert "links no page links to it since 2023-11-2" in told(capsys, "why", directory, f"{base}/alone")


def test_a_body_is_unavailable_when_all_its_urls_are_gone(done):
    directory, _ = done
    rows = query(directory, "SELECT DISTINCT title, urls, gone, state FROM content JOIN answer USING (digest)")
    assert {title: row for title, *row in rows if title != "home"} == {
        "old": [2, 1, "shown"],
        "half": [2, 1, "shown"],
        "none": [2, 2, "unavailable"],
        "alone": [1, 0, "shown"],
    }
    assert [state for title, *_, state in rows if title == "home"].count("replaced") == 1


def test_a_page_that_is_gone_can_be_shown_as_it_was(done, capsys):
    directory, base = done
    assert TEXT in told(capsys, "page", directory, f"{base}/old", "--at", "2023-11-16", "--main")


def test_diff_lists_what_has_moved_and_what_is_still_there(done, capsys):
    directory, base = done
    assert main(["diff", str(directory), "2023-11-16", "2023-11-26", "--format", "jsonl"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    found = {row["url"].removeprefix(base): row for row in rows[:-1] if row["change"] != "changed"}
    assert {url: (row["change"], row["to"].removeprefix(base)) for url, row in found.items()} == {
        "/old": ("moved", "/new"),
        "/half": ("gone", ""),
        "/none": ("gone", ""),
        "/none-2": ("gone", ""),
    }
    assert found["/half"]["still_at"] == f"{base}/half-2" and found["/none"]["still_at"] == ""
    text = told(capsys, "diff", directory, "2023-11-16", "2023-11-26")
    assert f"the same bytes are still at {base}/half-2" in text


@pytest.mark.parametrize("moments", [(), ("2023-11-16",), ("2023-11-24", "2023-11-26")])
def test_diff_and_why_agree_about_what_has_moved(done, capsys, moments):
    """Without a moment, and whether the new page was there at the first one or not."""
    directory, base = done
    assert main(["diff", str(directory), *moments, "--format", "jsonl"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    moved = {row["url"]: row["to"] for row in rows if row["change"] == "moved"}
    if moments != ("2023-11-24", "2023-11-26"):
        assert moved == {f"{base}/old": f"{base}/new"}
    assert not any(row["change"] == "new" and row.get("url") == f"{base}/new" for row in rows)
    assert f"{base}/new" in told(capsys, "why", directory, f"{base}/old")


def test_status_and_report_count_them(done, capsys):
    directory, _ = done
    assert "4 gone (1 moved), 4 without links" in told(capsys, "status", directory)
    text = told(capsys, "report", directory)
    assert "Pages that are gone 4 known again at another URL 1 URLs without links 4" in text


def test_what_is_gone_is_not_among_the_pages(done, capsys):
    directory, base = done
    with ttcrawl.open(directory) as crawl:
        states = {each.url.removeprefix(base): each.reason for each in crawl.iter_urls()}
    assert states["/old"] == states["/none"] == "gone: http 404" and states["/alone"] == "http 200"
    assert "/half-2" in told(capsys, "search", directory, "whalfx7") and base in told(
        capsys, "search", directory, "wax7"
    )
    assert "/old" not in told(capsys, "search", directory, "wax7")


@pytest.mark.slow
@pytest.mark.parametrize("near", [False, True])
def test_a_copy_takes_over_while_the_crawl_runs(tmp_path, monkeypatch, near):
    """The marks at a commit in which the original is gone, before the end of the run decides them anew."""
    text = words("x", 600)
    copies = {f"/{n}": scripted((0, 200, page("x", text.replace("wxx300 ", f"w{n} ") if near else text))) for n in "23"}
    pages = {"": home((0, ["/1", "/2", "/3"])), "/1": scripted((0, 200, page("x", text)), GONE), **copies}
    originals, commit = [], Store.commit

    def committed(store):
        commit(store)
        originals.append([mark.original for mark in map(store.fingerprints.mark, range(1, 5)) if mark is not None])

    monkeypatch.setattr(Store, "commit", committed)
    clock = Clock()
    with served({f"a.test{name}": each for name, each in pages.items()}, clock) as port:
        recrawl(tmp_path / "c", ["a.test"], port, clock, 8 * DAY, {"duplicates.near": "yes"})
    (first,) = {each[0] for each in originals if len(each) == 2}
    (second,) = {each[0] for each in originals if len(each) == 1 and each != [first]}
    assert originals.count([second]) > 4  # days of the run, not its end
