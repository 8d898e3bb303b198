"""The nesting depth of elements, computed from the tags alone: an upper estimate of the stack of open elements.

It applies the rules of the HTML standard (13.2.6) that make the stack shorter. If a rule depends on more than the
stack, no element is closed. So the estimate may be too large for pages with errors, but is hardly ever too small.
"""

from __future__ import annotations

from collections import Counter

VOID = frozenset(b"area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr"
                 b" image html head body".split())  # fmt: skip
FORMATTING = frozenset(b"a b big code em font i nobr s small strike strong tt u".split())
_P, _BUTTON = frozenset((b"p",)), frozenset((b"button",))
_HEADINGS = frozenset((b"h1", b"h2", b"h3", b"h4", b"h5", b"h6"))
#: Their start tags end an open <p>; the start tag of <table> does so only outside quirks mode.
_ENDS_P = _HEADINGS | frozenset(
    b"address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header hgroup"
    b" main menu nav ol p search section summary ul pre listing form li dd dt plaintext hr xmp".split()
)
#: Start tag -> open elements that it ends, at any depth inside the row or cell.
_TABLE = {
    **dict.fromkeys((b"td", b"th"), frozenset((b"td", b"th"))),
    b"tr": frozenset((b"td", b"th", b"tr")),
    **dict.fromkeys((b"tbody", b"thead", b"tfoot"), frozenset(b"td th tr tbody thead tfoot".split())),
}
_ITEMS = {
    b"li": frozenset((b"li",)),
    **dict.fromkeys((b"dd", b"dt"), frozenset((b"dd", b"dt"))),
}
_OPTIONS = frozenset((b"option", b"optgroup"))
_SCOPE = frozenset(b"applet caption table td th marquee object template select frameset foreignobject desc title mi mo"
                   b" mn ms mtext annotation-xml".split())  # fmt: skip
_BUTTON_SCOPE = _SCOPE | {b"button"}
_TABLE_SCOPE = frozenset((b"table", b"template", b"frameset"))
_OF_TABLES = frozenset(b"table td th tr tbody thead tfoot caption".split())
#: Formatting elements inside these end with them (13.2.4.3, markers).
_MARKERS = frozenset(b"applet caption marquee object td th template".split())
#: Before these, formatting elements are not reopened.
_BLOCKS = (_ENDS_P - {b"hr", b"xmp"}) | _OF_TABLES
_RUBY = frozenset((b"rb", b"rt", b"rp", b"rtc"))
_IMPLIED = _RUBY | frozenset((b"dd", b"dt", b"li", b"option", b"optgroup", b"p"))
#: Represents an element that may already be closed.
_DOUBTFUL = b""
_SPECIAL = (_ENDS_P | _SCOPE | _OF_TABLES | frozenset(b"button frameset iframe noscript colgroup svg math".split())) - {
    b"dialog",
    b"desc",
    b"svg",
    b"math",
}
_NOT_FOR_ITEMS = _SPECIAL - {b"address", b"div", b"p"}
_FOREIGN = frozenset((b"svg", b"math"))
_HTML_INSIDE = frozenset(b"foreignobject desc title mi mo mn ms mtext annotation-xml".split())
#: Start tags that end svg and math (13.2.6.5).
_BREAKOUT = _HEADINGS | frozenset(
    b"b big blockquote body br center code dd div dl dt em embed head hr i img li listing menu meta nobr ol p pre ruby"
    b" s small span strong strike sub sup table tt u ul var font".split()
)

#: Maximum copies of formatting elements, and maximum open elements visited, per page.
COPIES, LOOKS = 500_000, 3_000_000
#: Maximum copies of equal formatting elements ("Noah's Ark", 13.2.4.3).
_ALIKE = 3


class TooDeep(Exception):
    """The page must not be parsed."""


