"""What most parse processes would load one by one when they begin."""

from ttcrawl.ring.pool import ROLES
from ttcrawl.ring.preload import load

load((ROLES["parse"], "ttcrawl.parse.preload"))
