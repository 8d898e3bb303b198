"""A soak: hours of crawling in pieces, each with its judgement, in a directory that is continued however it ended.

    python -m tests.soak DIR --hours 24

Three of four pieces crawl the same hosts on loopback again and again (`hosts`, `served`), while an operator stops the
crawl, kills its processes, fills its disk, sets the clock and takes the database away (`operate`, `piece`). `judge`
compares the log of the servers with the tables. The others (`others`) are the kills of all commands that write
(`kills`), a crawl whose rules and seeds change on its way (`weeks`), and fuzzing (tests.fuzz.soak). `record` is the
log: a line for programs and one for people for each piece, and the table of the manual.
"""
