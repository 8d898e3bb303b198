"""Our scripts in a page, in a world of their own: the page's scripts can change no function there."""

#: What scrolls: the page first, then elements. Some begin at their end, and have negative positions.
_SCROLLING = r"""
  const scrolling = [document.scrollingElement, ...document.querySelectorAll("*")].filter((element, position, all) =>
    element && element.scrollHeight > element.clientHeight && all.indexOf(element) === position &&
    (position === 0 || /auto|scroll/.test(getComputedStyle(element).overflowY)));
  const reversed = (element) => getComputedStyle(element).flexDirection === "column-reverse";
"""

#: Scrolls the page, then each element that scrolls, to its end, one view after the other, so that what watches for its
#: turn to be seen is seen; a view lasts one frame. Gets the maximum of views. Returns the height of all, and
#: whether one of them did not begin at its beginning: a list that grows upwards.
SCROLL = (
    r"""async (views) => {"""
    + _SCROLLING
    + r"""
  const above = scrolling.some((element) => element.scrollTop > 0 || reversed(element));
  let left = views;
  for (const element of scrolling) {
    const view = Math.max(element.clientHeight, element.scrollHeight / views, 1);
    for (let top = element.scrollTop + view; left > 0; top += view, left--) {
      globalThis.ttcrawlWatched?.next();
      element.scrollTo({ top, behavior: "instant" });
      await new Promise((seen) => requestAnimationFrame(() => setTimeout(seen)));
      if (top + element.clientHeight >= element.scrollHeight) break;
    }
    element.scrollTo({ top: element.scrollHeight, behavior: "instant" });
  }
  return [scrolling.reduce((sum, element) => sum + element.scrollHeight, 0), above];
}"""
)

#: Scrolls the page, and each element that scrolls, to its beginning, view after view. Gets the maximum of views.
#: Returns the height of all.
UP = (
    r"""async (views) => {"""
    + _SCROLLING
    + r"""
  let left = views;
  for (const element of scrolling) {
    const least = reversed(element) ? element.clientHeight - element.scrollHeight : 0;
    const view = Math.max(element.clientHeight, element.scrollHeight / views, 1);
    for (let top = element.scrollTop - view; left > 0 && top > least; top -= view, left--) {
      globalThis.ttcrawlWatched?.next();
      element.scrollTo({ top, behavior: "instant" });
      await new Promise((seen) => requestAnimationFrame(() => setTimeout(seen)));
    }
    element.scrollTo({ top: least, behavior: "instant" });
  }
  await new Promise((seen) => requestAnimationFrame(() => setTimeout(seen)));
  return scrolling.reduce((sum, element) => sum + element.scrollHeight, 0);
}"""
)

#: Scrolls to the beginning, and returns the height of the document.
TOP = """() => {
    scrollTo(0, 0);
    return document.scrollingElement ? document.scrollingElement.scrollHeight : 0;
}"""
