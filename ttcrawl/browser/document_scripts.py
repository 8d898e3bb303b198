"""Our scripts that take the document of a page, in a world of their own: the page changes no function there.

They use no sink of Trusted Types, which a page may refuse to everybody, and no property that the name of a form or of
its fields could stand for (HTML standard 3.1.5, 4.10.3): each is read by the getter of its prototype.
"""

from __future__ import annotations

#: How an element becomes HTML (HTML standard 13.3), in which shadow roots and frames without a URL are part of their
#: element, and a parser finds nothing that the document has not: raw text ends with its element, and a plaintext ends.
_HTML = r"""
  const getter = (type, name) => {
    const { get } = Object.getOwnPropertyDescriptor(globalThis[type].prototype, name);
    return (object) => get.call(object);
  };
  const type = getter("Node", "nodeType"), parent = getter("Node", "parentNode");
  const last = getter("Node", "lastChild"), previous = getter("Node", "previousSibling");
  const local = getter("Element", "localName"), root = getter("Element", "shadowRoot");
  const attributes = getter("Element", "attributes"), data = getter("CharacterData", "data");
  const content = getter("HTMLTemplateElement", "content"), inner = getter("HTMLIFrameElement", "contentDocument");
  const body = getter("Document", "body"), url = getter("Document", "URL"), space = getter("Element", "namespaceURI");
  const EMPTY = new Set(("area base basefont bgsound br col embed frame hr img input keygen link meta param source" +
    " track wbr").split(" "));
  const RAW = new Set("iframe noembed noframes noscript script style xmp".split(" "));
  const REFRESH = /<meta\b[^>]*\bhttp-equiv\s*=\s*["']?\s*refresh\b[^>]*>/gi; // in noscript: not for who has scripts
  const text = (words) => words.replaceAll("&", "&amp;").replaceAll("\u00a0", "&nbsp;").replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
  const value = (words) => text(words).replaceAll('"', "&quot;");
  const raw = (name, words) => (name === "noscript" ? words.replace(REFRESH, "") : words)
    .replaceAll(RegExp(`</(?=${name})`, "gi"), "<\\/");
  const comment = (words) => words.replace(/^(?=-?>)/, " ").replace(/--(?=!?>)|-$|<!-$/g, "- ");
  // `note` gets each text, and each attribute with its name
  const html = (start, closed, note) => {
    const parts = [], left = [start];
    const children = (node) => { for (let child = last(node); child; child = previous(child)) left.push(child); };
    const element = (node) => {
      const own = local(node), name = own === "plaintext" ? "pre" : own, all = attributes(node);
      const markup = space(node) === "http://www.w3.org/1999/xhtml";
      parts.push("<", name);
      for (let position = 0; position < all.length; position++) {
        const each = all[position];
        parts.push(" ", each.name, '="', value(each.value), '"');
        note(each.value, each.name);
      }
      parts.push(">");
      if (markup && EMPTY.has(name)) return;
      const frame = markup && name === "iframe" ? inner(node) : null;
      if (frame && body(frame) && !/^https?:/.test(url(frame))) {
        left.push("</div>");
        children(body(frame));
        left.push("<div>");
      }
      left.push(`</${name}>`);
      children(markup && name === "template" ? content(node) : node);
      const shadow = root(node) || closed.get(node);
      if (shadow) children(shadow);
    };
    while (left.length) {
      const node = left.pop();
      if (typeof node === "string") parts.push(node);
      else if (type(node) === Node.ELEMENT_NODE) element(node);
      else if (type(node) === Node.COMMENT_NODE) parts.push("<!--", comment(data(node)), "-->");
      else if (type(node) === Node.TEXT_NODE || type(node) === Node.CDATA_SECTION_NODE) {
        const around = parent(node), name = around && type(around) === Node.ELEMENT_NODE ? local(around) : "";
        parts.push(RAW.has(name) ? raw(name, data(node)) : text(data(node)));
        note(data(node), "");
      } else if (type(node) === Node.DOCUMENT_FRAGMENT_NODE) children(node);
    }
    return parts.join("");
  };
"""

