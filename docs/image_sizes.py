"""A hook of mkdocs: images of the manual get width and height, so that no text jumps when they arrive."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

import imagesize

_SOURCE = re.compile(r'(<img\b[^>]*?\bsrc=")([^":]+)"')


def on_page_content(html: str, *, page: Any, config: Any, **_: Any) -> str:
    directory = posixpath.dirname(page.file.dest_uri)

    def sized(match: re.Match[str]) -> str:
        image = Path(config["docs_dir"]) / posixpath.normpath(posixpath.join(directory, match[2]))
        width, height = imagesize.get(image) if image.is_file() else (-1, -1)
        return f'{match[0]} width="{width}" height="{height}"' if width > 0 else match[0]

    return _SOURCE.sub(sized, html)
