"""The ways in which pages show links only to who clicks, or moves a pointer, and those that a crawl must not take."""

from tests.browser.ways import SHOW, Way

CLICKS = {
    "button": Way(
        title="a button", found="c", body="<button id=b>Details</button>", script=f"b.onclick = () => {SHOW}"
    ),
    "pointer": Way(
        title="an element with a pointer, without a role",
        found="c",
        body="<div id=d style='cursor: pointer'>Read on</div>",
        script=f"d.addEventListener('click', () => {SHOW})",
    ),
    "tabs": Way(
        title="tabs, one of them in the document",
        found="c",
        body="<button role=tab id=t1 aria-selected=true>1</button><button role=tab id=t2>2</button>"
        "<button role=tab id=t3>3</button><div id=panel>one</div>",
        script="t2.onclick = () => { panel.innerHTML = `LINK` }; t3.onclick = () => { panel.innerHTML = 'three' }",
    ),
    "accordion": Way(
        title="an accordion that loads its content",
        found="c",
        body="<h2><button id=b aria-expanded=false>More</button></h2><div id=panel></div>",
        script="b.onclick = () => fetch('/data/accordion.html').then(r => r.text()).then(t => { panel.innerHTML = t })",
        files=(("/data/accordion.html", b"LINK", ()),),
    ),
    "details": Way(
        title="`details` that load when open",
        found="c",
        body="<details id=d><summary>More</summary></details>",
        script="d.ontoggle = () => { d.insertAdjacentHTML('beforeend', `LINK`) }",
    ),
    "more": Way(
        title="a button for more, three times",
        found="c",
        body="<ul id=list><li>0</ul><button id=b>Show more</button>",
        script="let n = 0; b.onclick = () => list.insertAdjacentHTML('beforeend', ++n < 3 ? `<li>${n}` : `<li>LINK`)",
    ),
    "paging": Way(
        title="pages of a list by a button",
        found="c",
        body="<div id=list>0</div><button id=b>Next</button>",
        script="let n = 0; b.onclick = () => { n++; list.innerHTML = n === 2 ? `LINK` : `<p>page ${n}` }",
    ),
    "hover": Way(
        title="a menu when a pointer is over it",
        found="c",
        body="<nav><ul><li id=m><a href=/way/hover>Menu</a></ul></nav>",
        script="m.onmouseenter = () => { m.insertAdjacentHTML('beforeend', `LINK`) };"
        " m.onmouseleave = () => { m.lastChild.remove() }",
    ),
    "menu": Way(
        title="a menu in a menu",
        found="c",
        body="<button id=b aria-haspopup=true>Menu</button>",
        script="b.onclick = () => { document.body.insertAdjacentHTML('beforeend', '<div id=i role=menuitem tabindex=0>"
        f"Next</div>'); i.onclick = () => {SHOW} }}",
    ),
    "hash": Way(
        title="routes behind `#/`",
        found="c",
        body="<a href='#/one'>One</a> <a href='#/two'>Two</a><div id=view></div>",
        script="onhashchange = () => { view.innerHTML = location.hash === '#/one' ? `LINK` : 'two' }",
    ),
    "bang": Way(
        title="routes behind `#!`",
        found="c",
        body="<a href='#!one'>One</a> <a href='#!two'>Two</a><div id=view></div>",
        script="onhashchange = () => { view.innerHTML = location.hash === '#!one' ? `LINK` : 'two' }",
    ),
    "router": Way(
        title="a button that changes the address",
        found="c",
        body="<main id=view><button id=b>Products</button></main>",
        script="const home = view.innerHTML; b.onclick = () => { history.pushState({}, '', 'FOUND');"
        " view.innerHTML = '<p>products' }; onpopstate = () => { view.innerHTML = home }",
    ),
    "mousedown": Way(title="`mousedown`", found="c", body="<p id=p>x</p>", script=f"p.onmousedown = () => {SHOW}"),
    "mouseup": Way(
        title="`mouseup`", found="c", body="<p id=p>x</p>", script=f"p.addEventListener('mouseup', () => {SHOW})"
    ),
    "pointer-up": Way(
        title="`pointerup`", found="c", body="<p id=p>x</p>", script=f"p.addEventListener('pointerup', () => {SHOW})"
    ),
    "trusted": Way(
        title="a click that a person makes (`isTrusted`)",
        found="c",
        body="<button id=b>x</button>",
        script=f"b.onclick = (e) => {{ if (e.isTrusted && e.clientX && navigator.userActivation.isActive) {SHOW} }}",
    ),
    "mouseover": Way(
        title="`mouseover`", found="c", body="<p id=p>x</p>", script=f"p.addEventListener('mouseover', () => {SHOW})"
    ),
    "mouseout": Way(
        title="`mouseout`", found="c", body="<p id=p>x</p>", script=f"p.addEventListener('mouseout', () => {SHOW})"
    ),
    "rest": Way(
        title="a pointer that rests for 0.3 s",
        found="c",
        body="<p id=p>x</p>",
        script=f"let t; p.onmouseenter = () => {{ t = setTimeout(() => {SHOW}, 300) }};"
        " p.onmouseleave = () => clearTimeout(t)",
    ),
    "dblclick": Way(title="`dblclick`", found="c", body="<p id=p>x</p>", script=f"p.ondblclick = () => {SHOW}"),
    "focus": Way(title="`focus` of a field", found="c", body="<input id=i>", script=f"i.onfocus = () => {SHOW}"),
    "focusin": Way(
        title="`focus` of an element", found="c", body="<p id=p tabindex=0>x</p>", script=f"p.onfocus = () => {SHOW}"
    ),
    "keydown": Way(
        title="`keydown` of a button that is none",
        found="c",
        body="<p id=p role=button tabindex=0>x</p>",
        script=f"p.onkeydown = (e) => {{ if (e.key === 'Enter') {SHOW} }}",
    ),
    "arrow": Way(
        title="`keydown` of a field that has a list",
        found="c",
        body="<input id=i>",
        script=f"i.onkeydown = (e) => {{ if (e.key === 'ArrowDown') {SHOW} }}",
    ),
    "item": Way(
        title="a menu that closes when a pointer leaves it",
        found="c",
        body="<div id=m><button id=b aria-haspopup=menu>Menu</button><div id=l></div></div>",
        script="b.onpointerdown = () => { l.innerHTML = '<div role=menuitem id=i>Next</div>';"
        " i.onpointerup = () => { l.innerHTML = `LINK` } }; m.onmouseleave = () => { l.innerHTML = '' }",
    ),
    "react": Way(
        title="a function that React calls from its root",
        found="c",
        body="<div id=r><p id=p>x</p></div>",
        script=f"p.__reactProps$1 = {{onMouseDown: () => {SHOW}}};"
        " r.onmousedown = (e) => e.target.__reactProps$1?.onMouseDown()",
    ),
    "covered": Way(
        title="a button under a layer that covers the page",
        found="c",
        body="<button id=b>x</button><div style='position: fixed; inset: 0'></div>",
        script=f"b.onclick = () => {SHOW}",
    ),
    "many": Way(
        title="a button behind many that do nothing",
        found="c",
        body="<button>n</button>" * 30 + "<button id=b>Details</button>",
        script=f"b.onclick = () => {SHOW}",
    ),
    "around": Way(
        title="a card around a button that must not be clicked",
        found="c",
        body="<div id=d style='width: 300px'><button id=b style='width: 200px'>Delete</button></div>",
        script=f"d.addEventListener('click', () => {SHOW}); b.onclick = () => {{ location = '/decoy/card' }}",
    ),
    "plain": Way(
        title="`onclick` that plainly names a location", found="sbc", body="<b onclick=\"location = 'FOUND'\">x</b>"
    ),
    "onclick": Way(
        title="`onclick` that computes a location",
        found="c",
        body="<b onclick=\"location.href = '/found/' + 'onclick'\">x</b>",
    ),
    "open": Way(
        title="`window.open`",
        found="c",
        body="<button id=b>x</button>",
        script="b.onclick = () => window.open('FOUND')",
    ),
    "data": Way(
        title="`data-href` and a handler",
        found="c",
        body="<p data-href=FOUND>card</p><p data-href=/decoy/data aria-disabled=true>x</p>",
        script="onclick = e => { location = e.target.dataset.href }",
    ),
    "pointerdown": Way(
        title="an `href` that is set when a pointer is over it",
        found="c",
        body="<a id=a href='#'>x</a>",
        script="a.onmouseover = () => { a.href = 'FOUND' }",
    ),
    "select": Way(
        title="a form for a search (GET), sent by a button",
        found="c",
        body="<form action=/decoy/form id=f><input name=q><button>Search</button></form>",
        script="f.onsubmit = () => { if (!q.value) return false; f.action = 'FOUND' }; const q = f.elements[0]",
    ),
    "enter": Way(
        title="a form for a search (GET) without a button",
        found="c",
        body="<form action=/decoy/form id=f><input name=q type=search></form>",
        script="f.onsubmit = (e) => { e.preventDefault(); if (f.q.value) location = 'FOUND' }",
    ),
    "required": Way(
        title="a form (GET) with fields that it needs",
        found="c",
        body="<form action=/decoy/form id=f><input name=n type=number min=3 required><input name=d type=date required>"
        "<select name=s required><option value=''>-<option>x</select><input type=checkbox name=c required>"
        "<button>Find</button></form>",
        script="f.onsubmit = () => { f.action = 'FOUND' }",
    ),
    "css": Way(
        title="a URL that only CSS shows",
        found="",
        body="<style>p::after {content: 'FOUND'} a::after {content: '/decoy/css'}</style><p>x",
    ),
    "forbidden": Way(
        title="buttons that buy, delete, log out, send or choose a language",
        found="",
        body="<button>Buy now</button><button>Log out</button><button>Löschen</button><button>Deutsch</button>"
        "<button>Accept</button><button class=btn-addToCart>a</button><button lang=de>b</button>"
        "<button disabled>c</button><button role=switch>d</button><button aria-label=Subscribe>e</button>"
        "<div class=cookie-banner><button>Fine</button></div><form action=/decoy/send><input><button>Go</button></form>"
        "<form action=/decoy/in><input type=password><button>Go</button></form>"
        "<form action=/decoy/post method=post><input><button>Go</button></form>",
        script="document.querySelectorAll('button').forEach((b, n) => b.onclick = () => { location = '/decoy/' + n })",
    ),
    "post": Way(
        title="a form sent by script (POST)",
        found="",
        script="const f = document.createElement('form'); f.method = 'post'; f.action = 'FOUND';"
        " document.body.append(f); f.submit()",
    ),
}
