"""What Python has no functions for; loaded once, for between fork and exec nothing may be imported."""

from __future__ import annotations

import ctypes
import sys

#: None where there is no Linux.
LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
