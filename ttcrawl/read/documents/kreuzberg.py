"""python:kreuzberg: text, links and metadata by the library of that name (MIT); PDF, Office files, RTF, TeX."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from ttcrawl.read.documents import office, ole, rtf
from ttcrawl.read.documents.extract import Extract

#: Word's field code; it precedes the linked words in the text.
FIELD = re.compile(r'\s?HYPERLINK (?:"([^"\r\n]{1,4000})"| ?(?=\\))(?: ?\\[a-z](?: "[^"\r\n]*")?)*\s?')
RTF = frozenset(("application/rtf", "text/rtf"))
WORD = "application/msword"
#: Formats in which it adds a Z to each date: it ignores the zone in PDF, and RTF has none.
ZONES_LOST = RTF | {"application/pdf"}
OLE = ("application/vnd.ms-excel", "application/vnd.ms-powerpoint")
#: Types that it knows by another name.
SAME = {"text/rtf": "application/rtf", "text/x-tex": "application/x-latex", "application/x-tex": "application/x-latex"}


def read(path: Path, media_type: str) -> Extract:
    import kreuzberg

    settings = kreuzberg.ExtractionConfig(
        use_cache=False,
        enable_quality_processing=False,
        postprocessor=kreuzberg.PostProcessorConfig(enabled=False),
        pdf_options=kreuzberg.PdfConfig(extract_annotations=True),
    )
    extract = _extract(kreuzberg.extract_file_sync(path, SAME.get(media_type, media_type), settings))
    if media_type in ZONES_LOST:
        extract.created, extract.modified = extract.created.removesuffix("Z"), extract.modified.removesuffix("Z")
    if media_type == WORD:
        extract.links += [(url, "") for url in FIELD.findall(extract.text) if url]
        extract.text = FIELD.sub(" ", extract.text)
    elif media_type in OLE:
        extract.links = ole.links(path)
    elif office.FAMILY.match(media_type):  # kreuzberg finds only some of their links
        plain = office.read(path, media_type)
        extract.links, extract.pages = plain.links, plain.pages
        extract.title, extract.author = extract.title or plain.title, extract.author or plain.author
        extract.created, extract.modified = extract.created or plain.created, extract.modified or plain.modified
    if media_type == WORD or media_type in OLE:
        ole.describe(path, extract)
    if media_type in RTF:  # kreuzberg leaves its escapes as they are
        rtf.describe(path, extract)
    return extract


def _extract(result: Any) -> Extract:
    metadata: dict[str, Any] = dict(result.metadata)
    dates = [str(metadata.get(name) or "") for name in ("created_at", "modified_at")]
    links = [(each["url"], each["label"] or "") for each in result.uris or ()]
    return Extract(
        text=result.content,
        # a number is a page of the document
        links=[(url, "" if words == url else words) for url, words in links if not url.isdigit()],
        title=str(metadata.get("title") or ""),
        author=", ".join(map(str, metadata.get("authors") or ())),
        created=dates[0],
        modified="" if dates[1].startswith("0000") else dates[1],
        pages=metadata.get("page_count"),
    )
