"""Links of every kind, by both trees: what is a link, of which kind, and what is none."""

from __future__ import annotations

import pytest

from tests.support.cases import one_in
from ttcrawl.parse.links.extract import extract
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.vocabulary.kind import KINDS, LETTERS

URL = "http://example.com/dir/page.html?q=1"
TREES = ("lexbor", "html5lib")
EVERY = frozenset(map(ord, LETTERS.values()))

# page, links as "kind href": a space between the two, one a line
CASES = [
    # link
    (
        "<link rel=canonical href=1><link rel=NEXT href=2><link rel='prev' href=3><link rel=previous href=4>",
        "c1 n2 p3 p4",
    ),
    ("<link rel=stylesheet href=1><link rel='alternate stylesheet' href=2><link rel='icon' href=3>", "s1 s2 k3"),
    ("<link rel=alternate href=1 hreflang=de><link rel=alternate href=2 type=application/rss+xml>", "t1 F2"),
    ("<link rel='Alternate home' href=1 type='Application/Atom+XML; x=y'><link rel=feed href=2>", "F1 l2"),
    ("<link rel=alternate type=application/feed+json href=1><link rel=alternate type=text/xml href=2>", "F1 t2"),
    ("<link rel='next canonical' href=1><link rel='stylesheet next' href=2>", "c1 n2"),  # the first of the list decides
    ("<link href=1><link rel href=2><link rel=' ' href=3><link rel=next><link rel=next href=''>", ""),
    ("<link rel=preconnect href=1><link rel='dns-prefetch PreConnect' href=2><link rel=pingback href=3>", ""),
    ("<link rel=webmention href=1><link rel=token_endpoint href=2><link rel='preconnect author' href=3>", "l3"),
    ("<body><p>x<link rel=next href=1>", "n1"),
    # images
    ("<img src=1><img src><img src=''><img data-src=2 data-srcset='3 2x'>", "g1"),
    ("<img src=1 lowsrc=2 longdesc=3 dynsrc=4><img dynsrc=5><img lowsrc=6><img longdesc=7>", "g1 g2 v4 D3 v5 g6 D7"),
    (
        "<body background=1><table background=2><thead background=3><tr background=4><th background=5>"
        "<tbody background=6><tr><td background=7></table><div background=8><p style='background:url(9)'>",
        "g1 g2 g3 g4 g5 g6 g7 u9",
    ),
    ("<table background><tr><td background=''><svg><td background=1 /></svg></table>", ""),
    (
        "<link rel=preload as=image href=1 imagesrcset='2, 3 2x'><link rel=preload as=image imagesrcset='4 100w'>",
        "l1 g2 g3 g4",
    ),
    ("<img src=1 srcset='2, 3 2x,4 3x'><img srcset='5 100w'>", "g1 g2 g3 g4 g5"),
    ("<img srcset='a,b c,d 2x, e 1w 2w, f (, ) , g'>", "gd gg"),
    ("<img srcset='data:,a ( , data:,b 1x, ), data:,c'>", "gdata:,c"),
    ("<picture><source srcset='1 2x' src=2><img src=3></picture><source srcset=4 src=5>", "g1 g3"),
    ("<input type=image src=1><input src=2><input type=text src=3>", "g1"),
    ("<image src=1><svg><image href=2 /><image xlink:href=3 /><image href='#a' /></svg>", "g1 g2 g3"),
    (
        "<svg><use href=1#a /><use xlink:href=2#b></use><USE HREF=3><use href='#c' /><use xlink:href='#d'/>"
        "<use href=''/><use/>"
        "<filter><feImage href=4 /><feimage xlink:href='5' /><feImage href='#e' /></filter><g href=6 /></svg>"
        "<use href=7></use><feimage href=8></feimage><math><use href=9 /></math>",
        "g1#a g2#b g3 g4 g5",
    ),
    ("<svg><use href=1 style='a:url(2)' /><desc><use href=3></use><img src=4></desc></svg>", "g1 u2 g4"),
    # what scripts load late
    (
        "<img src=1 data-src=a/2 data-srcset='a/3, a/4 2x' data-lazy-src=a/5><img DATA-ORIGINAL=' 6.png '>"
        "<picture><source data-srcset='7.webp 2x'></picture><iframe data-src=/8></iframe>"
        "<video data-poster=9.jpg></video>",
        "g1 ya/2 ya/3 ya/4 ya/5 y6.png y7.webp y/8 y9.jpg",
    ),
    (
        "<img data-src><img data-src=''><img data-lazy=true data-bg=dark><img data-src='a_{width}x.jpg'>"
        "<img data-src='#/a'>"
        "<img data-src='{\"a\": \"/b\"}'><img data-src='a b/c.'>"
        "<p data-src=a/b><a data-src=a/c><svg><img data-src=a/d></svg>",
        "ya/d",
    ),
    # media and objects
    (
        "<video src=1 poster=2><source src=3><track src=4></video><audio src=5><source src=6 srcset=7></audio>",
        "v1 v2 v3 v4 v5 v6",
    ),
    ("<video><source src=1></video><video poster=2></video><source src=3>", "v1 v2"),
    ("<object data=1 codebase=2 classid=3></object><embed src=4><object></object>", "o1 o4"),
    (
        "<object><param name=Movie value=1><param name=src value=2><param name=quality value=3><param name=x value=4"
        " valuetype=REF><param name=url><param></object>",
        "o1 o2 o4",
    ),
    ("<bgsound src=1><applet code=2 archive=3></applet><layer src=4></layer>", "v1"),
    # frames
    ("<iframe src=1 longdesc=2></iframe><iframe longdesc=3></iframe><frameset longdesc=4>", "i1 D2 D3"),
    # scripts and styles
    (
        "<script src=1></script><script>'src=2'</script><script src></script><svg><script href=3></script></svg>",
        "S1 S3",
    ),
    ("<style>@import 'a'; @import url(b); p { background: url( 'c' ) }</style>", "ua ub uc"),
    (
        "<style>/* url(a) */ b { content: 'url(b)'; src: url(c\\29\\)x) } @namespace url(d); e { f: url(#m) }</style>",
        "uc))x",
    ),
    ('<style>a { b: url(x y); c: url("d\n); e: url(f }; g: my-url(h); i: URL(j)</style>', "uj"),
    ("<style>@import/**/\"a\";@importx 'b';@import 'c", "ua uc"),
    ("<style type=text/less>a{b:url(c)}</style><style type='TEXT/CSS'>a{b:url(d)}</style>", "ud"),
    ("<p style='background:url(&quot;a&quot;)'>x<a style='b:url(c)' href=d>", "ua ad uc"),
    ("<style>a { b: image-set('c' 1x, url(d) 2x, 'e' type('f')) } g { content: 'h' }</style>", "uc ud ue"),
    ("<p style='a: -webkit-image-set(&quot;b&quot; 1x)'><p style='a: my-image-set(&quot;b&quot; 1x)'>", "ub"),
    ("<svg><style>a{b:url(c)}</style><rect style='fill:url(#d);x:url(e)'/></svg>", "uc ue"),
    # locations
    (
        "<a href='javascript:location.href=\"1\"'><area href=\"JavaScript:window.open('2')\">",
        "ajavascript:location.href=\"1\" J1 mJavaScript:window.open('2') J2",
    ),
    (
        "<p onclick=\"location='1'\"><b onclick=\"window.location.href = '2';\">"
        "<i onclick=\"top.location.assign('3')\">",
        "J1 J2 J3",
    ),
    ("<b onclick=\"document.location.replace( '1' ); return false\"><b onclick=\"if(x){self.location='2'}\">", "J1 J2"),
    ("<b onclick=\"window.open('1','_blank')\"><b onclick=\"open('2')\"><b onclick=\"x.location='3'\">", "J1"),
    (
        '<b onclick="location=\'1\'+x"><b onclick="location=x"><b onclick="location==\'2\'"><b onclick="location=`3`">',
        "",
    ),
    ("<b onclick=\"alert('location=\\'1\\'')\"><b onclick=\"//location='2'\"><b onclick=\"/*\n*/location='3'\">", "J3"),
    ("<b onclick=\"var location='1'\"><b onclick=\"relocation='2'\"><b onclick=\"location.hash='3'\">", ""),
    ("<b onclick=\"location='a\\x2fb\\u0063\\/\\'d'\"><b onclick=\"location=''\">", "Ja/bc/'d"),
    ("<b onmouseover=\"location='1'\"><script>location='2'</script><b title=\"location='3'\">", ""),
    (
        "<a href=' java\tscript:location=%271%27'>x</a><a href='xjavascript:location=1'>",
        "a java\tscript:location=%271%27 J1 axjavascript:location=1",
    ),
    ("<a href=1 onclick=\"location='2'\">", "a1 J2"),
    # menus that lead to what is chosen
    (
        "<select onchange='location=this.value'><option value=1>a<option>b<option value=''>c<option value='#'>d"
        "<optgroup><option value='2?x&amp;y'>e</optgroup></select><a href=3>x</a>",
        "J1 J2?x&y a3",
    ),
    (
        "<select onchange='window.location.href = this.options[this.selectedIndex].value;'><option value=1></select>",
        "J1",
    ),
    ('<select onChange="if (this.value) top.location.assign(this.value)"><option value=1></select>', "J1"),
    ("<select onchange='window.open(this[selectedIndex].value)'><option value=1></select>", "J1"),
    ('<select onchange="location=form.go.options[form.go.selectedIndex].value"><option value=1></select>', "J1"),
    ("<select onchange=\"MM_jumpMenu('parent',this,0)\"><option value=1></select>", "J1"),
    ("<select onchange=\"location='/x?'+this.value\"><option value=1></select><select><option value=/2></select>", ""),
    ("<select onchange='this.form.submit()'><option value=/1></select><p onchange='location=this.value'>", ""),
    ('<select onchange="//location=this.value"><option value=1></select>', ""),
    # forms
    ("<form action=a><input type=hidden name=b value='c d~&amp;'><input type=submit></form>", "Ga?b=c+d%7E%26"),
    ("<form action='a?x=1#y'><button>go</button></form>", "Ga?"),
    ("<form><button name=b value=c>go</button></form>", "Ghttp://example.com/dir/page.html?b=c"),
    (
        "<form action=a><input type=hidden name=a value=1><button name=b value=2>x<button name=c value=3>y</form>",
        "Ga?a=1&b=2",
    ),
    ("<form action=a><input type=image name=i src=p></form>", "Ga?i.x=0&i.y=0 gp"),
    ("<form action=a><button formaction=b></button><button></button></form>", "Gb?"),
    ("<form action=a method=post><button></form><form action=b method=dialog><button></form>", ""),
    ("<form action=a><button formmethod=post></form><form method=get action=b><button type=button></form>", ""),
    ("<form action=a><input><button></form><form action=a><input type=checkbox><button></form>", ""),
    ("<form action=a><select></select><button></form><form action=a><textarea></textarea><button></form>", ""),
    (
        "<form action=a><input disabled name=x><input type=hidden disabled name=y><button disabled>"
        "</button><button></form>",
        "Ga?",
    ),
    ("<form action=a id=f><button></button></form><input form=f>", ""),
    ("<form action=a><input type=hidden name=b><button form>x</form><button form name=c>y</button>", ""),
    ("<form action=a><button></button></form><input type=hidden name=b form>", "Ga?"),
    ("<form action=a id=f><input form=g></form><button form=f name=x value=y></button>", "Ga?x=y"),
    ("<form action=a id=f><button name=x value=y></button></form><input type=hidden form=f name=z>", "Ga?x=y&z="),
    (
        "<form action=a><input type=hidden name=_charset_ value=x><input type=submit name=s></form>",
        "Ga?_charset_=UTF-8&s=Submit",
    ),
    ("<form action=a><input type=hidden value=x></form>", ""),  # nothing to press
    (
        "<form action=a><svg><button></button><input></svg></form><form action=b><svg><input></svg><button></form>",
        "Gb?",
    ),
    # JSON-LD
    (
        '<script type="application/ld+json">{"@context":"https://schema.org","url":"http:\\/\\/a.test/","b":[{"@id":'
        '"https://b.test/#x"},"http://c.test/ x","/d"],"sameAs":["http://e.test","http://schema.org/T"]}</script>',
        "jhttp://a.test/ jhttps://b.test/#x jhttp://e.test",
    ),
    ('<script type="application/ld+json">{"url":"http://a.test/",}</script><script>"http://b.test"</script>', ""),
    (
        '<script type="application/ld+json">"http://a.test/{x}"</script><script type="application/ld+json">'
        + "[" * 5000,
        "",
    ),
    # text
    (
        "<p>see http://a.test/x_(y), (or https://b.test/). <a href=1>http://c.test</a> <pre>HTTP://d.test/&lt;</pre>"
        "<!-- http://e.test --><script>http://f.test</script><textarea>http://g.test</textarea><b title=http://h.test>",
        "a1 Thttp://a.test/x_(y) Thttps://b.test/ THTTP://d.test/",
    ),
    # none of them
    ("<!-- <img src=1><link rel=next href=2> --><template><img src=3><form action=4><button></template>", ""),
    (
        "<div background=1><blockquote cite=2><del cite=3><a ping=4><html manifest=5><head profile=6>"
        "<div src=7 href=8><img usemap=9><q cite=10><div longdesc=11><meta name=msapplication-TileImage content=12>",
        "",
    ),
    # fields that could be left as they are: what a form brings is the reader's choice
    ("<form action=a><input name=q value=x><button></form>", ""),
    ("<form action=a><select name=s><option value=/1 selected></select><button></form>", ""),
    ("<form action=a><input type=checkbox name=c checked><button></form>", ""),
    (
        "<svg><link rel=next href=1 /><form action=2><iframe src=3></iframe><video src=4></video><area href=5>"
        "<param name=src value=6><select onchange='location=this.value'><option value=7></select></svg>",
        "",
    ),
]


