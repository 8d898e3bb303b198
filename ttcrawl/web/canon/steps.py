"""The steps after the plain canonical form, set in [url] of config.ini: all URLs pass through one object.

The canonical URL is fetched, so each step assumes that a site answers both spellings alike. With any settings the
result is a fixed point: canonical(canonical(u)) = canonical(u), with these steps and without.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from ttcrawl.web.late import late
from ttcrawl.web.url import absolute, canonical, joined, percent, plain, resolve, without_credentials

Rule = Callable[[str], str]

#: The beginning of a reference that is no URL of any crawl (URL standard 4.4, scheme state), such as mailto: and tel:
#: To say so, a parser takes 10 us.
_OF_OTHERS = late("(?!(?:https?|ftp):)[a-z][a-z0-9+.-]*+:", re.ASCII | re.IGNORECASE)


class Step(Struct, frozen=True, kw_only=True):
    """The effect of one rule; `after` is None if the result is neither an http(s) URL nor one of `ftp`."""

    name: str
    before: str
    after: str | None


class Canon(Struct, frozen=True, kw_only=True):
    """The compiled rules in their order; can be sent to another process."""

    rules: tuple[tuple[str, Rule], ...]
    ftp: bool = False  # ftp: URLs are URLs of the crawl

    def resolve(self, base: str, href: str) -> str | None:
        """The canonical URL of `href` on a page whose base URL is `base`; None: no URL of the crawl."""
        url = None if _OF_OTHERS.match(href) else resolve(base, href, ftp=self.ftp)
        return None if url is None else self.ruled(url)

    def spelled(self, base: str, href: str) -> tuple[str | None, str]:
        """(canonical URL, absolute URL as spelled); the spelling is "" if it is identical."""
        if _OF_OTHERS.match(href):
            return None, ""
        try:
            spelling = joined(base, href)
            url = self.of_spelling(spelling)
        except ValueError:
            return None, ""
        return url, "" if spelling == url or url is None else spelling

    def of_spelling(self, spelling: str) -> str | None:
        """The canonical URL of an absolute one as a URL parser writes it; None: no URL of the crawl."""
        url = plain(spelling, ftp=self.ftp)
        return None if url is None else self.ruled(url)

    def canonical(self, text: str) -> str | None:
        """The canonical form of an absolute URL written by a person; None: no URL of the crawl."""
        url = canonical(text, ftp=self.ftp)
        return None if url is None else self.ruled(url)

    def ruled(self, url: str) -> str:
        """A URL in plain form by the rules."""
        for _, rule in self.rules:
            url = rule(url)
        return url

    def steps(self, base: str, href: str) -> list[Step]:
        """How `resolve` obtains its result: the steps with an effect, and always the first."""
        text = href.partition("#")[0]  # the text to display
        steps = [Step(name="fragment", before=href, after=text)] if text != href else []
        url = absolute(base, href)
        if not url:
            return [*steps, Step(name="resolved", before=text, after=None)]
        steps.append(Step(name="resolved", before=text, after=url))
        if plain(url, ftp=self.ftp) is None:
            name = "credentials" if self.ftp and url.startswith("ftp:") else "scheme"
            return [*steps, Step(name=name, before=url, after=None)]
        for name, rule in (("credentials", without_credentials), ("percent", percent), *self.rules):
            after = rule(url)
            if after != url:
                steps.append(Step(name=name, before=url, after=after))
            url = after
        return steps
