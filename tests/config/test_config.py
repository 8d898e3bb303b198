"""config.ini: read once, every key known, every bad value refused with one line."""

import re
import warnings
from dataclasses import replace
from pathlib import Path

import pytest

from ttcrawl.config import SECTIONS, Config, ConfigError, HostSection, example, keys, logins, proxy, read, resolve_map
from ttcrawl.config.config import REST
from ttcrawl.config.order import FIRST, in_order
from ttcrawl.config.urls import PROGRAMS

ROOT = Path(__file__).parents[2]


def test_the_example_is_the_defaults():
    assert (ROOT / "config.ini").read_text() == example()
    assert read(ROOT / "config.ini") == Config() == read(None)


def test_the_keys_that_people_set_stand_first():
    first, rest = example().split(REST)
    assert list(FIRST) == re.findall(r"^\[(.*)\]$", first, re.MULTILINE)
    assert len(re.findall(r"^\w+ =", first, re.MULTILINE)) == 40
    listed = [(section, key.name) for section, ordered in in_order() for key in ordered]
    assert sorted(listed) == sorted((each.name, key.name) for each in SECTIONS for key in keys(each.default))
    assert "[fetch]" in rest and "[host:" not in rest


def test_a_section_may_stand_twice(tmp_path):
    (tmp_path / "config.ini").write_text("[crawl]\nmax_pages = 3\n[agent]\n[crawl]\nthreads = 2\n")
    assert read(tmp_path / "config.ini") == read(None, [("crawl.max_pages", "3"), ("crawl.threads", "2")])


def test_a_configuration_survives_being_written_and_read(tmp_path):
    chosen = read(
        None,
        [
            ("scope.domains", "a.test\n b.test"),
            ("crawl.max_time", "1234567"),
            ("links.content_start", "<!-- C -->"),
            ("links.content_end", "-"),
        ],
    )
    path = tmp_path / "config.ini"
    path.write_text(example(chosen))
    again = read(path)
    assert again.scope.domains.split() == ["a.test", "b.test"]
    assert replace(again, scope=chosen.scope) == chosen


