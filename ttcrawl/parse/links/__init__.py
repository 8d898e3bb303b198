"""The links of a page: read by one of three parsers, resolved, and handed on once each."""
