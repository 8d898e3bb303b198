"""Pages that would take a parser minutes, and the depth of any tree."""

from collections.abc import Callable

from selectolax.lexbor import LexborHTMLParser

from ttcrawl.parse.links.weight import ATTRIBUTES, DEEPEST

DEPTH = f"elements are nested more than {DEEPEST} deep"
MANY = f"more than {ATTRIBUTES:,} attributes in one element"
COPIES = "too many formatting elements that no end tag ends"
FORMATTING = ("b", "i", "u", "s", "em", "tt", "big", "code", "font", "small", "strong", "strike")

NESTED = (
    *("<div>", "<div><form>", "<nav>x", "<ul><li>", "<ol>", "<dl><dt>", "<rb>", "<rt>", "<pre>", "<section>"),
    *("<blockquote>", "<menu>", "<center>", "<optgroup>", "<dialog>", "<details>", "<main>", "<fieldset>"),
    *("<div>x<p>y", "<b></p>", "<b></i>", "<i><b>", "<b a=1><i>", "<a><b>", "<b><div></b>", "<a><div></a>"),
    *("<span><b>", "<x>", "<table><tr><td>", "<a href=x><table><tr><td>", "<table><b>", "<svg>"),
    *("<svg><desc><b>", "<math><mi>", "<template>", "<select><b>", "<button><p><b>", "<object>", "<ul><li><b>"),
    *("<div/>", "<DIV>", "<div title='>'>", '<div ="x>', "<!--><div>", "<!-- <a b='--><div>"),
    *("<script></script><div>", "<script><a b='</script><div>", "<svg><style><div>", "<title></title><div>"),
    *("<svg/><div>", "<li><section>", "<form><div></form>", "<div></p>", "<table></div><div>"),
)
#: Page of about so many bytes -> why no tree is made of it.
HEAVY: dict[str, tuple[Callable[[int], str], str]] = {
    **{piece: (lambda n, piece=piece: piece * (n // len(piece)), DEPTH) for piece in (*NESTED, "<td><b>x</td>")},
    "attributes": (lambda n: "<a " + "".join(f"a{i} " for i in range(n // 8)) + "href=x>", MANY),
    "attributes with values": (lambda n: "<p " + "".join(f"a{i}='>' " for i in range(n // 12)) + ">", MANY),
    "attributes with tags": (lambda n: "<p " + "".join(f'a{i}=\n"<b>"' for i in range(n // 14)) + ">", MANY),
    "attributes of an end tag": (lambda n: "</a " + "".join(f"a{i} " for i in range(n // 8)) + ">", MANY),
    "attributes without an end": (lambda n: "<p " + "".join(f"a{i}/" for i in range(n // 8)), MANY),
    "attributes behind a comment": (lambda n: "<!-- <a b='--><p " + "".join(f"a{i} " for i in range(n // 8)), MANY),
    "attributes behind a script": (
        lambda n: "<script>'<a b=\"'</script><p " + "".join(f"a{i} " for i in range(n // 8)),
        MANY,
    ),
    "attributes of many bodies": (lambda n: "".join(f"<body a{i}>" for i in range(n // 14)), MANY),
    "distinct formatting": (lambda n: "".join(f"<b a={i}>" for i in range(n // 12)), DEPTH),
    "copies": (lambda n: "<p>" + "".join(f"<b a={i}>" for i in range(300)) + "</p>" + "<p>x" * (n // 4), COPIES),
    "copies of all": (lambda n: "<p>" + "".join(f"<{t}>" * 3 for t in FORMATTING) + "</p>" + "<p>x" * (n // 4), COPIES),
    "spans, then ends": (lambda n: "<p>" + "<span>" * (n // 16) + "</p><p>" * (n // 16), DEPTH),
}


def depth(html: bytes) -> int:
    """Of lexbor's tree: the most ancestors of any node."""
    most = 0
    root = LexborHTMLParser(html).root
    for node in root.traverse() if root is not None else ():
        at, deep = node, 0
        while at.parent is not None:
            at, deep = at.parent, deep + 1
        most = max(most, deep)
    return most
