"""When the scripts of a page have done what they do."""

import pytest

from tests.browser.chromium import needs_chromium
from tests.support.crawls.crawling import crawl
from tests.support.web.site import Answer, Web

#: A script that makes a link after 13 tasks of 0.2 s, without a request; timers are late meanwhile.
BUSY = b"""<body><script>
let tasks = 13
function work() {
    const end = performance.now() + 200
    while (performance.now() < end);
    if (--tasks) setTimeout(work)
    else document.body.innerHTML = '<a href=/' + 'found>x</a>'
}
onload = () => setTimeout(work)
</script>"""


@needs_chromium
@pytest.mark.slow
def test_a_page_whose_scripts_are_busy_is_waited_for(tmp_path):
    site = {("a.test", "/"): Answer(body=BUSY), ("a.test", "/found"): Answer(body=b"<p>found")}
    options = ("--set", "browser.use=regex:/$", "--set", "browser.scrolls=0", "--set", "browser.wait=20")
    with Web(site) as web:
        crawled = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", *options)
    assert crawled.status == 0, crawled.err
    assert crawled.states()[web.url("a.test", "/found")] == ("fetched", "http 200")
