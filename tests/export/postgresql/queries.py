"""The queries of the manual by the names in their comments."""

import re
from pathlib import Path

MANUAL = Path(__file__).parents[3] / "docs" / "postgresql.md"
BLOCK = MANUAL.read_text().split("## The usual queries")[1].split("```sql\n")[1].split("```")[0]
QUERIES = dict(re.findall(r"^-- (\w+): .*\n((?:(?!--).*\n)+)", BLOCK, re.MULTILINE))
