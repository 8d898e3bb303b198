"""The country of a server: a column of crawldb.site and of the library's sites."""

import json

import pytest

from tests.support.crawls.crawling import crawl
from tests.support.crawls.preforked import run
from tests.support.web.geoip import write
from tests.support.web.site import Answer, Web
from ttcrawl import open as open_crawl
from ttcrawl.cli import main
from ttcrawl.errors import UsageError

HOSTS = ("www.gov.si", "a.co.uk", "xn--e1afmkfd.xn--p1ai", "b.eu", "c.test")
BY_DOMAIN = {"www.gov.si": "SI", "a.co.uk": "GB", "xn--e1afmkfd.xn--p1ai": "RU", "b.eu": None, "c.test": None}


def in_crawldb(server):
    rows = server.query("SELECT domain, country FROM crawldb.site")
    return {host.partition(":")[0]: country for host, country in rows}


def in_library(directory):
    with open_crawl(directory) as opened:
        countries = {site.host.partition(":")[0]: site.country or None for site in opened.iter_sites()}
        assert [each or None for each in opened.sites()["country"]] == [*countries.values()]
    exported = run("export", directory, "--format", "jsonl", "--table", "sites").stdout
    rows = [json.loads(line) for line in exported.splitlines()]
    assert {row["host"].partition(":")[0]: row["country"] or None for row in rows} == countries
    return countries


@pytest.mark.slow
def test_the_domain_decides_or_a_geoip_file(server, tmp_path, monkeypatch):
    directory = tmp_path / "c"
    pages = {(host, "/"): Answer(body=f"<p>{host}".encode()) for host in HOSTS}
    with Web({}) as web:
        port = web.port
    links = "".join(f"<a href=//{host}:{port}/>x</a>" for host in HOSTS)
    pages[HOSTS[0], "/"] = Answer(body=links.encode())
    with Web(pages, port=port) as web:
        done = crawl(web, web.url(HOSTS[0], "/"), directory, "--no-obey-delay", "--scope", "any")
    assert done.status == 0, done.err
    assert main(["mirror", str(directory), server.url]) == 0
    assert in_crawldb(server) == in_library(directory) == BY_DOMAIN

    # a file that is named later, or changes, changes the copy
    addresses = dict(done.query("SELECT host, address FROM site"))
    by_address = {host.partition(":")[0]: address for host, address in addresses.items()}
    config = directory / "config.ini"
    plain = config.read_text()
    for codes in ("AA", "BB", None, "CC", None), ("AA", "DD", "EE", "CC", None):
        networks = {
            f"{by_address[host]}/32": {"country": {"iso_code": code}}
            for host, code in zip(HOSTS, codes, strict=True)
            if code
        }
        file = write(tmp_path / "g.mmdb", networks)
        config.write_text(plain.replace("\ngeoip =", f"\ngeoip = {file}"))
        assert main(["mirror", str(directory), server.url]) == 0
        assert in_crawldb(server) == in_library(directory) == dict(zip(HOSTS, codes, strict=True))

    file.unlink()
    with open_crawl(directory) as opened, pytest.raises(UsageError, match=r"geoip: cannot read .*g\.mmdb"):
        list(opened.iter_sites())
    again = run("mirror", directory, server.url)
    assert again.returncode == 2 and "[record] geoip: cannot read" in again.stderr, again.stderr
    assert len(again.stderr.splitlines()) == 1
    assert run("report", directory).returncode == 0


def test_a_crawl_does_not_begin_without_its_geoip_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("crawl", "http://a.test/", "-d", tmp_path / "c", "--set", "record.geoip=missing.mmdb")
    assert done.returncode == 2 and f"[record] geoip: cannot read {tmp_path}/missing.mmdb" in done.stderr
    assert not (tmp_path / "c").exists()
