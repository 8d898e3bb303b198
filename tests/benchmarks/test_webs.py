"""The generated webs have the growth that the table compares with."""

from math import exp

import pytest

from benchmarks.webs import HOST, made


@pytest.mark.parametrize(
    "name, pages, known",
    [("tree", 100, 501), ("lists with leaves", 53, 104), ("menus", 100, 201)],
)
def test_growth_of_a_web(name, pages, known):
    assert made(name).known(pages) == known


def test_growth_of_a_finite_pool():
    web = made("finite pool")
    assert web.known(250) == pytest.approx(1500 * (1 - exp(-1)), rel=0.05)


def test_a_menu_stands_outside_of_the_main_text():
    body = made("menus").answers[HOST, "/300"].body.decode()
    menu, main = body.split("<main>")
    assert menu.count("<a ") == 40 and main.count("<a ") == 5 and "<a href=/601>" in main


def test_the_calendar_has_no_end():
    assert made("calendar trap").endless and not made("tree").endless
