"""Section [duplicates]: duplicate pages."""

from __future__ import annotations

from ttcrawl.config.key import key
from ttcrawl.frozen import frozen


@frozen
class Duplicates:
    """Duplicate pages."""

    exact: bool = key(
        True,
        "yes: mark pages with the bytes or the text of an earlier page as its duplicates; identical bytes are"
        " archived and read once",
    )
    near: bool = key(True, "yes: also mark pages whose main text is nearly the same as on an earlier page")
    follow: bool = key(True, "no: do not follow links that stand only on duplicates")
    permutations: int = key(80, "hash values in a MinHash signature", low=8, high=1024)
    bands: int = key(10, "bands of a signature; pages that agree in all values of a band are compared", low=1, high=256)
    shingle: int = key(3, "words in a shingle", low=1, high=20)
    verify: float = key(0.9, "minimum Jaccard similarity of the shingles of near duplicates", low=0.1, high=1)
    min_words: int = key(50, "minimum words of main text; shorter pages are not compared", low=1)
    cache: int = key(2_000, "pages whose shingles are kept in memory (5 KB each)", low=1)
    repeated: str = key(
        "last",
        "URLs whose pattern causes duplicates: last (fetch them after all other URLs of the host), refuse, no"
        " (treat them like other URLs)",
        choices=("no", "last", "refuse"),
    )
    repeated_share: float = key(
        0.9,
        "share of duplicates among the fetched pages of a pattern above which the pattern causes duplicates",
        low=0.1,
        high=1,
    )
    repeated_pages: int = key(20, "pages of a pattern that are fetched before it is judged", low=2)
    audit: float = key(0.05, "share of such URLs that is fetched nevertheless, to estimate what is lost", low=0, high=1)
    soft_404: int = key(
        500,
        "pages of a host after which a few URLs that cannot exist are requested, to detect its soft 404s; 0: never",
        low=0,
    )

    def check(self) -> None:
        """Raises ValueError."""
        if self.bands > self.permutations:
            raise ValueError(f"bands = {self.bands}: write at most the number of permutations, {self.permutations}")
