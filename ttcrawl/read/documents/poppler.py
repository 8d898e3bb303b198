"""python:poppler: PDF by pdftotext and pdfinfo, which run under the limits of this child process."""

from __future__ import annotations

import re
import signal
import subprocess
import unicodedata
from pathlib import Path

from ttcrawl.read.documents.extract import Extract, count, reason

#: Ligatures, replaced for search and word counts (U+FB00 to U+FB06).
LIGATURES = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
TEXT = Path("text")  # in the private directory: the limit on file sizes applies


def read(path: Path, media_type: str) -> Extract:
    text = _run("pdftotext", "-q", "-enc", "UTF-8", str(path), str(TEXT))
    about = _run("pdfinfo", "-isodates", "-enc", "UTF-8", str(path)).stdout
    fields = dict(re.findall(r"^(\w+): +(.*)$", about, re.MULTILINE))
    links = re.findall(r"^ *\d+ +Annotation +(\S+)", _run("pdfinfo", "-url", str(path)).stdout, re.MULTILINE)
    error = ""
    if text.returncode == -signal.SIGXFSZ:
        error = "too much output"
    elif text.returncode:
        error = reason(_run("pdfinfo", str(path)).stderr)  # pdftotext -q prints no reason
    return Extract(
        text=TEXT.read_text("utf-8", "replace").translate(LIGATURES) if TEXT.exists() else "",
        links=[(url, "") for url in links],
        title=fields.get("Title", ""),
        author=fields.get("Author", ""),
        created=fields.get("CreationDate", ""),
        modified=fields.get("ModDate", ""),
        pages=count(fields.get("Pages", "")),
        error=error,
    )


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace", check=False
    )
