"""The style of the HTML report for screens, phones and paper, and the script that sorts its tables."""

from __future__ import annotations

import base64
import hashlib

from ttcrawl.report.html.colours import TILES, scheme_css

STYLE = (
    scheme_css()
    + "".join(f"\n.map .t{number} {{ fill: var(--t{number}); }}" for number in range(len(TILES)))
    + """
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { color: var(--text); background: var(--back); }
body { font: 16px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.3rem; margin: 2.5rem 0 .5rem; padding-bottom: .2rem; border-bottom: 2px solid var(--line); }
h3 { font-size: 1rem; margin: 0 0 .3rem; overflow-wrap: anywhere; }
a { color: var(--link); overflow-wrap: anywhere; } a:visited { color: var(--visited); }
.overview { border: 1px solid var(--line); border-radius: .5rem; padding: .3rem 1rem 1rem; margin: 1rem 0; }
.overview { display: flex; flex-wrap: wrap; gap: 0 2rem; }
.overview dl { flex: 3 1 28rem; min-width: 0; align-content: start; } .overview .wrong { flex: 2 1 18rem; }
.overview .wrong { grid-template-columns: 1fr; } .wrong dt { font-weight: bold; color: var(--text); }
.panels { display: flex; flex-wrap: wrap; gap: 1.2rem 2.5rem; margin: 1.5rem 0; }
.panel { flex: 1 1 20rem; min-width: 0; max-width: 36rem; } .panel.wide { flex: 2 1 40rem; max-width: 46rem; }
.twins { flex: 2 1 42.5rem; min-width: 0; display: flex; flex-wrap: wrap; gap: 1.2rem 2.5rem; }
.panel p { margin: .3rem 0; color: var(--soft); font-size: .85rem; }
.panel p.title { color: var(--text); font-size: 1rem; font-weight: bold; }
.panel svg { display: block; width: 100%; height: auto; fill: var(--text); }
.map rect { stroke: var(--back); stroke-width: 1.5; } .map text { fill: var(--text); font-size: 11px; }
.map .b { font-weight: bold; }
.spark path { fill: none; } .spark .curve { stroke: var(--f0072b2); stroke-width: 2.5; }
.spark .area { fill: var(--t0); } .spark .mark { stroke: var(--soft); stroke-dasharray: 5 4; }
.spark circle { fill: var(--f0072b2); } .spark .decade { stroke: var(--line); } .spark text { font-size: 11px; }
.ring { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; }
.ring svg { flex: 0 0 8rem; width: 8rem; }
.ring table { flex: 1 1 11rem; } .ring td { white-space: nowrap; } .ring th, .ring td { padding: .15rem .3rem; }
.ring th:first-child { min-width: 0; white-space: nowrap; }
.ring circle { fill: none; } .ring text { fill: var(--text); stroke: none; font-size: 4.6px; text-anchor: middle; }
.key { display: inline-block; width: .8em; height: .8em; margin-right: .5em; }
.list { width: 100%; } .list th:first-child { overflow-wrap: anywhere; white-space: normal; }
.list .bar { width: 30%; text-align: left; vertical-align: middle; }
.bar span { display: block; height: .6em; min-width: 1px; background: var(--f0072b2); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1.2rem; margin: .6rem 0 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
dd ul { margin: 0; padding-left: 1.1rem; } .problems li::marker { color: var(--mark); }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; }
.sections { columns: 2 31rem; column-gap: 2.5rem; } .sections > .wide, .pair { column-span: all; }
.pair { display: grid; gap: 0 2.5rem; align-items: start; }
.pair { grid-template-columns: repeat(auto-fit, minmax(min(100%, 31rem), 1fr)); }
.sections section, figure { min-width: 0; margin: 0; padding-top: 1.2rem; break-inside: avoid; }
.pair :is(th, td):not(:first-child) { padding: .15rem .5rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .93rem; }
th, td { padding: .15rem .7rem; text-align: right; border-bottom: 1px solid var(--line); vertical-align: top; }
th:first-child { text-align: left; font-weight: normal; white-space: pre-wrap; padding-left: 0; min-width: 9rem; }
thead th, thead th:first-child { font-weight: bold; border-bottom-width: 2px; vertical-align: bottom; }
tfoot tr:first-child > * { border-top: 2px solid var(--line); }
table.prose td, table.prose thead th { text-align: left; overflow-wrap: anywhere; }
th button { font: inherit; color: inherit; background: none; border: 0; padding: 0; text-align: inherit;
  cursor: pointer; }
th button:hover { text-decoration: underline; }
th[aria-sort=ascending] button::after { content: " \\25B2"; }
th[aria-sort=descending] button::after { content: " \\25BC"; }
p.statement { margin: .3rem 0 .6rem; max-width: 46rem; padding-left: .8rem; border-left: 3px solid var(--mark); }
.option { white-space: nowrap; }
p.how, footer { color: var(--soft); font-size: .85rem; max-width: 60rem; }
figure svg { max-width: 100%; height: auto; fill: var(--text); }
figcaption { font-weight: bold; margin-bottom: .3rem; }
@media (max-width: 40rem) {
  body { margin: 1rem auto; } dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; }
  th, td { padding: .15rem .4rem; } th:first-child { min-width: 7rem; overflow-wrap: anywhere; }
  th:first-child:has(a), td:has(a) { min-width: 12rem; }
  .wide:is(figure, .panel) { overflow-x: auto; } .wide:is(figure, .panel) svg { min-width: 40rem; }
}
@media print {
  :root { color-scheme: light; }
  body { margin: 0; max-width: none; padding: 0; font-size: 10pt; } nav { display: none; }
  a, a:visited { color: inherit; text-decoration-color: #888; }
  .scroll { overflow: visible; } .sections { columns: 2 20rem; column-gap: 1cm; }
  .pair { gap: 0 1cm; grid-template-columns: minmax(min-content, 2fr) 3fr; break-inside: avoid; }
  figure:not(.wide) svg { max-width: min(100%, 12cm); }
  h2, h3, thead { break-after: avoid; } section, tr, figure, .overview, .panel { break-inside: avoid; }
  .cover { break-inside: auto; } .panels { display: block; columns: 2; } .twins { display: contents; }
  .panel { margin-bottom: 1rem; }
  .key, .bar span { print-color-adjust: exact; }
  p.how { break-before: avoid; } p { orphans: 3; widows: 3; } th:first-child { overflow-wrap: anywhere; }
}
"""
)

#: Without the script the tables are complete, in the order of the report. Rows of the foot stay below.
SCRIPT = """
for (const table of document.querySelectorAll("table.sorts")) {
  const heads = [...[...table.tHead.rows].at(-1).cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    const value = row => {
      const text = row.cells[column].textContent, number = Number(text.replaceAll(",", ""));
      return Number.isNaN(number) ? text : number;
    };
    const compare = (a, b) => typeof a !== typeof b ? (typeof a === "number" ? 1 : -1)
      : typeof a === "number" ? a - b : a.localeCompare(b, "en", {numeric: true});
    button.addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      const rising = before ? before === "descending" : column === 0;
      const rows = [...table.tBodies[0].rows].sort((a, b) => (rising ? 1 : -1) * compare(value(a), value(b)));
      heads.forEach(each => each.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", rising ? "ascending" : "descending");
      table.tBodies[0].append(...rows);
    });
  });
}
"""


def policy() -> str:
    """Return the Content-Security-Policy: this script alone, nothing from elsewhere.

    Figures have styles in attributes, which only 'unsafe-inline' permits, and may hold images as data.
    """
    digest = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:;"
        " base-uri 'none'; form-action 'none'"
    )
