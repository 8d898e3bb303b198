"""Who sees the window: attacks by other users of the machine, and by pages in the same browser."""

import pytest

from tests.library.sample_crawl import make
from tests.support.window import window
from ttcrawl.window.safety import HEADERS

NOW = "/crawl/"


@pytest.fixture(scope="module")
def each(tmp_path_factory):
    directory = tmp_path_factory.mktemp("safety") / "crawl"
    make(directory)
    with window(directory, control=True) as one:
        yield one


@pytest.mark.parametrize(
    "host", ["evil.test", "evil.test:{port}", "127.0.0.1", "127.0.0.1:1", "0.0.0.0:{port}", "[::1]:{port}", ""]
)
def test_only_the_own_names_are_answered(each, host):
    """DNS rebinding: a page of evil.test, whose name has the address 127.0.0.1 now, sends its own Host."""
    answer = each.get(NOW, host=host.format(port=each.port))
    assert answer.status == 421 and "crawl" not in answer.text.replace("ttcrawl", "")


def test_localhost_is_an_own_name(each):
    assert each.get(NOW, host=f"localhost:{each.port}").status == 200


@pytest.mark.parametrize("path", ["/", NOW, "/crawl/events", "/static/window.css", "/nothing", "/crawl/archived/x/1/y"])
@pytest.mark.parametrize(
    "cookie", [None, "ttcrawl-{port}=", "ttcrawl-{port}=guess", "other={cookie}", "ttcrawl-1={cookie}"]
)
def test_nothing_is_shown_without_the_cookie(each, path, cookie):
    text = cookie and cookie.format(port=each.port, cookie=each.safety.cookie)
    answer = each.get(path, cookie=text)
    assert (answer.status, answer.headers["set-cookie"]) == (403, None)


@pytest.mark.parametrize("token", ["", "guess", "é", "{cookie}", "{form}", "{archived}", "{token}x", "{token:.31}"])
def test_a_wrong_token_sets_no_cookie(each, token):
    safety = each.safety
    tokens = {name: getattr(safety, name) for name in ("cookie", "form", "archived", "token")}
    text = token.format(**tokens).replace("é", "%C3%A9")
    answer = each.get(f"{NOW}?token={text}", cookie=None)
    assert (answer.status, answer.headers["set-cookie"]) == (403, None)


def test_the_token_sets_a_cookie_and_leads_to_the_address_without_it(each):
    answer = each.get(f"/crawl/urls?state=failed&token={each.safety.token}", cookie=None)
    assert answer.status == 200 and answer.headers["refresh"] == "0; url=/crawl/urls?state=failed"
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"ttcrawl-{each.port}={each.safety.cookie}; HttpOnly;") and "SameSite=strict" in cookie
    assert each.safety.token not in answer.text + cookie


def test_the_token_leads_to_no_other_site(each):
    answer = each.get(f"//evil.test/?token={each.safety.token}", cookie=None)
    assert answer.headers["refresh"] == "0; url=/evil.test/"


@pytest.mark.parametrize("path", ["/crawl/url%0Ax-injected:1", "/crawl/%E2%82%AC", "/crawl/%F0%9F%90%A6/%C3%A9"])
def test_the_token_leads_to_any_path_as_it_is(each, path):
    answer = each.get(f"{path}?u=%E2%82%AC&token={each.safety.token}", cookie=None)
    assert (answer.status, answer.headers["refresh"]) == (200, f"0; url={path}?u=%E2%82%AC")


def test_no_token_is_another():
    with_tokens = [value for _ in range(2) for value in TOKENS(window_safety())]
    assert len(set(with_tokens)) == 8


def TOKENS(safety):
    return safety.token, safety.cookie, safety.form, safety.archived


def window_safety():
    from ttcrawl.window.serving import safety_of

    return safety_of(1)


@pytest.mark.parametrize("path", ["/", NOW, "/static/window.js", "/no", "/crawl/no"])
def test_every_answer_has_the_headers(each, path):
    for cookie in (f"{each.safety.cookie_name}={each.safety.cookie}", None):
        answer = each.get(path, cookie=cookie)
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS
        assert answer.headers["access-control-allow-origin"] is None and answer.headers["server"] is None


REQUEUE = "/crawl/do/requeue"


@pytest.mark.parametrize(
    ("form", "headers"),
    [
        ({"form_token": ""}, {}),
        ({"form_token": "guess"}, {}),
        ({"form_token": "é"}, {}),
        ({}, {"origin": "http://evil.test"}),
        ({}, {"origin": "null"}),
        ({}, {"origin": "http://127.0.0.1:1"}),
        ({}, {"cookie": None}),
        ({}, {"host": "evil.test"}),
    ],
)
def test_a_form_of_another_site_does_nothing(each, form, headers):
    answer = each.post(REQUEUE, {"state": "failed"} | form, **headers)
    assert answer.status in (403, 421)


def test_no_action_is_a_get_and_none_exists_without_control(each, tmp_path):
    assert each.get(REQUEUE).status == 405
    make(tmp_path / "crawl")
    with window(tmp_path / "crawl") as other:
        assert other.post(REQUEUE, {"state": "failed"}).status == 404
        assert '<form method="post"' not in other.get(NOW).text


def test_a_form_may_not_be_long(each):
    assert each.post(REQUEUE, {"reason": "x" * 200_000}).status == 413
