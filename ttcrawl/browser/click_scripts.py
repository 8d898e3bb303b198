"""Our scripts that click, in a world of their own. Their state is the object `ttcrawlClicks` of that world."""

#: Watches the document from now on: what is removed, and when it was added. Gets the closed shadow roots and, last, the
#: maximum characters of what is removed. A state is a page after a click, when it makes no more requests.
WATCH = r"""(...values) => {
  const most = values.pop(), closed = values, added = new WeakMap(), seen = new Set(), removed = new Map();
  let state = 0, size = 0, observer;
  const roots = function* (root) {
    yield root;
    for (const element of root.querySelectorAll("*")) if (element.shadowRoot) yield* roots(element.shadowRoot);
  };
  const all = () => [document, ...closed.filter((root) => root.host.isConnected)].flatMap((root) => [...roots(root)]);
  const text = (node) => (node.textContent || "").replace(/\s+/g, " ").trim();
  const links = (part) => ["href", "src", "srcset"].flatMap((name) =>
    [...part.querySelectorAll(`[${name}]`)].map((link) => link.getAttribute(name)));
  const inert = document.implementation.createHTMLDocument("");
  const html = (node) => {
    const holder = inert.createElement("div");
    holder.append(inert.importNode(node, true)); // where no custom element has a constructor
    return holder.innerHTML;
  };
  const watch = (records) => {
    for (const record of records) {
      for (const node of record.addedNodes) added.set(node, state);
      for (const node of record.removedNodes) {
        // what appears and goes within one state, such as a sign of waiting, was never the content of a page
        if (added.get(node) === state || !/^[13]$/.test(node.nodeType) || node.isConnected) continue;
        if (/^(script|style|link|meta)$/i.test(node.nodeName)) continue;
        const part = html(node);
        if (!removed.has(part) && (size += part.length) <= most) removed.set(part, state);
      }
    }
  };
  const observe = () => {
    for (const root of all()) observer.observe(root, { childList: true, subtree: true });
  };
  observer = new MutationObserver(watch);
  observe();
  globalThis.ttcrawlClicks = {
    all, text,
    done: new WeakSet(), known: new WeakSet(), keys: new Set(), again: new Set(), offered: [],
    // whether something new has appeared since the last state
    fresh() {
      const records = observer.takeRecords();
      watch(records);
      let any = false;
      for (const root of all()) for (const element of root.querySelectorAll("*")) {
        if (added.get(element) !== state) continue;
        const key = text(element) + "\n" + [...element.querySelectorAll("[href]")].map((each) => each.href).join(" ");
        if (!seen.has(key)) { seen.add(key); any = true; }
      }
      return any;
    },
    next() { watch(observer.takeRecords()); state++; observe(); },
    append(copy) {
      watch(observer.takeRecords());
      const whole = text(copy.body), known = new Set(links(copy));
      for (const [part, number] of removed) {
        const holder = copy.createElement("div");
        holder.setAttribute("data-ttcrawl-state", number);
        holder.innerHTML = part;
        if (whole.includes(text(holder)) && links(holder).every((link) => known.has(link))) continue;
        copy.body.append(holder);
      }
    },
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
  if (!elsewhere && clicks.fresh() && clicks.element.isConnected && !clicks.element.matches(
      "summary, [role=tab], a[href^='#'], [aria-expanded], [aria-selected]")) clicks.again.add(clicks.element);
  if (back) history.back();
  return [after, back];
}"""

#: Begins the next state.
NEXT = "() => globalThis.ttcrawlClicks.next()"

#: Returns to the first route of the document. Gets the first address; returns whether the address changed.
FIRST = r"""(address) => {
  const other = location.href !== address && location.href.split("#")[0] === address.split("#")[0];
  if (other) location.hash = new URL(address).hash;
  return other;
}"""
