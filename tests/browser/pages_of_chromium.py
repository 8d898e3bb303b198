"""Pages made by scripts in ways that crawlers got wrong: as their trackers report, and as we did.

Each makes links to /found/NAME, most with the function `add`; a plain script of Playwright says which a browser shows.
"""

from tests.support.web.site import Answer, at

ADD = "const add = (h) => { const a = document.createElement('a'); a.href = '/found/' + h; a.textContent = h;" + (
    " document.body.append(a) };"
)


def scripted(script, body="", head="", **headers):
    names = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    html = f"<!DOCTYPE html><html><head><meta charset=utf-8><title>t</title>{head}</head><body>{body}"
    return Answer(headers=names, body=f"{html}<script>{ADD}{script}</script>".encode())


def text(body, **headers):
    names = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Answer(headers=(("Content-Type", "text/plain"), *names), body=body.encode())


TRUSTED = "require-trusted-types-for 'script'"
ROWS = "<div id=v style='height:300px;overflow:auto'><div id=i style='height:3000px;position:relative'></div></div>"

#: Name -> its page.
PAGES = {
    # policies of the page, and what ends it
    "trusted": scripted("add('trusted')", Content_Security_Policy=TRUSTED),
    "trusted-policy": scripted("add('trusted-policy')", Content_Security_Policy=f"{TRUSTED}; trusted-types one"),
    "trusted-meta": scripted(
        "add('trusted-meta')", head=f'<meta http-equiv=Content-Security-Policy content="{TRUSTED}">'
    ),
    "attachment": scripted("add('attachment')", Content_Disposition="attachment; filename=a.html"),
    "sandbox": scripted("add('sandbox')", "<a href=/found/sandboxed>x</a>", Content_Security_Policy="sandbox"),
    "sandbox-scripts": scripted("add('sandbox-scripts')", Content_Security_Policy="sandbox allow-scripts"),
    "strict": scripted(
        "add('strict')", "<a href=/found/strict-static>x</a>", Content_Security_Policy="script-src 'none'"
    ),
    "frames-none": scripted(
        "add('frames-none')", Content_Security_Policy="frame-ancestors 'none'", X_Frame_Options="DENY"
    ),
    "close": scripted("add('close'); window.close(); setTimeout(() => add('closed'), 50)"),
    "self-close": scripted("add('self-close'); open(location, '_self').close()"),
    "confirm": scripted("while (!confirm('?')) {} add('confirm')"),
    "dialogs": scripted("alert(1); prompt(2); add('dialogs'); onbeforeunload = () => 'stay'"),
    "throws": scripted("setTimeout(() => { throw 1 }); Promise.reject(2); add('throws'); undefined.x"),
    # names of elements that hide properties
    "clobbered-root": scripted("add('clobbered-root')", "<form><input name=shadowRoot><input name=attributes></form>"),
    "clobbered-nodes": scripted(
        "add('clobbered-nodes')", "<form><input name=lastChild><input name=nodeType><input name=localName></form>"
    ),
    "clobbered-document": Answer(
        body=b"<!DOCTYPE html><form name=querySelector></form><img name=documentElement><p id=p><script>"
        b"p.innerHTML = '<a href=/found/clobbered-document>x</a>'</script>"
    ),
    "clobbered-functions": scripted("add('clobbered-functions'); Array.prototype.map = Node.prototype.appendChild = 0"),
    # time
    "t300": scripted("setTimeout(() => add('t300'), 300)"),
    "t1000": scripted("setTimeout(() => add('t1000'), 1000)"),
    "t2500": scripted("setTimeout(add, '2500', 't2500')"),
    "t-chain": scripted("let n = 0; const next = () => ++n > 4 ? add('t-chain') : setTimeout(next, 200); next()"),
    "t-fetch": scripted("setTimeout(() => fetch('/data/link').then(r => r.text()).then(add), 1500)"),
    "t-cleared": scripted("clearTimeout(setTimeout(() => add('t-cleared'), 100)); add('t-kept')"),
    "t-this": scripted("const o = {n: 't-this', f() { add(this.n) }}; setTimeout(o.f.bind(o), 10)"),
    "t-frame": scripted("setTimeout(() => add('t-frame'), 900)", "<iframe srcdoc='<p>x'></iframe>"),
    "interval": scripted(
        "let n = 0; const i = setInterval(() => { if (++n === 3) { clearInterval(i); add('interval') } }, 90)"
    ),
    "sleeps": scripted(
        "(async () => { for (let n = 0; n < 3; n++) await new Promise(r => setTimeout(r, 500)); add('sleeps') })()"
    ),
    "frames": scripted("let n = 0; const next = () => ++n > 5 ? add('frames') : requestAnimationFrame(next); next()"),
    "idle": scripted("requestIdleCallback(() => add('idle'))"),
    "animation": scripted(
        "p.onanimationend = () => add('animation')",
        "<style>@keyframes k { to { opacity: 0 } } #p { animation: k 1.2s }</style><p id=p>x",
    ),
    "microtasks": scripted("queueMicrotask(() => Promise.resolve().then(() => add('microtasks')))"),
    "message": scripted(
        "const c = new MessageChannel(); c.port1.onmessage = () => add('message'); c.port2.postMessage(1)"
    ),
    # requests
    "header": scripted("fetch('/data/key', {headers: {'X-Api-Key': 'k'}}).then(r => r.text()).then(add)"),
    "authorization": scripted(
        "fetch('/data/auth', {headers: {Authorization: 'Bearer t'}}).then(r => r.text()).then(add)"
    ),
    "xhr-header": scripted(
        "const x = new XMLHttpRequest(); x.open('GET', '/data/hx'); x.setRequestHeader('HX-Request', 'true');"
        "x.onload = () => add(x.response); x.send()"
    ),
    "xhr-sync": scripted(
        "const x = new XMLHttpRequest(); x.open('GET', '/data/link', false); x.send(); add(x.response)"
    ),
    "referer": scripted("fetch('/data/referer').then(r => r.text()).then(add)"),
    "no-referer": scripted(
        "fetch('/data/referer').then(r => r.ok ? r.text() : 'no-referer').then(add)", Referrer_Policy="no-referrer"
    ),
    "head": scripted("fetch('/data/link', {method: 'HEAD'}).then(r => add('head-' + r.status))"),
    "no-store": scripted(
        "const f = async () => (await fetch('/data/count', {cache: 'no-store'})).text();"
        "(async () => add(await f() === await f() ? 'stale' : 'fresh'))()"
    ),
    "request-object": scripted("fetch(new Request('/data/link', {cache: 'reload'})).then(r => r.text()).then(add)"),
    "aborted": scripted("fetch('/data/slow', {signal: AbortSignal.timeout(200)}).catch(() => add('aborted'))"),
    "cors-no": scripted(f"fetch('{at('b.test', '/no')}').then(r => r.text(), () => 'blocked').then(add)"),
    "cors-yes": scripted(f"fetch('{at('b.test', '/yes')}').then(r => r.text(), () => 'blocked').then(add)"),
    "cors-opaque": scripted(
        f"fetch('{at('b.test', '/no')}', {{mode: 'no-cors'}}).then(r => add('opaque-' + r.status))"
    ),
    "cors-redirect": scripted("fetch('/data/to-no').then(r => r.text(), () => 'blocked-redirect').then(add)"),
    "cors-redirect-yes": scripted("fetch('/data/to-yes').then(r => r.text(), () => 'blocked').then(add)"),
    "cors-header": scripted(
        f"fetch('{at('b.test', '/yes')}', {{headers: {{'X-Api-Key': 'k'}}}})"
        ".then(r => r.text(), () => 'no-preflight').then(add)"
    ),
    "script-elsewhere": scripted(f"document.write('<script src={at('b.test', '/run.js')}><\\/script>')"),
    "post": scripted("fetch('/data/link', {method: 'POST', body: 'x'}).catch(() => 0); add('post')"),
    "image": scripted("const i = new Image(); i.onload = () => add('image'); i.src = '/data/i.svg'"),
    "image-decode": scripted(
        "const i = new Image(); i.src = '/data/i.svg'; i.decode().then(() => add('image-decode'))"
    ),
    "service-worker": scripted(
        "'serviceWorker' in navigator ? navigator.serviceWorker.register('/sw.js').then(r => { r.update; add('sw') },"
        " () => add('sw')) : add('sw')"
    ),
    "event-source": scripted("new EventSource('/data/events').onmessage = (e) => add(e.data)"),
    # the document
    "raw-style": scripted(
        "const s = document.createElement('style'); s.append('</style><a href=/found/no>'); document.body.append(s);"
        "add('raw-style')"
    ),
    "raw-comment": scripted(
        "document.body.append(document.createComment('--><a href=/found/no>')); add('raw-comment')"
    ),
    "plaintext": scripted("document.body.append(document.createElement('plaintext')); add('plaintext')"),
    "textarea": scripted(
        "document.body.append(Object.assign(document.createElement('textarea'),"
        " {textContent: '</textarea><a href=/found/no>'})); add('textarea')"
    ),
    "noscript-refresh": scripted(
        "add('noscript-refresh')", head="<noscript><meta http-equiv=refresh content='0;url=/found/no'></noscript>"
    ),
    "surrogate": scripted("document.title = 'T\\ud83dX'; add('surrogate')"),
    "opened": scripted(
        "setTimeout(() => { document.open(); document.write('<a href=/found/opened>x</a>'); document.close() }, 50)"
    ),
    "replaced": scripted(
        "const h = document.createElement('html'); h.innerHTML = '<body><a href=/found/replaced>x</a>';"
        "document.documentElement.replaceWith(h)"
    ),
    "closed-root": scripted(
        "const p = document.createElement('p'); document.body.append(p);"
        "p.attachShadow({mode: 'closed'}).innerHTML = '<a href=/found/closed-root>x</a>'; add('beside')"
    ),
    "frames-in-frames": scripted(
        "const f = document.createElement('iframe'); f.srcdoc = `<iframe srcdoc='<a href=/found/deep>x</a>'></iframe>`;"
        "document.body.append(f); add('frames-in-frames')"
    ),
    "cyrillic": Answer(
        headers=(("Content-Type", "text/html"),),
        body="<meta charset=windows-1251><a href='/found/?q=привет'>x</a><script>1</script>".encode("cp1251"),
    ),
    "undeclared": Answer(
        headers=(("Content-Type", "text/html"),),
        body="<p>Übergröße</p><a href='/found/?q=ü'>x</a><script>1</script>".encode(),
    ),
    # lists
    "rows": scripted(
        "const r = () => { const s = Math.floor(v.scrollTop / 50); i.innerHTML = '';"
        "for (let k = s; k < Math.min(60, s + 7); k++) {"
        "const a = document.createElement('a'); a.href = '/found/row' + k; a.textContent = 'row ' + k;"
        "a.style = `position:absolute;top:${k * 50}px`; i.append(a) } }; v.onscroll = r; r()",
        ROWS,
    ),
    "upwards": scripted(
        "let n = 0; const more = () => { for (let k = 0; k < 10; k++, n++) v.insertAdjacentHTML('afterbegin',"
        " `<p style='height:50px'><a href=/found/up${n}>up ${n}</a>`) }; more(); v.scrollTop = 1e6;"
        "v.onscroll = () => { if (v.scrollTop < 9 && n < 30) { more(); v.scrollTop = 500 } }",
        "<div id=v style='height:300px;overflow:auto'></div>",
    ),
    "upwards-fetched": scripted(
        "let n = 0; const more = () => { n++; v.insertAdjacentHTML('beforeend',"
        " `<p style='flex:none;height:400px'><a href=/found/reverse${n}>${n}</a>`) }; more();"
        "v.onscroll = () => { if (n < 4 && v.scrollTop + v.scrollHeight - v.clientHeight < 9) fetch('/data/link')"
        ".then(more) }",
        "<div id=v style='height:300px;overflow:auto;display:flex;flex-direction:column-reverse'></div>",
    ),
    "reused-rows": scripted(
        "for (let k = 0; k < 7; k++)"
        " i.append(Object.assign(document.createElement('a'), {style: 'position:absolute'}));"
        "const r = () => { const s = Math.min(53, Math.floor(v.scrollTop / 50)); [...i.children].forEach((a, k) => {"
        "a.href = '/found/row' + (s + k); a.textContent = 'row ' + (s + k); a.style.top = (s + k) * 50 + 'px' }) };"
        "v.onscroll = r; r()",
        ROWS,
    ),
}

