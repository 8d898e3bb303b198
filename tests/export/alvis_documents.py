"""The schema of the export `alvis`, which the output of Combine itself is valid by, and its namespace."""

from pathlib import Path

from tests.support.xml_schema import xml_schema
from ttcrawl.export.formats.alvis import NAMESPACE

NS = f"{{{NAMESPACE}}}"


def schema():
    return xml_schema(Path(__file__).with_name("alvis.xsd"))
