"""Our scripts that click, in a world of their own. Their state is the object `ttcrawlClicks` of that world."""

#: Begins to click; the document is watched already (ttcrawl.browser.document_scripts.WATCH).
BEGIN = r"""() => {
  const watched = globalThis.ttcrawlWatched;
  watched.click();
  globalThis.ttcrawlClicks = {
    all: watched.all, text: watched.text, handled: new WeakMap(),
    done: new WeakSet(), known: new WeakSet(), keys: new Set(), again: new Set(), offered: [],
    // what it has functions for: of its own, and those that a framework calls
    has(element, kinds) { return (this.handled.get(element) || []).some((kind) => kinds.test(kind)); },
  };
}"""

#: What can have a function of its own for a mouse, and is not a link, field or choice.
_CLICKABLE = """button, summary, input[type=button], a:not([href]), a[href^='#'], a[href^='javascript:' i], [onclick],
  [role=button], [role=tab], [role=menuitem], [role=treeitem], [role=link], [aria-expanded], [aria-haspopup],
  [aria-controls], [data-toggle], [data-bs-toggle], [data-href], [data-url], [tabindex]"""

#: What may have a menu, if some function of the document is for a pointer that is over something.
_HOVERED = f"""nav li, [class*=menu i] li, [class*=nav i] li, [role=menubar] li, {_CLICKABLE}"""

#: Kinds of functions.
_KINDS = r"""
  const PRESS = /^(click|dblclick|mouse(down|up)|pointer(down|up)|touch(start|end))$/, KEY = /^key/, FOCUS = /^focus/;
  const OVER = /^(mouse|pointer)(over|enter|out|leave|move)$/;
"""

#: A form that asks (GET), and what sends it: a button, or a text field where there is none.
_FORMS = r"""
  const TEXT = /^(text|search|number|email|url|tel|date|month|week|time|datetime-local)$/;
  const fields = (form) => [...form.getRootNode().querySelectorAll("input, select, textarea")]
    .filter((each) => each.form === form);
  const buttons = (form) => [...form.getRootNode().querySelectorAll("button, input")]
    .filter((each) => each.form === form && /^(submit|image)$/.test(each.type));
  const asks = (form, button) => !/^\s*(post|dialog)\s*$/i.test(
    (button && button.getAttribute("formmethod")) || form.getAttribute("method") || "get") &&
    !fields(form).some((each) => /^(password|file)$/.test(each.type));
  const sends = (element) => !!element.form && (element.matches("button, input[type=submit], input[type=image]") ?
    /^(submit|image)$/.test(element.type) && asks(element.form, element) :
    element.matches("input") && TEXT.test(element.type) && asks(element.form) && !buttons(element.form).length &&
    fields(element.form).find((each) => TEXT.test(each.type)) === element);
"""

#: What lies inside of an element and is not meant by a click on it.
_INNER = "a[href], button, input, select, textarea, label, summary, [role=button], [role=tab], [role=menuitem]"

