"""Directories by pages and bytes: every page is in one of them."""

import pytest

from ttcrawl.report.directories import DEEPEST, Directories, Directory, directory_of


def counted(*urls, most=40, **limits):
    directories = Directories(**limits)
    for url, size in urls:
        directories.add(url, size)
    return [(each.path, each.pages, each.bytes) for each in directories.largest(most)]


@pytest.mark.parametrize(
    "url, path",
    [
        ("http://a.test/", "a.test/"),
        ("http://a.test/b", "a.test/"),
        ("https://a.test:8/b/?x=/c/d", "a.test:8/b/"),
        ("http://a.test?q", "a.test/"),
        ("ftp://a.test//b//c", "a.test//b//"),
        ("http://a.test/" + "d/" * 99, "a.test/" + "d/" * DEEPEST),
        ("no URL", "/"),
    ],
)
def test_the_directory_of_a_url(url, path):
    assert directory_of(url) == path


def test_a_directory_is_without_those_that_are_listed():
    pages = [(f"http://a.test/docs/api/{n}", 10) for n in range(50)]
    pages += [(f"http://a.test/docs/{n}", 1) for n in range(40)] + [("http://a.test/", 7), ("http://b.test/x/y", 3)]
    assert counted(*pages) == [
        ("a.test/", 1, 7),
        ("a.test/docs/", 40, 40),
        ("a.test/docs/api/", 50, 500),
        ("b.test/x/", 1, 3),
    ]


def test_small_hosts_stand_together():
    pages = [(f"http://{n}.test/", 1) for n in range(500)] + [("http://large.test/", 100)]
    assert counted(*pages) == [("", 500, 500), ("large.test/", 1, 100)]


@pytest.mark.parametrize("most", [1, 2, 3, 40])
def test_the_sum_is_every_page(most):
    pages = [(f"http://{n % 7}.test/{n % 11}/{n % 3}/{n}", n) for n in range(1000)]
    found = counted(*pages, most=most)
    assert 0 < len(found) <= most
    assert sum(pages for _, pages, _ in found) == 1000 and sum(size for *_, size in found) == sum(range(1000))


def test_a_trap_of_directories_needs_bounded_memory():
    pages = [(f"http://a.test/{n}/", 1) for n in range(1000)]
    directories = Directories(most=10)
    for url, size in pages:
        directories.add(url, size)
    assert sum(each.pages for each in directories.largest()) == 1000
    assert len(directories.largest(1000)) <= 11


def test_pages_without_bytes_count():
    assert Directories().largest() == ()
    directories = Directories()
    directories.add("http://a.test/", 0)
    assert directories.largest() == (Directory(path="a.test/", pages=1, bytes=0),)
