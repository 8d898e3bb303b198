"""When a process is stuck: nothing else can stop a parser written in C, or a thread that waits for ever."""

from ttcrawl.config.browser import Browser
from ttcrawl.config.fetch import Fetch

#: A page has failed after it has killed this number of parse processes.
STRIKES = 3

#: Multiple of [links] max_time after which a process without processor time counts as stuck.
STOPPED = 10

#: Seconds that a process may need until it takes work: it reads hooks, term lists and models.
START = 60.0

#: Seconds that a fetch process may be late with a request before it counts as stuck.
GRACE = 5.0


#: Seconds that a browser may need to start and to end.
BROWSER = 60.0


def late_fetch(fetch: Fetch, browser: Browser) -> float:
    """Return the seconds after which a fetch process is stuck with a request."""
    # a page has two attempts, each with a request that began in time, and a grace of half its time
    rendering = 2 * (2.5 * browser.max_time + BROWSER) if browser.on else 0.0
    return max(fetch.total_timeout + fetch.connect_timeout, fetch.dns_timeout) + rendering + GRACE


def strikes(*, ready: bool, passed: float, processor: float, limit: float, longer: float) -> int:
    """Return how many strikes the first page of a parse process gets because the process is stuck; 0: it is not.

    `passed` and `processor`: seconds, of time and of the processor, since it began the page; before it is ready, since
    it was handed the page. `limit`: [links] max_time; `longer`: additional seconds for the page.
    """
    if not ready:
        return 1 if passed > START else 0
    if passed > limit and processor > limit:
        return STRIKES  # it would be stuck the next time too
    return 1 if passed > STOPPED * limit + longer else 0  # the page may not be the cause
