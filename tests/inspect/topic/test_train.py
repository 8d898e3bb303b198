"""`ttcrawl topic train`: from directories and from lists of URLs, and scores by its models."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from tests.inspect.topic.labelled_crawl import HOST, crawled, site_of
from tests.support.crawls.crawling import query
from tests.support.web.mesh import mesh
from tests.support.web.site import Web
from tests.topic.pages import labelled
from ttcrawl.cli import main

HTML = "<!doctype html><html lang=en><title>{}</title><meta name=description content='{}'><h1>{}</h1><p>{}"


def html(page):
    return HTML.format(page.title, page.metadata[0][1], page.headings[0], page.text)


@pytest.fixture
def classes(tmp_path):
    """Two directories with 30 files each."""
    for number, (relevant, page) in enumerate(labelled(30)):
        path = tmp_path / ("plants" if relevant else "cities") / f"{number % 3}" / f"{number}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html(page))
    return tmp_path / "plants", tmp_path / "cities"


def topic(capsys, *words):
    status = main(["topic", *map(str, words)])
    return status, *capsys.readouterr()


def train(capsys, classes, output, *more):
    return topic(capsys, "train", "--relevant", classes[0], "--irrelevant", classes[1], "-o", output, *more)


@pytest.mark.slow
def test_directories_of_files(capsys, tmp_path, classes):
    model = tmp_path / "model.json"
    (classes[0] / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    (classes[0] / "empty.html").write_bytes(b"")
    (classes[1] / "again.html").write_bytes((classes[1] / "1" / "1.html").read_bytes())
    (classes[1] / "lost").symlink_to("nowhere")
    status, out, err = train(capsys, classes, model)
    assert status == 0 and f"{model}: svm, " in out and " of 30 relevant and 30 irrelevant pages" in out
    assert "left out: 1 without words" in out and "left out: 1 with the words of an earlier page" in out
    told = [line for line in err.splitlines() if not line.startswith("ttcrawl: reading: ")]  # where it takes long
    assert len(told) == 1 and "1 file is left out: " in err and "picture.png is a binary file" in err
    written = model.read_bytes()
    assert train(capsys, classes, model, "--learner", "logistic")[0] == 0 and model.read_bytes() != written
    status, out, _ = train(capsys, classes, model, "--format", "json")
    shown = json.loads(out)
    assert model.read_bytes() == written and shown["figures"]["f1"]["mean"] > 0.9
    assert "sundew" in shown["strongest"]["relevant"] and "street" in shown["strongest"]["irrelevant"]
    accepted = [topic(capsys, "score", path, "--model", model)[0] for path in sorted(classes[0].rglob("[0-9]*.html"))]
    assert accepted.count(0) > 27


@pytest.mark.slow
def test_a_score_is_explained(capsys, tmp_path, classes):
    model = tmp_path / "model.json"
    train(capsys, classes, model, "--ngrams", 1)
    page = tmp_path / "page.html"
    page.write_text(HTML.format("Sundews", "A sundew", "Sundew", "a sundew in a bog, no tram"))
    status, out, _ = topic(capsys, "score", "--model", model, page)
    assert status == 0 and out.startswith(f"{page}\n  accepted: relevant with probability 0.")
    (line,) = [line for line in out.splitlines() if line.endswith("  sundew")]
    assert line.split()[0].startswith("+") and line.split()[1] == "4"  # the text has the heading too
    status, out, _ = topic(capsys, "score", page, "--model", model, "--format", "json")
    (shown,) = json.loads(out)
    total = shown["bias"] + sum(each["points"] for each in shown["matches"])
    assert total == pytest.approx(shown["margin"]) and shown["margin"] >= shown["threshold"]
    assert {each["term"] for each in shown["matches"]} >= {"sundew", "bog", "tram"}


@pytest.mark.slow
def test_languages_are_a_condition(capsys, tmp_path, classes):
    model, page = tmp_path / "model.json", tmp_path / "page.html"
    train(capsys, classes, model)
    page.write_text(html(next(labelled(1, seed=7))[1]))
    assert topic(capsys, "score", page, "--model", model, "--language", "sv,en")[0] == 0
    status, out, _ = topic(capsys, "score", page, "--model", model, "--language", "sv")
    assert status == 1 and "\n  rejected: its language is en; without this condition:\n  accepted: " in out
    terms = tmp_path / "terms.txt"
    terms.write_text("1000: sundew|plant|bog|leaf=P\n")
    assert topic(capsys, "score", page, "--terms", terms)[0] == 0
    status, out, _ = topic(capsys, "score", page, "--terms", terms, "--language", "de", "--format", "json")
    assert status == 1 and json.loads(out)[0]["accepted"] is False


@pytest.mark.slow
def test_lists_of_urls_of_a_crawl(capsys, tmp_path):
    """Pages are relevant by chance: here only the pages, not the figures, are right."""
    directory, model = tmp_path / "crawl", tmp_path / "model.json"
    with Web(mesh(["a.test"], 30, seed=2)) as web:
        resolve = ["--set", f"fetch.resolve={' '.join(web.resolve)}", "--set", "politeness.delay=0"]
        main(["crawl", web.url("a.test", "/"), "-d", str(directory), "--progress", "none", *resolve])
    capsys.readouterr()
    main(["export", str(directory), "--format", "jsonl", "--where", "status = 200"])
    urls = [json.loads(line)["url"] for line in capsys.readouterr().out.splitlines()]
    urls = [url for url in urls if "robots" not in url]
    lists = tmp_path / "relevant.txt", tmp_path / "irrelevant.txt"
    lists[0].write_text("# half of them\n\n" + "\n".join([*urls[::2], urls[0], "http://never.test/", "no URL"]))
    lists[1].write_bytes(b"\xef\xbb\xbf" + "\r\n".join(urls[1::2]).encode())
    status, out, err = topic(
        capsys, "train", "--relevant", lists[0], "--irrelevant", lists[1], directory, "-o", model, "--folds", 2
    )
    assert status == 0, err
    assert "2 URLs were never discovered by the crawl, first: http://never.test/" in err
    status, out, _ = topic(capsys, "score", directory, "--model", model, "--limit", 3)
    assert " pages accepted\n" in out and len(out.splitlines()) == 4
    status, out, _ = topic(capsys, "score", directory, urls[0], "--model", model)
    assert out.startswith(f"{urls[0]}\n  ")
    lists[1].write_text(urls[0])
    status, _, err = topic(capsys, "train", "--relevant", lists[0], "--irrelevant", lists[1], directory, "-o", model)
    assert status == 2 and f"{urls[0]} is in both lists" in err
    lists[1].write_bytes(b"http://a.test/\0")
    status, _, err = topic(capsys, "train", "--relevant", lists[0], "--irrelevant", lists[1], directory, "-o", model)
    assert status == 2 and "is not a list: name a file with one URL per line" in err and err.count("\n") == 1
    lists[1].unlink()
    status, _, err = topic(capsys, "train", "--relevant", lists[0], "--irrelevant", lists[1], directory, "-o", model)
    assert status == 2 and "No such file or directory; name a file with one URL" in err and err.count("\n") == 1


#: Relevant by the hook: pages about plants, of all but those with an even number; the list decides about them.
HOOK = """
def page(page):
    *_, kind, number = page.url.rsplit("/", 2)
    return kind == "plants" if number.isdigit() and int(number) % 4 > 1 else None
