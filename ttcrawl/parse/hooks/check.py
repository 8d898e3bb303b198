"""The process that tries the hooks before a crawl begins: it imports them, and asks the hook for URLs about the seeds.

So the crawl process never runs a function of the user.
"""

from __future__ import annotations

import os
import socket

from ttcrawl.config import Hooks
from ttcrawl.parse.extract.extractor import Extractors
from ttcrawl.parse.hooks.call import CalledHooks
from ttcrawl.parse.hooks.load import HookError
from ttcrawl.ring.channel import Channel, live_and_die_with_the_crawl
from ttcrawl.ring.messages import WORK, Broken, Checked
from ttcrawl.vocabulary.reason import NONE


def main(connection: socket.socket, settings: Hooks, seeds: tuple[str, ...]) -> None:
    """Send Checked, or Broken with what is wrong, and end."""
    live_and_die_with_the_crawl()
    os.register_at_fork(after_in_child=connection.close)
    channel = Channel(connection, WORK)
    try:
        hooks = CalledHooks(settings, limited=True)
        extractors, refusal = Extractors(hooks, settings.extractors), hooks.refusal
    except HookError as error:
        channel.send(Broken(message=str(error)))
    else:
        refused = tuple(refusal(url) if refusal else NONE for url in seeds)
        channel.send(Checked(refused=refused, versions=extractors.versions))
    os._exit(0)  # does not wait for threads of the hooks
