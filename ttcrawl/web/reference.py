"""References that need no URL parser: plain ones on a plain base URL.

Most links of the web are such. What the URL standard (4.4) does to them is a concatenation: their characters are not
percent-encoded, and a path without "." and ".." inside has nothing to resolve. All others are left to the parser.
"""

from __future__ import annotations

import re

from ttcrawl.web.url import absolute

#: Neither percent-encoded nor decoded, neither in paths nor in queries; without "." and "/".
_PLAIN = r"\w~\-+,;=&@!$()*"
_REFERENCE = re.compile(
    r"((?:\.\./)*+|/|https?://(?:[a-z][a-z0-9-]*+\.)++[a-z]++/)"  # no host that is an IPv4 address
    rf"(?:[{_PLAIN}][{_PLAIN}./]*+)?+(?:\?[{_PLAIN}./]++)?+",
    re.ASCII,
)


class PlainBase:
    """The directory of a base URL, to which plain references are added."""

    def __init__(self, base: str) -> None:
        directory = absolute(base, "x").removesuffix("x")
        is_plain = directory.startswith(("http://", "https://")) and not {*"%@"} & {*directory}
        #: "": no reference is plain here.
        self.directory = directory if is_plain else ""
        self._root = self.directory.index("/", 8) if is_plain else 0

    def joined(self, reference: str) -> str:
        """The absolute URL of a reference without fragment, as `url.joined` has it; "": the parser has to decide.

        The result is canonical (`url.plain`). A reference that is empty or only a query needs the whole base URL: "".

        >>> PlainBase("http://a.test/x/y.html").joined("../z.html?a=b")
        'http://a.test/z.html?a=b'
        >>> PlainBase("http://a.test/x/y.html").joined("a b")
        ''
        """
        match = _REFERENCE.fullmatch(reference)
        if match is None or not self.directory:
            return ""
        start = match.end(1)
        if reference.find("/.", max(start - 1, 0)) >= 0:  # of a query too, which is rare
            return ""
        if start == 0:
            return "" if reference[:1] in ("", "?") else self.directory + reference
        if start == 1:
            return self.directory[: self._root] + reference
        if reference[0] != ".":
            return "" if "xn--" in reference else reference
        return self._above(start // len("../")) + reference[start:]

    def _above(self, levels: int) -> str:
        """The directory so many levels above; nothing is above the root."""
        end = len(self.directory) - 1
        for _ in range(levels):
            if end == self._root:
                break
            end = self.directory.rfind("/", 0, end)
        return self.directory[: end + 1]
