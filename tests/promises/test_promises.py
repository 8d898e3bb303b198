"""What docs/stability.md promises is there, by the lists beside this file."""

from pathlib import Path

import pytest

from tests.promises.names import LISTS

HERE = Path(__file__).parent


@pytest.mark.parametrize("name", LISTS)
def test_a_promise_is_kept(name):
    recorded, now = (HERE / name).read_text().splitlines(), list(LISTS[name]())
    assert not (missing := [line for line in recorded if line not in now]), (
        f"promised for all versions 1.x (docs/stability.md): {missing}"
    )
    assert now == recorded, "what is new is promised too: review it, then python -m tests.promises"


def test_the_manual_names_every_list():
    page = (HERE.parents[1] / "docs" / "stability.md").read_text()
    assert all(f"tests/promises/{name})" in page for name in LISTS)
