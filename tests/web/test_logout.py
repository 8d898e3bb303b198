"""URLs that log out, as programs of servers have them, and pages that are about it."""

import pytest

from ttcrawl.config import Config, Traps
from ttcrawl.config.compiled import compile_traps
from ttcrawl.vocabulary.reason import LOGOUT, NONE

ENDS = [
    "/logout", "/logout/", "/logout.php", "/Account/LogOff", "/users/sign_out", "/auth/signout?next=/",
    "/wp-login.php?action=logout&_wpnonce=1a2b", "/index.php/Special:UserLogout", "/wiki/Spezial:Abmelden",
    "/ucp.php?mode=logout&sid=1", "/customer/account/logout/", "/c/portal/logout", "/index.php?route=account/logout",
    "/?q=user%2Flogout", "/login?logout", "/j_spring_security_logout", "/oauth2/sign-out", "/a/doLogout.action",
    "/.auth/logout", "/session/logout;jsessionid=1", "/d%C3%A9connexion", "/cerrar-sesion", "/login?next=/logout",
]  # fmt: skip
PAGES = [
    "/", "/log/out", "/blog/how-to-log-out", "/blog/how-to-logout-everywhere", "/catalog/outlet", "/logouts",
    "/log-outdoor", "/login", "/sign-outside/", "/docs/logoutput", "/blogout", "/design/off-white", "/logo/ut",
]  # fmt: skip


@pytest.mark.parametrize(("path", "reason"), [(each, LOGOUT) for each in ENDS] + [(each, NONE) for each in PAGES])
def test_refusal(path, reason):
    assert compile_traps(Traps(), 2026, session=True).refusal(f"http://logout.a.test{path}") == reason
    assert compile_traps(Traps(), 2026).refusal(f"http://a.test{path}") == NONE


@pytest.mark.parametrize(
    ("settings", "session"),
    [
        ({}, False),
        ({"login.cookies": "c.txt", "fetch.cookies": "kept"}, True),
        ({"fetch.headers": "host:a.test Cookie: ${SID}"}, True),
        ({"fetch.headers": "host:a.test Authorization: ${SID}"}, False),
    ],
)
def test_when_there_is_a_session(settings, session):
    assert Config().changed(settings).has_session is session
