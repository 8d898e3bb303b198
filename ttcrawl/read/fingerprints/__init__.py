"""Fingerprints: digests for identical texts, and signatures for near-duplicates."""
