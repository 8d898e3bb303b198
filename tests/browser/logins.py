"""Pages with a form that logs in, and what is behind it."""

from tests.support.web.site import Answer

SECRET = "s3cret-Äpfel"

FORM = """<title>Log in</title><form id=f method=post action=/enter><input name=user><input type=password name=pw
oninput="this.setAttribute('value', this.value)"><input type=hidden name=csrf value=x7><button>Log in</button></form>
<script>1</script>"""

SCRIPT = """<title>Log in</title><div><input name=user><input type=password name=pw><button id=b>Log in</button></div>
<script>b.onclick = () => fetch('/api/enter', {method: 'POST', body: 'x'}).then(async (r) => {
  document.cookie = 'token=' + (await r.text()); document.body.innerHTML = '<a href=/private>in</a>' })</script>"""

INSIDE = b"<title>Account</title><p id=account>Inside</p><a href=private>x</a><script>1</script>"


def site(form, private):
    return {
        ("a.test", "/login"): Answer(body=form.encode()),
        ("a.test", "/enter"): Answer(
            status=303, headers=(("Location", "/in/account"), ("Set-Cookie", "sid=1; Path=/"))
        ),
        ("a.test", "/api/enter"): Answer(body=b"t1", headers=(("Set-Cookie", "sid=1; Path=/"),)),
        ("a.test", "/in/account"): Answer(body=INSIDE, needs=("cookie", "sid=1")),
        ("a.test", "/in/private"): Answer(body=b"<p>private", needs=("cookie", "sid=1")),
        ("a.test", "/private"): Answer(body=b"<p>private", needs=("cookie", private)),
    }