"""


@pytest.mark.slow
def test_labels_of_a_crawl(capsys, tmp_path, monkeypatch):
    """A person's answers come before those of the hook, and these before the list."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "decide.py").write_text(HOOK)
    (tmp_path / "terms.txt").write_text("1000: sundew|plant|bog|Drosera=P\n")
    (tmp_path / "sites.txt").write_text("/plants/0$\n")
    files = (f"topic.terms={tmp_path / 'terms.txt'}", f"topic.sites_ok={tmp_path / 'sites.txt'}")
    settings = (*files, "hooks.page=decide:page", f"hooks.path={tmp_path}", "topic.tunnel=-1")
    with Web(site_of(20)) as web:
        directory = crawled(tmp_path / "c", web, *[part for each in settings for part in ("--set", each)])
        plants, cities = (web.url(HOST, path) for path in ("/plants/2", "/cities/3"))
    by = dict(query(directory, 'SELECT "by", count(*) FROM topic GROUP BY "by"'))
    assert by == {"hook": 20, "site": 1, "terms": 20}
    capsys.readouterr()
    status, out, err = topic(capsys, "train", directory, "-o", "model.json", "--format", "json")
    assert status == 0 and "labels: 20 by the hook, 1 by sites that always pass, 20 by the list of terms" in err
    relevant = query(directory, "SELECT sum(relevant) FROM topic")[0][0]
    shown = json.loads(out)
    assert (shown["relevant"], shown["irrelevant"]) == (relevant, 41 - relevant)
    (tmp_path / "irrelevant.txt").write_text(f"{plants}\n")
    (tmp_path / "relevant.txt").write_text(f"{cities}\n")
    status, out, err = topic(capsys, "train", directory, "-o", "model.json", "--format", "json")
    assert status == 0 and "labels: 2 by a person, 18 by the hook, 1 by" in err
    assert json.loads(out)["inputs"] != shown["inputs"]
    assert main(["topic", "score", str(directory), "--model", "model.json", "--save"]) == 0
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        db.execute("DELETE FROM topic WHERE \"by\" != 'model'")
    for name in ("relevant.txt", "irrelevant.txt"):
        (tmp_path / name).unlink()
    capsys.readouterr()
    status, _, err = topic(capsys, "train", directory, "-o", "model.json")
    assert status == 2 and f"{directory} has no labels: name pages of both classes" in err