@pytest.mark.parametrize("parser", TREES)
@pytest.mark.parametrize(("html", "expected"), CASES)
def test_links(html: str, expected: str, parser: str) -> None:
    page = extract(html.encode(), URL, parser, Wanted(kinds=EVERY, landmarks=True, anchors=True))
    assert page.parser == parser
    assert " ".join(kind + href for kind, href in zip(page.kinds.decode(), page.hrefs, strict=True)) == expected
    assert len(page.landmarks) == len(page.anchors) == len(page.nofollow) == len(page.hrefs)


#: The tags and attributes that GNU Wget 1.x looks at, and the kind that each is here; "": it is none.
WGET = {
    **{("a", "href"): "a", ("area", "href"): "m", ("frame", "src"): "f", ("iframe", "src"): "i"},
    **{("body", "background"): "g", ("td", "background"): "g", ("th", "background"): "g", ("table", "background"): "g"},
    **{("img", "src"): "g", ("img", "lowsrc"): "g", ("input", "src"): "g", ("script", "src"): "S"},
    **{("bgsound", "src"): "v", ("video", "src"): "v", ("video", "poster"): "v", ("audio", "src"): "v"},
    **{("source", "src"): "v", ("embed", "src"): "o", ("object", "data"): "o"},
    # of Netscape 4 and of HTML 3.0, of which no browser is left; and what never was
    **dict.fromkeys([("applet", "code"), ("fig", "src"), ("layer", "src"), ("overlay", "src")], ""),
    **dict.fromkeys([("embed", "href"), ("img", "href"), ("audio", "poster")], ""),
}


