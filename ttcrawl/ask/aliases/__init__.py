"""Names of one server: origins (scheme and host) that answer the same paths with the same contents, found in a crawl.

What is compared is a path with its query under two origins, so a mirror that lies in a directory of another host, or
whose paths are others, is not found. K. Bharat and A. Broder (Mirror, mirror on the Web, WWW8, 1999) found that a
fifth of the hosts of a large crawl were such; the paths and contents that two hosts share told them best.
"""
