"""The rows of docs/from-course-crawlers.md by section, as the log of the server and its pages have them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from tests.course import government
from tests.course.manual import sections
from tests.course.truth import HTML, IMAGE, SITEMAP, Truth, body, content_type, parts
from tests.support.web.site import Hit

#: Name of a row -> the lines that are printed, with one blank between words.
Figures = dict[str, list[str]]

#: Seconds between two requests to a host, in the test.
DELAY = 0.02

DOCUMENT_NAMES = ("PDF", "Word (doc)", "Word (docx)", "PowerPoint (ppt)", "PowerPoint (pptx)")
DOCUMENTS = [type for type, _ in government.DOCUMENTS.values()]


def campus(hits: Iterable[Hit]) -> Figures:
    truth = Truth(hits)
    inside, elsewhere = truth.found("a", "button"), truth.found("img")
    nodes = truth.pages
    (largest, *others) = parts(nodes, truth.graph)
    return {
        "URLs crawled": [f"Pages crawled {len(truth.pages):,}"],
        "of them 404": [f"status 404 {truth.of_status(404)}"],
        "links found, distinct": [f"URLs found {inside[0] + elsewhere[0]:,} {inside[1] + elsewhere[1]:,}"],
        "in content": ["inside content {:,} {:,}".format(*inside)],
        "elsewhere": ["elsewhere {:,} {:,}".format(*elsewhere)],
        "blocked by robots.txt": ["blocked by robots.txt {:,} {:,}".format(*truth.forbidden())],
        "parse errors": ["Parse errors 0"],
        "nodes of the tree": [f"Pages {len(nodes):,}"],
        "links of the tree": [f"Links (distinct) {len(nodes) - 1:,}"],
        "links between pages": [f"Links (distinct) {len(truth.graph):,}"],
        "parts of the graph": [f"Weakly connected {1 + len(others)} {largest} {100 * largest / len(nodes):.2f}"],
    }


def gov(hits: Iterable[Hit], without_files: Iterable[Hit]) -> Figures:
    truth, looked = Truth(hits), Truth(without_files)
    only_looked_at = [url for url in looked.of_type(*DOCUMENTS) if looked.methods(url) == ["HEAD"]]
    shown = [len(images) for images in truth.images.values()]
    documents = {extension.upper(): len(truth.of_type(type)) for extension, (type, _) in government.DOCUMENTS.items()}
    binary = truth.of_type(IMAGE, *DOCUMENTS)
    copies, near = truth.copies(truth.html), truth.near_copies()
    types = {
        "HTML": len(truth.html) - copies + truth.of_status(404),
        "DUPLICATE": copies,
        "BINARY": len(binary) + len(truth.of_type(SITEMAP)),
        "DISALLOWED": truth.forbidden()[1] + 1,  # and a sitemap of closed
        "REDIRECT": truth.of_status(302),
        **{"TIMEOUT": 1, "DOMAIN_ERROR": 1, "WEBDRIVER_ERROR": 2},  # slow; nxdomain; two URLs of reset
    }
    return {
        "web sites: of the seeds, all": [f"Sites with pages 1 {len(truth.hosts(truth.pages))}"],
        "web pages": [f"Pages crawled {_both(truth, truth.pages)}"],
        "HTML pages": [f"HTML pages {_both(truth, truth.html)}"],
        "duplicates": [f"duplicates among HTML pages {truth.copies(truth.of_host(truth.html))} {copies}"],
        "binary files, images too": [f"Binary files {_both(truth, binary)}"],
        "documents by type": [
            f"{name} {_both(truth, truth.of_type(type))}" for name, type in zip(DOCUMENT_NAMES, DOCUMENTS, strict=True)
        ],
        "documents that are not downloaded": [
            f"Binary files {_both(looked, looked.of_type(*DOCUMENTS))}",
            f"not downloaded {_both(looked, only_looked_at)}",
        ],
        "by type": [
            f"{name} {_both(looked, looked.of_type(type))}"
            for name, type in zip(DOCUMENT_NAMES, DOCUMENTS, strict=True)
        ],
        "URLs that robots.txt forbids": [f"Disallowed by robots.txt (URLs) 1 {types['DISALLOWED']}"],
        "images": [f"Images shown by HTML pages (distinct) {_both(truth, truth.shown(truth.html))}"],
        "images per HTML page": [f"per page, mean {_means(truth, truth.html)}"],
        "images per page with an image": [
            f"per page with an image, mean {_means(truth, [page for page, images in truth.images.items() if images])}",
        ],
        "images per page with an image, there": [f"{sum(shown) / sum(map(bool, shown)):.4f}"],
        "most images on a page": [f"per page, maximum 3 {max(shown)}"],
        "near duplicates (LSH, Jaccard): pages, share": [f"nearly {near} {near / truth.of_status(200):.4f}"],
        "errors": [f"http 404 {truth.of_status(404)}"],
        "rows of `site`": [str(government.SITES + len(government.SILENT))],
        "rows of `page` by type": [f"{code} {count}" for code, count in types.items()],
        "rows of `page_data` by type": [
            f"{code} {count}" for code, count in [*documents.items(), ("PNG", len(truth.of_type(IMAGE)))]
        ],
        "rows of `image`: image and page": [str(sum(shown))],
        "rows of `link`": [str(len(truth.pairs()) + copies)],
        "servers whose country is known": ["0"],
        "status 400 or more": [str(truth.of_status(404))],
        "HTML pages of each site": [f"{host} {_html_rows(truth, host)}" for host in ("s00.gov.test", "s11.gov.test")],
        "the delay of each host and address was kept": [f"Broken in total {truth.short_gaps(DELAY)}"],
        "robots.txt and sitemap of a site": [f"{truth.robots()} {len(truth.of_type(SITEMAP))}"],
    }


def _both(truth: Truth, urls: Iterable[str]) -> str:
    """How many are of the seed's host, and of all hosts."""
    urls = list(urls)
    return f"{len(truth.of_host(urls)):,} {len(urls):,}"