@pytest.mark.parametrize("parser", TREES)
@pytest.mark.parametrize(("tag", "attribute"), WGET)
def test_what_another_crawler_finds(tag: str, attribute: str, parser: str) -> None:
    around = {"td": "<table><tr>", "th": "<table><tr>", "source": "<video>"}.get(tag, "")
    page = extract(f"{around}<{tag} type=image {attribute}=x>".encode(), URL, parser, Wanted(kinds=EVERY))
    assert page.kinds.decode() == WGET[tag, attribute]


@pytest.mark.parametrize("parser", TREES)
@pytest.mark.parametrize("kind", one_in(2, KINDS), ids=lambda kind: kind.name)
def test_only_what_is_wanted_is_looked_for(kind: object, parser: str) -> None:
    letter = ord(kind.letter)  # type: ignore[attr-defined]
    for html, _ in CASES:
        every = extract(html.encode(), URL, parser, Wanted(kinds=EVERY))
        alone = extract(html.encode(), URL, parser, Wanted(kinds=frozenset((letter,))))
        assert alone.hrefs == [href for href, each in zip(every.hrefs, every.kinds, strict=True) if each == letter]


# page, "part text" of each link of kind a, area, image, link and iframe
PLACES = [
    (
        "<a href=1> one\n two </a><area href=2 alt='the  area'><img src=3 alt=pic><iframe src=4 title=frame>",
        "-one two|-the area|-pic|-frame",
    ),
    ("<a href=1><img alt=home> <img alt=page></a><a href=2><img alt=no>text</a><a href=3></a>", "-home page|-text|-"),
    (
        "<a href=1><script>x</script>go<style>y</style></a><a href=2><svg><style>z</style><title>t</title></svg></a>",
        "-go|-t",
    ),
    ("<a href=1>" + "x" * 300 + "</a>", "-" + "x" * 200),
    ("<a href=1>a<!-- b --> c</a>", "-a c"),
    ("<nav><a href=1>x</a><main><a href=2>y</a></main><a href=3>z</a></nav><a href=4>w</a>", "nx|my|nz|-w"),
    ("<header><a href=1>a</a><nav><a href=2>b</a></nav></header><footer><a href=3>c</a></footer>", "ha|nb|fc"),
    (
        "<article><header><a href=1>a</a></header><aside><a href=2>b</a></aside><footer><a href=3>c</a>"
        "</footer></article>",
        "ma|ab|mc",
    ),
    ("<section><header><a href=1>a</a></header></section><section role=banner><a href=2>b</a></section>", "-a|hb"),
    (
        "<div role=navigation><a href=1>a</a><p role='x Main'><a href=2>b</a></p></div><p role=button>"
        "<a href=3>c</a></p>",
        "na|mb|-c",
    ),
    ("<div role=contentinfo><a href=1>a</a></div><div role=complementary><a href=2>b</a></div>", "fa|ab"),
    ("<nav role=none><a href=1>a</a></nav><svg><nav><a href=2>b</a></nav></svg>", "na|-b"),
    ("<head><link rel=next href=1 title='next page'><body><main><link rel=next href=2>", "-next page|m"),
    (
        "<main><form action=1><button> press <b>me</b></button></form><form action=2>"
        "<input type=submit value=go></form>",
        "mpress me|mgo",
    ),
    ("<aside><b onclick=\"location='1'\">jump</b><a href=\"javascript:location='2'\">leap</a>", "ajump|aleap|aleap"),
    ("<a href=1>1<table><tr><td><a href=2>2<table><tr><td><a href=3>3</table></table>", "-123|-23|-3"),
]


