"""Record the promised names as they are now: python -m tests.promises. Read the difference before you commit it."""

from pathlib import Path

from tests.promises.names import LISTS

for name, lines in LISTS.items():
    (Path(__file__).parent / name).write_text("".join(f"{line}\n" for line in lines()))
