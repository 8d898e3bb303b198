"""Visits that are repeated: when, in which order, and what their answers change."""
