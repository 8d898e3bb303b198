"""python:latex: TeX and LaTeX by pylatexenc (MIT): accents, symbols, headings; links of hyperref."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from ttcrawl.read.documents.extract import Extract


def read(path: Path, media_type: str) -> Extract:
    from pylatexenc import latex2text, latexwalker, macrospec

    extract = Extract()

    def href(node: Any, l2tobj: Any) -> str:
        url = _source(node.nodeargd.argnlist[0])
        words = l2tobj.nodelist_to_text([node.nodeargd.argnlist[1]])
        extract.links.append((url, words))
        return str(words)

    def link(node: Any) -> str:
        url = _source(node.nodeargd.argnlist[0])
        extract.links.append((url, ""))
        return url

    def handler_of(name: str) -> Any:
        def keep(node: Any, l2tobj: Any) -> str:
            setattr(extract, name, l2tobj.nodelist_to_text([node.nodeargd.argnlist[-1]]))
            return f"{getattr(extract, name)}\n"

        return keep

    syntax = latexwalker.get_default_latex_context_db()
    arguments = {"href": "{{", "url": "{", "nolinkurl": "{", "title": "[{", "author": "[{"}
    syntax.add_context_category(
        "links", prepend=True, macros=[macrospec.MacroSpec(name, spec) for name, spec in arguments.items()]
    )
    texts = latex2text.get_default_latex_context_db()
    headings = [
        latex2text.MacroTextSpec(name, _heading)
        for name in ("part", "chapter", "section", "subsection", "subsubsection", "paragraph")
    ]
    texts.add_context_category(
        "links",
        prepend=True,
        macros=[
            latex2text.MacroTextSpec("href", href),
            latex2text.MacroTextSpec("url", link),
            latex2text.MacroTextSpec("nolinkurl", link),
            latex2text.MacroTextSpec("title", handler_of("title")),
            latex2text.MacroTextSpec("author", handler_of("author")),
            *[latex2text.MacroTextSpec(name, "") for name in ("maketitle", "documentclass", "usepackage")],
            *headings,
        ],
    )
    source = _decode(path.read_bytes())
    nodes, _, _ = latexwalker.LatexWalker(source, latex_context=syntax, tolerant_parsing=True).get_latex_nodes()
    text = latex2text.LatexNodes2Text(latex_context=texts, math_mode="text").nodelist_to_text(nodes)
    extract.text = re.sub(r"\s*\n\s*\n", "\n\n", text).strip()
    return extract


def _heading(node: Any, l2tobj: Any) -> str:
    return f"\n{l2tobj.nodelist_to_text([node.nodeargd.argnlist[-1]])}\n"


def _source(node: Any) -> str:
    """The source of an argument, without its braces and without the escapes that hyperref removes."""
    text: str = node.latex_verbatim() if node is not None else ""
    text = text[1:-1] if text.startswith("{") and text.endswith("}") else text
    for escaped in "%#&_~":
        text = text.replace(f"\\{escaped}", escaped)
    return text


def _decode(body: bytes) -> str:
    """UTF-8, LaTeX's encoding since 2018; other files are decoded as a single-byte encoding."""
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        return body.decode("windows-1252", "replace")
