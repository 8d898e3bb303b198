"""Our scripts that click, in a world of their own. Their state is the object `ttcrawlClicks` of that world."""

#: Begins to click; the document is watched already (ttcrawl.browser.document_scripts.WATCH).
BEGIN = r"""() => {
  const watched = globalThis.ttcrawlWatched;
  watched.click();
  globalThis.ttcrawlClicks = {
    all: watched.all, text: watched.text,
    done: new WeakSet(), known: new WeakSet(), keys: new Set(), again: new Set(), offered: [],
  };
}"""

#: What can have a function of its own for a mouse, and is not a link, field or choice.
_CLICKABLE = """button, summary, input[type=button], a:not([href]), a[href^='#'], a[href^='javascript:' i], [onclick],
  [role=button], [role=tab], [role=menuitem], [role=treeitem], [role=link], [aria-expanded], [aria-haspopup],
  [aria-controls], [data-toggle], [data-bs-toggle], [data-href], [data-url], [tabindex]"""

#: Returns the elements that may be clicked, in the order of the document: [what it shows, its names] of each. Those
#: whose last click brought something new come last, to be clicked again.
OFFERED = (
    r"""() => {
  const clicks = globalThis.ttcrawlClicks, selector = `"""
    + _CLICKABLE
    + r"""`;
  const pointer = (element) => getComputedStyle(element).cursor === "pointer" &&
    !(element.parentElement && getComputedStyle(element.parentElement).cursor === "pointer");
  const named = (fragment) => {
    try { return document.getElementById(decodeURIComponent(fragment)); } catch { return null; } // "#50%"
  };
  const link = (element) => {
    const anchor = element.closest("a[href], area[href]"), href = anchor && anchor.getAttribute("href");
    if (!anchor || /^javascript:/i.test(href)) return false;
    if (!href.startsWith("#")) return true;
    // a part of this document; others are routes of scripts
    return href.length > 1 && !anchor.matches("[role], [data-toggle], [data-bs-toggle], [aria-controls]") &&
      !!named(href.slice(1));
  };
  const on = (element, name) => /^(true|page|step|mixed)$/.test(element.getAttribute(name) || "");
  const refused = (element) => link(element) || element.disabled || on(element, "aria-disabled") ||
    (element.form && /^(submit|reset|image)$/.test(element.type)) || element.isContentEditable ||
    element.closest("label, select, textarea, video, audio, [aria-disabled=true]") ||
    (element.matches("input") && element.type !== "button") || element.matches("[lang], [hreflang], [download]") ||
    /^(switch|checkbox|radio|option|slider|menuitemradio|menuitemcheckbox)$/.test(element.getAttribute("role")) ||
    ["expanded", "selected", "pressed", "current"].some((name) => on(element, "aria-" + name)) ||
    element.matches("details[open] > summary, body, html") ||
    !element.checkVisibility({ visibilityProperty: true });
  const counts = new Map(), first = [], again = [];
  for (const root of clicks.all()) for (const element of root.querySelectorAll("*")) {
    if (!(element.matches(selector) || pointer(element)) || refused(element)) continue;
    const around = element.closest(["cookie", "consent"].flatMap((word) => ["id", "class"].map((name) =>
      `body [${name}*=${word} i]`)).join());
    const get = (name) => element.getAttribute(name) || "";
    const shown = [clicks.text(element).slice(0, 100), ...["aria-label", "title", "value"].map(get)].join(" ");
    const names = [...["id", "class", "name", "data-action"].map(get), around ? "consent" : ""].join(" ");
    const kind = [element.nodeName, shown, names].join("\n"), count = counts.get(kind) || 0, key = kind + count;
    counts.set(kind, count + 1);
    // scripts may replace an element by an equal one
    const replaced = !clicks.known.has(element) && clicks.keys.has(key);
    clicks.known.add(element);
    if (clicks.again.has(element)) again.push([element, shown, names, key]);
    else if (!clicks.done.has(element) && !replaced) first.push([element, shown, names, key]);
  }
  clicks.offered = [...first, ...again];
  return clicks.offered.map(([, shown, names]) => [shown, names]);
}"""
)

#: Puts the pointer over all that may have a menu, and leaves it there.
HOVER = (
    r"""() => {
  const selector = `nav li, [class*=menu i] li, [class*=nav i] li, [role=menubar] li, [onmouseover], [onmouseenter],"""
    + _CLICKABLE
    + r"""`;
  for (const root of globalThis.ttcrawlClicks.all()) for (const element of root.querySelectorAll(selector)) {
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    for (const [kind, name, bubbles] of [["Pointer", "pointerover", true], ["Pointer", "pointerenter", false],
        ["Mouse", "mouseover", true], ["Mouse", "mouseenter", false], ["Mouse", "mousemove", true]])
      element.dispatchEvent(new globalThis[kind + "Event"](name, { bubbles, composed: bubbles }));
  }
}"""
)

#: Clicks the offered element of a position. Returns the address and the length of the history before.
CLICK = r"""(position) => {
  const clicks = globalThis.ttcrawlClicks, [element, , , key] = clicks.offered[position];
  clicks.done.add(element);
  clicks.keys.add(key);
  clicks.again.delete(element);
  clicks.element = element;
  const before = [location.href, history.length];
  element.scrollIntoView({ block: "center", behavior: "instant" });
  const options = { bubbles: true, cancelable: true, composed: true };
  for (const name of ["pointerdown", "mousedown", "pointerup", "mouseup"])
    element.dispatchEvent(new (name.startsWith("pointer") ? PointerEvent : MouseEvent)(name, options));
  if (element.click) element.click();
  else element.dispatchEvent(new MouseEvent("click", options));
  return before;
}"""

#: Goes back if a click made another URL the address; what it showed belongs to that URL. Gets what CLICK returned.
#: Returns [the address after the click, whether it went back].
BACK = r"""(address, length) => {
  const clicks = globalThis.ttcrawlClicks, after = location.href, plain = (url) => url.split("#")[0];
  const elsewhere = plain(after) !== plain(address), back = elsewhere && history.length > length;
  if (!elsewhere && globalThis.ttcrawlWatched.fresh() && clicks.element.isConnected && !clicks.element.matches(
      "summary, [role=tab], a[href^='#'], [aria-expanded], [aria-selected]")) clicks.again.add(clicks.element);
  if (back) history.back();
  return [after, back];
}"""

#: Returns to the first route of the document. Gets the first address; returns whether the address changed.
FIRST = r"""(address) => {
  const other = location.href !== address && location.href.split("#")[0] === address.split("#")[0];
  if (other) location.hash = new URL(address).hash;
  return other;
}"""
