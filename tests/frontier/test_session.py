"""What is done about answers that show the loss of a session: a login, another request, or nothing more."""

import pytest

from ttcrawl.frontier.session import MOST_IN_VAIN, Loss, Session, Stage, State, Step

AGAIN, LATER, DENIED = Loss.AGAIN, Loss.LATER, Loss.DENIED


def new():
    step = Step(stage=Stage.PAGE, url="http://a.test/login")
    return Session(url=step.url, covers=lambda name: True, step=step)


def played(session, events):
    """What came of each loss. An event is "login", "page", or the number of a URL whose answer shows the loss."""
    found = []
    for now, event in enumerate(events, start=1):
        if event == "login":
            assert session.state is State.OUT
            session.logged_in(now)
        elif event == "page":
            session.saw_page(now)
        else:
            found.append(session.lost(event, now, now))
    return found


@pytest.mark.parametrize(
    ("events", "losses", "logins"),
    [
        (["login", "page", 1, "login", "page"], [AGAIN], 2),
        (["login", "page", 1, 2, 3, "login"], [AGAIN] * 3, 2),  # others that were in flight
        (["login", "page", 1, "login", 1, "page"], [AGAIN, DENIED], 2),
        (["login", "page", 1, "login", 1, "page", 2, "page", 2], [AGAIN, DENIED, LATER, DENIED], 2),
        (["login", "page", 1, "login", 1, "page", 2, 3, "login", "page"], [AGAIN, DENIED, LATER, AGAIN], 3),
        (["login", "page", 1, "login", 1, "page", 2, 2, "login", 2], [AGAIN, DENIED, LATER, AGAIN, DENIED], 3),
    ],
)
def test_losses(events, losses, logins):
    session = new()
    assert played(session, events) == losses and session.logins == logins


def test_logins_in_vain_end():
    session, url = new(), 0
    while session.state is not State.FAILED:
        session.logged_in(10 * url)
        while session.state is State.IN:
            url += 1
            session.lost(url, 10 * url, 10 * url)
    assert session.logins <= MOST_IN_VAIN + 1 and session.reason == "login: lost again and again"


def test_an_answer_from_before_the_login_says_nothing():
    session = new()
    session.logged_in(5.0)
    assert session.lost(1, 4.0, 6.0) is AGAIN and session.state is State.IN
