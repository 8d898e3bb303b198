"""Aliases: origins (scheme and host) of one server that return the same contents for the same paths, within a crawl.

The comparison uses a path with its query under two origins. It does not find a mirror in a directory of another host,
or with other paths. K. Bharat and A. Broder (Mirror, mirror on the Web, WWW8, 1999) found that a fifth of the hosts of
a large crawl were mirrors; shared paths and contents identified them best.
"""
