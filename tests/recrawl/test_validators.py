"""Conditional requests to honest servers save bodies; no server makes a page stale for ever."""

import random

import pytest

from tests.recrawl import servers
from tests.recrawl.servers import BEGIN, DAY
from ttcrawl.recrawl.validators import (
    AGAIN,
    BROKEN,
    CHANGED,
    LONGEST_AUDIT,
    OTHER,
    SAME,
    STRANGE,
    UNMODIFIED,
    Answer,
    Condition,
    Trust,
    condition,
    judge,
    settled,
)

VISITS = 120

#: A page that changes now and then, seldom and often, visited once a day.
CHANGES = (3.5, 4.2, 20.1, 21.3, 40.7, 61.5, 61.6, 62.5, 63.5, 90.2)


def crawl(server, visits=VISITS):
    """Visit a page once a day. Returns for each visit how many visits the copy has been stale for after it, what the
    answers meant, and the last trust."""
    trust, copy, stale, meanings, late = STRANGE, None, [], [], 0
    for day in range(visits):
        now = BEGIN + day * DAY
        sent = condition(trust, now)
        meaning, trust = judge(trust, sent, answer := server.answer(dict(sent.headers), now))
        meanings.append(meaning)
        if meaning == AGAIN:
            sent = condition(trust, now)
            assert sent.headers == ()
            meaning, trust = judge(trust, sent, answer := server.answer({}, now + 1))
            assert meaning != AGAIN
        if meaning in (CHANGED, SAME):
            assert (meaning == CHANGED) == (copy != answer.body)
            copy = answer.body
        same = copy is not None and copy.split()[0] == server.full(now).body.split()[0]
        late = 0 if same else late + 1
        stale.append(late)
    return stale, meanings, trust


#: Server, most visits in a row with a stale copy, whether it is caught lying, most bodies of VISITS visits. The copy is
#: stale for as many visits as there are from one audit to the next, 4 at that time.
TABLE = [
    (servers.Server, 0, False, 20),
    (servers.OnlyDates, 0, False, 20),
    (servers.WeakTags, 0, False, 60),
    (servers.NoValidators, 0, False, VISITS),
    (servers.NewTagEachTime, 0, False, 50),
    (servers.NewTagAndNoDate, 0, False, VISITS),
    (servers.AlwaysNotModified, 4, True, VISITS),
    (servers.AlwaysNotModifiedUnasked, 4, True, VISITS),
    (servers.DateInTheFuture, 0, False, VISITS),
    (servers.DateIsNow, 0, False, VISITS),
    (servers.SameDate, 4, True, VISITS),
    (servers.SameTag, 4, True, VISITS),
    (servers.SameWeakTag, 4, True, VISITS),
    (servers.DateBeforeTag, 4, True, VISITS),
    (servers.OtherTagInNotModified, 4, True, VISITS),
    (servers.Ignorant, 0, False, VISITS),
    (servers.Unable, 0, False, VISITS),
    (servers.Overloaded, 1, False, VISITS),
    (servers.EmptyInsteadOfNotModified, 0, False, VISITS),
    (servers.StrangeTags, 0, False, 20),
    (servers.LongTags, 0, False, 20),
]


@pytest.mark.parametrize(("kind", "stale", "lies", "bodies"), TABLE, ids=[row[0].__name__ for row in TABLE])
def test_servers(kind, stale, lies, bodies):
    server = kind(changes=CHANGES)
    late, _, trust = crawl(server)
    assert max(late) <= stale
    assert (trust.lies > 0) == lies
    assert server.bodies <= bodies
    assert server.asked <= VISITS + 8  # few answers are worth nothing


@pytest.mark.parametrize("kind", [row[0] for row in TABLE], ids=lambda kind: kind.__name__)
def test_a_change_after_a_long_quiet_time_is_noticed(kind):
    """A server has earned all the trust that there is."""
    late, _, _ = crawl(kind(changes=(100.5,)), visits=130)
    assert max(late) <= LONGEST_AUDIT and late[-1] == 0


TAGS, DATES = ("", '"a"', '"b"', 'W/"a"'), ("", "Tue, 01 Jan 1980 00:00:00 GMT", "Wed, 02 Jan 1980 00:00:00 GMT")
STATUSES = (200, 200, 304, 304, 304, 304, 304, 304, 304, 404, 412, 503)


