"""The score of a page while it is parsed, from the words that are stored of it."""

from __future__ import annotations

import msgspec
from isal import isal_zlib

from ttcrawl.config import Config
from ttcrawl.config import Topic as Settings
from ttcrawl.errors import UsageError
from ttcrawl.parse.hooks.stage import Hooked
from ttcrawl.parse.links.promises import Promises
from ttcrawl.ring.columns import NO_SCORE, Metadata, Topic
from ttcrawl.topic.assess import HOOK, Assessor
from ttcrawl.topic.files import assessor_of
from ttcrawl.topic.links import ScoresLinks, link_scorer
from ttcrawl.topic.page import Page, page_of_metadata
from ttcrawl.web.storable import text
from ttcrawl.web.url import host

_json = msgspec.json.Encoder().encode


class PageScorer:
    """`assessor`: None if the hook for pages alone decides."""

    def __init__(self, assessor: Assessor | None, *, by_hook: bool) -> None:
        self._assessor, self._by_hook = assessor, by_hook

    def score(self, url: str, hooked: Hooked) -> tuple[Topic | None, str]:
        """Return the score of a page, and why it has none; "" if it has one, or no words.

        Whatever happens, the page is not lost.
        """
        content, relevant, hook_score = hooked.content, hooked.relevant, hooked.score
        if self._by_hook and relevant is None and hook_score is not None:
            relevant = hook_score > 0
        topic, error = None, ""
        if self._assessor is not None and content.text is not None:
            try:
                topic = _assessed(
                    self._assessor, url, content.title, content.metadata or Metadata(), content.text.packed
                )
            except Exception as problem:
                error = f"{NO_SCORE}{text(' '.join(str(problem).split())) or type(problem).__name__}"
        if relevant is None:
            return topic, error
        if topic is None:
            return Topic(relevant=relevant, score=hook_score or 0.0, by=HOOK), error
        score = topic.score if hook_score is None else hook_score
        return msgspec.structs.replace(topic, relevant=relevant, score=score, by=HOOK), error

    def of_links(self) -> ScoresLinks:
        return link_scorer(self._assessor)


def _assessed(assessor: Assessor, url: str, title: str, metadata: Metadata, packed: bytes) -> Topic:
    words = isal_zlib.decompress(packed).decode()
    headings, language = metadata.headings, metadata.language
    page: Page = page_of_metadata(url, title, metadata.description, metadata.keywords, headings, language, words)
    result = assessor.assess(page, host(url))
    return Topic(
        relevant=result.relevant,
        score=result.score,
        probability=result.probability,
        by=result.by,
        classes=_json(result.classes).decode(),
        terms=_json(result.terms).decode(),
    )


def promises(config: Config, scorer: PageScorer) -> Promises:
    """Return what scores the links of pages."""
    of_links = scorer.of_links() if config.frontier.best_first else None
    return Promises(of_links, follow_all=config.links.follow == "all")


def page_scorer(settings: Settings) -> PageScorer | None:
    """Return the scorer of a crawl; `settings` name the copies in its directory. None: there is no subject.

    Raises OSError for a copy that is missing or damaged.
    """
    if not settings.on:
        return None
    try:
        assessor, _ = assessor_of(settings)
    except UsageError as error:
        raise OSError(0, str(error)) from error
    return PageScorer(assessor, by_hook=settings.hook)
