"""The schema of the export `alvis`, which the output of Combine itself is valid by, and its namespace."""

import functools
from pathlib import Path

import xmlschema

from ttcrawl.export.formats.alvis import NAMESPACE

NS = f"{{{NAMESPACE}}}"


@functools.cache
def schema() -> xmlschema.XMLSchema:
    return xmlschema.XMLSchema(str(Path(__file__).with_name("alvis.xsd")))
