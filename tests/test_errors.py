"""What errors say to do."""

from pathlib import Path

import pytest

from ttcrawl.errors import install_line_of

HERE = '{"url": "file://DIR", "dir_info": {"editable": EDITABLE}}'
GIT = '{"url": "https://git.example/ttcrawl", "vcs_info": {"vcs": "git", "commit_id": "0f"}}'
WHEEL = '{"url": "https://files.example/ttcrawl-1.0-py3-none-any.whl", "archive_info": {}}'

LINES = {
    "index": (None, "", "pip install 'ttcrawl[report]'"),
    "clone": (HERE.replace("EDITABLE", "false"), "", "pip install 'DIR[report]'"),
    "editable": (HERE.replace("EDITABLE", "true"), "", "pip install -e 'DIR[report]'"),
    "deleted clone": (HERE.replace("DIR", "/deleted").replace("EDITABLE", "true"), "", "pip install 'ttcrawl[report]'"),
    "git": (GIT, "", "pip install 'ttcrawl[report] @ git+https://git.example/ttcrawl'"),
    "wheel": (WHEEL, "", "pip install 'ttcrawl[report] @ https://files.example/ttcrawl-1.0-py3-none-any.whl'"),
    "uv": (HERE.replace("EDITABLE", "false"), "uv-receipt.toml", "uv tool install 'DIR[report]'"),
    "pipx": (None, "pipx_metadata.json", "pipx install --force 'ttcrawl[report]'"),
}


@pytest.mark.parametrize(("origin", "mark", "line"), LINES.values(), ids=LINES)
def test_an_extra_is_added_as_the_program_was_installed(
    tmp_path: Path, origin: str | None, mark: str, line: str
) -> None:
    if mark:
        (tmp_path / mark).touch()
    named = origin.replace("DIR", str(tmp_path)) if origin else None
    assert install_line_of("report", named, tmp_path) == line.replace("DIR", str(tmp_path))
