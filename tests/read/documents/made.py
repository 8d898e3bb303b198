"""Documents that tests make for themselves."""

from io import BytesIO
from zipfile import ZipFile, ZipInfo

from tests.read.documents.documents import body

ODT = "application/vnd.oasis.opendocument.text"


def odt(href: str = "#inside") -> bytes:
    """A document with one link."""
    out, linked = BytesIO(), b'"http://trees.example/lime?a=1&amp;b=2"'
    with ZipFile(BytesIO(body("text.odt"))) as given, ZipFile(out, "w") as made:
        for each in given.infolist():
            said = given.read(each)
            if each.filename == "content.xml":
                assert said.count(linked) == 1
                said = said.replace(linked, b'"%s"' % href.replace("&", "&amp;").encode())
            made.writestr(ZipInfo(each.filename), said)
    return out.getvalue()
