# ruff: noqa: E501
"""A site whose every part would run something, or have a browser ask another server: host e.test."""

from tests.support.web.site import Answer

RUN = "console.log('RAN-%s');alert('RAN-%s')"


def run(name):
    return RUN % (name, name)


def away(name):
    return f"http://e.test/{name}"


#: Name -> markup. What asks for something names the way in the URL; what runs says so on the console, and in a dialog.
WAYS = {
    "script": f"<script>{run('script')}</script>",
    "script-src": f"<script src={away('script-src')}></script>",
    "module": f"<script type=module>import '{away('module')}';{run('module')}</script>",
    "svg-script": f"<svg><script>{run('svg-script')}</script><script href={away('svg-script')} /></svg>",
    "handler": f"<img src=x onerror=\"{run('handler')}\"><body onload=\"{run('body')}\">",
    "focus": f"<input autofocus onfocus=\"{run('focus')}\"><details open ontoggle=\"{run('toggle')}\">d</details>",
    "animation": f"<style>@keyframes k{{}}</style><p style='animation:k 1s' onanimationstart=\"{run('animation')}\">p",
    "smil": f"<svg><animate onbegin=\"{run('smil')}\" attributeName=x dur=1s /></svg>",
    "media": f"<video autoplay src={away('video')} onerror=\"{run('video')}\"></video><audio src={away('audio')}></audio>",
    "track": f"<video controls poster={away('poster')}><track default src={away('track')}></video>",
    "javascript": f"<a id=javascript href=\"javascript:{run('javascript')}\">javascript</a>",
    "entity": f"<a id=entity href=\"&#106;ava&Tab;script:{run('entity')}\">entity</a>",
    "svg-link": f"<svg><a id=svg xlink:href=\"javascript:{run('svg-link')}\"><text y=9>svg</text></a></svg>",
    "smil-link": f"<svg><a id=smil href=#x><set attributeName=href to=\"javascript:{run('smil-link')}\" /><text y=9>s</text></a></svg>",
    "link": f"<a id=away target=_top ping={away('ping')} href={away('link')}>away</a>",
    "download": f"<a id=download download href={away('download')}>download</a>",
    "image": f"<img src={away('image')}><img srcset='{away('srcset')} 1x'><picture><source srcset={away('source')}><img></picture>",
    "protocol": "<img src=//e.test/protocol><img src='\\\\e.test\\backslash'><img src=' \thttp://e.test/blank'>",
    "background": f"<table background={away('background')}><td background={away('td')}>t</table>",
    "input": f"<input type=image src={away('input')}>",
    "frames": f"<iframe src={away('iframe')}></iframe><object data={away('object')}></object><embed src={away('embed')}>",
    "srcdoc": f"<iframe srcdoc=\"<script>{run('srcdoc')}</script><img src={away('srcdoc')}>\"></iframe>",
    "data-frame": f"<iframe src=\"data:text/html,<script>{run('data-frame')}</script>\"></iframe>",
    "javascript-frame": f"<iframe src=\"javascript:{run('javascript-frame')}\"></iframe>",
    "rights": "<iframe sandbox='allow-scripts allow-top-navigation allow-same-origin' src=/inner></iframe>",
    "refresh": f"<meta http-equiv=refresh content='0;url={away('refresh')}'>",
    "refresh-javascript": f"<meta http-equiv=refresh content=\"0;url=javascript:{run('refresh')}\">",
    "hints": "".join(f"<link rel={rel} href={away(rel)}>" for rel in ["preconnect", "dns-prefetch", "prefetch", "preload", "prerender"]),
    "preloads": f"<link rel=preload as=image href={away('preload-image')}><link rel=modulepreload href={away('modulepreload')}>",
    "sheet": f"<link rel=stylesheet href={away('sheet')}><link rel='alternate stylesheet' title=x href={away('alternate')}>",
    "icon": f"<link rel=icon href={away('icon')}><link rel=manifest href={away('manifest')}>",
    "rules": f"<script type=speculationrules>{{\"prefetch\":[{{\"urls\":[\"{away('rules')}\"]}}]}}</script>",
    "style": f"<style>@import '{away('import')}';p{{background:url({away('url')})}}*{{cursor:url('{away('cursor')}'),auto}}</style>",
    "escapes": "<style>i{background:u\\72l(http://e.test/escape)}b{background:image-set('http://e.test/set' 1x)}</style><i>i</i><b>b</b>",
    "font": f"<style>@font-face{{font-family:f;src:url({away('font')})}}u{{font-family:f}}</style><u>u</u>",
    "attribute": f"<p style=\"background:url({away('attribute')});list-style:url('{away('list')}')\">p",
    "presentation": f"<svg><rect width=9 height=9 fill='url({away('fill')}#x)' filter='url({away('filter')}#y)'/></svg>",
    "svg-image": f"<svg><image href={away('svg-image')} /><use href='{away('use')}#x' /><feImage href={away('fe')} /></svg>",
    "form": f"<form id=form action={away('form')}><button id=submit formaction={away('formaction')}>send</button></form>",
    "base": f"<base href={away('base/')} target=_top>",
    "shadow": f"<div><template shadowrootmode=open><img src={away('shadow')} onerror=\"{run('shadow')}\"></template></div>",
    "noscript": f"<noscript><img src={away('noscript')} onerror=\"{run('noscript')}\"></noscript>",
    "mutation": f"<svg><style><img src={away('mutation')} onerror=\"{run('mutation')}\"></style></svg>",
    "title": f"<svg><title><img src={away('svg-title')} onerror=\"{run('svg-title')}\"></title></svg>",
    "math": f"<math><mtext><table><mglyph><style><!--</style><img src={away('math')} onerror=\"{run('math')}\">--></style></math>",
    "comment": f"<!--><img src={away('comment')} onerror=\"{run('comment')}\">-->",
    "textarea": f"<textarea></textarea><img src={away('textarea')} onerror=\"{run('textarea')}\">",
    "attribution": f"<img attributionsrc={away('attribution')} src=x><a href=x attributionsrc={away('attribution-link')}>a</a>",
    "portal": f"<portal src={away('portal')}></portal><fencedframe src={away('fenced')}></fencedframe>",
    "applet": f"<applet code=x archive={away('applet')}></applet><object classid=x codebase={away('codebase')}></object>",
    "policy": "<meta http-equiv=Content-Security-Policy content=\"default-src * 'unsafe-inline'\">",
}  # fmt: skip

