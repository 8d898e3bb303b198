"""What the page itself says about the functions of its elements."""

import pytest


class Saying:
    """A world whose page answers what it likes."""

    def __init__(self, answer):
        self.answer = answer

    def listeners(self):
        return []

    def evaluate(self, expression):
        return self.answer


def test_only_answers_of_the_right_form_are_taken():
    handlers = pytest.importorskip("ttcrawl.browser.handlers")  # it needs Playwright
    answer = [[3, ["click", ["click"], {"a": 1}, None, "keyup"]], [4, [["click"]]], ["5", ["click"]], 6, [7, "click"]]
    assert handlers.Handlers(Saying(answer)).find() == ([(3, ["click", "keyup"])], [], [])
    for other in (None, 3, "click", {"a": []}):
        assert handlers.Handlers(Saying(other)).find() == ([], [], [])
