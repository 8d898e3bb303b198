"""Results of benchmarks in pages of the manual."""

import pytest

from benchmarks.manual import write


def test_a_result_takes_the_place_of_the_one_before(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("Begin <!-- end --> <!-- a -->\nold\n<!-- end -->\nrest <!-- end -->\n")
    for text in ("new", "newer"):
        write(page, "<!-- a -->\n", "<!-- end -->", text)
        assert page.read_text() == f"Begin <!-- end --> <!-- a -->\n{text}\n<!-- end -->\nrest <!-- end -->\n"


@pytest.mark.parametrize("text", ["", "<!-- a -->\nno end", "<!-- end -->\n<!-- a -->\n"])
def test_a_page_without_the_marks_is_left_alone(tmp_path, text):
    page = tmp_path / "page.md"
    page.write_text(text)
    with pytest.raises(SystemExit, match="has no <!-- a --> with <!-- end --> behind it"):
        write(page, "<!-- a -->\n", "<!-- end -->", "new")
    assert page.read_text() == text
