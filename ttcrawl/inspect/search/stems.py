"""Words with the same stem: "crawled" and "crawling" for "crawl".

The index has no stems, because they cost space and put the wrong pages first. Words of a query are widened by the words
of the index with the same stem, in the languages of the pages. Stemmers are from Snowball.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from ttcrawl.store.database import Database

#: ISO 639-1 codes of languages with a stemmer -> its name.
ALGORITHMS = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "eo": "esperanto",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "nb": "norwegian",
    "ne": "nepali",
    "nl": "dutch",
    "nn": "norwegian",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}

#: Languages that count, those with most pages first, and words with the same stem as one of a query.
MOST_LANGUAGES, MOST_WORDS = 5, 50

#: Letters of a shorter word are all of its stem.
SHORTEST = 3

_TERMS = "SELECT term FROM terms WHERE term >= ? AND term < ?"

Stemmer = Callable[[str], str]


def stemmers(db: Database, languages: Sequence[str] = ()) -> list[Stemmer]:
    """Return the stemmers of some languages, written as pages have them; () stands for the languages of the pages."""
    counted = "SELECT language FROM page WHERE language != '' GROUP BY language ORDER BY count(*) DESC, language"
    every = languages or [language for (language,) in db.execute(counted)]
    names = [ALGORITHMS.get(language.replace("_", "-").partition("-")[0].lower(), "") for language in every]
    return [_stemmer(name) for name in list(dict.fromkeys(filter(None, names)))[:MOST_LANGUAGES]]


def same_stem(db: Database, word: str, stemmers: Sequence[Stemmer]) -> list[str]:
    """Return the other words of the index that have the stem of a word. All are folded."""
    if len(word) < SHORTEST or not word.isalpha():
        return []
    words: dict[str, None] = {}
    for stem_of in stemmers:
        stem = stem_of(word)
        start = stem[:-1]  # the last letter may be no letter of the words: "happi" of "happy", "use" of "using"
        if len(start) >= SHORTEST - 1 and word.startswith(start):
            for (term,) in db.execute(_TERMS, (start, f"{start}\U0010ffff")):
                if term.isalpha() and stem_of(term) == stem:
                    words[term] = None
    words.pop(word, None)
    return list(words)[:MOST_WORDS]


@lru_cache
def _stemmer(name: str) -> Stemmer:
    import snowballstemmer  # 40 ms

    if name not in snowballstemmer.algorithms():  # of a later version
        return str
    stem: Stemmer = lru_cache(maxsize=100_000)(snowballstemmer.stemmer(name).stemWord)
    return stem
