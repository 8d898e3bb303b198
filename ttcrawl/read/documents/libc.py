"""C functions that Python lacks; loaded early, because imports are unsafe between fork and exec."""

from __future__ import annotations

import ctypes
import sys

#: None on systems other than Linux.
LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