def _means(truth: Truth, pages: Iterable[str]) -> str:
    """Images per page, of the seed's host and of all hosts."""
    pages = list(pages)
    numbers = ([len(truth.images[page]) for page in some] for some in (truth.of_host(pages), pages))
    return " ".join(f"{sum(each) / len(each):.2f}" for each in numbers)


def _html_rows(truth: Truth, host: str) -> int:
    """Pages of a host with the type HTML in crawldb: errors too, and no duplicates."""
    pages = truth.of_host(truth.html, host)
    return (
        len(pages)
        - truth.copies(pages)
        + sum(truth.pages[url].status == 404 for url in truth.of_host(truth.pages, host))
    )


def law(hits: Iterable[Hit]) -> Figures:
    truth = Truth(hits)
    points = {url: _points(body(answer)) for url, answer in truth.html.items()}
    classes = {url: each for url, by_term in points.items() if (each := _classes(by_term))}
    number = Counter(name for kept in classes.values() for name in kept)
    terms = Counter(term for url in classes for (term, _), value in points[url].items() if value)
    documents = truth.of_type(*DOCUMENTS)
    pages, records = len(truth.pages), {truth.pages[url].body: kept for url, kept in classes.items()}
    return {
        "`combineCtrl howmany`, `records`": [
            f"Pages {pages} of all types, {len(classes)} relevant, harvest rate {100 * len(classes) / pages:.1f}%"
        ],
        "pages that were judged": [f"Pages with a score {len(points) + len(documents)}"],
        "records": [f"Relevant pages {len(classes)}"],
        "`combineUtil classtat`: records of a class": [
            f"Relevant, class {name} {count}" for name, count in number.most_common()
        ],
        "`combineUtil termstat`: records with a term": [f"{term} {terms[term]}" for _, term, _ in _list()],
        "`combineUtil stats`: servers, with the seeds' servers": [f"Sites with pages 2 {len(truth.hosts(classes))}"],
        "its records": [str(len(records))],
        "its topics: `ALL` and each class of a record": [str(sum(1 + len(kept) for kept in records.values()))],
        "its records of a class": [str(sum("LAW" in kept for kept in records.values()))],
    }


def _list() -> list[tuple[int, str, str]]:
    """(weight, term, class) of each line of the page's list."""
    (text,) = (each.files["law.txt"] for each in sections() if "law.txt" in each.files)
    lines = re.findall(r"^(\d+): (.+)=(\w+)$", text, re.MULTILINE)
    return [(int(weight), term, name) for weight, term, name in lines]


def _points(page: str) -> dict[tuple[str, str], int]:
    """(term, class) -> points by Combine's plain algorithm, of a page that has the terms in its text only."""
    words = Counter(re.findall(r"[\w'/-]+", re.sub(r"<[^>]*>", " ", page).lower()))
    return {(term, name): weight * min(words[each] for each in term.split(" @and ")) for weight, term, name in _list()}


def _classes(points: Mapping[tuple[str, str], int]) -> set[str]:
    """Those that are kept; none: the page is rejected."""
    of_class: Counter[str] = Counter()
    for (_, name), value in points.items():
        of_class[name] += value
    total = sum(of_class.values())
    return {name for name, value in of_class.items() if total >= 90 and value >= total / 10}


def cis(hits: Iterable[Hit], of_rings: Iterable[Hit]) -> Figures:
    truth, rings = Truth(hits), Truth(of_rings)
    got = {url for url in truth.html if truth.methods(url) == ["HEAD", "GET"]}
    copies = truth.copies(got)
    assert {hit.agent for hit in truth.hits} == {"cis5550-crawler"}
    return {
        "`responseCode`": [str(len(truth.answers))],
        "`responseCode` 302, whose target has a row of its own": [str(truth.of_status(302))],
        "`contentType`: HTML": [str(sum(content_type(each) == HTML for each in truth.answers.values()))],
        "`length`": [str(len(truth.answers))],
        "`page`": [str(len(got) - copies)],
        "content seen before: `canonicalURL`": [str(copies)],
        "texts of links: `anchors:URL`": [str(len(truth.answers.keys() & truth.linked()))],
        "HEAD and GET requests": [str(len(truth.hits))],
        "blacklist": [f"scope: blacklist {3 * government.SITES}"],
        "robots.txt": [f"robots.txt {truth.forbidden()[1]}"],
        "rows of a crawl by two rings": [str(len(rings.answers))],
        "requests of both": [str(len(rings.hits))],
        "`robots`": [str(government.SITES + 1)],
    }


#: Title -> a function of the requests of each crawl in the section.
OF_SECTION: dict[str, Callable[..., Figures]] = {
    "A site, by pools of processes": campus,
    "Government sites, in `crawldb`": gov,
    "Topics, in Combine": law,
    "The crawl table of a distributed crawler": cis,
}
