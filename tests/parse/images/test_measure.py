"""Sizes of images: files that Pillow wrote, files written by hand after the specifications, and broken ones."""

import io
import random
import struct
import sys
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.cases import one_in
from ttcrawl.parse.images.measure import FORMATS, Measured, flaw, measure

Image = pytest.importorskip("PIL.Image")


def picture(name, size=(123, 77), mode="RGB", **options):
    out = io.BytesIO()
    Image.new(mode, size).save(out, name, **options)
    return out.getvalue()


EXIF = Image.Exif()
EXIF[0x0112] = 6  # turned by 90 degrees

WRITTEN = {
    "png": ("image/png", picture("PNG")),
    "png of a palette": ("image/png", picture("PNG", mode="P")),
    "jpeg": ("image/jpeg", picture("JPEG")),
    "jpeg, progressive": ("image/jpeg", picture("JPEG", progressive=True)),
    "jpeg, turned": ("image/jpeg", picture("JPEG", exif=EXIF)),
    "jpeg with a profile": ("image/jpeg", picture("JPEG", icc_profile=bytes(200_000))),
    "jpeg with a comment of markers": ("image/jpeg", picture("JPEG", comment=b"\xff\xc0\0\x11\x08\0\1\0\1" * 9)),
    "gif": ("image/gif", picture("GIF")),
    "gif with a comment": ("image/gif", picture("GIF", comment=b"x")),
    "webp": ("image/webp", picture("WEBP")),
    "webp, lossless": ("image/webp", picture("WEBP", lossless=True)),
    "webp, extended": ("image/webp", picture("WEBP", exif=EXIF)),
    "webp, animated": (
        "image/webp",
        picture("WEBP", save_all=True, append_images=[Image.new("RGB", (123, 77), "red")]),
    ),
    "bmp": ("image/bmp", picture("BMP")),
    "tiff": ("image/tiff", picture("TIFF")),
    "tiff of other order": ("image/tiff", picture("TIFF", mode="I;16B")),
    "tiff, big": ("image/tiff", picture("TIFF", big_tiff=True)),
    "avif": ("image/avif", picture("AVIF")),
}


@pytest.mark.parametrize(("media_type", "body"), WRITTEN.values(), ids=WRITTEN)
def test_what_pillow_wrote(media_type, body):
    assert measure(body) == Measured(media_type=media_type, width=123, height=77)
    assert flaw(media_type, measure(body)) == ""


def box(kind, *inner):
    contents = b"".join(inner)
    return struct.pack(">I4s", 8 + len(contents), kind) + contents


def ispe(width, height):
    return box(b"ispe", struct.pack(">III", 0, width, height))


def heic(brand, *sizes, more=b"", shown=1):
    """Items 1, 2 ... of these sizes, of which one is shown; the others are its tiles and its thumbnail."""
    properties = box(b"ipco", box(b"hvcC", b"x"), *(ispe(*size) for size in sizes))
    has = b"".join(struct.pack(">HBBB", item, 2, 1, (item + 1) % 128) for item in range(1, len(sizes) + 1))
    items = box(b"ipma", struct.pack(">II", 0, len(sizes)), has)
    inner = box(b"hdlr", bytes(20)) + box(b"pitm", struct.pack(">IH", 0, shown)) + box(b"iprp", properties, items)
    return box(b"ftyp", brand, bytes(4)) + more + box(b"meta", bytes(4), inner)


def directory(order, *entries, big=False):
    code = "HHQ8s" if big else "HHI4s"
    count = struct.pack(order + ("Q" if big else "H"), len(entries))
    return count + b"".join(struct.pack(order + code, tag, kind, 1, value) for tag, kind, value in entries)


def icons(*sizes):
    return struct.pack("<HHH", 0, 1, len(sizes)) + b"".join(bytes(size) + bytes(14) for size in sizes)


