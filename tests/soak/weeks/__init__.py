"""A crawl of many hosts that is stopped, killed and changed on its way, and what must hold at its end.

`web` generates the hosts and knows the truth, `play` does what an operator does, `watch` reads status, metrics and
memory all the time, `judge` compares the end with the truth. tests/soak/test_weeks.py plays it for two minutes.
"""
