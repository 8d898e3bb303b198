"""What tells that two pages say the same: digests of texts, and signatures for those that are nearly equal."""
