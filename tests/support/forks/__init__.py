"""Tests in processes that are forked once all tests are collected: `pytest -p tests.support.forks.plugin --forks 5`.

pytest-xdist starts processes that each import all modules and collect all tests: seconds of processor time for each,
before the first test. Here that is done once, so that more processes than cores cost next to nothing: while the tests
of some wait for a server, others compute.

`chunks` cuts the tests into pieces of work, `worker` is a process that does them, `plugin` starts these processes and
tells pytest what they report.
"""
