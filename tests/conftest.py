"""Crawls of tests can be interrupted, however the tests were started."""

import signal

# A script's job in the background has SIGINT ignored, a job under nohup SIGHUP, and their children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
