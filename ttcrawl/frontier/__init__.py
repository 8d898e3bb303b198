"""The life of a URL.

A URL is *discovered*: as a seed, as a link of a page, as the target of a redirect, as a sitemap that a robots.txt
names. Parse processes send each URL once, canonical and with its scope decided; they send it again only when they find
a shorter path to it, or find it in a sitemap. The *seen set* answers "surely new" without a look-up. It may answer
"maybe seen"; then the exact index of table `url` decides. A new URL gets one row in the *ledger*, with one state and
one reason, and never a second row.

Scope, the shape of a trap, distance, content region or a page's nofollow may speak against it. Then the row says
``refused``, why, and by which rule. If the URL is rediscovered on a path for which the reason does not hold (nearer to
the seeds, inside a content region, from a page that lets its links be followed or is no duplicate), it is queued after
all. Otherwise the row says ``queued``, and is its place in the queue.

A *sitemap* is as near as a seed, and its extension does not count against it. What it lists are links, each with a
*rank* within its depth. Of several paths to a URL the nearest and the best rank count, in whatever order they are
found. A sitemap in an index is as near as the index, and counts as one more redirect.

The *frontier* is a queue of per-domain priority queues: a heap of hosts, ordered by the next moment at which each may
be visited, and inside each host a heap of its URLs by priority. Only the first few URLs of a host are in memory. The
*workbench* decides which host is next. A host that is due waits for its IP address if another host of that address is
locked or was requested a moment ago. It steps aside when its registrable domain has its share of all that is under way
and others wait. `Frontier.take` then returns a *turn*, and the host is locked, with its address, until the outcome of
the turn is known. So nothing else is requested from it meanwhile, and politeness needs no lock of a thread and no
sleep. (When delays are not obeyed, a host may have several turns at once, and addresses have no clock.) The first turn
of a host is a look-up of its addresses, unless they are configured; the first request to a host is its robots.txt.

Instead of a turn, `take` may return a *refusal*: robots.txt does not allow the URL that is due, or could not be read.
The main loop processes refusals as it processes outcomes; the frontier calls nobody. The loop may also give a turn
back, because it has learnt more since the URL was discovered: its pattern has the same content over and over, or the
URL is likely the duplicate of a page that was fetched. Such a URL is refused, or *put last*: its row gets a priority
behind all others of its host. A random share of likely duplicates is fetched as an *audit*. A host that has had many
pages is sent *probes*, URLs that cannot exist and are no part of the ledger: they show what the host answers where
there is nothing.

A URL whose turn was taken is *in flight*, in memory only. Its row still says ``queued``, so it is not lost whatever
happens to a process or to the machine. Its outcome is a page (``fetched``, with the status as reason), a redirect
(``moved``; the target is discovered like any link), or a failure: then a pure table says when it is tried again, or
that it has ``failed``. A response may have the same bytes as an earlier page. Its bytes are not archived again, and if
the earlier page was read as this one would be, it is not read again. While a page with the same bytes is being read,
the response waits. When the outcome is processed, the host is unlocked; its next moment is the end of the request plus
the delay.

What concerns the host and not the URL is decided for the host as a whole. A host that answers 429 or 503, or that
accepts no connection, is *backed off* for a time (``backoff``), whatever is queued. After several times in a row
without any connection all its URLs have failed. After a 429 or 503 a page that was well is requested once more, as a
*check*: a URL that goes on to answer so while others are well is no reason to back its host off (``health``). Its
robots.txt is requested again when it is a day old.

The rules of robots.txt are in the *rulebook*, as many as memory may hold, compiled step by step. A host whose URLs are
refused one after the other has its slice of time, 2 ms, and then goes behind all hosts that are due. A robots.txt that
lies on another host is an *errand* there: in turn with the pages of that host and, under another name than /robots.txt,
by its rules.

Between crawls nothing of this is lost: state, reason, priority and due moments are rows, committed in groups.
"""
