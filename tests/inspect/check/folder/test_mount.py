"""Files by URL: indexes, clean URLs, a base path, the 404 page, and nothing outside of the folder."""

import pytest

from ttcrawl.inspect.check.folder.answers import FolderAnswers
from ttcrawl.inspect.check.folder.mount import Mount

FILES = {
    "index.html": "front",
    "about.html": "about",
    "old.htm": "old",
    "guide/index.html": "guide",
    "guide/a b.html": "space",
    "guide/é.html": "accent",
    "both.html": "file",
    "both/index.html": "directory",
    "empty/note.txt": "note",
    "app.js": "js",
    "font.woff2": "font",
    "data.tar.gz": "tar",
    "404.html": "missing",
    ".git/index.html": "hidden",
    "x%2fy.html": "percent",
}


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        file = tmp_path / "site" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (tmp_path / "secret.html").write_text("secret")
    (tmp_path / "site" / "leak.html").symlink_to(tmp_path / "secret.html")
    (tmp_path / "site" / "up").symlink_to(tmp_path)
    (tmp_path / "site" / "alias.html").symlink_to("about.html")
    return tmp_path / "site"


def answer(folder, path, base="/", host="a.test"):
    status, headers, body = FolderAnswers(mount=Mount(folder=folder, host="a.test", path=base))(host, path)
    return status, headers.get("Location", body.decode() if status == 200 else ""), headers["Content-Type"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/", (200, "front", "text/html")),
        ("/index.html", (200, "front", "text/html")),
        ("/?query=/../x", (200, "front", "text/html")),
        ("/about", (200, "about", "text/html")),
        ("/about.html", (200, "about", "text/html")),
        ("/alias", (200, "about", "text/html")),
        ("/old", (200, "old", "text/html")),
        ("/both", (200, "file", "text/html")),
        ("/both/", (200, "directory", "text/html")),
        ("/guide", (301, "/guide/", "text/plain; charset=utf-8")),
        ("/guide/", (200, "guide", "text/html")),
        ("/guide//", (200, "guide", "text/html")),
        ("/guide/a%20b", (200, "space", "text/html")),
        ("/guide/%C3%A9.html", (200, "accent", "text/html")),
        ("/app.js", (200, "js", "text/javascript")),
        ("/font.woff2", (200, "font", "font/woff2")),
        ("/data.tar.gz", (200, "tar", "application/gzip")),
        ("/x%252fy.html", (200, "percent", "text/html")),
        ("/missing", (404, "", "text/html")),
        ("/" + "x" * 300, (404, "", "text/html")),  # a name that no file can have
        ("//guide", (301, "/guide/", "text/plain; charset=utf-8")),
        ("/about/", (404, "", "text/html")),
        ("/about.html/x", (404, "", "text/html")),
        ("/ABOUT", (404, "", "text/html")),
        ("/empty/", (404, "", "text/html")),
        ("/empty", (301, "/empty/", "text/plain; charset=utf-8")),
    ],
)
def test_as_a_server_for_static_sites_answers(folder, path, expected):
    assert answer(folder, path) == expected


@pytest.mark.parametrize(
    "path",
    [
        *("/../secret.html", "/..", "/guide/../../secret.html", "/%2e%2e/secret.html", "/%2E./secret.html", "/./about"),
        *("/..%2fsecret.html", "/guide%2findex.html", "/..%5csecret.html", "/about%00.html"),
        *("/leak.html", "/leak", "/up/secret.html"),
    ],
)
def test_paths_out_of_the_folder_are_refused(folder, path):
    assert answer(folder, path)[:2] == (403, "")
    assert Mount(folder=folder, host="a.test").file_of(f"http://a.test{path}") is None


def test_a_folder_may_be_below_a_path_of_its_host(folder):
    assert answer(folder, "/docs/about", "/docs/")[:2] == (200, "about")
    assert answer(folder, "/docs/guide", "/docs/")[:2] == (301, "/docs/guide/")
    assert answer(folder, "/docs", "/docs/")[:2] == (301, "/docs/")
    assert answer(folder, "/about", "/docs/")[0] == answer(folder, "/robots.txt", "/docs/")[0] == 404


def test_other_hosts_are_not_the_site(folder):
    assert answer(folder, "/", host="b.test")[0] == 404


def test_files_and_pages_by_url(folder):
    mount = Mount(folder=folder, host="a.test", path="/docs/", scheme="https")
    urls = ["http://a.test/docs/", "http://a.test/docs/about?x#y", "http://a.test/docs/guide/a%20b.html"]
    names = ["index.html", "about.html", "guide/a b.html"]
    assert [mount.file_of(url) for url in urls] == [folder / name for name in names]
    assert mount.file_of("http://a.test/about") is mount.file_of("http://b.test/docs/") is None
    pages = dict(mount.pages())
    assert pages.keys().isdisjoint({folder / "404.html", folder / ".git/index.html", folder / "app.js"})
    assert pages[folder / "guide/index.html"] == "http://a.test/docs/guide/"
    assert pages[folder / "guide/a b.html"] == "http://a.test/docs/guide/a%20b.html"
    assert all(mount.file_of(url) == file for file, url in pages.items() if file.name != "leak.html")
    assert list(mount.starts()) == ["http://a.test/docs/"] and mount.shown == "https://a.test/docs/"
