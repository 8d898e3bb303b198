"""Whether a list is a table, and which of its columns has the URLs."""

import pytest

from ttcrawl.web.seed_lists.entry import NoListError
from ttcrawl.web.seed_lists.tables import layout

A, B = "http://a.test/a", "http://a.test/b"


@pytest.mark.parametrize(
    ("lines", "column", "expected"),
    [
        (["id,url,title", f"1,{A},x"], "", (",", 1, True)),
        (["Title;URL", f"x;{A}"], "", (";", 1, True)),
        (["title\turl", f"x\t{A}"], "", ("\t", 1, True)),
        (["# export", "", "url,title"], "", (",", 0, True)),
        (["url,Address", f"{A},{B}"], "address", (",", 1, True)),
        (["url", A], "", ("\t", 0, True)),
        # without a header, or with one that names it otherwise
        ([f"1,{A}", f"2,{B}"], "", (",", 1, False)),
        ([f"A title\t{A}", f"Another\t{B}"], "", ("\t", 1, False)),
        (["Address,Status", f'"{A}","200"', f'"{B}","404"'], "", (",", 0, True)),
        ([f"{A},A title", f"{B},Another one"], "", (",", 0, False)),
        (["1,google.test", "2,a.test"], "", (",", 1, False)),
        # plain lists
        ([A, B], "", None),
        ([f"{A},1518,2.html", f"{B},1518,3.html"], "", None),
        ([f"{A};x=1", f"{B};x=2"], "", None),
        (["one,two", "three"], "", None),
        ([], "", None),
    ],
)
def test_the_column_of_a_table(lines, column, expected):
    form = layout(lines, column)
    assert (form and (form.delimiter, form.index, form.header)) == expected


@pytest.mark.parametrize("lines", [["id,url", f"1,{A}"], [A, B]])
def test_a_column_that_is_not_there(lines):
    with pytest.raises(NoListError, match="has no column address: its columns are "):
        layout(lines, "address")
