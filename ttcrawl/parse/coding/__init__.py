"""Content codings: undone piece by piece, so that a bomb is known before it takes memory."""
