"""URLs in styles: which there are, and others in their place."""

import pytest

from ttcrawl.parse.links.css import MANY, urls, with_urls

CASES = [
    (r"b { background: url( c\29 .png ) }", ["c).png"], r'b { background: url("C).PNG") }'),
    (r"b { background: url(c\000029.png) }", ["c).png"], r'b { background: url("C).PNG") }'),
    ("@import/**/'a' screen; @import url(b);", ["a", "b"], '@import "A" screen; @import url("B");'),
    ("b { c: url(\"data:image/svg+xml,<svg a='\\\\'>\") }", ["data:image/svg+xml,<svg a='\\'>"], None),
    (
        "b { c: image-set('x' 1x type('y'), url(z) 2x) }",
        ["x", "z"],
        'b { c: image-set("X" 1x type(\'y\'), url("Z") 2x) }',
    ),
    ("b { c: url(#d) } /* url(e) */ f { g: 'url(h)' }", [], "b { c: url(\"#d\") }   f { g: 'url(h)' }"),
    ("@namespace url(a); b { c: xurl(d); e: url() }", [], "@namespace url(a); b { c: xurl(d); e: url() }"),
    (
        "@media (1px<=width<calc(2px)) {} b { c: '</style>' }",
        [],
        r"@media (1px<=width< calc(2px)) {} b { c: '\3c /style>' }",
    ),
    ("b { c: url(d", ["d"], 'b { c: url("D")'),
    ("b { c: 'd", [], "b { c: 'd"),
]


@pytest.mark.parametrize(("css", "references", "changed"), CASES)
def test_urls(css, references, changed):
    assert urls(css) == references
    assert with_urls(css, str.upper) == changed if changed else "<" not in with_urls(css, str)


def test_a_style_ends_after_many_urls():
    assert with_urls("a{b:url(c)}" * 2 * MANY, str).count("url(") == MANY + 1


@pytest.mark.parametrize("css", [case[0] for case in CASES])
def test_what_was_changed_has_the_same_urls(css):
    assert urls(with_urls(css, str)) == urls(css)
