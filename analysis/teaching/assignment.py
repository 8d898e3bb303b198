"""An assignment is one notebook, the solution: the notebook of the students, and the marks of a submission, come of it.

Cells are marked as nbgrader marks them: metadata `nbgrader` names each cell and its points, and BEGIN SOLUTION and END
SOLUTION enclose what students write.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

DIRECTORY = Path(__file__).parent
SOLUTIONS = DIRECTORY / "solutions"

_REGION = re.compile(r"^( *)### BEGIN SOLUTION\n.*?^ *### END SOLUTION$", re.MULTILINE | re.DOTALL)

#: What stands in the place of an answer in words.
TEXT = "*Your answer.*"

#: The error of a cell that is interrupted when its time is up.
STOPPED = "KeyboardInterrupt"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """What a question brought. `points` is None where a person has to read the answer."""

    question: str
    points: int | None
    of: int
    remark: str = ""


def role(cell: NotebookNode) -> dict[str, object]:
    """The nbgrader metadata of a cell; {} for text and code that nobody fills in."""
    found: dict[str, object] = cell.metadata.get("nbgrader", {})
    return found


def released(solution: NotebookNode) -> NotebookNode:
    """The notebook of the students: without answers and outputs."""
    notebook = copy.deepcopy(solution)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        if role(cell).get("solution"):
            name = role(cell)["grade_id"]
            cell.source = _without_answer(cell.source, str(name)) if cell.cell_type == "code" else TEXT
    return notebook


def _without_answer(source: str, name: str) -> str:
    missing = rf'\1# YOUR CODE HERE\n\1raise NotImplementedError("{name} has no answer yet")'
    return _REGION.sub(missing, source)


def to_be_marked(released: NotebookNode, submission: NotebookNode) -> NotebookNode:
    """The submission, with the cells that are not the student's as they were released: whoever edits a check gains
    nothing by it. Cells that the student has added stay."""
    originals = {role(cell)["grade_id"]: cell for cell in released.cells if role(cell).get("locked")}
    notebook = copy.deepcopy(submission)
    notebook.cells = [copy.deepcopy(originals.get(role(cell).get("grade_id"), cell)) for cell in submission.cells]
    return notebook


def marks(released: NotebookNode, executed: NotebookNode) -> Iterator[Mark]:
    """The marks of a submission that was executed, in the order of the questions."""
    cells = {role(cell).get("grade_id"): cell for cell in executed.cells}
    stopped = any(error.ename == STOPPED for cell in executed.cells for error in _errors(cell))
    for cell in released.cells:
        if role(cell).get("grade"):
            yield _mark(cell, cells.get(role(cell)["grade_id"]), stopped)


def _mark(original: NotebookNode, executed: NotebookNode | None, stopped: bool) -> Mark:
    name, points = str(role(original)["grade_id"]), int(str(role(original)["points"]))
    if executed is None:
        return Mark(question=name, points=0, of=points, remark="the cell was deleted")
    if original.cell_type == "markdown":
        empty = executed.source.strip() in ("", TEXT)
        return Mark(question=name, points=0 if empty else None, of=points, remark="" if empty else "to be read")
    if executed.execution_count is None:
        return Mark(question=name, points=0, of=points, remark="it was not run")
    errors = [_told(each, stopped) for each in _errors(executed)]
    return Mark(question=name, points=0 if errors else points, of=points, remark="".join(errors))


def _errors(cell: NotebookNode) -> list[NotebookNode]:
    return [each for each in cell.get("outputs", ()) if each.output_type == "error"]


def _told(error: NotebookNode, stopped: bool) -> str:
    """`stopped`: a cell of the notebook was, so what it would have defined is missing through no fault of its own."""
    if error.ename == STOPPED:
        return "it was stopped: its time ran out"
    if error.ename != "NameError":
        return f"{error.ename}: {error.evalue}"
    why = "was stopped: its time ran out" if stopped else "has failed, or was not filled in"
    return f"{error.ename}: {error.evalue}; a cell before it {why}"