@pytest.mark.parametrize("parser", TREES)
@pytest.mark.parametrize(("html", "expected"), PLACES)
def test_parts_and_anchors(html: str, expected: str, parser: str) -> None:
    page = extract(html.encode(), URL, parser, Wanted(landmarks=True, anchors=True))
    assert "|".join(part + text for part, text in zip(page.landmarks.decode(), page.anchors, strict=True)) == expected


@pytest.mark.parametrize("parser", TREES)
def test_links_in_links_in_links(parser: str) -> None:
    html = "".join(f"<a href={n}>{n}<table><tr><td>" for n in range(9)).encode()
    page = extract(html, URL, parser, Wanted(anchors=True))
    assert page.anchors == ("012345678", "12345678", "2345678", "345678", "", "", "", "", "")


@pytest.mark.parametrize("parser", TREES)
def test_regions_of_every_kind(parser: str) -> None:
    html = "<link rel=next href=1>[<img src=2><form action=3><button></form>"
    html += "<p style='a:url(4)' onclick=\"location='5'\">]<img src=6>"
    marked = html.replace("[", "<!--C-->").replace("]", "<!--/C-->").encode()
    page = extract(marked, URL, parser, Wanted(markers=(b"<!--C-->", b"<!--/C-->")))
    assert (page.kinds, page.regions) == (b"ngGuJg", b"ecccce")


