"""Patterns of rules -> regular expressions for RE2 over a canonical URL. Each function raises ValueError.

RE2 takes time linear in the URL whatever the pattern is; it has neither look-around nor back-references for that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote

import re2

from ttcrawl.web.url import canonical, host, registrable_domain

#: A pattern that needs more than this when compiled is refused, bytes.
MAX_MEMORY = 8 << 20

PORT = r"(?::\d+)?"
START = "^https?://"


def options(memory: int) -> re2.Options:
    made = re2.Options()
    made.max_mem = memory
    made.log_errors = False
    made.dot_nl = True
    return made


def expression(text: str) -> str:
    """A regular expression of RE2, looked for anywhere.

    https://github.com/google/re2/wiki/Syntax
    """
    _of_a_url(text, "")
    try:
        re2.compile(text, options(MAX_MEMORY))
    except re2.error as error:
        said = error.args[0] if error.args else ""
        said = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
        hint = " (RE2 has no look-around and no back-references)" if "perl operator" in said or "escape" in said else ""
        raise ValueError(f"{said}{hint}") from None
    return text


def wildcard(text: str) -> str:
    """* and ? over the whole URL; *.EXT alone is looked for at the end of the path, whatever query follows."""
    _of_a_url(text, "#")
    if re.fullmatch(r"\*(?:\.[A-Za-z0-9]+)+", text):
        return extensions(text[2:])
    head = re.split(r"[*?]", text, maxsplit=1)[0]
    begun = head != text and any(scheme.startswith(head) for scheme in ("http://", "https://"))
    if not begun and not head.startswith(("http://", "https://")):
        raise ValueError(f"a wildcard pattern is compared with the whole URL: write *{text.strip('*')}* or {_kinds()}")
    parts = [".*" if each == "*" else "." if each == "?" else re2.escape(each) for each in re.split(r"([*?])", text)]
    return f"^{''.join(parts)}$"


def extensions(text: str) -> str:
    """Names such as `pdf, tar.gz`, in whatever case, at the end of the path of a URL."""
    names = [name.removeprefix(".") for name in text.replace(",", " ").split()]
    wrong = [name for name in names if not re.fullmatch(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*", name)]
    if wrong:
        raise ValueError(f"{wrong[0]} is no extension: write them as in ext:pdf,tar.gz")
    if not names:
        raise ValueError("there is no extension: write them as in ext:pdf,tar.gz")
    return rf"{START}[^/]*/[^?]*\.(?i:{'|'.join(map(re2.escape, names))})(?:\?|$)"


def host_name(text: str) -> str:
    """NAME: that host; *.NAME: the hosts under it; with a port only at that port."""
    name, below = normal_host(text)
    port = "" if re.search(r":\d+$", name) else PORT
    return f"{START}{'[^/:]+[.]' if below else ''}{re2.escape(name)}{port}/"


def normal_host(text: str) -> tuple[str, bool]:
    """(host in lower case and IDNA, with its port; whether it was written with *. in front)."""
    below, name = text.startswith("*."), text.removeprefix("*.")
    found = {host(url) for scheme in ("http", "https") if (url := canonical(f"{scheme}://{name}/"))}
    if re.search(r"[/?#@*\\\s]", name) or not found:
        raise ValueError(f"{name} is no host name: write it as in host:www.example.org or host:*.example.org")
    if len(found) > 1:
        raise ValueError("leave out the port that is the scheme's own")
    return found.pop(), below


def domain(text: str) -> str:
    name, below = normal_host(text)
    registered = registrable_domain(name)
    if below or name != registered:
        raise ValueError(f"no registrable domain: write domain:{registered}, or host:*.{name}")
    return name


def scheme(text: str) -> str:
    if text not in ("http", "https"):
        raise ValueError("write scheme:http or scheme:https")
    return f"^{text}://"


def path(text: str) -> str:
    _of_a_url(text, "#")
    if not text.startswith("/"):
        raise ValueError(f"a path begins with /: write path:/{text}")
    return f"{START}[^/]*{re2.escape(text)}"


def surt(text: str) -> str:
    """A prefix of the URL with its host turned round, as Heritrix has it: (org,example, or (org,example,www,)/path.

    http and https are one, as there.
    """
    _of_a_url(text, "#")
    match = re.fullmatch(r"(?:https?://)?\(([^():/]+)(?:(:\d+)?\)(/.*)?)?", text)
    if not match:
        raise ValueError("write a prefix such as surt:(org,example, or surt:(org,example,www,)/path")
    name, port, rest = match[1].lower(), re2.escape(match[2] or ""), re2.escape(match[3] or "/")
    closed = ")" in text
    if re.fullmatch(r"[\d.]+", name):  # an address is not turned round
        return f"{START}{re2.escape(name)}{port}{rest}" if closed else f"{START}{re2.escape(name)}[\\d.]*{PORT}/"
    *labels, last = name.split(",")
    if not all(labels) or labels[:1] == [""] or (closed and last):
        raise ValueError("every label of the host ends with a comma, as in surt:(org,example,www,)/path")
    known = re2.escape(".".join(reversed(labels)))
    if closed:
        return f"{START}{known}{port}{rest}"
    dot = r"\." if labels else ""
    begun = f"{re2.escape(last)}[^./:]*{dot}" if last else ""
    return f"{START}(?:[^/:]*\\.)?{begun}{known}{PORT}/"


OF_URLS: dict[str, Callable[[str], str]] = {
    "host": host_name,
    "regex": expression,
    "surt": surt,
    "path": path,
    "ext": extensions,
    "scheme": scheme,
}


def _kinds() -> str:
    return ", ".join(f"{kind}:" for kind in (*OF_URLS, "domain", "host-regex", "depth", "hops"))


def _of_a_url(text: str, never: str) -> None:
    """Refuse what stands in no canonical URL, so that the pattern could never match."""
    odd = next((each for each in text if each.isspace() or each in never or not each.isascii()), "")
    if odd.isspace():
        raise ValueError("white space stands in no URL (a comment has a line of its own)")
    if odd:
        raise ValueError(f"{odd} stands in no canonical URL: write {quote(odd) if odd != '#' else 'the part before #'}")
