"""The name of a file says how an export is compressed; other programs read it."""

import subprocess

import pytest

from ttcrawl.cli import main
from ttcrawl.export import formats
from ttcrawl.export.format import format_of
from ttcrawl.export.output import output

#: End of a name -> the program of others that reads it.
READERS = {".gz": ("gzip", "-dc"), ".zst": ("zstd", "-dcq")}


def unpacked(path):
    return subprocess.run([*READERS[path.suffix], str(path)], capture_output=True, check=True).stdout


@pytest.mark.parametrize("end", READERS)
@pytest.mark.parametrize("form", [name for name in formats.names() if len(format_of(name).compressed) == 2])
def test_the_contents_are_those_without_compression(export, site, form, end):
    plain = export(form, crawl=site[1], name="plain").read_bytes()
    assert unpacked(export(form, crawl=site[1], name=f"packed{end}")) == plain != b""


@pytest.mark.parametrize("end", READERS)
def test_equal_exports_give_equal_files_and_an_interrupt_none(tmp_path, end):
    def write(name, interrupt=False):
        with output(tmp_path / f"{name}{end}", binary=False) as file:
            for number in range(10_000):
                file.write(b"line %d\n" % number)
                if number % 1000 == 0:
                    file.flush()
            if interrupt:
                raise KeyboardInterrupt

    write("one")
    write("two")
    before = (tmp_path / f"one{end}").read_bytes()
    assert before == (tmp_path / f"two{end}").read_bytes()
    with pytest.raises(KeyboardInterrupt):
        write("one", interrupt=True)
    assert (tmp_path / f"one{end}").read_bytes() == before and len([*tmp_path.iterdir()]) == 2
    assert unpacked(tmp_path / f"one{end}").count(b"\n") == 10_000


def test_wet_is_gzipped_once(export, site):
    assert unpacked(export("wet", crawl=site[1], name="x.warc.wet.gz")).startswith(b"WARC/1.1")


@pytest.mark.parametrize("form,end", [("parquet", "gz"), ("sqlite", "zst"), ("wet", "zst"), ("wacz", "gz")])
def test_what_has_a_compression_of_its_own_gets_no_other(directory, tmp_path, capsys, form, end):
    assert main(["export", str(directory), "--format", form, "-o", str(tmp_path / f"x.{end}")]) == 2
    assert f"{form} is not compressed by .{end}: name another file" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("name,begin", [("r.md", b"|"), ("r.json", b"{"), ("r.html", b"<!"), ("r.json.gz", b"{")])
@pytest.mark.parametrize("part", [["--section", "sites"], ["--seeds"]])
def test_a_report_has_the_form_that_its_name_says(directory, tmp_path, capfdbinary, name, begin, part):
    path = tmp_path / name
    assert main(["report", str(directory), "-o", str(path), *part]) == 0
    out, err = capfdbinary.readouterr()
    assert f"wrote {path}".encode() in err and not out
    written = unpacked(path) if path.suffix == ".gz" else path.read_bytes()
    assert written.startswith(begin) and written.endswith(b"\n")


def test_a_report_in_a_file_is_what_stdout_gets(directory, tmp_path, capfdbinary):
    assert main(["report", str(directory), "-o", str(tmp_path / "r"), "--seeds"]) == 0
    capfdbinary.readouterr()
    assert main(["report", str(directory), "--seeds"]) == 0
    assert (tmp_path / "r").read_bytes() == capfdbinary.readouterr().out
