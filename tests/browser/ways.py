"""The ways in which scripts make links and content, each a page of a generated site.

A page makes a link to /found/NAME. URLs under /decoy/ stand in scripts or behind elements that are not clicked: no
crawl may request them.
"""

from dataclasses import dataclass

from tests.support.web.site import Answer

JSON, SCRIPT = (("Content-Type", "application/json"),), (("Content-Type", "text/javascript"),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """`found`: by the static parser (s), a browser (b), a browser that clicks (c)."""

    title: str
    found: str
    body: str = ""
    script: str = ""
    files: tuple[tuple[str, bytes, tuple[tuple[str, str], ...]], ...] = ()

    def pages(self, name: str) -> dict[str, Answer]:
        """Path -> answer. FOUND in a page or a file is the URL of its link, LINK the link."""
        script = f"<script>const decoy = '/decoy/{name}'; {self.script}</script>" if self.script else ""
        page = f"<!DOCTYPE html><html><head><title>{name}</title></head><body>{self.body}{script}"
        files = {path: (text.decode(), headers) for path, text, headers in self.files}
        return {
            path: Answer(body=_filled(text, name).encode(), headers=headers)
            for path, (text, headers) in {f"/way/{name}": (page, ()), **files}.items()
        }


def _filled(text: str, name: str) -> str:
    return text.replace("LINK", f"<a href=/found/{name}>{name}</a>").replace("FOUND", f"/found/{name}")


SHOW = "document.body.insertAdjacentHTML('beforeend', `LINK`)"
ROUTER = "const show = () => { view.innerHTML = location.hash.length > 2 ? `LINK` : 'home' }; show();"
WAYS = {
    "anchor": Way(title="an anchor of the document", found="sbc", body="LINK"),
    "noscript": Way(title="`noscript`", found="sbc", body="<noscript>LINK</noscript>"),
    "srcdoc": Way(title="a frame with `srcdoc`", found="sbc", body='<iframe srcdoc="LINK"></iframe>'),
    "area": Way(
        title="`area` of a map by script", found="bc", script="document.body.innerHTML = '<map><area href=FOUND></map>'"
    ),
    "svg": Way(
        title="a link in SVG by script",
        found="bc",
        script="document.body.innerHTML = '<svg><a href=FOUND><text>x</text></a></svg>'",
    ),
    "write": Way(title="`document.write`", found="bc", script="document.write(`LINK`)"),
    "fetch": Way(
        title="`fetch` and a `template`",
        found="bc",
        body="<template id=t><a>x</a></template>",
        script="fetch('/data/fetch.json').then(r => r.json()).then(d => { const c = t.content.cloneNode(true);"
        " c.querySelector('a').href = d.url; document.body.append(c) })",
        files=(("/data/fetch.json", b'{"url": "FOUND", "unused": "/decoy/json"}', JSON),),
    ),
    "xhr": Way(
        title="`XMLHttpRequest`",
        found="bc",
        script="const x = new XMLHttpRequest(); x.open('GET', '/data/xhr.html');"
        " x.onload = () => document.body.insertAdjacentHTML('beforeend', x.response); x.send()",
        files=(("/data/xhr.html", b"LINK", ()),),
    ),
    "events": Way(
        title="`EventSource`",
        found="bc",
        script="const e = new EventSource('/data/events'); e.onmessage = m => { e.close();"
        " document.body.insertAdjacentHTML('beforeend', m.data) }",
        files=(("/data/events", b"data: LINK\n\n", (("Content-Type", "text/event-stream"),)),),
    ),
    "hydration": Way(
        title="JSON in a `script`",
        found="bc",
        body='<script type="application/json" id=state>{"url": "FOUND", "other": "/decoy/state"}</script>',
        script="const a = document.createElement('a'); a.href = JSON.parse(state.textContent).url;"
        " document.body.append(a)",
    ),
    "push": Way(title="`history.pushState`", found="bc", script="history.pushState({}, '', 'FOUND')"),
    "replace": Way(title="`history.replaceState`", found="bc", script="history.replaceState({}, '', 'FOUND')"),
    "location": Way(title="`location` by a timer", found="bc", script="setTimeout(() => { location = 'FOUND' }, 50)"),
    "refresh": Way(
        title="`meta refresh` by script",
        found="bc",
        script="document.head.insertAdjacentHTML('beforeend', '<meta http-equiv=refresh content=\"0; url=FOUND\">')",
    ),
    "form": Way(
        title="a form sent by script (GET)",
        found="bc",
        script="const f = document.createElement('form'); f.action = 'FOUND'; document.body.append(f); f.submit()",
    ),
    "base": Way(
        title="`base` by script",
        found="bc",
        body="<a href=base>x</a>",
        script="document.head.insertAdjacentHTML('afterbegin', '<base href=/found/>')",
    ),
    "shadow": Way(
        title="an open shadow root",
        found="bc",
        body="<p id=host>",
        script="host.attachShadow({mode: 'open'}).innerHTML = `LINK`",
    ),
    "closed": Way(
        title="a closed shadow root",
        found="bc",
        body="<p id=host>",
        script="host.attachShadow({mode: 'closed'}).innerHTML = `LINK`",
    ),
    "element": Way(
        title="a custom element",
        found="bc",
        body="<x-link></x-link>",
        script="customElements.define('x-link', class extends HTMLElement { connectedCallback() {"
        " this.attachShadow({mode: 'open'}).innerHTML = `<slot></slot>LINK` } })",
    ),
    "frame": Way(
        title="a frame with `srcdoc` by script",
        found="bc",
        script="document.body.appendChild(document.createElement('iframe')).srcdoc = `LINK`",
    ),
    "blob": Way(
        title="a frame with a `blob:` URL",
        found="bc",
        script="document.body.appendChild(document.createElement('iframe')).src ="
        " URL.createObjectURL(new Blob([`LINK`], {type: 'text/html'}))",
    ),
    "source": Way(
        title="a frame with a URL by script",
        found="bc",
        script="document.body.appendChild(document.createElement('iframe')).src = 'FOUND'",
    ),
    "module": Way(
        title="modules that import others",
        found="bc",
        body="<link rel=modulepreload href=/js/part.js><script type=module src=/js/module.js></script>",
        files=(
            ("/js/module.js", b"import {show} from './part.js'; show()", SCRIPT),
            ("/js/part.js", f"export const show = () => {SHOW}".encode(), SCRIPT),
        ),
    ),
    "dynamic": Way(
        title="`import()` of an import map",
        found="bc",
        body='<script type=importmap>{"imports": {"it": "/js/dynamic.js"}}</script>',
        script="import('it')",
        files=(("/js/dynamic.js", SHOW.encode(), SCRIPT),),
    ),
    "worker": Way(
        title="a worker",
        found="bc",
        script="new Worker('/js/worker.js').onmessage = e => { document.body.innerHTML = e.data }",
        files=(("/js/worker.js", b"postMessage(`LINK`)", SCRIPT),),
    ),
    "service": Way(
        title="a service worker",
        found="",
        script="navigator.serviceWorker?.register('/js/service.js').then(() => navigator.serviceWorker.ready)"
        f".then(() => {SHOW})",
        files=(("/js/service.js", b"", SCRIPT),),
    ),
    "message": Way(
        title="`postMessage`",
        found="bc",
        script="onmessage = e => { document.body.innerHTML = e.data }; postMessage(`LINK`)",
    ),
    "observer": Way(
        title="`MutationObserver`",
        found="bc",
        body="<p id=p>",
        script=f"new MutationObserver(() => {{ if (!window.done) {{ window.done = 1; {SHOW} }} }})"
        ".observe(document.body, {childList: true, subtree: true}); p.innerHTML = '<b>x</b>'",
    ),
    "idle": Way(title="`requestIdleCallback`", found="bc", script=f"requestIdleCallback(() => {SHOW})"),
    "timer": Way(title="a timer of 0.3 s", found="bc", script=f"setTimeout(() => {SHOW}, 300)"),
    "late": Way(title="a timer of 60 s", found="", script=f"setTimeout(() => {SHOW}, 60000)"),
    "storage": Way(
        title="content by `localStorage`",
        found="bc",
        script=f"localStorage.seen = 'no'; if (localStorage.seen === 'no') {SHOW}",
    ),
    "parser": Way(
        title="`DOMParser` and Trusted Types",
        found="bc",
        script="const p = trustedTypes.createPolicy('p', {createHTML: text => text});"
        " document.body.append(...new DOMParser().parseFromString(p.createHTML(`LINK`), 'text/html').body.childNodes)",
    ),
    "adopted": Way(
        title="an element adopted from another document",
        found="bc",
        script="const d = document.implementation.createHTMLDocument(''); d.body.innerHTML = `LINK`;"
        " document.body.append(document.adoptNode(d.body.firstChild))",
    ),
    "title": Way(
        title="a link when `document.title` changes",
        found="bc",
        script=f"new MutationObserver(() => {SHOW}).observe(document.querySelector('title'), {{childList: true}});"
        " document.title = 'changed'",
    ),
    "next": Way(
        title="`link rel=next` by script",
        found="bc",
        script="document.head.insertAdjacentHTML('beforeend', '<link rel=next href=FOUND>')",
    ),
    "alternate": Way(
        title="`link rel=alternate` by script",
        found="bc",
        script="document.head.insertAdjacentHTML('beforeend', '<link rel=alternate hreflang=de href=FOUND>')",
    ),
    "canonical": Way(
        title="`link rel=canonical` by script",
        found="bc",
        script="document.head.insertAdjacentHTML('beforeend', '<link rel=canonical href=FOUND>')",
    ),
    "json": Way(
        title="JSON-LD by script",
        found="bc",
        script="const s = document.createElement('script'); s.type = 'application/ld+json';"
        " s.text = JSON.stringify({'@type': 'Article', url: origin + 'FOUND'}); document.head.append(s)",
    ),
    "lazy": Way(
        title="an image that is loaded when seen",
        found="bc",
        body="<div style='height: 5000px'></div><a id=a><img data-src=/decoy/lazy.png height=9></a>"
        "<div style='height: 5000px'></div>",
        script="new IntersectionObserver(s => { if (s[0].isIntersecting) a.href = 'FOUND' }).observe(a.firstChild)",
    ),
    "infinite": Way(
        title="infinite scroll",
        found="bc",
        body="<div id=end style='height: 3000px'></div>",
        script="let n = 0; onscroll = () => { if (n < 2 && scrollY + innerHeight >= document.body.scrollHeight - 9)"
        " document.body.insertAdjacentHTML('beforeend', ++n < 2 ? '<p style=height:3000px>x</p>' : `LINK`) }",
    ),
    "container": Way(
        title="scrolling in an element",
        found="bc",
        body="<div id=box style='height: 100px; overflow: auto'><p style='height: 3000px'></div>",
        script="box.onscroll = () => { if (box.scrollTop > 2000) box.innerHTML += `LINK` }",
    ),
}
