"use strict";
// Events: what has changed of the live region replaces what is there, but for what has the focus.
const live = document.querySelector("[data-events]");
if (live) {
  const source = new EventSource(live.dataset.events);
  const lost = document.getElementById("lost");
  source.onopen = () => { lost.hidden = true; };
  source.onerror = () => { lost.hidden = false; };
  source.onmessage = (event) => {
    const page = new DOMParser().parseFromString(event.data, "text/html");
    for (const part of [...page.body.children]) {
      const old = document.getElementById(part.id);
      if (old && !old.isEqualNode(part) && !old.contains(document.activeElement)) old.replaceWith(part);
      else if (!old) live.append(part);
    }
  };
}

// Keys: / search, f filters, j k rows, Enter opens, g then n u w s f a screen, ? help.
let before = "";
let row = -1;
const rows = () => [...document.querySelectorAll("table.rows tbody tr")];
const move = (step) => {
  const all = rows();
  if (!all.length) return;
  row = Math.min(Math.max(row + step, 0), all.length - 1);
  all.forEach((each, number) => each.classList.toggle("at", number === row));
  all[row].scrollIntoView({ block: "nearest" });
  all[row].querySelector("a")?.focus({ preventScroll: true });
};
document.addEventListener("keydown", (event) => {
  const target = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.matches("input, select, textarea")) {
    if (event.key === "Escape") target.blur();
    return;
  }
  const screen = before === "g" && document.querySelector(`nav a[data-key="${CSS.escape(event.key)}"]`);
  before = event.key;
  if (screen) screen.click();
  else if (event.key === "j") move(1);
  else if (event.key === "k") move(-1);
  else if (event.key === "/") {
    const search = document.querySelector("input[type=search]");
    search ? search.focus() : document.querySelector("nav a[data-key=s]")?.click();
  } else if (event.key === "f") document.querySelector("[data-filters] :is(input, select, a)")?.focus();
  else if (event.key === "?") document.getElementById("keys")?.showModal();
  else return;
  event.preventDefault();
});
