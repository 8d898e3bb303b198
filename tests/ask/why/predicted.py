"""What `ttcrawl why --as-if` predicts, by URL."""

from ttcrawl.ask.why.opened import opened
from ttcrawl.ask.why.replay import decided
from ttcrawl.ask.why.supposed import supposed


def predicted(directory, rules):
    with opened(directory) as crawl_:
        return {row.url: would for row, would in decided(crawl_, supposed(crawl_, rules))}
