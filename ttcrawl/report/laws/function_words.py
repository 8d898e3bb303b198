"""Words that say nothing about the subject of a text: articles, pronouns, prepositions, conjunctions, auxiliaries.

The most frequent words of any text are these (Luhn 1958). The lists have the frequent ones of languages with many pages
on the web; a text in another language has its own among its most frequent words.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping

BY_LANGUAGE = {
    "English": (
        "a about after all also an and any are as at be because been before being both but by can could did do does "
        "each either for from had has have he her here his how if in into is it its just may more most must no not of "
        "on one only or other our out over same she should since so some such than that the their them then there "
        "these they this those through to too under until up use used using was we were what when where whether which "
        "while who will with within without would you your"
    ),
    "French": (
        "au aux avec ce ces cette comme dans de des donc du elle elles en est et il ils je la le les leur leurs lui "
        "mais ne nos notre nous on ont ou par pas plus pour qu que qui sa sans se ses si son sont sur très un une vos "
        "votre vous être"
    ),
    "German": (
        "aber als am an auch auf aus bei bis da das dass dem den der des die dies diese dieser durch ein eine einem "
        "einen einer eines er es für haben hat ich ihr im in ist kann mit nach nicht noch nur oder sein sich sie sind "
        "so um und uns unter vom von vor war werden wie wird wir zu zum zur über"
    ),
    "Spanish": (
        "al como con del desde donde el ella ellos entre era esta este esto está fue ha hay la las lo los más muy no "
        "o para pero por que se ser si sin sobre son su sus también una uno unos y ya"
    ),
    "Italian": (
        "ai alla alle anche che chi ci come con cui da dal dalla dei del della delle di e gli ha i il io la le lo ma "
        "nel nella non o per più quando questo questa se si sono su sul sulla tra un una è"
    ),
    "Portuguese": (
        "ao aos as até com da das do dos e em entre essa esse esta este eu foi isso mais mas na nas no nos não o os "
        "ou para pela pelo por quando que se sem ser seu sua também tem um uma à é são"
    ),
    "Dutch": (
        "aan als bij dat de deze die dit door een en er geen het hij ik in is je kan maar met naar niet of om ook op "
        "te tot uit van voor was wat we wordt worden ze zich zijn zo"
    ),
    "Russian": (
        "а без бы был была были было в во вы где да для до его ее если есть же за и из или их к как ко который мы на "
        "не но о об он она они от по при с со так также то только у что чтобы это"
    ),
}
FUNCTION_WORDS = frozenset(word for words in BY_LANGUAGE.values() for word in words.split())
LANGUAGES = " and ".join(", ".join(BY_LANGUAGE).rsplit(", ", 1))


def contents(counts: Mapping[str, int], number: int) -> dict[str, int]:
    """The most frequent words that are no function words and more than one letter, with their counts.

    >>> contents({"the": 9, "crawl": 5, "x": 4, "of": 3, "page": 5}, 2)
    {'crawl': 5, 'page': 5}
    """
    often = heapq.nsmallest(number + len(FUNCTION_WORDS) + 26, counts.items(), key=lambda each: (-each[1], each[0]))
    words = ((word, count) for word, count in often if word not in FUNCTION_WORDS and not _is_letter(word))
    return dict(list(words)[:number])


def _is_letter(word: str) -> bool:
    """Whether it is a single ASCII letter; one ideograph is a word."""
    return len(word) == 1 and word.isascii()
