"""Checks that a crawl is complete and consistent: the tables among themselves, the archive against them; offline."""