#: What they request: the answers of both hosts.
OTHERS = {
    ("a.test", "/data/link"): text("link"),
    ("a.test", "/data/key"): text("key"),
    ("a.test", "/data/auth"): Answer(body=b"auth", needs=("authorization", "Bearer t")),
    ("a.test", "/data/hx"): Answer(body=b"hx", needs=("hx-request", "true")),
    ("a.test", "/data/referer"): Answer(body=b"referer", needs=("referer", "/")),
    ("a.test", "/data/count"): [text("1", Cache_Control="max-age=600"), text("2", Cache_Control="max-age=600")],
    ("a.test", "/data/slow"): Answer(body=b"slow", delay=5),
    ("a.test", "/data/to-no"): Answer(status=302, headers=(("Location", at("b.test", "/no")),)),
    ("a.test", "/data/to-yes"): Answer(status=302, headers=(("Location", at("b.test", "/yes")),)),
    ("a.test", "/data/i.svg"): Answer(
        headers=(("Content-Type", "image/svg+xml"),),
        body=b"<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>",
    ),
    ("a.test", "/sw.js"): Answer(headers=(("Content-Type", "text/javascript"),), body=b""),
    ("a.test", "/data/events"): Answer(headers=(("Content-Type", "text/event-stream"),), body=b"data: event\n\n"),
    ("b.test", "/no"): text("read"),
    ("b.test", "/yes"): text("allowed", Access_Control_Allow_Origin="*"),
    ("b.test", "/run.js"): Answer(headers=(("Content-Type", "text/javascript"),), body=b"add('run')"),
}
