"""Scope: whether a URL may be crawled; if not, the reason and the rule. Pure: from URL, depth, rules and seeds only.

The basic scope (host, domain, any, list) is checked last. Before it comes one ordered list of rules, of whose matches
the last one decides:

1. the unwanted extensions ([scope] extensions), which any rule may override,
2. the rules of [scope], then the rules of the command line,
3. for the hosts of a section [host:NAME] its max_depth and its rules, in the order of the sections,
4. the blacklist, which therefore always wins.

Only the length of a URL is checked earlier. A decision depends on no response except through the depth, and a URL whose
depth decreases never falls out of scope. So every crawl refuses the same URLs, and a decision can be repeated later
from the URL and the crawl's config.ini.

One kind of response extends the scope: the redirect of a seed whose target counts as a seed (`redirects`). It is
stored, so a decision can still be repeated. While a crawl runs, its crawl process alone knows it: parse processes admit
whatever such a redirect may add, and the crawl process refuses that until it does.
"""

from ttcrawl.web.scope.rule import Rule
from ttcrawl.web.scope.scope import Decision, Scope

__all__ = ["Decision", "Rule", "Scope"]
