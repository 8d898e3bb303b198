"""A web whose relevant pages are known: a few gardens of sundews in a large town, with words that lead to them."""

import random
from dataclasses import dataclass

from tests.support.web.site import Answer, at, page

HOSTS = ("a.test", "b.test", "c.test")
TERMS = "10: drosera=CP\n10: sundew=CP\n10: venus flytrap=CP\n5: carnivorous=CP\n"
RELEVANT = "<h1>Drosera and other sundew species</h1><p>Drosera is a carnivorous sundew. Drosera grows in bogs.</p>"
OTHER = "<h1>Town council</h1><p>The council met on Monday to discuss the budget of the new town hall.</p>"
HINTS = ("drosera capensis", "a sundew in flower", "growing carnivorous plants", "venus flytrap")
CHATTER = ("the council", "opening hours", "budget report", "contact", "news of the week", "read more")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gardens:
    pages: dict[tuple[str, str], Answer]
    relevant: frozenset[tuple[str, str]]


def gardens(count: int, seed: int, *, share: float = 0.1, honest: float = 0.7) -> Gardens:
    """`count` pages, a `share` of them relevant. Relevant pages link to relevant ones, others to any; a share `honest`
    of the links to relevant pages says so. All pages can be reached over others that are not relevant."""
    rng = random.Random(seed)
    places = [(rng.choice(HOSTS), f"/{number}") for number in range(count)]
    places[0] = (HOSTS[0], "/")
    relevant = set(rng.sample(places[1:], int(count * share)))
    others = [place for place in places if place not in relevant]
    targets = {place: rng.sample(places, 6) for place in others}
    targets |= {place: rng.sample(sorted(relevant), 3) + rng.sample(places, 3) for place in sorted(relevant)}
    for number, place in enumerate(others[1:], 1):  # a tree of other pages, with relevant ones at its leaves
        targets[others[(number - 1) // 3]].append(place)
    for place in sorted(relevant):
        targets[rng.choice(others)].append(place)
    pages = {}
    for place in places:
        links = [_link(rng, target, hint=target in relevant and rng.random() < honest) for target in targets[place]]
        content = RELEVANT if place in relevant else OTHER
        pages[place] = Answer(body=page(content=f"{content}<p>{place[1]}</p>{''.join(links)}"))
    return Gardens(pages=pages, relevant=frozenset(relevant))


def _link(rng: random.Random, target: tuple[str, str], *, hint: bool) -> str:
    words, text = rng.choice(HINTS if hint else CHATTER), rng.choice(CHATTER)
    if rng.random() < 0.5:
        return f'<p><a href="{at(*target)}">{words}</a></p>'
    return f'<p>{words}: <a href="{at(*target)}">{text}</a></p>'
