"""Our scripts in a page, in a world of their own: the page's scripts can change no function there."""

#: Scrolls the page, then each element that scrolls, to its end, one view after the other, so that what watches for its
#: turn to be seen is seen; a view lasts one frame. Gets the maximum of views. Returns the height of all.
SCROLL = r"""async (views) => {
  const scrolling = [document.scrollingElement, ...document.querySelectorAll("*")].filter((element, position, all) =>
    element && element.scrollHeight > element.clientHeight && all.indexOf(element) === position &&
    (position === 0 || /auto|scroll/.test(getComputedStyle(element).overflowY)));
  let left = views;
  for (const element of scrolling) {
    const view = Math.max(element.clientHeight, element.scrollHeight / views, 1);
    for (let top = element.scrollTop + view; left > 0; top += view, left--) {
      element.scrollTo({ top, behavior: "instant" });
      await new Promise((seen) => requestAnimationFrame(() => setTimeout(seen)));
      if (top + element.clientHeight >= element.scrollHeight) break;
    }
    element.scrollTo({ top: element.scrollHeight, behavior: "instant" });
  }
  return scrolling.reduce((sum, element) => sum + element.scrollHeight, 0);
}"""

#: Scrolls to the beginning, and returns the height of the document.
TOP = """() => {
    scrollTo(0, 0);
    return document.scrollingElement ? document.scrollingElement.scrollHeight : 0;
}"""

#: Returns the document as HTML: shadow roots, frames without a URL and what clicks removed are part of it. It changes
#: a copy, in which no script runs. Gets the closed shadow roots.
DOCUMENT = r"""(...closed) => {
  const roots = [...closed];
  const collect = (root) => {
    for (const element of root.querySelectorAll("*"))
      if (element.shadowRoot) { roots.push(element.shadowRoot); collect(element.shadowRoot); }
  };
  [document, ...closed].forEach(collect);
  const top = document.documentElement; // null if scripts have removed it
  let html = top ? top.getHTML({ shadowRoots: roots }) : "";
  if (document.contentType !== "text/html") // CDATA sections of XHTML are comments for a parser of HTML
    html = html.replace(/<!\[CDATA\[([^]*?)\]\]>/g,
      (_, words) => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;"));
  const copy = new DOMParser().parseFromString(html, "text/html");
  for (const { name, value } of top ? top.attributes : []) copy.documentElement.setAttribute(name, value);
  const frames = [...document.querySelectorAll("iframe")];
  [...copy.querySelectorAll("iframe")].forEach((frame, position) => {
    const inner = frames[position] && frames[position].contentDocument;
    if (inner && inner.body && !/^https?:/.test(inner.URL)) {
      const part = copy.createElement("div");
      part.innerHTML = inner.body.getHTML();
      frame.after(part);
    }
  });
  const open = (part) => {
    for (const template of part.querySelectorAll("template[shadowrootmode]")) {
      open(template.content);
      template.replaceWith(template.content);
    }
  };
  open(copy);
  if (globalThis.ttcrawlClicks) globalThis.ttcrawlClicks.append(copy);
  const address = location.href.split("#")[0];
  const base = !!copy.querySelector("base[href]");
  return { html: "<!DOCTYPE html>" + copy.documentElement.outerHTML, address, base };
}"""
