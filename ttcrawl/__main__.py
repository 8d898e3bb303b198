"""`python -m ttcrawl`: the same as the command `ttcrawl`."""

import sys

from ttcrawl.cli import main

if __name__ == "__main__":
    sys.exit(main())