@pytest.mark.parametrize(
    ("section", "key", "text", "value"),
    [
        ("fetch", "max_body", "10m", 10 << 20),
        ("fetch", "max_body", "2 MB", 2 << 20),
        ("fetch", "max_body", "4096", 4096),
        ("politeness", "obey_delay", "No", False),
        ("politeness", "delay", "0.05", 0.05),
        ("frontier", "number_pattern", r"page-(\d+)", r"page-(\d+)"),
        ("fetch", "types", "Text/* */* image/svg+xml", "Text/* */* image/svg+xml"),
        ("agent", "contact", "https://example.org/bot", "https://example.org/bot"),
        ("agent", "name", "cis5550-crawler", "cis5550-crawler"),
        ("agent", "user_agent", "cis5550-crawler", "cis5550-crawler"),
    ],
)
def test_values(section, key, text, value):
    assert getattr(getattr(read(None, [(f"{section}.{key}", text)]), section), key) == value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[polite]\n", "no section [polite]"),
        ("[politeness]\ndelays = 1\n", "no key 'delays'"),
        ("[politeness]\ndelay = fast\n", "write a number"),
        ("[politeness]\ndelay = -1\n", "from 0 to"),
        ("[politeness]\ndelay = nan\n", "from 0 to"),
        ("[politeness]\ndelay = inf\n", "from 0 to"),
        ("[politeness]\nobey_delay = perhaps\n", "write yes or no"),
        ("[crawl]\nthreads = -1\n", "from 0 to"),
        ("[crawl]\nthreads = 1.5\n", "write a whole number"),
        ("[fetch]\nmax_body = 10 parsecs\n", "write a whole number"),
        ("[fetch]\ntypes = text/html html\n", "types: html is not a media type"),
        ("[fetch]\ntypes = text/html, text/plain\n", "types: text/html, is not a media type"),
        ("[fetch]\ntypes = */html\n", "*/html is not a media type"),
        ("[fetch]\ntypes = text/\n", "text/ is not a media type"),
        ("[fetch]\nresolve = example.org\n", "HOST:PORT:ADDRESS"),
        ("[fetch]\nresolve = example.org:99999:127.0.0.1\n", "HOST:PORT:ADDRESS"),
        ("[fetch]\nresolve = example.org:80:127.1\n", "HOST:PORT:ADDRESS"),
        ("[safety]\nallow = 10.0.0.0/33\n", "allow = 10.0.0.0/33"),
        ("[safety]\nallow = 10.0.0.1/8\n", "host bits set"),
        ("[safety]\nallow = ::1 a.test:80\n", "allow = a.test:80"),
        ("[safety]\nallow = http://a.test/\n", "10.0.0.0/8 intranet.example"),
        ("[safety]\nallow = a..test\n", "allow = a..test"),
        ("[safety]\nallow = a,b\n", "not a host name"),
        ("[scope]\nscope = planet\n", "write one of host, directory, domain, any, list"),
        ("[scope]\nscope = list\n", "needs domains"),
        ("[scope]\nscope = list\ndomains = b.test http://a.test/\n", "http://a.test/: write names such as"),
        ("[scope]\nscope = list\ndomains = a.test:80\n", "a.test:80: write names such as"),
        ("[scope]\nscope = list\ndomains = *.a.test\n", "*.a.test: write names such as"),
        ("[fetch]\nresolve = a@b.test:80:127.0.0.1\n", "HOST:PORT:ADDRESS"),
        ("[frontier]\nnumber_pattern = page-\\d+\n", "number_pattern = page-\\d+: put the number in a group"),
        ("[frontier]\npriority = number\nnumber_pattern = (\n", "number_pattern = (: missing )"),
        ("[frontier]\nnumber_pattern = (\n", "number_pattern = (: missing )"),
        ("[frontier]\nnumber_pattern = (a{99999999999999999999})\n", "the repetition number is too large"),
        pytest.param(f"[frontier]\nnumber_pattern = {'(' * 9999}{')' * 9999}\n", "recursion", id="deep"),
        ("[links]\ncontent_start = <!-- C -->\n", "belong together"),
        ("[agent]\nname = my bot 2.0\n", "letters"),
        ("[agent]\ncontact = a\tb\n", "printable"),
        ("[agent]\nuser_agent = Bär/1.0\n", "printable"),
        ("[seen]\nerror_rate = 1\n", "to 0.99"),
        ("[duplicates]\npermutations = 64\nbands = 65\n", "bands = 65: write at most the number of permutations, 64"),
        ("[seen]\ncapacity = 1000000000000\n", "to 1,000,000,000"),
        ("[crawl]\nfetchers = 600\n", "to 64"),
        ("delay = 1\n", "line 1 is in no section"),
        ("[crawl]\nthreads = 1\nthreads = 2\n", "[crawl] threads is repeated in line 3"),
        ("[crawl]\nthreads = 1\n[agent]\n[crawl]\nThreads = 1\n", "[crawl] threads is repeated in line 5"),
        ("[DEFAULT]\nthreads = 1\n", "no section [DEFAULT]"),
    ],
)
def test_what_is_refused(tmp_path, text, said):
    path = tmp_path / "config.ini"
    path.write_text(text)
    with pytest.raises(ConfigError) as refused:
        read(path)
    assert said in str(refused.value) and "\n" not in str(refused.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"none\.ini: No such file"):
        read(tmp_path / "none.ini")


def test_every_key_has_a_meaning():
    for section in [*(each.default for each in SECTIONS), HostSection()]:
        assert section.__class__.__doc__
        assert all(key.metadata["meaning"] for key in keys(section))


def test_hosts_may_be_written_in_their_own_letters(tmp_path):
    path = tmp_path / "config.ini"
    path.write_text("[host:*.B\u00fccher.example:81]\ndelay = 5\n[host:m\u00fc/x]\n", encoding="utf-8-sig")
    config = read(path, [("fetch.resolve", "b\u00fccher.example:80:127.0.0.1")])
    assert [section.name for section in config.hosts] == ["*.xn--bcher-kva.example:81", "m\u00fc/x"]
    assert resolve_map(config.fetch.resolve) == {("xn--bcher-kva.example", 80): "127.0.0.1"}


