"""Assignments: solutions pass their checks, typical mistakes are told, students get the solutions without answers."""

import copy
import importlib.util
import re
import sys
from pathlib import Path

import pytest

import ttcrawl
from tests.support.long_tables import few
from ttcrawl.demo.campus import Campus
from ttcrawl.demo.server import Server

ROOT = Path(__file__).parents[2]
TEACHING = ROOT / "analysis" / "teaching"
GUIDE = (ROOT / "docs" / "guides" / "teaching.md").read_text()
NAMES = ["duplicates", "frontier", "growth"]


@pytest.fixture(scope="module")
def modules():
    """The programs of the kit, `assignment` and `mark`, as they import each other: from their own folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(TEACHING)
        loaded = {}
        for name in ("assignment", "mark"):
            spec = importlib.util.spec_from_file_location(name, TEACHING / f"{name}.py")
            loaded[name] = importlib.util.module_from_spec(spec)
            patch.setitem(sys.modules, name, loaded[name])
            spec.loader.exec_module(loaded[name])
        yield loaded


@pytest.fixture
def kit(modules):
    return modules["assignment"]


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    """The crawl of the demo, without its delay."""
    directory = tmp_path_factory.mktemp("campus") / "c"
    with Server(Campus()) as server:
        keys = {
            "agent.contact": "mailto:teacher@campus.test",
            "fetch.resolve": f"campus.test:{server.port}:127.0.0.1",
            "frontier.priority": "number",
            "politeness.obey_delay": "no",
            "links.content_start": "<!-- CONTENT -->",
            "links.content_end": "<!-- /CONTENT -->",
        }
        ttcrawl.crawl(f"http://campus.test:{server.port}/", directory, settings=keys)
    return directory


def read(path):
    import nbformat

    return nbformat.read(path, as_version=4)


def solution(name):
    return read(TEACHING / "solutions" / f"{name}.ipynb")


def test_there_are_three():
    assert [each.stem for each in sorted(TEACHING.glob("*.ipynb"))] == NAMES
    assert [each.stem for each in sorted((TEACHING / "solutions").glob("*.ipynb"))] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_the_notebook_of_students_is_the_solution_without_its_answers(kit, name):
    assert kit.released(solution(name)) == read(TEACHING / f"{name}.ipynb")


@pytest.mark.parametrize("name", NAMES)
def test_no_answer_is_left_and_each_says_that_it_is_missing(kit, name):
    answers = [cell for cell in read(TEACHING / f"{name}.ipynb").cells if kit.role(cell).get("solution")]
    assert len(answers) >= 8
    for cell in answers:
        expected = f"{kit.role(cell)['grade_id']} has no answer yet"
        assert cell.source == kit.TEXT if cell.cell_type == "markdown" else expected in cell.source
        assert "SOLUTION" not in cell.source


@pytest.mark.parametrize("name", NAMES)
def test_the_solution_can_be_read_without_running(name):
    cells = [cell for cell in solution(name).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell.outputs]
    assert not any(output.output_type == "error" for output in outputs)
    assert sum("image/png" in output.get("data", {}) for output in outputs) >= 3
    assert (TEACHING / "solutions" / f"{name}.ipynb").stat().st_size < 1 << 20


@pytest.mark.parametrize("name", NAMES)
def test_it_tells_nothing_of_the_machine_and_uses_public_names(name):
    notebook = solution(name)
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    assert set(re.findall(r"\bttcrawl\.([a-z]\w+)\(", code)) <= set(ttcrawl.__all__)
    assert not re.search(r"from ttcrawl|import ttcrawl\.", code)
    texts = [output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", ())]
    assert not re.search(r"/(home|root|tmp|work|usr|Users)/|Warning", "\n".join(texts))
    assert all(set(cell.metadata) <= {"nbgrader"} for cell in notebook.cells)


@pytest.mark.parametrize("name", NAMES)
def test_the_marking_table_has_every_question_with_its_points(kit, name):
    graded = {}
    for cell in solution(name).cells:
        role = kit.role(cell)
        if role.get("grade"):
            graded[role["grade_id"].removesuffix("-check")] = role["points"]
    table = GUIDE.split(f"Marks for `{name}.ipynb`")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (q\w+) \| (\d+) \|", table, re.MULTILINE)
    assert {question: int(points) for question, points in rows} == graded


# -- marks -----------------------------------------------------------------------------------------------------------


def ran(kit, notebook, errors=(), name="AssertionError"):
    """A notebook as it is after a run in which the cells named by `errors` failed."""
    from nbformat.v4 import new_output

    notebook = copy.deepcopy(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.execution_count = 1
            failed = kit.role(cell).get("grade_id") in errors
            cell.outputs = [new_output("error", ename=name, evalue="β is 0.49")] if failed else []
    return notebook


def marked(kit, submission, errors=()):
    released = read(TEACHING / "growth.ipynb")
    return {each.question: each for each in kit.marks(released, ran(kit, submission, errors))}


def test_a_check_brings_its_points_or_the_reason_why_not(kit):
    marks = marked(kit, solution("growth"), errors=["q2-check"])
    assert (marks["q1-check"].points, marks["q1-check"].remark) == (2, "")
    assert (marks["q2-check"].points, marks["q2-check"].remark) == (0, "AssertionError: β is 0.49")


def test_a_missing_name_is_explained(kit):
    released = read(TEACHING / "growth.ipynb")
    marks = {each.question: each for each in kit.marks(released, ran(kit, released, ["q2-check"], "NameError"))}
    assert marks["q2-check"].remark.endswith("a cell before it has failed, or was not filled in")


def test_a_cell_whose_time_ran_out_is_not_blamed_on_the_submission(kit):
    from nbformat.v4 import new_output

    notebook = ran(kit, read(TEACHING / "growth.ipynb"), ["q2-check"], "NameError")
    cells = {kit.role(cell).get("grade_id"): cell for cell in notebook.cells}
    cells["q1-check"].outputs = [new_output("error", ename="KeyboardInterrupt", evalue="")]
    marks = {each.question: each for each in kit.marks(read(TEACHING / "growth.ipynb"), notebook)}
    assert (marks["q1-check"].points, marks["q1-check"].remark) == (0, "it was stopped: its time ran out")
    assert marks["q2-check"].remark == "NameError: β is 0.49; a cell before it was stopped: its time ran out"


def test_words_are_for_a_person_unless_there_are_none(kit):
    assert marked(kit, solution("growth"))["q3c"].points is None
    assert marked(kit, read(TEACHING / "growth.ipynb"))["q3c"].points == 0


def test_an_edited_check_is_put_back_and_a_deleted_one_brings_nothing(kit):
    submission = solution("growth")
    for cell in submission.cells:
        if kit.role(cell).get("grade_id") == "q1-check":
            cell.source = "pass"
    again = kit.to_be_marked(read(TEACHING / "growth.ipynb"), submission)
    assert "pass" not in [cell.source for cell in again.cells]
    again.cells = [cell for cell in again.cells if kit.role(cell).get("grade_id") != "q1-check"]
    assert marked(kit, again)["q1-check"] == kit.Mark(
        question="q1-check", points=0, of=2, remark="the cell was deleted"
    )


def test_a_check_that_became_text_is_a_check_again(kit):
    submission = solution("growth")
    for cell in submission.cells:
        if kit.role(cell).get("grade_id") == "q1-check":
            cell.cell_type = "markdown"
            del cell["outputs"], cell["execution_count"]
    again = kit.to_be_marked(read(TEACHING / "growth.ipynb"), submission)
    assert marked(kit, again)["q1-check"].points == 2


def test_cells_that_a_student_has_added_stay(kit):
    from nbformat.v4 import new_code_cell

    submission = solution("growth")
    submission.cells.insert(3, new_code_cell("def helper(): ..."))
    again = kit.to_be_marked(read(TEACHING / "growth.ipynb"), submission)
    assert again.cells[3].source == "def helper(): ..." and len(again.cells) == len(submission.cells)


@pytest.mark.parametrize(
    "text",
    [
        *("", "no notebook", "{}", "[]", '"text"', "null"),
        '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}',
        '{"cells": [1], "metadata": {"assignment": "growth"}, "nbformat": 4, "nbformat_minor": 5}',
    ],
)
def test_another_file_is_no_submission(modules, tmp_path, capsys, text):
    path = tmp_path / "other.ipynb"
    path.write_text(text)
    assert modules["mark"].main([str(path)]) == 2
    assert f"{path} is no notebook of an assignment" in capsys.readouterr().err


@pytest.mark.slow
def test_a_submission_with_one_answer_has_the_points_of_one(kit, modules, crawl, tmp_path, monkeypatch, capsys):
    import nbformat

    monkeypatch.setenv("TTCRAWL_CRAWL", str(crawl))
    submission = read(TEACHING / "growth.ipynb")
    (answer,) = (cell.source for cell in solution("growth").cells if kit.role(cell).get("grade_id") == "q1")
    for cell in submission.cells:
        if kit.role(cell).get("grade_id") == "q1":
            cell.source = answer
    nbformat.write(submission, tmp_path / "ada.ipynb")
    assert modules["mark"].main([str(tmp_path / "ada.ipynb")]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^q1-check +2 of +2$", out, re.MULTILINE)
    assert re.search(r"^q2-check +0 of +3  NotImplementedError: q2 has no answer yet$", out, re.MULTILINE)
    assert re.search(r"^sum +2 of \d+, and up to 0 to be read$", out, re.MULTILINE)


# -- students --------------------------------------------------------------------------------------------------------

#: Assignment -> (answer, what stands in the solution, what a student writes, check, what it is told).
MISTAKES = {
    "growth": [
        (
            "q2",
            "float(np.exp(log_k)), float(beta)",
            "float(log_k), float(beta)",
            "q2-check",
            "is 44, not 3.784: the line has",
        ),
        ("q2", "points = even(n)", "points = np.arange(len(n))", "q2-check", r"use even\(n\)"),
        ("q3a", "(len(x) - 2)", "len(x)", "q3a-check", "N - 2 and 1.96 on both sides"),
        ("q3d", "drawn)[1] - beta for", "drawn)[1] for", "q3d-check", "outside of its own interval"),
        ("q4a", "fit(n[:end], v[:end])", "fit(n, v)", "q4a-check", "fitted to the range alone"),
        ("q6b", "/ len(counts)", "/ len(words)", "q6b-check", "of a, b and c, two occur once"),
    ],
    "duplicates": [
        ("q1", "range(len(words) - size + 1)", "range(len(words) - size)", "q1-check", "ends with the last word"),
        (
            "q1b",
            "(total - size) / (total + size)",
            "(total - size) / total",
            "q1b-check",
            "how many shingles contain the word",
        ),
        ("q2", "score >= threshold", "score > threshold", "q2-check", "a score that equals the threshold is chosen"),
        ("q3", ".min(axis=1)", ".min(axis=0)", "q3-check", "a signature has 120 numbers"),
        (
            "q4",
            "for band in range(bands):\n        buckets = {}",
            "buckets = {}\n    for band in range(bands):",
            "q4-check",
            "the numbers of a in other bands",
        ),
        ("q5", "2 * ones > len(x)", "ones > 0", "q5-check", "only the first bit has a majority"),
    ],
    "frontier": [
        (
            "q1",
            "(-priority, self.serial, url)",
            "(priority, self.serial, url)",
            "q1a-check",
            "largest priority of a host is next",
        ),
        ("q1", "if not waiting and host not in self.locked:", "if not waiting:", "q1a-check", "host is locked waits"),
        (
            "q1",
            "self.free_at[host] = now + self.delay",
            "self.free_at[host] = self.delay",
            "q1a-check",
            "the delay of 2 s begins",
        ),
        (
            "q2",
            "damping * (followed + lost / pages)",
            "damping * followed",
            "q2-check",
            "what becomes of the rank of a page without links",
        ),
        ("q3", "/ weight.sum()", "/ weight[order].sum()", "q3-check", "have 5/8 and 6/8 of all"),
        ("q4", "share = cash[page] /", "share = 1.0 /", "q4-check", "hands on all of its cash"),
        ("q6", "return candidate.in_links +", "return -candidate.in_links -", "q6-check", "no more PageRank than"),
        (
            "q6",
            "return candidate.in_links",
            "return in_links[number[candidate.url]]",
            "q6-check",
            "crawl does not have",
        ),
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", few(1, ["growth", "duplicates", "frontier"]))
def test_the_solution_is_right_and_each_typical_mistake_is_told(kit, crawl, monkeypatch, name):
    """The cells run in this process, in one pass: a mistake runs its answer and its check alone."""
    import matplotlib.pyplot

    matplotlib.use("agg")
    monkeypatch.setenv("TTCRAWL_CRAWL", str(crawl))
    monkeypatch.setattr("matplotlib.pyplot.show", lambda: matplotlib.pyplot.close("all"))
    names, answers, mistakes = {}, {}, list(MISTAKES[name])
    for cell in solution(name).cells:
        identity = kit.role(cell).get("grade_id")
        if cell.cell_type != "code":
            continue
        answers[identity] = cell.source
        for mistake in [each for each in mistakes if each[3] == identity]:
            answer, right, wrong, _, told = mistake
            assert answers[answer].count(right) == 1, mistake
            wrongly = dict(names)
            exec(answers[answer].replace(right, wrong), wrongly)
            with pytest.raises(Exception, match=told):  # what a student sees: an assertion, or what Python says
                exec(cell.source, wrongly)
            mistakes.remove(mistake)
        exec(compile(cell.source, identity, "exec"), names)
    assert mistakes == []