@pytest.mark.parametrize("seed", range(20))
def test_no_server_is_believed_for_ever(seed):
    """Whatever it answers, in whatever order."""
    chance, trust, believed, most = random.Random(seed), STRANGE, 0, 0
    tags, dates = chance.choice([TAGS, TAGS[:1], TAGS[1:2]]), chance.choice([DATES, DATES[:1], DATES[1:2]])
    for _ in range(2000):
        sent = condition(trust, BEGIN)
        answer = Answer(
            status=chance.choice(STATUSES),
            time=BEGIN,
            etag=chance.choice(tags),
            last_modified=chance.choice(dates),
            body=chance.choice([b"1", b"1", b"1", b"2"]),
            length=chance.choice([0, 1, 1, 1]),
        )
        meaning, trust = judge(trust, sent, answer)
        believed = believed + 1 if meaning == UNMODIFIED else 0 if meaning in (CHANGED, SAME) else believed
        most = max(most, believed)
        assert meaning != AGAIN or (sent.headers and not condition(trust, BEGIN).headers)
        assert meaning != UNMODIFIED or (sent.headers and not sent.test)
    assert most <= LONGEST_AUDIT


def known(**changes):
    about = {"etag": '"a"', "last_modified": DATES[1], "body": b"1", "content": b"1", "time": BEGIN}
    return Trust(**{**about, **changes})


@pytest.mark.parametrize(
    ("trust", "days", "sent"),
    [
        (STRANGE, 1, ("", "")),
        (known(), 1, ('"a"', DATES[1])),
        (known(unmodified=2), 1, ("", "")),
        (known(unmodified=2, audit=4), 1, ('"a"', DATES[1])),
        (known(), 91, ("", "")),
        (known(), -1, ("", "")),  # the clock was put back
        (known(penance=1), 1, ("", "")),
        (known(changing=2), 1, ("", DATES[1])),
        (known(outdated=('"z"', "")), 1, ('"z"', "")),
        (known(etag="", last_modified=""), 1, ("", "")),
    ],
)
def test_what_is_sent(trust, days, sent):
    made = condition(trust, BEGIN + days * DAY)
    assert (made.etag, made.last_modified) == sent
    assert [name for name, _ in made.headers] == [
        name for name, value in zip(("If-None-Match", "If-Modified-Since"), sent, strict=True) if value
    ]


@pytest.mark.parametrize(
    ("sent", "answer", "meaning"),
    [
        (Condition(etag='"a"'), Answer(status=304, time=BEGIN), UNMODIFIED),
        (Condition(etag='"a"'), Answer(status=304, time=BEGIN, etag='W/"a"'), UNMODIFIED),
        (Condition(etag='"a"'), Answer(status=304, time=BEGIN, etag='"b"'), AGAIN),
        (Condition(etag='"a-gzip"'), Answer(status=304, time=BEGIN, etag='"a"'), UNMODIFIED),
        (Condition(etag='"a-gzip"'), Answer(status=304, time=BEGIN, etag='"a-gzip"'), UNMODIFIED),
        (Condition(etag='"a"'), Answer(status=304, time=BEGIN, etag='"a-gzip"'), AGAIN),
        (Condition(etag='"z"', test=True), Answer(status=304, time=BEGIN), AGAIN),
        (Condition(), Answer(status=304, time=BEGIN), BROKEN),
        (Condition(etag='"a"'), Answer(status=412, time=BEGIN), AGAIN),
        (Condition(), Answer(status=412, time=BEGIN), OTHER),
        (Condition(etag='"a"'), Answer(status=503, time=BEGIN), OTHER),  # politeness decides when it is asked again
        (Condition(etag='"a"'), Answer(status=200, time=BEGIN, body=b"", length=0), AGAIN),
        (Condition(), Answer(status=200, time=BEGIN, body=b"", length=0), CHANGED),
        (Condition(), Answer(status=200, time=BEGIN, body=b"1"), SAME),
        (Condition(), Answer(status=200, time=BEGIN, body=b"2"), CHANGED),
        (Condition(), Answer(status=404, time=BEGIN), OTHER),
        (Condition(), Answer(status=301, time=BEGIN), OTHER),
    ],
)
def test_what_an_answer_means(sent, answer, meaning):
    assert judge(known(), sent, answer)[0] == meaning


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("Tue, 14 Nov 2023 22:12:19 GMT", True),  # BEGIN is 22:13:20
        ("Tue, 14 Nov 2023 22:12:30 GMT", False),  # a second change in the same second would not be seen
        ("Tue, 14 Nov 2023 22:13:20 GMT", False),
        ("Wed, 15 Nov 2023 22:13:20 GMT", False),
        ("Thu, 01 Jan 1970 00:00:00 GMT", False),
        *(("", False), ("0", False), ("-1", False), ("yesterday", False), ("Tue, 14 Nov 99999 22:12:20 GMT", False)),
    ],
)
def test_dates_that_are_sent(value, kept):
    assert settled(value, BEGIN) == (value if kept else "")