BY_HAND = {
    "bmp, from the top": (b"BM" + bytes(12) + struct.pack("<Iii", 40, 7, -5), (7, 5)),
    "bmp of OS/2": (b"BM" + bytes(12) + struct.pack("<IHH", 12, 40_000, 5), (40_000, 5)),
    "gif, large": (b"GIF89a\xff\xff\xfe\xff", (65_535, 65_534)),
    "ico": (icons((16, 16), (0, 0), (48, 48)), (256, 256)),
    "cur": (b"\0\0\2\0" + icons((32, 16))[4:], (32, 16)),
    "jpeg with garbage between segments": (b"\xff\xd8\xff\xe0\0\2xyz\xff\xff\xff\xc2\0\x11\x08\0\5\0\7\3", (7, 5)),
    "jpeg with a table before": (b"\xff\xd8\xff\xc4\0\4ab\xff\xc0\0\x11\x08\0\5\0\7\3", (7, 5)),
    "tiff in motorola order": (
        b"MM\0*\0\0\0\x08" + directory(">", (256, 3, b"\0\7\0\0"), (257, 4, b"\0\0\0\5")),
        (7, 5),
    ),
    "heic": (heic(b"heic", (7, 5)), (7, 5)),
    "heic of tiles": (heic(b"mif1", (512, 512), (512, 512), (4032, 3024), (320, 240), shown=3), (4032, 3024)),
    "heic with a large box before": (
        heic(b"heix", (7, 5), more=struct.pack(">I4sQ", 1, b"free", 20) + b"1234"),
        (7, 5),
    ),
    "avif, animated": (heic(b"avis", (7, 5)), (7, 5)),
    "svg": (b'<svg width="7" height="5"/>', (7, 5)),
    "svg, not whole": (b'<svg width="7" height="5" viewBox="0 0 1 1"><g><path d="', (7, 5)),
    "svg in inches": (b'<svg width="1in" height="2.54cm"/>', (96, 96)),
    "svg in millimetres": (b'<svg width="210mm" height="297mm"/>', (794, 1123)),
    "svg with a viewBox": (b'<svg viewBox="-5,-5 30.4,40"/>', (30, 40)),
    "svg in per cent": (b'<svg width="100%" height="100%" viewBox="0 0 30 40"/>', (30, 40)),
    "svg with one length": (b'<svg width="60" viewBox="0 0 30 40"/>', (60, 80)),
    "svg with the other length": (b'<svg height="60px" viewBox="0 0 30 40"/>', (45, 60)),
    "svg with a prefix": (b'<s:svg xmlns:s="http://www.w3.org/2000/svg" width="7" height="5"/>', (7, 5)),
    "svg with a doctype": (
        b'\xef\xbb\xbf<?xml version="1.0"?>\n<!-- <svg width="1"> -->\n<!DOCTYPE svg [<!ENTITY seven "7">]>'
        b'<svg width="&seven;" height="5"/>',
        (7, 5),
    ),
    "svg in UTF-16": ('\ufeff<?xml version="1.0"?><svg width="7" height="5"/>'.encode("utf-16-le"), (7, 5)),
    "svg in Latin-1": (
        '<?xml version="1.0" encoding="ISO-8859-1"?><svg id="\u00e4" width="7" height="5"/>'.encode("latin-1"),
        (7, 5),
    ),
}


@pytest.mark.parametrize(("body", "size"), BY_HAND.values(), ids=BY_HAND)
def test_sizes(body, size):
    found = measure(body)
    assert (found.width, found.height) == size


def entities(levels):
    each = "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(levels))
    return f'<!DOCTYPE svg [<!ENTITY a0 "1">{each}]><svg width="&a{levels};" height="1"/>'.encode()


