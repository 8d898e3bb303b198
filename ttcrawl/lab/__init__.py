"""A laboratory of policies: a recorded web is crawled again on a virtual clock, by the code of the real crawl.

Frontier, politeness, duplicates, traps and best first are those of `ttcrawl.engine`: only what stands outside of the
crawl process is replaced. `record` reads a crawl, `ring` answers requests with it, `policies` names what is fetched
first, `trial` crawls once, `curves` measures.
"""
