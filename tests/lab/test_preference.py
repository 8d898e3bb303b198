"""The queue brought up to date with the scores of a policy."""

from types import SimpleNamespace

from ttcrawl.lab.preference import Preference, Reordering
from ttcrawl.vocabulary.state import QUEUED

URL, OTHER = "http://a.test/b", "http://a.test/c"


def test_a_url_that_the_ledger_has_later_is_moved_then():
    """A policy sees the links of all answers of a batch before the crawl process has processed the first of them."""
    preference = Preference("scored", lambda candidate: 1.0, [], changes=True, computed=())
    candidate, moved, rows = preference.candidates.of(URL), [], [None]
    queued = SimpleNamespace(url=URL, demoted=False)
    host = SimpleNamespace(queue=SimpleNamespace(known={7: queued}))
    frontier = SimpleNamespace(hosts={candidate.host: host}, move=lambda at, each, priority: moved.append(each.url))
    store = SimpleNamespace(urls=SimpleNamespace(find=lambda key: rows[-1]))
    reordering = Reordering(SimpleNamespace(store=store, frontier=frontier), preference)
    answered = SimpleNamespace(turn=SimpleNamespace(queued=SimpleNamespace(url=OTHER)))
    preference.candidates.changed[URL] = candidate
    reordering.answered(answered, None)
    assert moved == []
    rows.append(SimpleNamespace(id=7, state=QUEUED))
    preference.candidates.changed[URL] = candidate
    reordering.answered(answered, None)
    assert moved == [URL]
