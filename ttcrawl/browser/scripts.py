"""Our scripts in a page, in a world of their own: the page's scripts can change no function there."""

#: Scrolls to the end, and returns the height of the document.
SCROLL = """() => {
    const element = document.scrollingElement;
    if (element) scrollTo(0, element.scrollHeight);
    return element ? element.scrollHeight : 0;
}"""

#: Returns the document as HTML: open shadow roots and frames without a URL are part of it. It changes a copy, in which
#: no script runs.
DOCUMENT = r"""() => {
  const roots = [];
  const collect = (root) => {
    for (const element of root.querySelectorAll("*"))
      if (element.shadowRoot) { roots.push(element.shadowRoot); collect(element.shadowRoot); }
  };
  collect(document);
  const html = document.documentElement.getHTML({ shadowRoots: roots });
  const copy = new DOMParser().parseFromString(html, "text/html");
  for (const { name, value } of document.documentElement.attributes) copy.documentElement.setAttribute(name, value);
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
  const address = location.href.split("#")[0];
  const base = !!copy.querySelector("base[href]");
  return { html: "<!DOCTYPE html>" + copy.documentElement.outerHTML, address, base };
}"""
