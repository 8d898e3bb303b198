"""Pages made at random of what the rules for the main text tell apart."""

from __future__ import annotations

import random

WORDS = ("the", "reader", "takes", "pages", "of", "a", "site", "and", "counts", "words", "Straße", "été", "42", "a_b")
ELEMENTS = (
    *("div", "section", "main", "article", "header", "footer", "nav", "aside", "form", "dialog", "ul", "pre"),
    *("div class=content", "div class=post", "div class=articleBody itemprop=articleBody", "div role=main", "main"),
    *("div class=sidebar", "div class=related", "div class=comments", "article class=comment", "div class=header"),
    *("div class=page-header", "div role=banner", "div role=search", "section class=toc id=search", "div class=menu"),
    *("div class=entry-content", "div id=content", "div class=pagetitle", "div hidden"),
)
SIGNS = ("|", " | ", "·", " • ", "»", "] [", "][", " > ", ", ", " - ", "\xa0|\xa0")
SHORT = ("|", "·", "a", "é", "_", "1", "٣", "〇", "。", "²", "ー")
WIDE = "日本語の文章はここにあります。ไทย"


def page(chance: random.Random) -> bytes:
    links = [_words(chance, 1, 4) for _ in range(6)]
    body = "".join(_part(chance, links, 0) for _ in range(chance.randrange(1, 8)))
    return f"<title>{_words(chance, 1, 5)}</title>{body}".encode()


def _part(chance: random.Random, links: list[str], depth: int) -> str:
    if depth < 5 and chance.random() < 0.5:
        element = chance.choice(ELEMENTS)
        inner = "".join(_part(chance, links, depth + 1) for _ in range(chance.randrange(5)))
        return f"<{element}>{inner}</{element.partition(' ')[0]}>"
    match chance.randrange(9):
        case 0:
            return "".join(f"<li>{_link(chance, links)}" for _ in range(chance.randrange(1, 9)))
        case 1:
            sign = chance.choice(SIGNS)
            return f"<p>{sign.join(_link(chance, links) for _ in range(chance.randrange(1, 5)))}</p>"
        case 2:
            level, text = chance.randrange(1, 4), chance.choice((_words(chance, 1, 5), _link(chance, links)))
            return f"<h{level}>{text}</h{level}>"
        case 3:
            return f"<p>{chance.choice(links)}</p>"
        case 4:
            return f"<p>{chance.choice(SHORT)}</p>"
        case 5:
            return f"<p>{''.join(chance.choices(WIDE, k=chance.randrange(1, 60)))}</p>"
        case 6:
            return f"<p>{_words(chance, 1, 8)}</p>"
        case 7:
            return f"<p>{_words(chance, 8, 90)}</p>"
        case _:
            return f"<p>{_words(chance, 1, 20)} {_link(chance, links)} {_words(chance, 1, 20)}</p>"


def _link(chance: random.Random, links: list[str]) -> str:
    return f"<a href={chance.choice(('/a', '#b', 'c.html'))}>{chance.choice(links)}</a>"


def _words(chance: random.Random, fewest: int, most: int) -> str:
    return " ".join(chance.choices(WORDS, k=chance.randrange(fewest, most + 1)))
