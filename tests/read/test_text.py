"""The words of a page: none glued, none split; what is not shown is not there."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from ttcrawl import config
from ttcrawl.read.blocks import lines, words, words_of
from ttcrawl.read.page import cut, packed, read_page
from ttcrawl.read.stripped import stripped
from ttcrawl.read.tree import flatten

ONLY_TEXT = config.Record(metadata=False, main=False, language=False)


def text(html: str) -> str:
    body = html.encode()
    _, found, _ = read_page(LexborHTMLParser(body), body, {}, (), str, ONLY_TEXT)
    return zlib.decompress(found.packed).decode()


TEXTS = [
    ("wo<b>rd</b>s", "words"),
    ("<p>a</p><p>b</p>", "a\nb"),
    ("<p>a<p>b", "a\nb"),
    ("a<br>b<br/>c", "a\nb\nc"),
    ("<table><tr><td>a<td>b<tr><td>c</table>", "a\nb\nc"),
    ("<table><tr><th>a</th><td>b</td></tr></table>", "a\nb"),
    ("<ul><li>a<li>b</ul>c", "a\nb\nc"),
    ("<dl><dt>a<dd>b</dl>", "a\nb"),
    ("<div>a<div>b</div>c</div>", "a\nb\nc"),
    ("a<hr>b", "a\nb"),
    ("<h1>a</h1>b", "a\nb"),
    ("<a href=x>wo</a><i>r<u>d</u></i>", "word"),
    ("wo<wbr>rd wo&shy;rd", "word word"),
    ("wo<!-- x -->rd", "word"),
    ("<!-- x --><p>wo<!-- x -->rd", "word"),
    ("wo<a name=x></a>rd", "word"),
    ("a <b> b </b> c", "a b c"),
    ("<b>a </b>b<b> c</b>", "a b c"),
    ("<p>a\n   b\t c&nbsp;d</p>", "a b c d"),
    ("<a href=1><div>a</div></a><a href=2><div>b</div></a>", "a\nb"),
    ("<span>a<p>b</p>c</span>", "a\nb\nc"),
    ("<pre>a\n  b\n\n<b>c</b>d\n</pre>e", "a\n  b\n\ncd\ne"),
    ("<pre>\n</pre>", ""),
    ("<textarea>a\n b</textarea>", "a\n b"),
    ("<script>no</script><style>no</style><template>no</template>a", "a"),
    ("a<script>no</script>b", "ab"),
    ("<svg><title>no</title><text>no</text></svg>a<iframe>no</iframe><noframes>no</noframes>", "a"),
    ("<div hidden>no</div><p hidden=hidden>no<p>a", "a"),
    ("<div style='display: none'>no</div><div style=\"color:red;display:none\">no</div>a", "a"),
    ("<div hidden=until-found>a</div>", "a"),
    ("<p>a<span hidden>no</span>b <a style='display:none' href=x>no</a>c", "ab c"),
    ("<div>a <b hidden>no<i>no<span>no</span></i></b><span hidden><span hidden>no</span></span>b", "a b"),
    ("<html style='display:none'><p>a<span hidden>no</span>b", "ab"),  # scripts show such a page
    ("<html hidden><body hidden><p>a", "a"),
    ("<style>.x{display:none} [hidden] {}</style><p class=x>a", "a"),
    ("<title>no</title><p>a", "a"),
    ("<noscript>a</noscript>", "a"),
    ("<ruby>漢<rp>(</rp><rt>no</rt><rp>)</rp></ruby>字", "漢字"),
    ("<select><option>a<option>b</select>", "a\nb"),
    ("<button>a</button>b", "a\nb"),
    ("<label>a</label><input value=no>b", "ab"),
    ("<h2>a<a class=headerlink href=#a>¶</a></h2><p>b ¶ c", "a\nb ¶ c"),
    ("<frameset><frame src=x></frameset>", ""),
    ("", ""),
    ("&lt;b&gt; &amp; &#x1F600;", "<b> & 😀"),
    ("a\x00b\x01c\x02d\x03e", "ab\x01c\x02d\x03e"),
    ("<p>\x01a<p>\x02n<p>\x03<p>b", "a\nb"),  # our own signs, sent by somebody else
    ("<p>a<svg><p>b", "a\nb"),
    ("<x-y>a</x-y><x-y>b</x-y>", "a\nb"),  # nobody knows what it is: never glued
]


@pytest.mark.parametrize(("html", "expected"), TEXTS)
def test_text(html, expected):
    assert text(html) == expected


@pytest.mark.parametrize(("html", "expected"), TEXTS)
def test_text_without_a_tree(html, expected):
    """The same words, in other lines: what only a tree can know is left out."""
    if any(each in html for each in ("hidden", "display", "ruby", "\0", "\1", "frames", "<p>a<svg>", "¶")):
        return
    found = stripped(html.encode())
    assert found.replace("\xad", "").split() == expected.split()


def test_deeper_than_is_sane():
    for html in ("<b>x " * 5000, "<div>" * 5000 + "x", "<i><div>" * 3000 + "x"):
        assert "x" in text(html)


WORDS = [
    ("", 0),
    ("a b\nc", 3),
    ("a\tb\xa0c\u3000d", 4),
    ("日本語", 3),
    ("日本語 text です", 6),
    ("한국어 텍스트", 2),
    ("これは test", 4),
    ("naïve café — ½", 4),
    ("ภาษาไทย", 1),
    ("𠀀𠀁", 2),
]


@pytest.mark.parametrize(("line", "count"), WORDS)
def test_words(line, count):
    assert words(line) == count


PIECES = ("a", " ", "  ", "\n", "<p>", "<pre>", "</pre>", "<b>", "&nbsp;", "日", "é", "<br>", "\t", "—")


@pytest.mark.slow
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_words_of_lines_are_those_of_the_text(html):
    flat = flatten(LexborHTMLParser(html), html.encode())
    read = lines(flat.body)
    whole = "\n".join(read.lines)
    assert words_of(read.lines, whole, read.blanks) == words(whole, read.count) == words(whole)


def test_packed():
    made = packed("aé".encode() * 100, "aé".encode(), 4)
    assert (made.size, zlib.decompress(made.packed)) == (4, b"a\xc3\xa9a")
    assert (made.main_size, zlib.decompress(made.main)) == (3, b"a\xc3\xa9")
    same = packed(b"a", b"a", 9)
    assert (same.size, same.main_size, same.main) == (1, 1, None)
    assert packed(b"a", None, 9).main_size == 0


@pytest.mark.parametrize(
    ("limit", "expected"), [(0, b""), (1, b""), (2, "é".encode()), (5, "é€".encode()), (6, "é€".encode())]
)
def test_cut_at_a_character(limit, expected):
    assert cut("é€😀".encode(), limit) == expected
