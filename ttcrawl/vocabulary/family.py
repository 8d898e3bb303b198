"""Families of reasons: reasons of one kind, and the states that they cause."""

from __future__ import annotations

import enum

from ttcrawl.vocabulary.state import DELETED, FAILED, FETCHED, MOVED, REFUSED, State


class Family(enum.Enum):
    """Reasons of one kind, with the states that they cause."""

    SCOPE = "scope", (REFUSED,)
    TRAP = "trap", (REFUSED,)
    PATH = "path", (REFUSED,)  # the path to the URL
    ROBOTS = "robots.txt", (REFUSED,)
    ADDRESS = "address", (REFUSED,)
    DUPLICATE = "duplicate", (REFUSED,)  # another URL has the same page
    BODY = "body", (REFUSED,)
    DNS = "dns", (FAILED,)
    CONNECTION = "connection", (FAILED,)
    TLS = "tls", (FAILED,)
    PROTOCOL = "protocol", (FAILED,)
    PROCESS = "process", (FAILED,)  # one of ttcrawl's processes
    LOGIN = "login", (FAILED,)  # of the user
    USER = "user", (DELETED,)
    HOOK = "hook", (REFUSED,)  # a function of the user
    HTTP = "http", (FETCHED, MOVED)  # a complete response, whatever its status
    GONE = "gone", (FETCHED,)  # a response that a page is not there any more, after several requests

    def __init__(self, word: str, states: tuple[State, ...]) -> None:
        self.states = states
