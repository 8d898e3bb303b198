"""Tables `browser_use` and `template`: which pages are read again."""

from ttcrawl.ring.browsing import RENDERED, STATIC
from ttcrawl.store.browser_uses import BrowserUse, TemplateRow
from ttcrawl.store.rows import NewUrl
from ttcrawl.store.sqlite import Store
from ttcrawl.vocabulary.state import FETCHED, QUEUED


def use(url, how, template):
    return BrowserUse(url, how, "", template, 0.0, 0, 0, None, None)


def template(number, site, read):
    return TemplateRow(number, site, f"/{number}/*", 1, read, 3, 2, 1, b"", 3, 0)


def test_pages_are_read_again_that_their_template_alone_made_static(tmp_path):
    store = Store(tmp_path / "crawl.db", create=True)
    site = store.sites.add("a.test", "a.test")
    states = {n: QUEUED if n == 6 else FETCHED for n in range(1, 8)}
    store.urls.add([NewUrl(n, n, f"http://a.test/{n}", site, state, 0.0) for n, state in states.items()])
    for row in (template(1, site, RENDERED), template(2, site, STATIC)):
        store.browser_uses.save(row)
    for url, how, number in (
        (1, STATIC, 1),
        (2, STATIC, 2),  # still static
        (3, RENDERED, 1),
        (4, STATIC, None),  # no scripts
        (5, STATIC, 1),
        (6, STATIC, 1),  # queued again since
        (7, STATIC, 1),
    ):
        store.browser_uses.add(use(url, how, number))
    found = [row.id for row in store.browser_uses.again(RENDERED, 10)]
    first = [row.id for row in store.browser_uses.again(RENDERED, 1)]
    store.browser_uses.not_again(5)
    store.browser_uses.add(use(1, RENDERED, 1))
    later = [row.id for row in store.browser_uses.again(RENDERED, 10)]
    templates, last = store.browser_uses.templates(site), store.browser_uses.last_template()
    store.abandon()
    assert (found, first, later) == ([1, 5, 7], [1], [7])
    assert [each.id for each in templates] == [1, 2] and last == 2
