"""What most fetch processes would load one by one when they begin."""

from ttcrawl.ring.pool import ROLES
from ttcrawl.ring.preload import load

load((ROLES["fetch"], "ttcrawl.fetch.curl.worker"))
