"""A world for our scripts in a page: they share the document with the page, and no object or function."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import BrowserContext, Error, Page

from ttcrawl.browser.window_scripts import DUE

#: The type of shadow roots that scripts of a page cannot reach from outside (DOM standard, 4.8).
CLOSED = "closed"


class World:
    """An isolated world of the main frame; it ends with its document."""

    def __init__(self, context: BrowserContext, page: Page) -> None:
        self._session = context.new_cdp_session(page)
        frame = self._session.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
        self._context = self._session.send("Page.createIsolatedWorld", {"frameId": frame})["executionContextId"]

    def windows(self) -> list[str]:
        """Return a list that gets the URL of each window that scripts open from now on."""
        urls: list[str] = []
        self._session.on("Page.windowOpen", lambda event: urls.append(event["url"]))
        self._session.send("Page.enable")
        return urls

    def wait(self, seconds: float, timers: int) -> None:
        """Return after timers of the page's own thread, one after the other: each is as late as its scripts are.

        Raises Error if the document ends before.
        """
        timer = f"await new Promise(done => setTimeout(done, {1000 * seconds}))"
        waiting = f"(async () => {{ for (let left = {timers}; left > 0; left--) {timer} }})()"
        asked = {"contextId": self._context, "expression": waiting, "awaitPromise": True}
        self._session.send("Runtime.evaluate", asked)

    def due(self, seconds: float) -> float:
        """Return the seconds until the last timer of the page's scripts that ends within some seconds; 0: none does.

        0, too, if the document has ended.
        """
        with contextlib.suppress(Error):
            value = self.evaluate(DUE % seconds)
            return float(value) if isinstance(value, int | float) else 0.0  # the page may have changed it
        return 0.0

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression in the world of the page, which may answer what it likes."""
        answer = self._session.send("Runtime.evaluate", {"expression": expression, "returnByValue": True})
        return answer["result"].get("value")

    def listeners(self) -> list[tuple[int, str]]:
        """Return (number of the node, type of its event) of all functions that the nodes of the document have."""
        asked = {"expression": "document", "contextId": self._context}
        document = self._session.send("Runtime.evaluate", asked)["result"]["objectId"]
        asked = {"objectId": document, "depth": -1, "pierce": True}
        listeners = self._session.send("DOMDebugger.getEventListeners", asked)["listeners"]
        return [(each["backendNodeId"], each["type"]) for each in listeners if "backendNodeId" in each]

    def node(self, number: int) -> str:
        """Return a node as an object in our world. Raises Error if it has gone."""
        asked = {"backendNodeId": number, "executionContextId": self._context}
        object_id: str = self._session.send("DOM.resolveNode", asked)["object"]["objectId"]
        return object_id

    def call(self, function: str, *values: object) -> Any:
        """Call a function with values, as a user who clicks: it may open a window.

        Raises Error if it does not return.
        """
        return self._call(function, [{"value": each} for each in values])

    def call_with_nodes(self, function: str, nodes: list[str], *values: object) -> Any:
        """Call a function with values, then nodes. Raises Error if it does not return."""
        arguments: list[dict[str, object]] = [{"value": each} for each in values]
        return self._call(function, arguments + [{"objectId": each} for each in nodes])

    def call_with_closed_roots(self, function: str, *values: object) -> Any:
        """Call a function with all closed shadow roots of the document, then values.

        Raises Error if it does not return.
        """
        tree = self._session.send("DOM.getDocument", {"depth": -1, "pierce": True})["root"]
        arguments: list[dict[str, object]] = []
        for node in _closed_roots(tree):
            arguments.append({"objectId": self.node(node["backendNodeId"])})
        self._session.send("DOM.disable")
        return self._call(function, arguments + [{"value": each} for each in values])

    def _call(self, function: str, arguments: list[dict[str, object]]) -> Any:
        asked = {
            "executionContextId": self._context,
            "functionDeclaration": function,
            "arguments": arguments,
            "returnByValue": True,
            "awaitPromise": True,
            "userGesture": True,
        }
        answer = self._session.send("Runtime.callFunctionOn", asked)
        if "exceptionDetails" in answer:
            raise Error(str(answer["exceptionDetails"].get("text", "")))
        return answer["result"].get("value")


def _closed_roots(tree: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The closed shadow roots of the main document, from a tree of DOM.getDocument."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        for root in node.get("shadowRoots", ()):
            if root["shadowRootType"] == CLOSED:
                yield root
        waiting += [*node.get("shadowRoots", ()), *node.get("children", ())]
