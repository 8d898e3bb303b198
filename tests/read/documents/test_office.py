"""What Word, PowerPoint, Excel and LibreOffice write in more than one way; the examples follow ECMA-376 and ODF 1.3."""

import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.read.documents.documents import ODF, OPENXML
from ttcrawl.config import CONVERTERS
from ttcrawl.read.documents.office import EntityError, feed, read
from ttcrawl.read.documents.ole import excel, powerpoint

RELS = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}</Relationships>'
HYPERLINK = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink"
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
W = f'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" {R}'
TEXT = 'xmlns:text="t" xmlns:xlink="x" xmlns:office="o" xmlns:draw="d" xmlns:script="s"'


def relation(name, target, kind=HYPERLINK, mode=' TargetMode="External"'):
    return f'<Relationship Id="{name}" Type="{kind}" Target="{target}"{mode}/>'


def made(tmp_path, kind, **parts):
    path = tmp_path / "document"
    with zipfile.ZipFile(path, "w") as out:
        for name, data in parts.items():
            out.writestr(name.replace("__", "/").replace("_xml", ".xml"), data)
    return read(path, kind)


def word(tmp_path, body, *relations, **more):
    return made(
        tmp_path,
        f"{OPENXML}wordprocessingml.document",
        word__document_xml=f"<w:document {W}><w:body>{body}</w:body></w:document>",
        **{"word___rels/document_xml.rels": RELS.format("".join(relations))},
        **more,
    )


def char(kind):
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'


def run(text):
    return f"<w:r><w:t>{text}</w:t></w:r>"


@pytest.mark.parametrize(
    ("body", "relations", "text", "links"),
    [
        (
            f'<w:p><w:hyperlink r:id="a">{run("two ")}{run("runs")}</w:hyperlink>{run(" more")}</w:p>',
            [relation("a", "http://a.test/?x&amp;y")],
            "two runs more\n",
            [("http://a.test/?x&y", "two runs")],
        ),
        (run("x"), [relation("a", "http://a.test/")], "x", [("http://a.test/", "")]),
        (run("x"), [relation("a", "media/image1.png", mode="")], "x", []),
        (run("x"), [relation("a", "http://a.test/t.dotx", kind="http://x/attachedTemplate")], "x", []),
        (
            '<w:r><w:instrText> HYPERLINK "http://a.</w:instrText></w:r>'
            f'<w:r><w:instrText>test/" \\o "tip"</w:instrText></w:r>{run("words")}',
            [],
            "words",
            [("http://a.test/", "")],
        ),
        (
            f"<w:fldSimple w:instr='HYPERLINK \"http://b.test/\"'>{run('b')}</w:fldSimple>",
            [],
            "b",
            [("http://b.test/", "b")],
        ),
        (
            f"{char('begin')}<w:r><w:instrText>HYPERLINK http://a.test/ \\l x</w:instrText></w:r>{char('separate')}"
            f"{run('wo')}{char('begin')}<w:r><w:instrText>PAGE</w:instrText></w:r>{char('separate')}{run('rds')}"
            f"{char('end')}{char('end')}{run(' more')}",
            [],
            "words more",
            [("http://a.test/", "words")],
        ),
        (
            f'{char("end")}{char("begin")}<w:r><w:instrText>HYPERLINK "http://a.test/"</w:instrText></w:r>{run("x")}',
            [],
            "x",
            [("http://a.test/", "x")],
        ),
        (f"<w:p>{run('co')}<w:r><w:noBreakHyphen/></w:r>{run('op')}</w:p>", [], "co-op\n", []),
        (f"<w:p>{run('a')}<w:r><w:tab/><w:br/></w:r>{run('b')}</w:p>", [], "a\t\nb\n", []),
        (f"<w:p>{run('new')}<w:r><w:delText>old</w:delText></w:r></w:p>", [], "new\n", []),
        (
            f"<w:p>{run('stays ')}<w:moveFrom>{run('moved')}</w:moveFrom><w:moveTo>{run('moved')}</w:moveTo></w:p>",
            [],
            "stays moved\n",
            [],
        ),
        (f"<w:p><w:pPr><w:rPr><w:moveFrom/></w:rPr></w:pPr>{run('stays')}</w:p>", [], "stays\n", []),
        (f"<a><Choice>{run('once')}</Choice><Fallback>{run('once')}</Fallback>{run(' more')}</a>", [], "once more", []),
    ],
)
def test_word(tmp_path, body, relations, text, links):
    found = word(tmp_path, body, *relations)
    assert (found.text, found.links) == (text, links)


def test_the_document_comes_before_its_notes(tmp_path):
    found = word(tmp_path, run("first"), word__footnotes_xml=f"<a {W}>{run('second')}</a>", word__other_xml="<a>no</a>")
    assert found.text == "first\nsecond"


def test_slides_are_in_order_and_their_links_are_on_their_words(tmp_path):
    slides = {f"ppt__slides__slide{n}_xml": f"<a {R}><r><rPr/><t>slide {n}</t></r><p/></a>" for n in (10, 9, 1)}
    slides["ppt__slides__slide2_xml"] = (
        f'<a {R}><r><rPr><hlinkClick r:id="z"/></rPr><t>on it</t></r><r><t>off</t></r></a>'
    )
    rels = {"ppt__slides___rels/slide2_xml.rels": RELS.format(relation("z", "http://a.test/"))}
    found = made(tmp_path, f"{OPENXML}presentationml.presentation", **slides, **rels)
    assert found.text.split("\n") == ["slide 1", "", "on itoff", "slide 9", "", "slide 10", ""]
    assert found.links == [("http://a.test/", "on it")]


