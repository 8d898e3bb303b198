"""Whatever a page writes and config.ini asks for: nothing is raised, nothing changes twice, no host becomes another."""

from itertools import product

import ada_url
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.texts import ADDRESSES, BASE, made_of
from ttcrawl import config
from ttcrawl.config.compiled import compile_canon
from ttcrawl.web.url import canonical, host, resolve

SETTINGS = [
    config.Url(
        strip_www=www,
        aliases="a.test=www.b.test x.test=y.test:81 y.test=a.test http://b.test=https://x.test" if www else "",
        index_pages="a index.html" if index else "",
        trailing_slash=slash,
        cut_after_slashes=cut,
        fold_case=index,
        sort_query=www,
        duplicate_parameters="drop" if index else "keep",
        drop_parameters="a* x s",
    )
    for www, index, slash, cut in product((False, True), (False, True), ("keep", "add", "drop"), (0, 2))
]
PIECES = (
    *ADDRESSES,
    "/a",
    "/index.html",
    "&",
    "=",
    ";",
    "utm_a=",
    ";s=1",
    "%2e",
    "%2E%2e",
    "%%41",
    "&x",
    "?a",
    "www.www.a",
)
PIECES += ("www.www.a", "/.", "/..;s", "http://x.test", "http://www.a.test/", "A", "%c3%89", ";jsessionid=")


CANONS = [(settings, compile_canon(settings)) for settings in (config.Url(), *SETTINGS)]


@pytest.mark.slow
@given(href=made_of(PIECES))
def test_a_fixed_point_whatever_the_settings(href):
    plain = {host(url) for url in (resolve(BASE, href), canonical("http://" + href)) if url}
    for settings, canon in CANONS:
        for url in (canon.resolve(BASE, href), canon.canonical("http://" + href)):
            if url is None:
                continue
            assert canon.canonical(url) == url == canonical(url), settings
            assert ada_url.normalize_url(url) == url, settings
            if not settings.strip_www:  # which comes with aliases here
                assert host(url) in plain, settings


@pytest.mark.slow
@given(base=st.one_of(st.just(BASE), made_of(PIECES)), href=made_of(PIECES))
def test_the_steps_lead_to_the_result(base, href):
    for _, canon in CANONS[1:]:
        assert canon.steps(base, href)[-1].after == canon.resolve(base, href)
