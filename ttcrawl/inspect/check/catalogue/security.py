"""Transport, and what browsers are told to refuse."""

from __future__ import annotations

KINDS = ()
