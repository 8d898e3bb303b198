"""The MIME type by the extension of a URL: the last hint, if neither the header nor the bytes are sufficient."""

from __future__ import annotations

from urllib.parse import unquote

from ttcrawl.web.mime.standard_signatures import HTML, PLAIN

_OFFICE = "application/vnd.openxmlformats-officedocument."
_OPEN = "application/vnd.oasis.opendocument."

#: In both tables: TeX has no signature, and servers send text/plain, "some bytes" or no type.
_TEX = dict.fromkeys(("tex", "latex", "ltx"), "application/x-tex")

#: Used instead of the machine's table (Python's mimetypes): a crawl must give the same result on every machine.
TEXTS = {
    **dict.fromkeys(("html", "htm", "shtml"), HTML),
    "xhtml": "application/xhtml+xml",
    **dict.fromkeys(("md", "markdown"), "text/markdown"),
    **dict.fromkeys(("txt", "text", "log"), PLAIN),
    "rst": "text/x-rst",
    "csv": "text/csv",
    "css": "text/css",
    **dict.fromkeys(("js", "mjs"), "text/javascript"),
    "json": "application/json",
    **_TEX,
    "rtf": "application/rtf",
    **dict.fromkeys(("ps", "eps"), "application/postscript"),
    "svg": "image/svg+xml",
    "rss": "application/rss+xml",
    "atom": "application/atom+xml",
    "xml": "application/xml",
}
FILES = {
    **_TEX,
    "pdf": "application/pdf",
    "doc": "application/msword",
    "xls": "application/vnd.ms-excel",
    "ppt": "application/vnd.ms-powerpoint",
    "docx": _OFFICE + "wordprocessingml.document",
    "xlsx": _OFFICE + "spreadsheetml.sheet",
    "pptx": _OFFICE + "presentationml.presentation",
    "odt": _OPEN + "text",
    "ods": _OPEN + "spreadsheet",
    "odp": _OPEN + "presentation",
    "epub": "application/epub+zip",
    "djvu": "image/vnd.djvu",
    "dvi": "application/x-dvi",
    **dict.fromkeys(("tif", "tiff"), "image/tiff"),
    "avif": "image/avif",
    "heic": "image/heic",
    "jxl": "image/jxl",
    "mp3": "audio/mpeg",
    "flac": "audio/flac",
    "mp4": "video/mp4",
    "mov": "video/quicktime",
    "mkv": "video/x-matroska",
}


def extension(url: str) -> str:
    """The extension of the URL path in lower case, "" if none.

    >>> extension("http://a.test/x/READ%2EMD?y.z")
    'md'
    """
    name = unquote(url.partition("#")[0].partition("?")[0].rpartition("/")[2])
    return name.rpartition(".")[2].lower() if "." in name else ""


def by_extension(url: str, table: dict[str, str]) -> str:
    """The type of the URL path's extension in `table`, "" if none."""
    return table.get(extension(url), "")
