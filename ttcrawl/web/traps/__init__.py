"""Crawler traps: endless URLs, refused by their shape and by the outcomes of other URLs. The honest part of a site is
not affected.

`single_url` judges a URL by itself; the others keep a bounded state: `url_patterns` judges it by others of its pattern,
`echo` by pages with the same bytes under shorter URLs, `shells` by pages that look the same. Every refusal has a reason
of the family TRAP.
"""

from ttcrawl.web.traps.echo import Echoes
from ttcrawl.web.traps.shells import Shells
from ttcrawl.web.traps.single_url import Traps, pattern
from ttcrawl.web.traps.url_patterns import Orders, Patterns

__all__ = ["Echoes", "Orders", "Patterns", "Shells", "Traps", "pattern"]
