"""What is remembered of answers, and forgotten with a rollback."""

from tests.support.crawls.any_messages import UNREAD, sample
from ttcrawl.ring.messages import Page
from ttcrawl.store.rows import NewUrl
from ttcrawl.store.sqlite import Store
from ttcrawl.vocabulary.state import FETCHED

SEED = "http://a.test/sitemap.xml"


def test_another_url_with_the_id_of_one_is_no_list_of_a_seed(tmp_path):
    store = Store(tmp_path / "crawl.db", create=True)
    store.set(seeds=SEED)
    site = store.sites.add("a.test", "a.test")
    store.commit()
    lists = []
    for url in (SEED, "http://a.test/other.xml"):
        store.urls.add([NewUrl(1, 1, url, site, FETCHED, 0.0)])
        store.answers.add(1, 1.0, 200, sample(Page, parser="urlset", **UNREAD))
        lists.append(store.answers.is_listing_of_seed(1))
        store.rollback()
    store.abandon()
    assert lists == [True, False]


def test_seeds_may_change(tmp_path):
    store = Store(tmp_path / "crawl.db", create=True)
    store.urls.add([NewUrl(1, 1, SEED, store.sites.add("a.test", "a.test"), FETCHED, 0.0)])
    store.answers.add(1, 1.0, 200, sample(Page, parser="urlset", **UNREAD))
    lists = []
    for seeds in (f"{SEED}\nhttp://a.test/", f"{SEED}?x", ""):
        store.set(seeds=seeds)
        lists.append(store.answers.is_listing_of_seed(1))
    store.abandon()
    assert lists == [True, False, False]
