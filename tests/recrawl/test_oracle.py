"""A random web for 60 virtual days, crawled once and with kills, against a plain model of what it was.

Pages vanish, come back, move, are copied, and lose their links; each is left alone for some days after it was touched,
so that the model need not know when visits are. The last two weeks are quiet.
"""

import random
from collections import defaultdict

import pytest

from tests.recrawl.moving import page, reasons, scripted, unlinked, vanished, words
from tests.recrawl.recrawled import Clock, recrawl, served
from tests.recrawl.servers import BEGIN, DAY
from tests.support.crawls.crawling import query, verified
from tests.support.long_tables import few
from ttcrawl.store.sqlite import Store
from ttcrawl.store.trim import trim

DAYS, QUIET, ALONE, PAGES = 60, 44, 6, 12


class Web:
    """What each path shows by day; `shown` and `linked` are the present."""

    def __init__(self, seed):
        self._chance = random.Random(seed)
        self._texts, self._links = {}, {}
        self.shown = {}  # path -> its content; None: 404; "/...": redirects there
        self.linked = set()  # by the start page
        self.successors = {}
        self.contents = defaultdict(set)  # content -> paths that ever showed it
        self._touched, self._scripts = {}, defaultdict(list)
        for number in range(PAGES):
            self._show(f"/{number}", self._content(), 0)
        self._home(0)
        for day in range(2, QUIET):
            self._event(day + 0.5)

    def _content(self):
        number = len(self._texts)
        self._texts[number] = words(f"c{number}")
        others = sorted(self.shown)
        self._links[number] = self._chance.sample(others, min(1, len(others)))
        return number

    def _show(self, at, content, day):
        """Let a path show a content from a day on."""
        self.shown[at], self._touched[at] = content, day
        if content is None:
            self._scripts[at].append((day, 404, ""))
        elif isinstance(content, str):
            self._scripts[at].append((day, 301, content))
        else:
            self.contents[content].add(at)
            self.linked |= set() if at in self._scripts else {at}
            body = page(f"title {content}", self._texts[content], *self._links[content])
            self._scripts[at].append((day, 200, body))

    def _home(self, day):
        self._scripts["/"].append((day, 200, page("home", words("home"), *sorted(self.linked))))

    def _event(self, day):
        names = ("vanish", "back", "move", "late", "copy", "unlink", "link")
        getattr(self, f"_{self._chance.choice(names)}")(day)
        self._home(day)

    def _some(self, day, holds):
        """A path that was left alone, as were those with the same content."""
        content = {at: self._last(at) for at in self.shown}
        still = {at for at in self.shown if self._touched[at] <= day - ALONE}
        found = [at for at in still if holds(at) and self.contents[content[at]] <= still]
        return self._chance.choice(sorted(found)) if found else None

    def _last(self, at):
        return max((content for content, paths in self.contents.items() if at in paths), default=None)

    def _is_page(self, at):
        return isinstance(self.shown[at], int)

    def _vanish(self, day):
        if at := self._some(day, self._is_page):
            self._show(at, None, day)

    def _back(self, day):
        if at := self._some(day, lambda at: not self._is_page(at)):
            self.successors.pop(at, None)
            self._show(at, self._last(at), day)

    def _sole(self, at):
        """Whether no other path shows the content, or is gone and not known again."""
        return all(each == at or each in self.successors for each in self.contents[self._last(at)])

    def _move(self, day):
        if at := self._some(day, lambda at: self._is_page(at) and self._sole(at)):
            new, redirects = f"/{len(self.shown)}", self._chance.random() < 0.3
            self._show(new, self.shown[at], day)
            self._show(at, new if redirects else None, day)
            self.linked.discard(at)
            self.successors[at] = (new, "redirect" if redirects else "bytes")

    def _late(self, day):
        """A page that is gone for long appears elsewhere."""
        gone = [at for at in self.shown if self.shown[at] is None and at not in self.successors]
        if at := self._some(day, lambda at: at in gone and self._sole(at)):
            new = f"/{len(self.shown)}"
            self._show(new, self._last(at), day)
            self.successors[at] = (new, "bytes")
            self._touched[at] = day

    def _copy(self, day):
        if at := self._some(day, self._is_page):
            self._show(f"/{len(self.shown)}", self.shown[at], day)
            self._touched[at] = day

    def _unlink(self, day):
        self.linked.discard(self._chance.choice(sorted(self.shown)))

    def _link(self, day):
        self.linked.add(self._chance.choice(sorted(self.shown)))

    # -- what a crawl should know at the end ----------------------------------------------------------------------

    def servers(self):
        found = {f"a.test{at}".removesuffix("/"): scripted(*script) for at, script in self._scripts.items()}
        return found

    def without_links(self):
        linked = set(self.linked) | {each for each in self.shown.values() if isinstance(each, str)}
        for at, content in self.shown.items():
            linked |= set(self._links.get(content, ())) - {at}
        return set(self.shown) - linked

    def states(self):
        """Content -> its state in view `content`."""
        found = {}
        for content, paths in self.contents.items():
            if any(self.shown[at] == content for at in paths):
                found[content] = "shown"
            else:
                moved = any(self.successors.get(self.successors.get(at, ("",))[0]) for at in paths)
                found[content] = "moved" if moved else "unavailable"
        return found


class KilledError(Exception):
    """The process has ended, with all that was not committed."""


def crawled(directory, web, monkeypatch, kills):
    """Crawl the web for all days; `kills`: after so many commits, each time."""
    clock, commit, left = Clock(), Store.commit, iter(kills)
    count = next(left, None)

    def killed(store):
        nonlocal count
        if count is not None:
            count -= 1
            if count < 0:
                count = next(left, None)
                store.abandon()
                raise KilledError
        commit(store)

    monkeypatch.setattr(Store, "commit", killed)
    with served(web.servers(), clock) as port:
        while (seconds := BEGIN + DAYS * DAY - clock()) > 0:
            try:
                settings = {"revisit.longest": 3 * DAY, "duplicates.near": "yes"}
                recrawl(directory, ["a.test"], port, clock, seconds, settings)
            except KilledError:
                known = dict(query(directory, "SELECT file, size FROM archive"))
                for foreign in trim(directory, known, ""):  # of a run that had not committed anything
                    (directory / "warc" / foreign).unlink()


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "kills"), few(1, [(2, 25), (1, 0)]))
def test_the_tables_know_what_the_web_is(tmp_path, monkeypatch, seed, kills):
    web, chance = Web(seed), random.Random(seed)
    crawled(tmp_path / "c", web, monkeypatch, [chance.randint(1, 6) for _ in range(kills)])
    assert verified(tmp_path / "c") == ""
    expected = {at: "gone: http 404" if shown is None else "http 301" for at, shown in web.shown.items()}
    expected |= {at: "http 200" for at, shown in web.shown.items() if isinstance(shown, int)} | {"/": "http 200"}
    assert {at: reason for at, (_, reason) in reasons(tmp_path / "c").items()} == expected
    gone = {at for at, shown in web.shown.items() if not isinstance(shown, int)}
    found = vanished(tmp_path / "c")
    assert found == {at: (*web.successors.get(at, (None, "")), 1) for at in gone}
    assert unlinked(tmp_path / "c") == dict.fromkeys(web.without_links(), 1)
    titles = "SELECT DISTINCT title, state FROM answer JOIN content USING (digest) WHERE title LIKE 'title %'"
    assert dict(query(tmp_path / "c", titles)) == {f"title {n}": state for n, state in web.states().items()}
    assert web.successors and gone  # there was something to know
