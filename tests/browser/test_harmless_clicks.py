"""Which elements are clicked, by their words."""

import pytest


@pytest.mark.parametrize(
    ("shown", "names"),
    [
        *((text, "") for text in ("Show more", "Menu", "Details", "Mehr anzeigen", "Suivant", "12", "", "Reports")),
        ("Read on", "btn order-1 card-body"),
        ("Blog entries", "post-title"),
        ("3 comments", "comment-list"),
    ],
)
def test_what_shows_content_is_clicked(shown, names):
    from ttcrawl.browser.clicks import harmless

    assert harmless(shown, names)


@pytest.mark.parametrize(
    ("shown", "names"),
    [
        *((text, "") for text in ("Buy now", "Add to cart", "Log out", "LOGIN", "Sign  up", "Delete", "Löschen")),
        *((text, "") for text in ("Se déconnecter", "Cerrar sesión", "Accept all cookies", "English", "Send", "Like")),
        ("x", "btn-addToCart"),
        ("", "logout_link"),
        ("x", "js-delete"),
        ("Fine", "consent"),
        ("EN", "languageSwitch language"),
    ],
)
def test_what_may_do_something_is_not_clicked(shown, names):
    from ttcrawl.browser.clicks import harmless

    assert not harmless(shown, names)
