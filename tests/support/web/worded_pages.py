"""Pages with words for tests of search."""

from tests.support.web.site import Answer

#: Long enough that a page is no near duplicate of one with other words before it.
FILLER = " ".join(f"filler{n}" for n in range(80))


def page(title, text, *links, head=""):
    """A page in English; `links`: pairs of a URL and its text."""
    anchors = "".join(f'<a href="{url}">{anchor}</a> ' for url, anchor in links)
    return Answer(body=f"<html lang=en><meta charset=utf-8><title>{title}</title>{head}<p>{text}</p>{anchors}".encode())


#: Pages about plants, two of them with the same bytes.
PLANTS = {
    ("a.test", "/drosera"): page("Drosera", f"The sundew Drosera capensis. {FILLER} d", head="<h1>Sticky leaves</h1>"),
    ("a.test", "/copy"): page("Drosera", f"The sundew Drosera capensis. {FILLER} d", head="<h1>Sticky leaves</h1>"),
    ("a.test", "/pitcher"): page("Pitcher plants", f"Nepenthes, a naïve Größe; no sundew leaf. {FILLER} p"),
}
