"""A crawl of many hosts that is stopped, killed and changed on its way, and what must hold at its end.

`python -m tests.weeks --hosts 5000 --minutes 60` is the hour that stands for weeks; tests/test_weeks.py runs the same
steps over fewer hosts in a few minutes. `web` generates the hosts and knows the truth, `play` does what an operator
does, `watch` reads status, metrics and memory all the time, `judge` compares the end with the truth.
"""
