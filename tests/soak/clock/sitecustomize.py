"""A clock that is wrong: time.time() is ahead by the seconds in the file SOAK_CLOCK, which may change at any moment.

The clock of the machine is right, and so are monotonic clocks.
"""

import mmap
import os
import time

with open(os.environ["SOAK_CLOCK"], "rb") as file:
    ahead = memoryview(mmap.mmap(file.fileno(), 8, access=mmap.ACCESS_READ)).cast("d")

right = time.time
time.time = lambda: right() + ahead[0]
