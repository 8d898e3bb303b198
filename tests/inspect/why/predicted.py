"""What `ttcrawl why --as-if` predicts, by URL."""

from ttcrawl.inspect.why.as_if import as_if_rules
from ttcrawl.inspect.why.open_crawl import open_crawl
from ttcrawl.inspect.why.replay import decisions


def predicted(directory, rules):
    with open_crawl(directory) as crawl_:
        return {each.row.url: each.after for each in decisions(crawl_, as_if_rules(crawl_, rules))}
