"""The life of a URL.

A URL is *discovered* as a seed, as a link of a page, as the target of a redirect, or as a sitemap in a robots.txt.
Parse processes send each URL once, canonical and with its scope decided. They send it again only when they find a
shorter path to it, or find it in a sitemap. The *seen set* answers "surely new" without a look-up. It may answer
"maybe seen"; then the exact index of table `url` decides. A new URL gets one row in the *ledger*, with one state and
one reason, and never a second row.

Scope, the shape of a trap, distance, content region or a page's nofollow may exclude it. Then the row holds the state
``refused``, the reason and the rule. The URL may be rediscovered on a path for which the reason does not hold: nearer
to the seeds, inside a content region, from a page that permits its links to be followed or is not a duplicate. Then it
is queued after all. Otherwise the state is ``queued``, and the row is its position in the queue.

New links may be only recorded. Then such a URL is refused ``until recycle``, with its shortest path and its position.
No other link queues it: `ttcrawl requeue --recorded` does, or becoming a seed or the target of a redirect.

A *page requisite* is what a browser loads to show a page. If these are fetched, a URL has two facts that only grow: its
shortest path as a page, and the fewest steps from a page that shows it. It is requested if either permits it. Its links
are followed only if the path does; its own requisites are queued in any case, up to a number of steps. A path that is
refused gives a requisite no depth. So neither state nor tables depend on which of the two was discovered first.

A *sitemap* has the depth of a seed, and its extension does not count against it. URLs in a sitemap are links, each
with a *rank* within its depth. If a URL has several paths, the shortest path and the best rank count, in whatever
order they are found. A sitemap in an index has the depth of the index, and counts as one more redirect.

The *frontier* is a queue of per-domain priority queues: a heap of hosts, ordered by the next moment at which each may
be visited, and inside each host a heap of its URLs by priority. Only the first few URLs of a host are in memory. The
*workbench* decides which host is next. A host that is due waits for its IP address if another host at that address is
locked or was requested a moment ago. It also waits if its registrable domain uses up its share of the requests in
flight and other domains wait. `Frontier.take` then returns a *turn*. The host and its address are locked until the
outcome of the turn is known, so no second request goes to it, and politeness needs neither thread locks nor sleeps.
(When delays are not obeyed, a host may have several turns at once, and addresses have no clock.) The first turn of a
host is a look-up of its addresses, unless they are configured. The first request to a host is its robots.txt.

Instead of a turn, `take` may return a *refusal*: robots.txt does not allow the URL that is due, or could not be read.
The main loop processes refusals as it processes outcomes; the frontier calls no other module for that. The loop may
also give a turn back, because it has learnt more since the URL was discovered: its pattern repeats the same content,
or the URL is likely a duplicate of a fetched page. Such a URL is refused, or *put last*: its row gets a priority
behind all others of its host. A random share of likely duplicates is fetched as an *audit*. A host with many pages
gets *probes*, URLs that cannot exist and are not part of the ledger: they show how the host answers for missing pages.

A URL whose turn was taken is *in flight*, in memory only. Its row still has the state ``queued``, so it survives the
end of a process or of the machine. Its outcome is a page (``fetched``, with the status as reason), a redirect
(``moved``; the target is discovered like any link), or a failure: then a pure table decides when to retry, or that the
URL has ``failed``. A response may have the same bytes as an earlier page. Its bytes are not archived again. If the
earlier page was parsed as this one would be, it is not parsed again. While a page with the same bytes is being parsed,
the response waits. When the outcome is processed, the host is unlocked; its next moment is the end of the request plus
the delay.

Some outcomes concern the host as a whole. A host that answers 429 or 503, or that accepts no connection, is *backed
off* for a time (``backoff``), whatever is queued. After several incidents in a row without any connection, all its
URLs have failed. After a 429 or 503, a page that was well is requested once more, as a *check*: if one URL keeps
answering 429 or 503 while others are well, its host is not backed off for it (``health``). The robots.txt of a host is
requested again when it is a day old.

The *rulebook* holds the compiled rules of robots.txt, within a limit of memory. It compiles them step by step. A host
whose URLs are refused one after the other has a time slice of 2 ms, and then goes behind all hosts that are due. A
robots.txt may redirect to another host. Requests for it alternate with the pages of that host. If its path there is
not /robots.txt, that host's rules apply to it.

Nothing of this is lost between crawls: state, reason, priority and due moments are rows, committed in groups.
"""