def test_a_crawl_without_texts(capsys, tmp_path):
    directory = tmp_path / "crawl"
    with Web(mesh(["a.test"], 3, seed=2)) as web:
        more = ["--set", f"fetch.resolve={' '.join(web.resolve)}", "--set", "politeness.delay=0"]
        url = web.url("a.test", "/")
        main(["crawl", url, "-d", str(directory), "--progress", "none", *more, "--set", "record.text=no"])
    (tmp_path / "one").write_text(url)
    (tmp_path / "other").write_text(f"{url}x")
    capsys.readouterr()
    status, out, err = topic(
        capsys, "train", directory, "--relevant", tmp_path / "one", "--irrelevant", tmp_path / "other"
    )
    assert (status, out) == (2, "") and err.count("\n") == 1
    assert f"{directory} has no texts: crawl with [record] text = yes" in err


def test_classes_that_do_not_differ(capsys, tmp_path):
    """Of each word, one page is relevant and one is not: whichever is held out looks like the other."""
    for number in range(20):
        path = tmp_path / ("one" if number % 2 else "other") / f"{number}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"pair{number // 2} only{number}")
    status, _, err = train(capsys, (tmp_path / "one", tmp_path / "other"), tmp_path / "model.json", "--folds", 10)
    assert status == 0 and "this model is not better than chance" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("train", "name pages of both classes: --relevant and --irrelevant"),
        ("train --relevant plants --irrelevant empty", "no irrelevant page with words"),
        ("train --relevant plants --irrelevant few", "5 folds need 5 irrelevant pages, and there are 2"),
        ("train --relevant plants --irrelevant plants", "have files in common"),
        ("train --relevant plants --irrelevant plants/0", "have files in common"),
        ("train --relevant plants --irrelevant missing", "or two directories of files"),
        ("train --relevant list --irrelevant list", "name a crawl and two lists"),
        ("train empty --relevant list --irrelevant list", "is not a crawl directory"),
        ("train --relevant one --irrelevant other", "no model is trained: no word is on 2 pages"),
        ("train empty --relevant plants --irrelevant list", "are files with one URL per line"),
        ("train a b --relevant list --irrelevant list", "reads one crawl"),
        ("train --relevant plants --irrelevant cities --terms list", "--terms is not an option of ttcrawl topic train"),
        ("train --relevant plants --irrelevant cities --recall 1 --precision 1", "exclude each other"),
        ("train --relevant plants --irrelevant cities -o empty", "cannot be written"),
        ("train --relevant plants --irrelevant cities -o missing/x", "cannot be written"),
        ("train --relevant plants --irrelevant cities -o pipe", "cannot be written"),
        ("score one/0.txt", "name a list of terms with --terms, or a model with --model"),
        ("score plants --model list", "is not a crawl directory"),
        ("score --model list", "name a crawl, a file or a URL"),
        ("score one/0.txt --terms list --model list", "list, line 1, column 1"),
        ("score one/0.txt --model list", "list is not a model"),
        ("score one/0.txt --model list --compatible", "--compatible belongs to --terms"),
        ("score plants --model list --folds 3", "--folds is not an option of ttcrawl topic score"),
    ],
)
def test_errors_are_one_line(capsys, tmp_path, monkeypatch, classes, words, message):
    monkeypatch.chdir(tmp_path)
    for name in ("empty", "few"):
        (tmp_path / name).mkdir()
    (tmp_path / "few" / "a.txt").write_text("one")
    (tmp_path / "few" / "b.txt").write_text("two")
    (tmp_path / "list").write_text("http://a.test/\n")
    os.mkfifo(tmp_path / "pipe")
    for number in range(10):
        path = tmp_path / ("one" if number < 5 else "other") / f"{number}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"word{number}")
    status, out, err = topic(capsys, *words.split())
    assert (status, out) == (2, "") and message in err and err.count("\n") == 1
    assert not (tmp_path / "model.json").exists()


@pytest.mark.parametrize("option", ["--folds=1", "--ngrams=4", "--precision=0", "--recall=nan", "--language=e1"])
def test_wrong_values(capsys, option):
    with pytest.raises(SystemExit):
        topic(capsys, "train", option)
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.slow
def test_a_model_needs_no_scikit_learn(tmp_path, capsys, classes):
    model = tmp_path / "model.json"
    train(capsys, classes, model)
    program = (
        "import sys; sys.modules.update(sklearn=None, scipy=None, ahocorasick_rs=None)\n"
        "from ttcrawl.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    page = next(classes[0].rglob("*.html"))
    command = [sys.executable, "-c", program, "topic", "score", page, "--model", model]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0 and "relevant with probability" in done.stdout, done.stderr


@pytest.mark.slow
def test_hashes_of_a_process_change_nothing(tmp_path, classes):
    bytes_of = []
    for seed in ("1", "2"):
        model = tmp_path / f"{seed}.json"
        command = ["topic", "train", "--relevant", classes[0], "--irrelevant", classes[1], "-o", model]
        environment = {"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)}
        subprocess.run([sys.executable, "-m", "ttcrawl", *command], env=environment, check=True, capture_output=True)
        bytes_of.append(model.read_bytes())
    assert bytes_of[0] == bytes_of[1]
