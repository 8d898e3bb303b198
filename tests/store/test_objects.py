"""Files in object storage, written and read by URL: a server on this machine, and a directory."""

import pytest

from tests.support.web.object_storage import object_storage
from ttcrawl.errors import UsageError
from ttcrawl.store import objects


@pytest.fixture(params=["s3", "file"])
def root(request, tmp_path, monkeypatch):
    if request.param == "file":
        yield f"file://{tmp_path}/there"
        return
    with object_storage(monkeypatch):
        yield "s3://bucket/crawls"


def test_a_file_is_written_read_in_ranges_copied_and_deleted(root, tmp_path):
    (source := tmp_path / "source").write_bytes(bytes(range(256)) * 100)
    url = objects.joined(root, "a.warc.gz")
    assert objects.write(url, source, 20_000)
    assert objects.read(url, 1000, 5) == bytes(range(1000 % 256, 1000 % 256 + 5))
    objects.copy(url, tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == source.read_bytes()[:20_000]
    objects.delete(url)
    objects.delete(url)
    with pytest.raises(FileNotFoundError):
        objects.read(url, 0, 1)


def test_a_file_is_replaced(root, tmp_path):
    url, source = objects.joined(root, "x"), tmp_path / "source"
    for text in (b"one and more", b"two"):
        source.write_bytes(text)
        objects.write(url, source, len(text))
    assert objects.read(url, 0, 100) == b"two"


def test_writing_is_ended(root, tmp_path):
    (source := tmp_path / "source").write_bytes(b"x" * 100)
    assert not objects.write(objects.joined(root, "x"), source, 100, lambda: False)


def test_what_is_ended_in_a_directory_replaces_nothing(tmp_path):
    """Of two processes that copy one file, the one that is killed must not cut what the other one has written."""
    url, source = f"file://{tmp_path}/there/x", tmp_path / "source"
    source.write_bytes(b"all of it")
    assert objects.write(url, source, 9)
    assert not objects.write(url, source, 9, lambda: False)
    assert objects.read(url, 0, 100) == b"all of it"


def test_an_address_in_the_url_wins(monkeypatch, tmp_path):
    (source := tmp_path / "source").write_bytes(b"here")
    with object_storage(monkeypatch) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
        url = f"s3://bucket/a?scheme=http&region=us-east-1&endpoint_override={address}"
        assert objects.write(objects.joined(url, "b"), source, 4)
        assert objects.read(objects.joined(url, "b"), 0, 4) == b"here"


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("s3://", "names no place"),
        ("file:///", "names no place"),
        ("http://a.example/b", "names no place"),
        ("s3://key:secret@bucket/x", "has credentials"),
    ],
)
def test_what_is_no_place(url, why):
    with pytest.raises(UsageError, match=why) as error:
        objects.check(url)
    assert "secret@" not in str(error.value)


def test_a_query_that_nobody_knows_is_an_error_of_the_place(tmp_path):
    (source := tmp_path / "source").write_bytes(b"x")
    with pytest.raises(OSError, match=r"s3://bucket cannot be used: .*regoin"):
        objects.write("s3://bucket/x?regoin=eu-west-1", source, 1)


def test_a_path_is_no_url():
    assert not objects.is_url("/srv/s3") and objects.is_url("s3://bucket/x")
