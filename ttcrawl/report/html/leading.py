"""A report whose links lead to another program that knows the URLs."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import quote

_OUT = re.compile(r'<a href="(https?://[^"]*)" rel="noreferrer">')


def leading_to(report: str, address: str) -> str:
    """The report with the links that lead out of it to `address`, behind which the URL is put.

    >>> leading_to('<a href="http://a.test/?b" rel="noreferrer">b</a>', "/url?u=")
    '<a href="/url?u=http%3A%2F%2Fa.test%2F%3Fb" target="_top">b</a>'
    """
    return _OUT.sub(lambda link: f'<a href="{address}{quote(unescape(link[1]), safe="")}" target="_top">', report)
