"""What parse processes of most crawls load when they begin, loaded once. Only the fork server imports this module."""

from ttcrawl.config import Duplicates
from ttcrawl.read.fingerprints.fingerprint import prepare

prepare(Duplicates())  # which loads their libraries
