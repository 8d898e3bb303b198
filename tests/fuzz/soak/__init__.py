"""Fuzzing of the whole path: bytes of servers, through fetching, reading, settling and the tables, to every command.

    python -m tests.fuzz.soak --minutes 60 --seed 1 [--into DIR] [--jobs N]

A round is a little web of some dozens of answers: real ones that were changed (`real`, `mutated`) and hostile ones that
were made (`hostile`), put together in `responses` and given out as they are by a server on loopback (`server`). It is
crawled by `ttcrawl crawl`, in one process or in several, and everything that reads a crawl is run on it (`play`). All
of that in a process of its own, whose end is a finding too. What is found is made as small as it gets (`shrink`) and
kept under DIR: a file an answer, byte for byte, and how to play it again. Small enough, it belongs into a table of
tests/test_unstorable.py, or beside the tests of what it broke.
"""
