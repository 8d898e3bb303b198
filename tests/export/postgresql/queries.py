"""The queries of the manual by the names in their comments."""

import re
from pathlib import Path

MANUAL = Path(__file__).parents[3] / "docs" / "postgresql.md"
SECTION = MANUAL.read_text().split("## The usual queries")[1].split("\n## ")[0]
BLOCKS = "".join(each.split("```")[0] for each in SECTION.split("```sql\n")[1:])
QUERIES = dict(re.findall(r"^-- (\w+): .*\n((?:(?!--).*\n)+)", BLOCKS, re.MULTILINE))
