"""Members of gzip files that are damaged."""

import io

import pytest

from tests.archives.writing import three_pages
from ttcrawl.archives import members
from ttcrawl.archives.members import Members


@pytest.mark.parametrize("before_end", [1, 3, 20, 4095, 4096])
def test_the_next_member_is_found_where_two_searches_meet(tmp_path, before_end):
    warc = three_pages(tmp_path / "a.warc.gz")
    begin = members.SEARCHED + 1 - before_end
    data = members.MAGIC + bytes(begin - len(members.MAGIC)) + warc.bytes()
    reader = Members(io.BytesIO(data))
    reader.resume_behind(0)
    assert reader.position == begin
