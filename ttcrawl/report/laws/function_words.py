"""Words that say nothing about the subject of a text: articles, pronouns, prepositions, conjunctions, auxiliaries.

The most frequent words of any text are these (Luhn 1958). Which words are, depends on the language: `die` and `war` are
content in English. Languages with many pages on the web have long lists here; for others there are the short ones by
which a language is detected.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from functools import cache

from ttcrawl.read.function_words import LANGUAGES_OF

_LONG = {
    "en": (
        "a about after all also an and any are as at be because been before being both but by can could did do does "
        "each either for from had has have he her here his how if in into is it its just may more most must no not of "
        "on one only or other our out over same she should since so some such than that the their them then there "
        "these they this those through to too under until up use used using was we were what when where whether which "
        "while who will with within without would you your"
    ),
    "fr": (
        "au aux avec ce ces cette comme dans de des donc du elle elles en est et il ils je la le les leur leurs lui "
        "mais ne nos notre nous on ont ou par pas plus pour qu que qui sa sans se ses si son sont sur très un une vos "
        "votre vous être"
    ),
    "de": (
        "aber als am an auch auf aus bei bis da das dass dem den der des die dies diese dieser durch ein eine einem "
        "einen einer eines er es für haben hat ich ihr im in ist kann mit nach nicht noch nur oder sein sich sie sind "
        "so um und uns unter vom von vor war werden wie wird wir zu zum zur über"
    ),
    "es": (
        "al como con del desde donde el ella ellos entre era esta este esto está fue ha hay la las lo los más muy no "
        "o para pero por que se ser si sin sobre son su sus también una uno unos y ya"
    ),
    "it": (
        "ai alla alle anche che chi ci come con cui da dal dalla dei del della delle di e gli ha i il io la le lo ma "
        "nel nella non o per più quando questo questa se si sono su sul sulla tra un una è"
    ),
    "pt": (
        "ao aos as até com da das do dos e em entre essa esse esta este eu foi isso mais mas na nas no nos não o os "
        "ou para pela pelo por quando que se sem ser seu sua também tem um uma à é são"
    ),
    "nl": (
        "aan als bij dat de deze die dit door een en er geen het hij ik in is je kan maar met naar niet of om ook op "
        "te tot uit van voor was wat we wordt worden ze zich zijn zo"
    ),
    "ru": (
        "а без бы был была были было в во вы где да для до его ее если есть же за и из или их к как ко который мы на "
        "не но о об он она они от по при с со так также то только у что чтобы это"
    ),
}
#: Languages of pages whose language is unknown, where all are.
COMMON = tuple(_LONG)


@cache
def words_of(language: str) -> frozenset[str]:
    """The function words of a language (BCP 47, primary subtag), as the vocabulary has them; none if it has no list."""
    short = (word for word, languages in LANGUAGES_OF.items() if language in languages)
    return frozenset((*short, *_LONG.get(language, "").split()))


def words_of_all(languages: Iterable[str]) -> frozenset[str]:
    """The function words of any of some languages."""
    return frozenset[str]().union(*map(words_of, languages))


def contents(counts: Mapping[str, int], as_function_words: Mapping[str, int], number: int) -> dict[str, int]:
    """The most frequent words of more than one letter, with their counts where they are no function words.

    >>> contents({"the": 9, "crawl": 5, "x": 4, "die": 3, "page": 5}, {"the": 9, "die": 1}, 3)
    {'crawl': 5, 'page': 5, 'die': 2}
    """
    left = ((word, count - as_function_words.get(word, 0)) for word, count in counts.items())
    words = (each for each in left if each[1] > 0 and not _is_letter(each[0]))
    return dict(heapq.nsmallest(number, words, key=lambda each: (-each[1], each[0])))


def _is_letter(word: str) -> bool:
    """Whether it is a single ASCII letter; one ideograph is a word."""
    return len(word) == 1 and word.isascii()
