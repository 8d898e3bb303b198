"""Which elements of a page have functions for a mouse or a keyboard, as the browser knows them."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field

from playwright.sync_api import Error

from ttcrawl.browser.world import World

#: The events that a person makes with a mouse and a keyboard (UI Events, Pointer Events).
KINDS = frozenset(("click", "dblclick", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "touchend"))
KINDS |= {"focus", "focusin", "keydown", "keyup", "keypress", "mouseover", "mouseenter", "mouseout", "mouseleave"}
KINDS |= {"mousemove", "pointerover", "pointerenter", "pointerout", "pointerleave"}

#: A root in which a framework handles the events of all elements has functions for more kinds than this.
ROOT = 12

#: Maximum elements of a page whose functions are looked at: each takes 2 ms.
MOST = 300

#: The functions that React (onClick of the properties it keeps with an element) and Svelte (__click) call from the root
#: of an application. Returns [the position in the document, the kinds] of each element that has some.
DELEGATED = r"""(() => {
  const found = [], all = Document.prototype.querySelectorAll.call(document, "*");
  for (let position = 0; position < all.length; position++) {
    const element = all[position], kinds = [];
    for (const key of Object.keys(element)) {
      if (key.startsWith("__reactProps$")) {
        for (const name in element[key]) if (/^on[A-Z]/.test(name) && typeof element[key][name] === "function")
          kinds.push(name.slice(2).toLowerCase().replace("doubleclick", "dblclick"));
      } else if (/^__[a-z]+$/.test(key) && typeof element[key] === "function") kinds.push(key.slice(2));
    }
    if (kinds.length) found.push([position, kinds]);
  }
  return found;
})()"""


@dataclass(slots=True)
class Handlers:
    """The functions of one document, which is asked again after each change."""

    world: World
    _nodes: dict[int, str] = field(default_factory=dict)  # number of an element -> its object in our world

    def find(self) -> tuple[list[tuple[int, list[str]]], list[list[str]], list[str]]:
        """Return (position in the document, kinds) where a framework calls the functions; for all others the kinds of
        each, and the elements as objects in our world. Raises Error if the document has ended.
        """
        kinds = dict[int, set[str]]()
        for number, kind in self.world.listeners():
            if kind in KINDS:
                kinds.setdefault(number, set()).add(kind)
        chosen = {number: some for number, some in kinds.items() if len(some) <= ROOT}
        for number in chosen:
            if number not in self._nodes and len(self._nodes) < MOST:
                with contextlib.suppress(Error):  # it has gone
                    self._nodes[number] = self.world.node(number)
        elements = [number for number in chosen if number in self._nodes]
        return self._delegated(), [sorted(kinds[each]) for each in elements], [self._nodes[each] for each in elements]

    def _delegated(self) -> list[tuple[int, list[str]]]:
        """The page may have changed what its own world says: only what has the right form is taken."""
        answer, found = self.world.evaluate(DELEGATED), list[tuple[int, list[str]]]()
        for each in answer if isinstance(answer, list) else ():
            match each:
                case [int(position), [*names]]:
                    found.append((position, [name for name in names if isinstance(name, str) and name in KINDS]))
        return [(position, names) for position, names in found if names]
