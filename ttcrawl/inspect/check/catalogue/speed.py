"""What readers wait for."""

from __future__ import annotations

KINDS = ()
