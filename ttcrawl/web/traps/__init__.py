"""URLs without end, cut so that the honest part of a site is not: by their shape, and by what came of others.

`address` judges one URL by itself; `memory` holds, in bounded memory, what it takes to judge a URL by the others of its
kind, `echo` by pages with the same bytes under shorter URLs. Every refusal has a reason of the family TRAP.
"""

from ttcrawl.web.traps.address import Traps, compile_traps, pattern
from ttcrawl.web.traps.echo import Echoes
from ttcrawl.web.traps.memory import Contents, Orders, Patterns

__all__ = ["Contents", "Echoes", "Orders", "Patterns", "Traps", "compile_traps", "pattern"]