def test_resolve_map_takes_ipv6():
    assert resolve_map("A.test:80:[::1]  b.test:443:127.0.0.2") == {("a.test", 80): "::1", ("b.test", 443): "127.0.0.2"}


SECRET = "s3cret"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", {}),
        ("a.test=me:pw", {"a.test": ("me", "pw")}),
        ("A.Test:8080=me:p:w  b.test=%C3%BC:%3A%20%25", {"a.test:8080": ("me", "p:w"), "b.test": ("ü", ": %")}),
        ("bücher.test=me:", {"xn--bcher-kva.test": ("me", "")}),
        ("[0::1]:81=me:a=b@c/d", {"[::1]:81": ("me", "a=b@c/d")}),
        ("0x7f.1=me:pw", {"127.0.0.1": ("me", "pw")}),
        ("digest:A.test=me:p:w", {"a.test": ("me", "p:w")}),
        ("a.test=me:${P%20W} digest:b.test:81=me:${PW}", {"a.test": ("me", "${P W}"), "b.test:81": ("me", "${PW}")}),
        ("bearer:a.test=${file:/run/token}", {"a.test": ("", "${file:/run/token}")}),
    ],
)
def test_logins(text, found):
    assert {host: (login.user, login.password) for host, login in logins(text).items()} == found


def test_a_login_is_sent_in_utf8():
    """RFC 7617 section 2 and 2.1."""
    aladdin, test = logins("a.test=Aladdin:open%20sesame b.test=test:123%C2%A3").values()
    assert aladdin.basic() == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==" and test.basic() == "Basic dGVzdDoxMjPCow=="


def test_a_password_is_revealed_when_it_is_used(tmp_path):
    (tmp_path / "pw").write_text(f"{SECRET}\nmore\n")
    entries = f"a.test=me:${{PW}} bearer:b.test=${{file:{tmp_path}/pw}} c.test=me:as-it-is"
    found = [each.revealed("[fetch] login", {"PW": "x y"}).password for each in logins(entries).values()]
    assert found == ["x y", SECRET, "as-it-is"]
    with pytest.raises(ConfigError, match="the password needs the environment variable PW"):
        logins(entries)["a.test"].revealed("[fetch] login", {})


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("http://p.test:3128", ("http", "p.test", 3128, None)),
        ("HTTPS://me:pw@P.test:443/", ("https", "p.test", 443, ("me", "pw"))),
        ("socks5h://m%40e:p%2Fw@[::1]:1080", ("socks5h", "[::1]", 1080, ("m@e", "p/w"))),
        ("socks4a://me@10.0.0.1:1080", ("socks4a", "10.0.0.1", 1080, ("me", ""))),
    ],
)
def test_proxies(text, found):
    it = proxy(text)
    assert (it.scheme, it.host, it.port, it.login and (it.login.user, it.login.password)) == found