#: Returns the elements that may be clicked, or that a pointer may be put over, in the order of the document: [what it
#: shows, its names, whether it may be clicked] of each. Those whose last click brought something new come last, to be
#: clicked again. Gets what ttcrawl.browser.handlers.Handlers.find returns, if the document has changed.
OFFERED = (
    r"""(delegated, kinds, ...elements) => {
  const clicks = globalThis.ttcrawlClicks, selector = `"""
    + _CLICKABLE
    + r"""`, hovered = `"""
    + _HOVERED
    + r"""`, inner = `"""
    + _INNER
    + r"""`;"""
    + _KINDS
    + _FORMS
    + r"""
  if (kinds) {
    const every = document.querySelectorAll("*");
    elements.forEach((element, position) => clicks.handled.set(element, kinds[position]));
    for (const [position, names] of delegated) if (every[position])
      clicks.handled.set(every[position], [...(clicks.handled.get(every[position]) || []), ...names]);
    clicks.over = [...kinds, ...delegated.map(([, names]) => names)].flat().some((kind) => OVER.test(kind));
  }
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
  const field = (element) => element.matches("input") && (/^(text|search)$/.test(element.type) &&
    (clicks.has(element, FOCUS) || clicks.has(element, KEY) || clicks.has(element, PRESS)));
  const refused = (element) => link(element) || element.disabled || on(element, "aria-disabled") ||
    (element.form && /^(submit|reset|image)$/.test(element.type) && !sends(element)) || element.isContentEditable ||
    element.closest("label, select, textarea, video, audio, [aria-disabled=true]") ||
    (element.matches("input") && element.type !== "button" && !field(element) && !sends(element)) ||
    element.matches("[lang], [hreflang], [download]") ||
    /^(switch|checkbox|radio|option|slider|menuitemradio|menuitemcheckbox)$/.test(element.getAttribute("role")) ||
    ["expanded", "selected", "pressed", "current"].some((name) => on(element, "aria-" + name)) ||
    element.matches("details[open] > summary");
  const text = (element) => { // its own, without what is clicked by itself
    if (!element.querySelector(inner)) return clicks.text(element);
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT), words = [];
    while (walker.nextNode()) {
      const around = walker.currentNode.parentElement.closest(inner);
      if (!around || around.contains(element)) words.push(walker.currentNode.data);
    }
    return words.join(" ");
  };
  const counts = new Map(), first = [], again = [];
  for (const root of clicks.all()) for (const element of root.querySelectorAll("*")) {
    if (element.matches("body, html")) continue;
    const functions = [PRESS, KEY, FOCUS].some((some) => clicks.has(element, some));
    const press = (element.matches(selector) || functions || sends(element) || pointer(element)) && !refused(element);
    const hover = clicks.has(element, OVER) || (clicks.over && element.matches(hovered));
    if (!(press || hover) || !element.checkVisibility({ visibilityProperty: true })) continue;
    const around = element.closest(["cookie", "consent"].flatMap((word) => ["id", "class"].map((name) =>
      `body [${name}*=${word} i]`)).join());
    const get = (name) => element.getAttribute(name) || "";
    const action = sends(element) ? get("formaction") || element.form.getAttribute("action") || "" : "";
    const shown = [text(element).slice(0, 100), ...["aria-label", "title", "value"].map(get), action].join(" ");
    const names = [...["id", "class", "name", "data-action"].map(get), around ? "consent" : ""].join(" ");
    const kind = [element.nodeName, shown, names].join("\n"), count = counts.get(kind) || 0, key = kind + count;
    counts.set(kind, count + 1);
    // scripts may replace an element by an equal one
    const replaced = !clicks.known.has(element) && clicks.keys.has(key);
    clicks.known.add(element);
    const offer = { element, shown, names, key, press, hover };
    if (clicks.again.has(element)) again.push(offer);
    else if (!clicks.done.has(element) && !replaced) first.push(offer);
  }
  clicks.offered = [...first, ...again];
  return clicks.offered.map(({ shown, names, press, hover }) => [shown, names, press, hover]);
}"""
)

