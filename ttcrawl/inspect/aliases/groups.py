"""Groups of origins of one server with a canonical name, and the entries for config.ini. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ttcrawl.inspect.aliases.evidence import Compared, Origin, Redirected, are_two_servers
from ttcrawl.web.canon.hosts import canonical_origin

#: Compares origins: the evidence for each pair, by their ids.
Compare = Callable[[Iterable[tuple[Origin, Origin]]], Mapping[tuple[int, int], Compared]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """An alias and its canonical name; `redirected` is None if it does not redirect there."""

    origin: Origin
    compared: Compared
    redirected: Redirected | None

    @property
    def examples(self) -> list[int]:
        """URLs of the alias that support the decision."""
        redirect = self.redirected.example if self.redirected else 0
        return [each for each in (self.compared.example, redirect) if each]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    canonical: Origin
    aliases: tuple[Member, ...]


def preference(origin: Origin) -> tuple[object, ...]:
    """Sort key that puts the canonical name first.

    The name with the most seeds comes first: the user calls the server by it, and scope = host refers to it. Then the
    one with the most pages (by powers of two, because smaller differences are chance), so that few pages remain under
    names that are given up. Then the shortest.
    """
    return -origin.seeds, -origin.pages.bit_length(), len(origin.name), origin.name


def groups(
    same_server: Iterable[tuple[Origin, Origin]],
    redirected: Mapping[tuple[int, int], Redirected],
    origins: Mapping[int, Origin],
    compare: Compare,
) -> list[Group]:
    """Groups of origins that are aliases of one another, directly or through others.

    An alias of an alias may still differ from the canonical origin (a changed mirror of a mirror). Each alias is
    therefore compared with the canonical origin. Those that differ form groups among themselves, or stand alone.
    """
    away = {one for one, _ in redirected}
    edges = [(one.id, other.id) for one, other in same_server] + list(redirected)
    result = []
    waiting = [sorted(ids) for ids in _components(edges)]
    while waiting:
        ids = waiting.pop()
        members = sorted((origins[each] for each in ids), key=lambda each: (each.id in away, preference(each)))
        canonical, others = members[0], members[1:]
        comparisons = compare([(canonical, other) for other in others])
        comparison_of = {other.id: comparisons.get((canonical.id, other.id), Compared()) for other in others}
        apart = {each.id for each in others if are_two_servers(canonical, each, comparison_of[each.id])}
        remaining = [each for each in others if each.id not in apart]
        waiting += [sorted(component) for component in _components([each for each in edges if apart.issuperset(each)])]
        if remaining and canonical.pages:
            aliases = (
                Member(origin=each, compared=comparison_of[each.id], redirected=redirected.get((each.id, canonical.id)))
                for each in remaining
            )
            result.append(Group(canonical=canonical, aliases=tuple(aliases)))
    return sorted(result, key=lambda group: preference(group.canonical))


def entries(
    alias_groups: Iterable[Group], origins: Iterable[Origin], strip_www: bool, present: Mapping[str, str]
) -> list[str]:
    """New entries for [url] aliases; `present` are the present entries.

    A host that was seen under one scheme only is named without it, and so is its canonical name if it has the same
    scheme.
    """
    schemes: dict[int, int] = {}
    for origin in origins:
        schemes[origin.site] = schemes.get(origin.site, 0) + 1
    lines = []
    for group in alias_groups:
        end = canonical_origin(group.canonical.name, strip_www, present)
        for member in group.aliases:
            begin = canonical_origin(member.origin.name, strip_www, present)
            if begin == end:
                continue
            (scheme, _, host), (other, _, canonical) = begin.partition("//"), end.partition("//")
            plain = scheme == other and schemes[member.origin.site] == 1
            lines.append(f"{host}={canonical}" if plain else f"{begin}={end}")
    return list(dict.fromkeys(lines))


def _components(edges: Sequence[tuple[int, int]]) -> list[set[int]]:
    """Connected components, by union-find with path halving."""
    parent: dict[int, int] = {}

    def root(of: int) -> int:
        parent.setdefault(of, of)
        while parent[of] != of:
            parent[of] = of = parent[parent[of]]
        return of

    for one, other in edges:
        parent[root(one)] = root(other)
    components: dict[int, set[int]] = {}
    for each in parent:
        components.setdefault(root(each), set()).add(each)
    return list(components.values())
