"""May this URL be crawled at all? If not, the reason and the rule. Pure: from URL, depth, rules and seeds alone.

The basic scope (host, domain, any, list) is asked last: before it comes one ordered list of rules, of which the last
that matches decides:

1. the extensions that are not wanted ([scope] extensions), which any rule may overrule,
2. the rules of [scope], then those of the command line,
3. for the hosts of a section [host:NAME] its max_depth and its rules, in the order of the sections,
4. the blacklist, which therefore always wins.

Only the length of a URL is looked at before. A decision depends on nothing that another answer could change but depth,
and a URL that becomes nearer never falls out of scope: so every crawl refuses the same URLs, and a decision can be made
again later from the URL and the crawl's config.ini.
"""

from ttcrawl.web.scope.rule import Rule
from ttcrawl.web.scope.scope import Decision, Scope, compile_scope

__all__ = ["Decision", "Rule", "Scope", "compile_scope"]