#: Brings the offered element of a position into view, and fills the form that it sends. Gets whether it is to be
#: clicked. Returns a point at which a pointer meets it (null: something else covers it, or it shows nothing at any;
#: "inner": only what lies inside of it), the address and the length of the history before, whether it has a function
#: for two clicks, and the key to be pressed, "" for none.
AIM = (
    r"""(position, press) => {
  const clicks = globalThis.ttcrawlClicks, { element, key } = clicks.offered[position];"""
    + _KINDS
    + _FORMS
    + r"""
  globalThis.ttcrawlWatched.next();
  clicks.done.add(element);
  clicks.keys.add(key);
  clicks.again.delete(element);
  clicks.element = element;
  element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const VALUES = { number: "1", email: "name@example.org", url: "https://example.org/", tel: "1234567",
    date: "2000-01-01", month: "2000-01", week: "2000-W01", time: "12:00", "datetime-local": "2000-01-01T12:00" };
  const fill = (form) => {
    const all = fields(form).filter((each) => !each.disabled && !each.readOnly);
    const texts = all.filter((each) => TEXT.test(each.type) || each.matches("textarea"));
    for (const each of all) {
      const before = each.value;
      if (each.matches("select")) {
        if (each.required && !each.value) each.value = ([...each.options].find((option) => option.value) || each).value;
      } else if (/^(checkbox|radio)$/.test(each.type)) {
        if (each.required && !each.checkValidity()) each.checked = true;
        else continue;
      } else if (texts.includes(each) && !each.value && (each.required || texts.length === 1))
        each.value = each.min || VALUES[each.type] || "a";
      else continue;
      if (before === each.value && !each.checked) continue;
      for (const name of ["input", "change"]) each.dispatchEvent(new Event(name, { bubbles: true, composed: true }));
    }
  };
  const sending = press && sends(element);
  if (sending) fill(element.form);
  const root = element.getRootNode(), inner = `"""
    + _INNER
    + r"""`;
  const own = (x, y) => {
    let hit = root.elementFromPoint(x, y), within = false;
    if (!hit || !element.contains(hit)) return null;
    for (; hit !== element; hit = hit.parentElement) within ||= hit.matches(inner) || clicks.has(hit, PRESS);
    return !(press && within);
  };
  clicks.own = own;
  let point = null;
  for (const { left, top, width, height } of element.getClientRects()) for (const [a, b] of
      [[0.5, 0.5], [0.5, 0.1], [0.1, 0.5], [0.9, 0.5], [0.5, 0.9], [0.05, 0.05], [0.95, 0.95]]) {
    const x = left + a * width, y = top + b * height, met = width && height ? own(x, y) : null;
    if (met && (!point || point === "inner")) point = [x, y];
    else if (met === false) point ||= "inner";
  }
  const field = element.matches("input") && TEXT.test(element.type);
  return {
    point, before: [location.href, history.length], twice: clicks.has(element, /^dblclick$/),
    key: sending && field ? "Enter" : !clicks.has(element, KEY) ? "" : field ? "ArrowDown" : "Enter",
  };
}"""
)

#: Whether a pointer at a point still meets the element: what came when it was put there may cover it.
MEETS = "(x, y) => globalThis.ttcrawlClicks.element.isConnected && !!globalThis.ttcrawlClicks.own(x, y)"

#: Whether the element has the focus, or takes it.
FOCUSED = r"""() => {
  const { element } = globalThis.ttcrawlClicks;
  element.focus({ preventScroll: true });
  return element.getRootNode().activeElement === element;
}"""

#: Tells an element that no pointer meets what it would hear. Gets whether it is clicked.
TELL = r"""(press) => {
  const { element } = globalThis.ttcrawlClicks;
  const tell = (names) => {
    for (const name of names) element.dispatchEvent(new (name.startsWith("pointer") ? PointerEvent : MouseEvent)(name,
      { bubbles: !/(enter|leave)$/.test(name), composed: true, cancelable: true }));
  };
  tell(["pointerover", "pointerenter", "mouseover", "mouseenter", "mousemove"]);
  if (!press) return;
  tell(["pointerdown", "mousedown", "pointerup", "mouseup"]);
  if (element.click) element.click();
  else tell(["click"]);
}"""

#: Goes back if a click made another URL the address; what it showed belongs to that URL. Gets what AIM returned.
#: Returns the address after the click, whether it went back, and whether the page is another one than before.
BACK = r"""(address, length) => {
  const clicks = globalThis.ttcrawlClicks, after = location.href, plain = (url) => url.split("#")[0];
  const elsewhere = plain(after) !== plain(address), back = elsewhere && history.length > length;
  const changed = globalThis.ttcrawlWatched.changed() || after !== address;
  if (!elsewhere && changed && globalThis.ttcrawlWatched.fresh() && clicks.element.isConnected &&
      !clicks.element.matches("summary, [role=tab], a[href^='#'], [aria-expanded], [aria-selected]"))
    clicks.again.add(clicks.element);
  if (back) history.back();
  return [after, back, changed];
}"""

#: Returns to the first route of the document. Gets the first address; returns whether the address changed.
FIRST = r"""(address) => {
  const other = location.href !== address && location.href.split("#")[0] === address.split("#")[0];
  if (other) location.hash = new URL(address).hash;
  return other;
}"""
