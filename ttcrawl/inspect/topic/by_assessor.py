"""Pages as a crawl decides about them: by a model, a term list or both, and by its conditions."""

from __future__ import annotations

from dataclasses import replace

from ttcrawl.inspect.topic.by_model import ByModel
from ttcrawl.inspect.topic.by_terms import ByTerms
from ttcrawl.inspect.topic.judgment import Judgment
from ttcrawl.topic.assess import COUNTRY, LANGUAGE, SITE, Assessor, country_of
from ttcrawl.topic.combine_url import analysis
from ttcrawl.topic.page import Page
from ttcrawl.web.url import host


class ByAssessor:
    """`compatible`: with what Combine notes about the URLs of accepted pages."""

    def __init__(self, assessor: Assessor, *, compatible: bool = False) -> None:
        self._assessor, self._compatible = assessor, compatible
        self._model = ByModel(assessor.classifier) if assessor.classifier is not None else None
        self._terms = ByTerms(assessor.scorer) if assessor.scorer is not None else None

    def judge(self, page: Page) -> Judgment:
        return self._joined(
            page, self._model.judge(page) if self._model else None, self._terms.judge(page) if self._terms else None
        )

    def explain(self, page: Page) -> Judgment:
        return self._joined(
            page, self._model.explain(page) if self._model else None, self._terms.explain(page) if self._terms else None
        )

    def _joined(self, page: Page, model: Judgment | None, terms: Judgment | None) -> Judgment:
        """The judgment of what decides: the model, or else the list; with the fields and lines of both."""
        first = model or terms
        assert first is not None
        name = host(page.urls[0]) if page.urls else ""
        accepted, by = self._assessor.decide(
            page,
            name,
            by_model=model.accepted if model else None,
            by_terms=terms is not None and terms.accepted,
        )
        lines = list(first.lines)
        if model and terms and terms.lines:
            lines += ["  the model decides; by the list of terms:", *terms.lines]
        if lines and (why := _condition(by, page, name)):
            lines.insert(0, f"  {'accepted' if accepted else 'rejected'}: {why}; without this condition:")
        fields = {**(terms.fields if terms else {}), **(model.fields if model else {})}
        if self._compatible:
            fields["url_analysis"] = about = analysis(page.urls) if accepted else {}
            if lines and about:
                lines.append("  its URL: " + ", ".join(f"{name} {value}" for name, value in about.items()))
        if model and terms and "matches" in terms.fields:
            fields["matches_of_terms"] = terms.fields["matches"]
        return replace(
            first,
            accepted=accepted,
            lines=lines,
            fields={**fields, "site_ok": by == SITE, "by": by, "accepted": accepted},
        )


def _condition(by: str, page: Page, name: str) -> str:
    return {
        SITE: "its site always passes",
        LANGUAGE: f"its language is {page.language}",
        COUNTRY: f"the country of its server is {country_of(name)}",
    }.get(by, "")
