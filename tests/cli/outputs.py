"""Commands that print what they have read, of a sample crawl in `site`."""

#: The heading in docs/json.md -> the words of a command that prints all its keys, about the crawl in `site`.
CASES = {
    "status DIR": ["status", "site"],
    "why DIR URL...": ["why", "site", "/b", "/gone", "/nowhere"],
    "why DIR --summary": ["why", "site", "--summary"],
    "why DIR --as-if RULE": ["why", "site", "--as-if", "exclude=*.pdf"],
    "page DIR URL...": ["page", "site", "/", "--links", "--text"],
    "report DIR --politeness": ["report", "site", "--politeness"],
    "report DIR --seeds": ["report", "site", "--seeds"],
    "graph DIR": ["graph", "site"],
    "check DIR": ["check", "site", "--offline"],
    "check --kinds": ["check", "--kinds"],
    "diff DIR": ["diff", "site", "2001-01-01", "2002-01-01"],
    "duplicates DIR": ["duplicates", "site"],
    "requeue DIR": ["requeue", "site", "--state", "failed"],
    "delete DIR --dry-run": ["delete", "site", "--host", "a.test", "--dry-run"],
    "aliases DIR": ["aliases", "site"],
    "search DIR QUERY": ["search", "site", "hello"],
    "verify DIR": ["verify", "site"],
    "lab DIR": ["lab", "site", "--policy", "breadth"],
    "config": ["config", "--set", "crawl.max_pages=3"],
    "try url BASE HREF": ["try", "url", "http://a.test/", "b?utm_source=x"],
    "try robots FILE URL...": ["try", "robots", "-", "/x"],
    "try scope URL...": ["try", "scope", "http://a.test/x.pdf", "--exclude", "*.pdf"],
}
