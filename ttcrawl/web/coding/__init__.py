"""Decode content codings piece by piece, so that a bomb is detected before it takes memory."""
