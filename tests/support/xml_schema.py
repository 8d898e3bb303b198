"""XML schemas, read when a test needs one: the library takes a fifth of a second to import."""

import functools
from pathlib import Path


@functools.cache
def xml_schema(path: Path):
    import xmlschema

    return xmlschema.XMLSchema(str(path))
