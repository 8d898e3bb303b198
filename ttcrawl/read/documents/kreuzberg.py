"""python:kreuzberg: text, links and metadata by the library of that name (MIT); PDF, Office files, RTF, TeX."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from ttcrawl.read.documents import office, ole
from ttcrawl.read.documents.found import Found

#: Word's field code; it precedes the linked words in the text.
FIELD = re.compile(r'\s?HYPERLINK (?:"([^"\r\n]{1,4000})"| ?(?=\\))(?: ?\\[a-z](?: "[^"\r\n]*")?)*\s?')
#: RTF escapes that remain in its metadata: \u246\'f6 is U+00F6 and its substitute for old readers.
ESCAPE = re.compile(r"\\u(-?\d{1,5}) ?(?:\\'[0-9a-f]{2}|\?)?", re.IGNORECASE)
WORD = "application/msword"
#: Formats in which it adds a Z to each date: it ignores the zone in PDF, and RTF has none.
ZONES_LOST = frozenset(("application/pdf", "application/rtf", "text/rtf"))
OLE = ("application/vnd.ms-excel", "application/vnd.ms-powerpoint")
#: Types that it knows by another name.
SAME = {"text/rtf": "application/rtf", "text/x-tex": "application/x-latex", "application/x-tex": "application/x-latex"}


def read(path: Path, media_type: str) -> Found:
    import kreuzberg

    settings = kreuzberg.ExtractionConfig(
        use_cache=False,
        enable_quality_processing=False,
        postprocessor=kreuzberg.PostProcessorConfig(enabled=False),
        pdf_options=kreuzberg.PdfConfig(extract_annotations=True),
    )
    found = _found(kreuzberg.extract_file_sync(path, SAME.get(media_type, media_type), settings))
    if media_type in ZONES_LOST:
        found.created, found.modified = found.created.removesuffix("Z"), found.modified.removesuffix("Z")
    if media_type == WORD:
        found.links += [(url, "") for url in FIELD.findall(found.text) if url]
        found.text = FIELD.sub(" ", found.text)
    elif media_type in OLE:
        found.links = ole.links(path)
    elif office.FAMILY.match(media_type):  # kreuzberg finds only some of their links
        plain = office.read(path, media_type)
        found.links, found.pages = plain.links, plain.pages
        found.title, found.author = found.title or plain.title, found.author or plain.author
        found.created, found.modified = found.created or plain.created, found.modified or plain.modified
    if media_type == WORD or media_type in OLE:
        ole.describe(path, found)
    return found


def _found(result: Any) -> Found:
    said: dict[str, Any] = dict(result.metadata)
    dates = [str(said.get(name) or "") for name in ("created_at", "modified_at")]
    links = [(each["url"], each["label"] or "") for each in result.uris or ()]
    return Found(
        text=result.content,
        # a number is a page of the document
        links=[(url, "" if words == url else words) for url, words in links if not url.isdigit()],
        title=_words(said.get("title")),
        author=_words(", ".join(map(str, said.get("authors") or ()))),
        created=dates[0],
        modified="" if dates[1].startswith("0000") else dates[1],
        pages=said.get("page_count"),
    )


def _words(text: Any) -> str:
    return ESCAPE.sub(lambda match: chr(int(match[1]) & 0xFFFF), str(text or ""))