def test_notes_of_slides_stand_behind_all_slides(tmp_path):
    parts = {
        "ppt__notesSlides__notesSlide1_xml": "<a><r><t>said</t></r></a>",
        "ppt__slides__slide2_xml": "<a><r><t>shown</t></r></a>",
        "ppt__notesMasters__notesMaster1_xml": "<a><r><t>no</t></r></a>",
    }
    assert made(tmp_path, f"{OPENXML}presentationml.presentation", **parts).text == "shown\nsaid"


def test_a_slide_with_a_formula_has_its_text_by_default(tmp_path):
    # As PowerPoint and pandoc write it (part 3 section 7.6): kreuzberg leaves out all shapes with alternate content.
    words = "<sp><txBody><p><r><t>beside a formula</t></r></p></txBody></sp>"
    twice = f"<AlternateContent><Choice>{words}</Choice><Fallback>{words}</Fallback></AlternateContent>"
    kind = f"{OPENXML}presentationml.presentation"
    assert made(tmp_path, kind, ppt__slides__slide1_xml=twice).text == "beside a formula\n\n"
    lines = next(each.lines for each in CONVERTERS if each.type == kind)
    assert lines[0].text == "python:office"


def test_sheets(tmp_path):
    sheet = (
        f'<worksheet {R}><sheetData><row><c r="A1" t="s"><v>1</v></c><c r="B1"><v>2.5</v></c></row>'
        '<row><c r="A2" t="inlineStr"><is><t>in</t><t>line</t></is></c><c r="B2" t="s"><v>99</v></c></row></sheetData>'
        '<hyperlinks><hyperlink ref="A1" r:id="a"/><hyperlink ref="C9" r:id="b" display="shown"/></hyperlinks>'
        "</worksheet>"
    )
    found = made(
        tmp_path,
        f"{OPENXML}spreadsheetml.sheet",
        xl__worksheets__sheet1_xml=sheet,
        xl__sharedStrings_xml="<sst><si><t>zero</t></si><si><r><t>on</t></r><r><t>e</t></r></si></sst>",
        **{
            "xl__worksheets___rels/sheet1_xml.rels": RELS.format(
                relation("a", "http://a.test/") + relation("b", "mailto:b@a.test")
            )
        },
    )
    assert found.text.split() == ["one", "2.5", "inline"]
    assert found.links == [("http://a.test/", "one"), ("mailto:b@a.test", "shown")]


def test_opendocument(tmp_path):
    content = (
        f"<office:text {TEXT}> no text <text:h>Head</text:h>"
        '<text:p>a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d '
        '<text:a xlink:href="http://a.test/">w<text:span>ord</text:span>s</text:a></text:p>'
        '<draw:a xlink:href="../b.odt"><text:p>picture</text:p></draw:a>'
        '<script:event-listener xlink:href="http://c.test/"/>'
        '<text:p><text:s text:c="9999999999"/>e</text:p></office:text>'
    )
    found = made(tmp_path, f"{ODF}text", content_xml=content)
    assert found.text == "Head\na   b\tc\nd words\npicture\n" + " " * 100 + "e\n"
    assert [(url, words.strip()) for url, words in found.links] == [
        ("http://a.test/", "words"),
        ("../b.odt", "picture"),
        ("http://c.test/", ""),
    ]


def test_notes_of_opendocument_stand_behind_the_text_and_those_of_reviewers_do_not(tmp_path):
    content = (
        f"<office:text {TEXT}><text:tracked-changes><text:deletion><text:p>deleted</text:p></text:deletion>"
        "</text:tracked-changes><text:p>be<text:note><text:note-citation>1</text:note-citation><text:note-body>"
        '<text:p>note <text:a xlink:href="http://a.test/">link</text:a></text:p></text:note-body></text:note>'
        "tween<office:annotation><text:p>remark</text:p></office:annotation>"
        "<text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>かん</text:ruby-text></text:ruby></text:p>"
        "<text:p>last</text:p></office:text>"
    )
    found = made(tmp_path, f"{ODF}text", content_xml=content)
    assert found.text == "between漢\nlast\nnote link\n"
    assert found.links == [("http://a.test/", "link")]


class Nothing:
    def start(self, name, attributes): ...

    def end(self, name): ...

    def data(self, text): ...


@pytest.mark.parametrize(
    "xml",
    [
        b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
        b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a/>',
        b'<!DOCTYPE a [<!ENTITY % b SYSTEM "http://a.test/"> %b;]><a/>',
    ],
)
def test_entities_are_refused(xml):
    with pytest.raises(EntityError):
        feed(xml, Nothing())


def test_a_document_type_alone_is_none():
    feed(b'<!DOCTYPE a PUBLIC "-//OASIS//DTD" "http://a.test/a.dtd"><a>&#228;&lt;</a>', Nothing())


@given(st.binary(max_size=300))
def test_records_of_any_bytes(data):
    moniker = bytes.fromhex("e0c9ea79f9bace118c8200aa004ba90b")
    for stream in (
        data,
        b"\xb8\x01\xff\x00" + moniker + data,
        b"\x0f\x00\xd7\x0f\xff\x00\x00\x00\x10\x00\xba\x0f" + data,
    ):
        assert all(isinstance(url, str) for url, _ in [*excel(stream), *powerpoint(stream)])


def test_a_link_of_powerpoint_has_its_words():
    def string(instance, text):
        data = text.encode("utf-16-le")
        return (instance << 4).to_bytes(2, "little") + b"\xba\x0f" + len(data).to_bytes(4, "little") + data

    inside = string(0, "words") + string(1, "http://a.test/") + string(3, "x")
    link = b"\x0f\x00\xd7\x0f" + len(inside).to_bytes(4, "little") + inside
    assert list(powerpoint(link + string(1, "no link") + link)) == [("http://a.test/", "words")] * 2