@pytest.mark.parametrize("parser", TREES)
def test_nofollow(parser: str) -> None:
    html = b"<a rel=nofollow href=1 onclick=\"location='2'\"><area href=3 rel='x NoFollow'>"
    html += b"<img src=4 rel=nofollow><a href=5>"
    page = extract(html, URL, parser, Wanted())
    assert (page.kinds, page.nofollow) == (b"aJmga", b"\1\1\1\0\0")


def test_the_tree_is_handed_on() -> None:
    assert (tree := extract(b"<title>x", URL).tree) is not None and tree.css_first("title").text() == "x"
    assert extract(b"<title>x", URL, "html5lib").tree is None


@pytest.mark.parametrize("parser", TREES)
def test_where_only_followed_links_are_wanted(parser: str) -> None:
    """Names of attributes in any case; without landmarks and anchor texts a plain link is read in another way."""
    page = (
        "<a href=1>x</a><a HREF=2 REL=nofollow>x</a><img src=3 LongDesc=4><p ONCLICK=\"location='5'\">"
        "<a href=' JavaScript:location=\"6\"'>x</a><a href>x</a><a name=7>x</a><a href=8 onClick=\"location='9'\">x</a>"
    )
    wanted = Wanted(kinds=frozenset(map(ord, "aDJ")))
    links = extract(page.encode(), URL, parser, wanted)
    assert links.hrefs == ["1", "2", "4", "5", ' JavaScript:location="6"', "6", "", "8", "9"]
    assert (links.kinds, links.nofollow) == (b"aaDJaJaaJ", bytes((0, 1, 0, 0, 0, 0, 0, 0, 0)))
    assert (links.landmarks, links.anchors, links.error) == (b"", (), "")