@pytest.mark.parametrize(
    ("key", "text", "said"),
    [
        ("login", f"me:{SECRET}", "entry 1: write HOST=USER:PASSWORD"),
        ("login", f"a.test=x:y b.test={SECRET}", "entry 2: write"),
        ("login", f"http://a.test/=me:{SECRET}", "entry 1: write"),
        ("login", f"me:{SECRET}@a.test=x:y", "entry 1: write"),
        ("login", f"a..%00=me:{SECRET}", "the host as in its URLs"),
        ("login", f"a.test:443=me:{SECRET}", "with a port only if they have one"),
        ("login", f"a.test=me:{SECRET} A.test=me:{SECRET}", "entry 2: this host has a login already"),
        ("login", f"a.test=me:{SECRET}%zz", "%25"),
        ("login", f"a.test=me:{SECRET}%ff", "UTF-8"),
        ("login", f"a.test=me:{SECRET}%0A", "control characters"),
        ("login", f"a.test=m%3Ae:{SECRET}", "no colon"),
        ("login", f"bearer:a.test={SECRET}", "in an environment variable"),
        ("login", f"bearer:a.test={SECRET}-${{NAME}}", "in an environment variable"),
        ("login", f"digest:a.test=x:{SECRET} a.test=x:{SECRET}", "entry 2: this host has a login already"),
        ("proxy", f"ftp://me:{SECRET}@p.test:80", "write SCHEME://"),
        ("proxy", f"http://me:{SECRET}@p.test", "HOST:PORT"),
        ("proxy", f"http://me:{SECRET}@p.test:99999", "HOST:PORT"),
        ("proxy", f"http://me:{SECRET}@p.test:0", "HOST:PORT"),
        ("proxy", f"http://me:{SECRET}@x@p.test:80", "percent-encoded"),
        ("proxy", f"http://me:{SECRET}@p.test:80/path", "write SCHEME://"),
        ("proxy", f"http://me:{SECRET}%@p.test:80", "%25"),
        ("proxy", f"socks4://me:{SECRET}@p.test:80", "no password"),
        ("proxy", f"socks5://{SECRET}@p.test:80", "1 to 127 bytes"),
        ("proxy", f"socks5://me:{SECRET * 50}@p.test:80", "1 to 127 bytes"),
    ],
)
def test_refusals_do_not_tell_passwords(key, text, said):
    with pytest.raises(ConfigError) as refused:
        read(None, [(f"fetch.{key}", text)])
    told = str(refused.value)
    assert f"[fetch] {key}" in told and said in told and SECRET not in told and "\n" not in told


@pytest.mark.parametrize("text", [f"login = a.test=me:{SECRET}\n", f"[fetch]\n=me:{SECRET}\n", f"[fetch]\n{SECRET}\n"])
def test_no_more_does_a_broken_file(tmp_path, text):
    path = tmp_path / "config.ini"
    path.write_text(text)
    with pytest.raises(ConfigError) as refused:
        read(path)
    assert SECRET not in str(refused.value) and "line" in str(refused.value)


@pytest.mark.parametrize("scheme", ["http", "https", "socks4a", "socks5h", "socks4", "socks5"])
def test_names_are_looked_up_here_or_there(scheme):
    keys = [("fetch.proxy", f"{scheme}://p.test:1"), ("fetch.resolve", "a.test:80:127.0.0.1")]
    if scheme in ("socks4", "socks5"):
        assert read(None, keys)
        return
    with pytest.raises(ConfigError, match=f"resolve has no effect with a {scheme} proxy"):
        read(None, keys)


def test_files_that_are_saved_are_followed_whatever_their_extensions(tmp_path):
    config = read(None, [("files.save", "yes"), ("links.kinds", "anchor, image")])
    assert config.links.kinds.split() == ["anchor", "image", "media", "object"]
    refused = set(config.scope.extensions.split())
    assert refused == {*PROGRAMS.split()} and refused < set(read(None).scope.extensions.split())
    own = read(None, [("files.save", "yes"), ("scope.extensions", "png")])
    assert own.scope.extensions == "png"
    assert read(None, [("files.save", "no")]) == read(None)
    (tmp_path / "config.ini").write_text(example(config))
    assert read(tmp_path / "config.ini") == config
    (tmp_path / "config.ini").write_text(example())  # as it is in the distribution, with every default written out
    assert read(tmp_path / "config.ini", [("files.save", "yes")]).scope == config.scope


@pytest.mark.parametrize("text", ["[links]\nparts = no\n", "[links]\nlandmarks = no\n"])
def test_keys_of_earlier_versions_are_read_and_written_under_their_new_names(text, tmp_path):
    path = tmp_path / "config.ini"
    path.write_text(text)
    config = read(path)
    assert not config.links.landmarks and not read(None, [("links.parts", "no")]).links.landmarks
    assert "\nlandmarks = no\n" in example(config) and "parts =" not in example(config)


def test_a_regular_expression_gives_no_warning():
    """It would show a line of ttcrawl, and nothing that the user wrote."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        read(None, [("frontier.number_pattern", r"[[0](\d+)")])
    assert not caught