NOTHING = {  # what is an image of this type that does not say how large it is
    "png without a header": ("image/png", b"\x89PNG\r\n\x1a\n" + bytes(8) + b"\0\0\0\1\0\0\0\1"),
    "png, no width": ("image/png", b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR" + bytes(8)),
    "png, too wide": ("image/png", b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR" + b"\xff" * 8),
    "jpeg, no frame": ("image/jpeg", b"\xff\xd8\xff\xda\0\x08" + bytes(99)),
    "jpeg, ended": ("image/jpeg", b"\xff\xd8\xff\xd9"),
    "jpeg, a segment of no length": ("image/jpeg", b"\xff\xd8\xff\xe0\0\0"),
    "jpeg of fill bytes": ("image/jpeg", b"\xff\xd8" + b"\xff" * 99),
    "webp, no chunk": ("image/webp", b"RIFF\0\0\0\0WEBPxxxx"),
    "tiff, directory outside": ("image/tiff", b"II*\0\xff\xff\xff\xff"),
    "tiff, directory in itself": ("image/tiff", b"II*\0\4\0\0\0"),
    "ico, no icons": ("image/x-icon", icons()),
    "ico, cut": ("image/x-icon", icons((7, 5), (7, 5))[:-1]),
    "heic, a box of no length": ("image/heic", box(b"ftyp", b"heic") + b"\0\0\0\1meta" + bytes(8)),
    "heic, a box that is too long": ("image/heic", box(b"ftyp", b"heic") + b"\xff\xff\xff\xffmeta"),
    "heic, no size": ("image/heic", heic(b"heic")),
    "svg, no size": ("image/svg+xml", b"<svg/>"),
    "svg, relative": ("image/svg+xml", b'<svg width="5em" height="50%"/>'),
    "svg, negative": ("image/svg+xml", b'<svg width="-5" height="5"/>'),
    "svg, empty viewBox": ("image/svg+xml", b'<svg width="5" viewBox="0 0 0 0"/>'),
    "svg, no number": ("image/svg+xml", b'<svg viewBox="0 0 nan inf"/>'),
    "svg, endless": ("image/svg+xml", b'<svg viewBox="0 0 inf 1"/>'),
    "svg, a long number": ("image/svg+xml", b'<svg width="' + b"9" * 5000 + b'" height="1"/>'),
    "svg of entities": ("image/svg+xml", entities(12)),
    "svg, an unknown encoding": ("image/svg+xml", b'<?xml version="1.0" encoding="x"?><svg width="1" height="1"/>'),
    "svg, an encoding of Python": ("image/svg+xml", b'<?xml version="1.0" encoding="hex"?><svg width="1" height="1"/>'),
    "svg, another file": ("image/svg+xml", b'<!DOCTYPE svg SYSTEM "/etc/passwd"><svg width="&x;" height="1"/>'),
}


@pytest.mark.parametrize(("media_type", "body"), NOTHING.values(), ids=NOTHING)
def test_what_does_not_say_how_large_it_is(media_type, body):
    assert measure(body) == Measured(media_type=media_type)
    assert flaw(media_type, measure(body)) == "no width and height"


FLAWS = {
    "as said": ("image/png", "png", ""),
    "another name": ("image/jpg", "jpeg", ""),
    "another type": ("image/png", "jpeg", "is image/jpeg"),
    "icon by the name of its registration": ("image/vnd.microsoft.icon", "ico", ""),
    "HEIF that is AVIF": ("image/heif", "avif", ""),
}


@pytest.mark.parametrize(("said", "name", "wrong"), FLAWS.values(), ids=FLAWS)
def test_flaws(said, name, wrong):
    body = icons((7, 5)) if name == "ico" else WRITTEN[name][1]
    assert flaw(said, measure(body)) == wrong


def test_what_is_no_image():
    for body in (b"", b"<html>", b"%PDF-1.4", b"<?xml version='1.0'?><feed/>", bytes(99)):
        assert measure(body) == Measured(media_type="")
    assert flaw("image/png", measure(b"<html>")) == "is not image/png"
    assert flaw("image/jxl", measure(b"something")) == ""


EVERY = (
    [body for _, body in WRITTEN.values()] + [body for body, _ in BY_HAND.values()] + [b for _, b in NOTHING.values()]
)


def sound(found):
    assert (found.width is None) == (found.height is None)
    assert found.width is None or (0 < found.width < 1 << 31 and 0 < found.height < 1 << 31)


def test_cut_anywhere():
    for body in EVERY:
        for end in range(min(len(body), 400)):
            sound(measure(body[:end]))


def test_changed_anywhere():
    rng = random.Random(4)
    for body in EVERY:
        for _ in range(100):
            changed = bytearray(body[:4000])
            for _ in range(rng.randrange(1, 6)):
                changed[rng.randrange(len(changed[:200]))] = rng.choice((0, 1, 255, rng.randrange(256)))
            sound(measure(bytes(changed)))


BEGINS = [body[:24] for body in EVERY]


@given(begin=st.sampled_from(BEGINS), rest=st.binary(max_size=200))
def test_anything_behind_a_begin(begin, rest):
    sound(measure(begin + rest))


@pytest.mark.slow
@given(
    st.lists(
        st.sampled_from(
            ["<svg ", "<?xml ", "<!DOCTYPE svg [", "]>", "width=", '"', "5", "mm", "&a;", "<!--", "viewBox="]
        )
    ).map("".join)
)
def test_anything_in_an_svg(text):
    sound(measure(text.encode()))
    sound(measure(f'<svg width="{text}" height="1"/>'.encode()))
    sound(measure(f'<svg viewBox="{text}"/>'.encode()))


MEGABYTE = 1 << 20
LONG = {
    "jpeg of fill bytes": b"\xff\xd8" + b"\xff" * MEGABYTE,
    "jpeg of empty segments": b"\xff\xd8" + b"\xff\xe0\0\2" * (MEGABYTE // 4),
    "jpeg of markers": b"\xff\xd8\xff" + b"\xd0\xff" * (MEGABYTE // 2),
    "tiff of entries": b"II*\0\x08\0\0\0\xff\xff" + bytes(MEGABYTE),
    "tiff, big, of entries": b"II+\0\x08\0\0\0" + struct.pack("<QQ", 16, 1 << 60) + bytes(MEGABYTE),
    "heic of boxes": box(b"ftyp", b"heic", bytes(4)) + box(b"free") * (MEGABYTE // 8),
    "heic of sizes": heic(b"heic", *[(7, 5)] * 40_000, shown=9),
}


@pytest.mark.parametrize("body", one_in(3, LONG.values()), ids=LONG)
def test_a_megabyte_of_anything_takes_few_steps(body):
    """A body may have ten of them, and a page ten seconds: a step is a call or a return, 50 ns each."""
    steps = 0

    def count(*_: object) -> None:
        nonlocal steps
        steps += 1

    sys.setprofile(count)
    try:
        measured = measure(body)
    finally:
        sys.setprofile(None)
    sound(measured)
    assert steps < 8 * MEGABYTE


def test_every_format_is_here():
    assert {measure(body).media_type for body in EVERY} == {media_type for media_type, _, _ in FORMATS}


def test_pixels_are_not_looked_at():
    """A few bytes that would become gigabytes."""
    data = zlib.compress(bytes(1 << 20))
    header = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR" + struct.pack(">II", 1 << 30, 1 << 30) + b"\x08\6\0\0\0" + bytes(4)
    assert measure(header + struct.pack(">I", len(data)) + b"IDAT" + data).width == 1 << 30
