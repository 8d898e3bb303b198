"""The style of the page for screens, phones and paper."""

from __future__ import annotations

from ttcrawl.report.html.colours import scheme_css

STYLE = (
    scheme_css()
    + """
:root { color-scheme: light dark; --error: var(--fd55e00); --warning: var(--fe69f00); --fine: var(--f009e73); }
* { box-sizing: border-box; }
body { color: var(--text); background: var(--back); font: 16px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 72rem; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.3rem; margin: 2.5rem 0 .6rem; padding-bottom: .2rem; border-bottom: 2px solid var(--line); }
h3 { font-size: 1.05rem; margin: 0 0 .3rem; }
h4 { font-size: 1rem; margin: 1.4rem 0 .2rem; }
p { margin: .4rem 0; max-width: 46rem; } .lead { font-size: 1.1rem; } .soft { color: var(--soft); font-size: .9rem; }
a { color: var(--link); } a:visited { color: var(--visited); }
ul, ol { padding-left: 1.3rem; margin: .4rem 0; } li { margin: .3rem 0; } li::marker { color: var(--soft); }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .2rem 1.4rem; }
.scores { list-style: none; padding: 0; display: grid; gap: 1rem; }
.scores { grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); }
.scores > li, .page { border: 1px solid var(--line); border-radius: .5rem; padding: .8rem 1rem; margin: 0; }
.number { font-size: 2rem; font-weight: bold; line-height: 1.2; font-variant-numeric: tabular-nums; }
.number small { font-size: .9rem; font-weight: normal; color: var(--soft); }
.bar { display: flex; height: .8rem; margin: .3rem 0 .6rem; border: 1px solid var(--soft); print-color-adjust: exact; }
.bar span { flex: none; } .bar .fine { background: var(--fine); }
.bar .warnings { background: var(--warning); } .bar .errors { background: var(--error); }
.level { font-size: .8rem; font-weight: bold; border: 1px solid; border-radius: .3rem; padding: 0 .4rem; }
.level { white-space: nowrap; } .level.error { color: var(--mark); } .level.notice { font-weight: normal; }
.pages { list-style: none; padding: 0; display: grid; gap: 1rem; }
.page { display: grid; gap: .3rem 1.2rem; grid-template-columns: minmax(0, 20rem) minmax(0, 1fr); }
.page.plain { grid-template-columns: minmax(0, 1fr); }
figure { margin: 0; } figure img { width: 100%; height: auto; border: 1px solid var(--line); display: block; }
figcaption { color: var(--soft); font-size: .85rem; }
.groups > li { margin: .5rem 0; } .groups ul { color: var(--soft); font-size: .93rem; }
footer { color: var(--soft); font-size: .85rem; margin-top: 3rem; }
.option { white-space: nowrap; }
@media (max-width: 40rem) { body { margin: 1rem auto; } .page { grid-template-columns: minmax(0, 1fr); } }
@media print {
  :root { color-scheme: light; }
  body { margin: 0; max-width: none; padding: 0; font-size: 10pt; } nav { display: none; }
  a, a:visited { color: inherit; text-decoration-color: #888; }
  .scores { grid-template-columns: repeat(3, 1fr); } .page { grid-template-columns: 6cm minmax(0, 1fr); }
  h2, h3, h4 { break-after: avoid; } .scores > li, .page, .groups > li { break-inside: avoid; }
  p { orphans: 3; widows: 3; }
}
"""
)

#: No script, nothing from elsewhere; pictures are data in the page.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
