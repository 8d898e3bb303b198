"""Mark submissions: python analysis/teaching/mark.py SUBMISSION.ipynb ...

Each submission is run with the checks as they were released, and its points are printed by question; a person has to
read the answers in words. A submission is a program of somebody else: mark as a user who has nothing to lose, without a
network.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import nbformat
from assignment import DIRECTORY, Mark, marks, to_be_marked
from nbclient import NotebookClient
from nbclient.exceptions import DeadKernelError

#: Seconds that a cell may take; the slowest one of a solution takes five.
PATIENCE = 120


def marked(path: Path) -> list[Mark]:
    """Run a submission. Raises ValueError for a file that is no notebook of an assignment."""
    try:
        submission = nbformat.read(path, as_version=4)
        released = nbformat.read(DIRECTORY / f"{submission.metadata['assignment']}.ipynb", as_version=4)
        notebook = to_be_marked(released, submission)
    except (OSError, KeyError, ValueError, AttributeError, TypeError, nbformat.ValidationError) as error:
        reason = str(error).partition("\n")[0]  # nbformat takes any JSON for a notebook
        raise ValueError(f"{path} is no notebook of an assignment: {reason}") from error
    client = NotebookClient(
        notebook,
        timeout=PATIENCE,
        interrupt_on_timeout=True,
        allow_errors=True,
        resources={"metadata": {"path": str(DIRECTORY)}},
    )
    try:
        client.execute()
    except DeadKernelError:
        print(f"{path}: Python ended while a cell ran; the questions after it were not run", file=sys.stderr)
    return list(marks(released, notebook))


def table(rows: Sequence[Mark]) -> str:
    """The marks as lines, and their sum."""
    lines = [
        f"{each.question:12} {'?' if each.points is None else each.points:>3} of {each.of:2}  {each.remark}".rstrip()
        for each in rows
    ]
    points = sum(each.points or 0 for each in rows)
    read = sum(each.of for each in rows if each.points is None)
    return "\n".join(
        [*lines, f"{'sum':12} {points:3} of {sum(each.of for each in rows):2}, and up to {read} to be read"]
    )


def main(paths: Sequence[str]) -> int:
    """Print the marks of each submission. Returns 2 if one of them is no notebook of an assignment."""
    status = 0
    for path in map(Path, paths):
        try:
            print(f"{path}\n{table(marked(path))}\n")
        except ValueError as error:
            print(error, file=sys.stderr)
            status = 2
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) if sys.argv[1:] else __doc__)