#: Watches the document from now on, for what is removed again: the rows of a list that have left the view, the content
#: of other tabs. Gets the closed shadow roots and, last, the maximum characters of what is removed. A state is a page
#: after a click, when it makes no more requests, or a view of it.
WATCH = (
    r"""(...values) => {"""
    + _HTML
    + r"""
  const most = values.pop(), closed = values, hosts = new Map(closed.map((root) => [root.host, root]));
  const added = new WeakMap(), counts = new WeakMap(), seen = new Set(), removed = new Map();
  const LINKS = new Set(["href", "src", "srcset"]), ROWS = 3, NEWS = 10_000;
  let state = 0, size = 0, observer, clicked = false, news = [], changes = 0;
  const elements = (root) => (root === document ? Document.prototype : DocumentFragment.prototype)
    .querySelectorAll.call(root, "*");
  const roots = function* (from) {
    yield from;
    for (const element of elements(from)) if (root(element)) yield* roots(root(element));
  };
  const all = () => [document, ...closed.filter((root) => root.host.isConnected)].flatMap((root) => [...roots(root)]);
  const plain = (words) => words.replace(/\s+/g, " ").trim();
  const keep = (part, words, links, target) => {
    const rows = counts.get(target) || { count: 0 };
    counts.set(target, rows);
    rows.count++;
    if (!removed.has(part) && (size += part.length) <= most)
      removed.set(part, { state, words, links, rows: clicked ? { count: ROWS } : rows });
  };
  const watch = (records) => {
    changes += records.length;
    for (const { type: kind, target, oldValue, addedNodes, removedNodes } of records) {
      if (kind === "attributes") { // a row that shows another one now
        if (oldValue && /^(a|area)$/.test(local(target)))
          keep(`<a href="${value(oldValue)}"></a>`, "", [oldValue], target);
        continue;
      }
      for (const node of addedNodes) { added.set(node, state); if (news.length < NEWS) news.push(node); }
      for (const node of removedNodes) {
        // what appears and goes within one state, such as a sign of waiting, was never the content of a page
        if (added.get(node) === state || node.isConnected) continue;
        if (type(node) !== Node.TEXT_NODE && type(node) !== Node.ELEMENT_NODE) continue;
        if (type(node) === Node.ELEMENT_NODE && /^(script|style|link|meta)$/.test(local(node))) continue;
        const words = [], links = [];
        const part = html(node, hosts, (each, name) => {
          if (!name) words.push(each);
          else if (LINKS.has(name)) links.push(each);
        });
        keep(part, plain(words.join("")), links, target);
      }
    }
  };
  const observe = () => {
    const options = { childList: true, subtree: true, attributeFilter: ["href"], attributeOldValue: true };
    for (const each of all()) observer.observe(each, options);
  };
  observer = new MutationObserver(watch);
  observe();
  globalThis.ttcrawlWatched = {
    all, LINKS, text: (node) => plain(node.textContent || ""),
    // from now on a state is a click: it removes what a reader has seen, be it one part
    click() { clicked = true; },
    next() { watch(observer.takeRecords()); state++; news = []; changes = 0; observe(); },
    // whether the document has changed since the last state
    changed() { watch(observer.takeRecords()); return changes > 0; },
    // whether something new has appeared since the last state
    fresh() {
      watch(observer.takeRecords());
      let any = false;
      for (const node of news) {
        if (!node.isConnected) continue;
        const links = type(node) !== Node.ELEMENT_NODE ? [] :
          [...Element.prototype.querySelectorAll.call(node, "[href]")];
        const key = plain(node.textContent || "") + "\n" + links.map((link) => link.href).join(" ");
        if (!seen.has(key)) { seen.add(key); any = true; }
      }
      return any;
    },
    // what was removed, and is neither among the words nor the links of the document
    removed(words, known) {
      watch(observer.takeRecords());
      const whole = plain(words);
      return [...removed].filter(([, part]) => part.rows.count >= ROWS || part.links.length)
        .filter(([, part]) => !whole.includes(part.words) || part.links.some((link) => !known.has(link)))
        .map(([part, { state }]) => `<div data-ttcrawl-state="${state}">${part}</div>`).join("");
    },
  };
}"""
)

#: Returns the document as HTML, with what was removed from it while it was watched at its end, its address, and whether
#: it has a base. Gets the closed shadow roots.
DOCUMENT = (
    r"""(...closed) => {"""
    + _HTML
    + r"""
  const top = getter("Document", "documentElement")(document); // null if scripts have removed it
  const watched = globalThis.ttcrawlWatched, words = [], links = new Set();
  let whole = top ? html(top, new Map(closed.map((root) => [root.host, root])), (each, name) => {
    if (!name) words.push(each);
    else if (watched && watched.LINKS.has(name)) links.add(each);
  }) : "";
  const removed = watched ? watched.removed(words.join(""), links) : "";
  const end = whole.lastIndexOf("</body>");
  whole = end < 0 ? whole + removed : whole.slice(0, end) + removed + whole.slice(end);
  return {
    html: "<!DOCTYPE html>" + whole.toWellFormed(),
    address: location.href.split("#")[0],
    base: !!Document.prototype.querySelector.call(document, "base[href]"),
  };
}"""
)

#: Begins the next state.
NEXT = "() => globalThis.ttcrawlWatched?.next()"
