"""Pages made at random of what tree construction has rules for."""

from __future__ import annotations

import random

DOCTYPES = (
    "<!doctype html>",
    "",
    "<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 3.2//EN'>",
    "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'x'>",
)
STARTS = ("<html><head><title>t</title></head><body>", "", "<body class=x>")
NAMES = (
    "a b i p div span table tr td th tbody ul ol li dl dt dd h1 h2 pre form input button select option optgroup br hr"
    " img script style title textarea svg path font em nobr caption colgroup col thead center article object label body"
    " html head noscript small details summary x-y math mi mo annotation-xml foreignobject desc template applet ruby rb"
    " rt rp rtc xmp iframe noembed noframes image listing fieldset big tt mglyph frame marquee param area"
)
TAGS = NAMES.split()
ATTRIBUTES = (
    *("", "", "", "", " a=b", " href=x", ' id="q&amp;r&copy=1&lt"', "/", " class= ", " A=b a=c", " x='y\nz'k=v/"),
    *(" type=hidden", " encoding=text/html", " color=x", "/ =x", " \f=y/ "),
)
TEXTS = (
    *(" ", "text", "\n", "\r\n", "é", "a&b", "&amp;", "&lt", "&notit;", "&#128;x", "&#x0;", "&NotEqualTilde;", "&#32;"),
    *("&#10;", "<", "</", "</>", "</ x>", "<!>", "<!-->", "<!--->", "<!--c-->", "<!--", "--!>", "<![CDATA[x]]>"),
    *("<?x>", "<?xml?>", "<?a-b c?>", "<script><!--"),
)


def page(chance: random.Random) -> bytes:
    """Tags of a few elements, most of them closed in order, and texts between."""
    tags = chance.sample(TAGS, 12) if chance.random() < 0.7 else TAGS
    pieces = [chance.choice(DOCTYPES), chance.choice(STARTS)]
    open_tags: list[str] = []
    for _ in range(chance.randrange(2, 40)):
        kind = chance.random()
        if kind < 0.45:
            open_tags.append(chance.choice(tags))
            pieces.append(f"<{open_tags[-1]}{chance.choice(ATTRIBUTES)}>")
        elif kind < 0.75 and open_tags:
            tag = open_tags.pop() if chance.random() < 0.8 else chance.choice(tags)
            pieces.append(f"</{tag}>")
        else:
            pieces.append(chance.choice(TEXTS))
    return "".join(pieces).encode()
