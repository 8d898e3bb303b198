"""The links of a page: found by one of three parsers, resolved, and sent once each."""