MARKUP = f'"\'><script>{run("markup")}</script><img src={away("markup")} onerror="{run("markup-handler")}">{{{{7*7}}}}</title>'

SVG = f"""<?xml version="1.0"?><?xml-stylesheet href="{away("xml-stylesheet")}" type="text/xsl"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xhtml" onload="{run("svg-load")}">
<script>{run("svg-file")}</script><image href="{away("svg-file")}" width="9" height="9"/>
<x:link rel="preconnect" href="{away("svg-preconnect")}"/><x:img src="{away("svg-img")}"/></svg>"""

XHTML = f"""<?xml version="1.0"?><!DOCTYPE html [<!ENTITY e "<img src='{away("entity")}'/>">]>
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title><script><![CDATA[{run("xhtml")}]]></script></head>
<body>&e;<img src="{away("xhtml")}" onerror="{run("xhtml-handler")}"/></body></html>"""

FRAMESET = f'<frameset onload="{run("frameset")}"><frame src={away("frame")}><frame src="javascript:{run("frame")}"></frameset>'


def typed(type, text, *headers):
    return Answer(headers=(("Content-Type", type), *headers), body=text.encode())


ALL = "".join(WAYS.values())
SPECIAL = {
    "/a.svg": typed("image/svg+xml", SVG),
    "/x.xhtml": typed("application/xhtml+xml", XHTML),
    "/frameset": Answer(body=FRAMESET.encode()),
    "/a.css": typed("text/css", f"@import url({away('css')});p{{background:url({away('css-url')})}}"),
    "/a.js": typed("text/javascript", run("js")),
    "/a.txt": typed("text/plain", f"<script>{run('text')}</script>"),
    "/a.xml": typed("text/xml", f"<x:script xmlns:x='http://www.w3.org/1999/xhtml'>{run('xml')}</x:script>"),
    "/inner": Answer(body=f"<script>{run('inner')}</script>".encode()),
    "/sniffed": typed("image/png", f"<script>{run('sniffed')}</script>"),
    "/headers": typed(
        "text/html",
        "<p>headers",
        ("Refresh", f"0; url={away('header-refresh')}"),
        ("Link", f"<{away('header-link')}>; rel=stylesheet, <{away('header-preconnect')}>; rel=preconnect"),
        ("Server", MARKUP),
        ("Set-Cookie", "a=b"),
        ("Content-Security-Policy", "default-src *"),
        ("Content-Disposition", f'attachment; filename="{MARKUP}"'),
        ("ETag", f'"{MARKUP}"'),
    ),
    "/moved": Answer(status=302, headers=(("Location", away("moved")),)),
    "/script-moved": Answer(status=302, headers=(("Location", f"javascript:{run('moved')}"),)),
    f"/{'%3Cscript%3E'}?q=%22'%3E{'%3Cimg%20src=x%20onerror=alert(1)%3E'}": Answer(body=b"<p>odd"),
    "/missing": Answer(status=404, body=f"<title>{MARKUP}</title>{MARKUP}".encode()),
}
LINKS = "".join(f'<a href="{path}">{MARKUP.replace("<", "&lt;")} {path[1:3]}</a>' for path in ("/all", *SPECIAL))
PAGES = {
    ("a.test", "/"): Answer(body=f"<title>{MARKUP.replace('<', '&lt;')}</title><main>{MARKUP}{LINKS}</main>".encode()),
    ("a.test", "/all"): Answer(body=f"<title>all</title>{ALL}".encode()),
    **{("a.test", path): answer for path, answer in SPECIAL.items()},
    **{("a.test", f"/way/{name}"): Answer(body=f"<title>{name}</title>{html}".encode()) for name, html in WAYS.items()},
}
