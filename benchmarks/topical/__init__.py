"""How soon a topical crawl finds the pages of its subject, on the documentation of ten Debian packages.

    python -m benchmarks.topical                crawls in every order; five runs, medians and range
    python -m benchmarks.topical.simulate DIR   other formulas for the order, over one recorded crawl

The corpus: the HTML pages of ten packages (`corpus.PACKAGES`), each on a host of its own, served by nginx on
loopback. Links are as on the pages. One page is added, with the entry pages of all packages, as a catalogue of
books has them: documentation of one package hardly ever links to another.

Relevant is a page whose path is in one of the directories, or has one of the names, that the subject has in its
package (`subjects/*.paths`). The rule is a list of paths, made from listings of the packages, and was committed
before the first measurement. No page was read for it. It is not perfect: a page elsewhere may be about the subject
too, and an index in such a directory counts as relevant. The same rule holds for every order.

The subject that is measured is programming of networks, in six of the ten packages. Three other subjects chose the
formula of the scores: threads and locks, dates and times, XML. Their term lists (`subjects/*.terms`), and the one of
the measured subject, were written from general knowledge, before any result. The trained model has learned from the
documentation of other packages (`corpus.TRAINING`); none of their pages are in the corpus.

A run begins at the catalogue, with its books in an order drawn by the number of the run, and at one page of each
package, drawn likewise from all of its pages. Five runs, numbers 1 to 5. What counts is the number of fetched pages
until 50, 80 and 95 % of the relevant pages are found that a crawl of everything finds; and the harvest rate, which
is the share of relevant pages in the pages fetched until then.
"""
