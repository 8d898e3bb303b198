"""Converters for one type of documents."""

from tests.read.documents.documents import installed
from ttcrawl.config import Converter, Documents, Line, Lines
from ttcrawl.read.documents.converters import Converters

PDF = Converter(type="application/pdf", lines=Lines([Line(text="python:poppler")]))


def converters(directory, media_type, line):
    only = Converter(type=media_type, lines=Lines([Line(text=line)]))
    return installed(Converters(Documents(), (only,) if media_type == PDF.type else (only, PDF), directory))
