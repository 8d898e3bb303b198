"""Hosts, domains, kinds of links and the number of a URL from the configuration -> their internal form. Pure."""

from __future__ import annotations

import re
import warnings

from ttcrawl.errors import ConfigError
from ttcrawl.vocabulary.kind import LETTERS
from ttcrawl.web.networks import is_address
from ttcrawl.web.url import canonical, host, split_port


def host_name(text: str) -> str | None:
    """Return a host in lower case and IDNA, with its port; None: it is invalid, or has the default port of a scheme.

    >>> host_name("Bücher.example:81"), host_name("a.test:443"), host_name("http://a.test/")
    ('xn--bcher-kva.example:81', None, None)
    """
    if re.search(r"[/?#@*\\\s]", text):
        return None
    hosts = {host(url) if (url := canonical(f"{scheme}://{text}/")) else "" for scheme in ("http", "https")}
    return (hosts.pop() or None) if len(hosts) == 1 else None


def origin_name(text: str) -> str | None:
    """Return scheme and host in lower case and IDNA, with any port except the scheme's default; None: it is invalid.

    >>> origin_name("HTTPS://Bücher.example:443"), origin_name("a.test"), origin_name("http://a.test/")
    ('https://xn--bcher-kva.example', None, None)
    """
    scheme, _, name = text.partition("//")
    if scheme.lower() not in ("http:", "https:") or re.search(r"[/?#@*\\\s]", name):
        return None
    url = canonical(f"{text}/")
    return url[:-1] if url and url.count("/") == 3 else None


def section_name(text: str) -> str:
    """Return the NAME of a section [host:NAME]; an invalid host is returned unchanged: scope refuses it."""
    name = text.strip().lower()
    star = "*." if name.startswith("*.") else ""
    return star + (host_name(name.removeprefix(star)) or name.removeprefix(star))


def domain_names(text: str) -> frozenset[str]:
    """Return the domains of scope = list, separated by white space or commas. Raises ValueError.

    >>> sorted(domain_names("Example.org, .bücher.example"))
    ['example.org', 'xn--bcher-kva.example']
    """
    names = set()
    for entry in text.replace(",", " ").split():
        name = host_name(entry.strip("."))
        if name is None or split_port(name)[1] is not None:
            raise ValueError(f"{entry}: write names such as example.org, without scheme, port or *")
        names.add(name)
    return frozenset(names)


def link_kinds(text: str) -> bytes:
    """Return the letters of kinds of links, named and separated by white space or commas. Raises ValueError.

    >>> link_kinds("anchor, area image")
    b'amg'
    """
    names = text.replace(",", " ").split()
    for name in names:
        if name not in LETTERS:
            raise ValueError(f"{name} is not a kind of link; the kinds are {' '.join(LETTERS)}")
    return "".join(LETTERS[name] for name in names).encode()


def number_expression(text: str) -> re.Pattern[str]:
    r"""Return the regular expression whose first group is the number of a URL. Raises ValueError.

    >>> number_expression(r"page-(\d+)").search("/page-17")[1]
    '17'
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of [[: it may mean another set in a later Python; it names a line of ours
            expression = re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:  # the others: a{9999999999}, ((((...
        raise ValueError(f"number_pattern = {text}: {error}") from None
    if expression.groups < 1:
        raise ValueError(f"number_pattern = {text}: put the number in a group, as in page-(\\d+)")
    return expression


def changed_names(before: str, text: str) -> str:
    """Return a list of names with +NAME added and -NAME removed; without + and -, `text`. Raises ValueError.

    >>> changed_names("anchor area", "+image -area"), changed_names("anchor area", "image")
    ('anchor image', 'image')
    """
    changes = text.replace(",", " ").split()
    signed = [each for each in changes if each[0] in "+-"]
    if not signed:
        return text
    if signed != changes:
        raise ValueError("write + or - before all names, or before none")
    if "+" in signed or "-" in signed:
        raise ValueError("write a name behind each + and -, without a blank")
    names = dict.fromkeys(before.replace(",", " ").split())
    for each in changes:
        if each[0] == "+":
            names[each[1:]] = None
        elif names.pop(each[1:], "") == "":
            raise ValueError(f"{each}: {each[1:]} is not in {before}")
    return " ".join(names)


def resolve_map(text: str) -> dict[tuple[str, int], str]:
    """Return HOST:PORT:ADDRESS entries, separated by white space, as a map (host, port) -> address.

    >>> resolve_map("a.test:80:127.0.0.1 b.test:8080:[::1]")
    {('a.test', 80): '127.0.0.1', ('b.test', 8080): '::1'}
    """
    addresses = {}
    for entry in text.split():
        match = re.fullmatch(r"([^:\s]+):(\d{1,5}):(\[[0-9A-Fa-f:.]+\]|[0-9.]+)", entry)
        name = host_name(match[1]) if match else None
        if not match or not name or int(match[2]) > 65535 or not is_address(match[3].strip("[]")):
            raise ConfigError(f"resolve {entry}: write HOST:PORT:ADDRESS, such as example.org:80:127.0.0.1")
        addresses[name, int(match[2])] = match[3].strip("[]")
    return addresses


def parameter_names(text: str) -> tuple[str, ...]:
    """Return names of parameters, separated by white space, each with or without a * at its end."""
    names = tuple(text.split())
    for name in names:
        if not re.fullmatch(r"[^*=&;/?#]+\*?", name):
            raise ConfigError(f"[url] drop_parameters: {name}: write a name, or its beginning and one *, as in utm_*")
    return names


def alias_map(text: str) -> dict[str, str]:
    """Return HOST=HOST and SCHEME://HOST=SCHEME://HOST entries, separated by white space, as a map of canonical names.

    >>> alias_map("www.a.test=A.test b.test=a.test:8080 http://a.test=https://a.test")
    {'www.a.test': 'a.test', 'b.test': 'a.test:8080', 'http://a.test': 'https://a.test'}
    """
    aliases = {}
    for entry in text.split():
        canonical_name = origin_name if "//" in entry else host_name
        before, _, after = entry.partition("=")
        name, alias = canonical_name(before), canonical_name(after)
        if name is None or alias is None or "=" in after:
            raise ConfigError(
                f"[url] aliases: {entry}: write HOST=HOST, such as www.a.example=a.example (no :80, no :443), or with"
                " the scheme on both sides"
            )
        aliases[name] = alias
    return aliases