class Nesting:
    """`deepest`: a greater depth raises TooDeep."""

    def __init__(self, deepest: int) -> None:
        self._deepest = deepest
        self._stack: list[tuple[bytes, bytes]] = []  # name, attributes of formatting elements
        self._open: Counter[bytes] = Counter()
        self._inside: list[bool] = []  # whether its content is svg or math
        self._lost: list[tuple[bytes, bytes]] = []  # formatting elements to reopen, the innermost first
        self._forms_in_forms = False  # if so, it is unknown which form an end tag closes
        self._copies, self._looks = 0, 0

    @property
    def foreign(self) -> bool:
        """Whether the next tag belongs to svg or math, unless it ends them."""
        return bool(self._inside) and self._inside[-1]

    def text(self) -> None:
        """Handle text: formatting elements without their own end tags are reopened (13.2.4.3)."""
        if not self._lost:
            return
        alike: Counter[tuple[bytes, bytes]] = Counter()
        formatting = []
        for each in self._lost:
            alike[each] += 1
            if alike[each] <= _ALIKE:
                formatting.append(each)
        self._lost.clear()
        self._copies += len(formatting)
        if self._copies > COPIES:
            raise TooDeep("too many formatting elements that no end tag ends")
        for name, attributes in reversed(formatting):
            self._push(name, attributes)

    def start(self, name: bytes, attributes: bytes, *, closed: bool) -> None:
        """`closed`: the tag ends with "/>", which has a meaning in svg and math only."""
        if self.foreign:
            if name not in _BREAKOUT:
                if not closed:
                    self._push(name, b"", inside=name not in _HTML_INSIDE)
                return
            while self.foreign:
                self._pop()
        if name in _TABLE and not (self._open[b"table"] or self._open[b"template"]):
            return  # outside tables these tags create no elements (13.2.6.4.7), so their end tags end none
        self._make_room(name)
        if self._lost and name not in _BLOCKS:
            self.text()
        if name not in VOID:
            self._push(name, attributes if name in FORMATTING else b"", inside=name in _FOREIGN)

    def _make_room(self, name: bytes) -> None:
        """End the elements that the start tag of an HTML element ends."""
        stack = self._stack
        if name in _ENDS_P:
            if self._open[b"p"]:
                self._close(_P, _BUTTON_SCOPE)
            if name in _ITEMS:
                self._close(_ITEMS[name], _NOT_FOR_ITEMS)
            elif name in _HEADINGS and stack and stack[-1][0] in _HEADINGS:
                self._pop()
            elif name == b"form":
                self._forms_in_forms = self._forms_in_forms or self._open[name] > 0
        elif name in _TABLE:
            while self._close(_TABLE[name], _TABLE_SCOPE):
                pass
        elif name == b"table" and self._open[b"p"]:
            self._doubt(self._find(_P, _BUTTON_SCOPE))  # quirks mode decides
        elif name in _OPTIONS:
            if stack and stack[-1][0] == b"option":
                self._pop()
            if name == b"optgroup" and self._open[b"select"] and stack[-1][0] == name:
                self._pop()
        elif name in (b"a", b"nobr"):
            self._end_formatting(name)
        elif name == b"button":
            self._close(_BUTTON, _SCOPE)
        elif name in _RUBY and self._find(frozenset((b"ruby",)), _SCOPE) >= 0:
            while stack[-1][0] in _IMPLIED:
                self._pop()

    def end(self, name: bytes) -> None:
        if not self._open[name] and not (self._lost and name in FORMATTING):
            return
        if self._stack and self._stack[-1][0] == name and not self._lost and not self._forms_in_forms:
            self._pop()
        elif name in FORMATTING:
            self._end_formatting(name)
        elif name == b"form":
            return  # its content stays open
        elif name in _OF_TABLES:
            self._close(frozenset((name,)), _TABLE_SCOPE - {name})
        elif name in _HEADINGS:
            self._close(_HEADINGS, _SCOPE)
        elif name in _SPECIAL:
            self._close(frozenset((name,)), (_BUTTON_SCOPE if name == b"p" else _SCOPE) - {name})
        else:
            self._close(frozenset((name,)), _SPECIAL)

    # -- the stack ------------------------------------------------------------------------------------------------

    def _push(self, name: bytes, attributes: bytes, *, inside: bool = False) -> None:
        self._stack.append((name, attributes))
        self._open[name] += 1
        self._inside.append(inside)
        if len(self._stack) > self._deepest:
            raise TooDeep(f"elements are nested more than {self._deepest} deep")

    def _pop(self) -> tuple[bytes, bytes]:
        self._inside.pop()
        name, attributes = self._stack.pop()
        self._open[name] -= 1
        return name, attributes

    def _doubt(self, index: int) -> None:
        if index >= 0:
            self._open[self._stack[index][0]] -= 1
            self._stack[index] = (_DOUBTFUL, b"")

    def _close(self, names: frozenset[bytes], stops: frozenset[bytes]) -> bool:
        """End the innermost element with one of these names and its content, unless an element in `stops` is in
        between."""
        index = self._find(names, stops)
        if index < 0:
            return False
        lost: list[tuple[bytes, bytes]] = []
        while len(self._stack) > index:
            name, attributes = self._pop()
            if name in _MARKERS:
                lost.clear()
            elif name in FORMATTING:
                lost.append((name, attributes))
        self._lost += lost
        return True

    def _find(self, names: frozenset[bytes], stops: frozenset[bytes]) -> int:
        """The index of an element in the stack, -1 if there is none in this scope."""
        if not any(self._open[name] for name in names):
            return -1
        stack = self._stack
        for index in range(len(stack) - 1, -1, -1):
            name = stack[index][0]
            if name in names:
                self._look(len(stack) - index)
                return index
            if name in stops:
                self._look(len(stack) - index)
                return -1
        self._look(len(stack))
        return -1

    def _look(self, looks: int) -> None:
        self._looks += looks
        if self._looks > LOOKS:
            raise TooDeep("too many tags in nested elements")

    def _end_formatting(self, name: bytes) -> None:
        """The adoption agency (13.2.6.4.7): blocks inside the element stay open."""
        for index, each in enumerate(self._lost):
            if each[0] == name:
                self._look(index)
                del self._lost[index]
                return
        self._look(len(self._lost))
        if not self._open[name]:
            return
        if self._stack[-1][0] == name:
            self._pop()
            return
        index = self._find(frozenset((name,)), _SCOPE)
        if index < 0:
            return
        if any(each in _SPECIAL for each, _ in self._stack[index + 1 :]):
            del self._stack[index], self._inside[index]
            self._open[name] -= 1
            return
        inner = [self._pop() for _ in range(len(self._stack) - index)][:-1]
        self._lost += [each for each in inner if each[0] in FORMATTING]
