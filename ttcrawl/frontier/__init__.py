"""The life of a URL.

A URL is *met*: as a seed, as a link of a page, as the target of a redirect, as a sitemap that a robots.txt names. Parse
processes send each one once (and again when they meet it on a shorter way, or in a sitemap), already canonical, with
its scope decided. The *seen set* says "surely new" without a look-up, or "maybe seen", and then the exact index of the
table `url` decides. A new URL gets a row in the *ledger* with one state and one reason, and never a second row.

If scope, the shape of a trap, distance, content region or a page's nofollow speak against it the row says ``refused``,
why, and by which rule. If the URL is met again on a way that the reason does not hold for (nearer to the seeds, inside
a content region, from a page that lets its links be followed or is no duplicate), it is queued after all. Otherwise it
is ``queued``: its row is its place in the queue.

A *sitemap* is as near as a seed, and its extension is not held against it. What it lists are links, each with a *rank*
within its depth; of several ways to a URL the nearest and the best rank count, in whatever order they are met. A
sitemap in an index is as near as the index, and as far in hops as a redirect.

The *frontier* is a queue of per-domain priority queues: a heap of hosts ordered by the next moment at which each may be
visited, and inside each host a heap of its URLs by priority, of which only the first few are in memory. Which host
comes next is decided on the *workbench*. A host whose moment has come waits for its IP address, should another host of
that address be held or have been asked a moment ago, and steps aside when its registrable domain has its share of all
that is under way and others wait. Then it is taken off and is *held*, and its address with it, until the outcome of
what it was held for is known; so nothing else can be asked of it meanwhile, and no lock and no sleep is needed to be
polite. (When delays are not obeyed a host may be held several times at once, and addresses have no clock.) Its first
turn is a look-up of its addresses, unless they are named; the first visit to a host is always its robots.txt. A URL
that robots.txt does not allow is ``refused`` when its turn comes, without a visit; so is one whose pattern has turned
out to say the same over and over. One that is likely the duplicate of a page that was fetched is *put last*: its row
gets a priority behind all others of its host; or it is refused, if that is wanted. A random share of these is fetched
as an *audit*. A host that has had many pages is sent *probes*, URLs that cannot exist, which are no part of the ledger:
they show what it answers where there is nothing.

A URL whose turn has come is *in flight*: in memory only; its row still says ``queued``, so whatever happens to a
process or to the machine, it has not been lost. It comes back as a page (``fetched``, with the status as reason), as a
redirect (``moved``; the target is met like any link, with one hop less), or as a failure: then a pure table says when
it is tried again, or that it has ``failed``. An answer whose bytes are those of a settled page has a *twin*: the bytes
are not archived again, and where the twin was read as it would be it says what the twin said; one whose bytes are being
read waits until that is known. With its outcome a URL is *settled*, the host is let go, and its next moment is the end
of the exchange plus the delay.

What concerns the host and not the URL is decided for the host as a whole: one that says 429 or 503, or lets nobody
connect, is *left alone* for a time (``backoff``), whatever is queued; after some such times in a row without any
connection all its URLs have failed. After a 429 or 503 a page that was well is requested once more, as a *check*: a
URL that goes on to answer so while others are well is no reason to leave its host alone (``health``). Its robots.txt
is asked for again when it is a day old.

The rules of robots.txt are in the *rulebook*, as many as memory may hold, compiled step by step. A host whose URLs are
refused one after the other has done enough after 2 ms: it goes behind all that are due. A robots.txt that lies on
another host is an *errand* there: in turn with the pages of that host and, under another name than /robots.txt, by its
rules.

Between crawls nothing of this is lost: state, reason, priority and due moments are rows, committed in groups.
"""
