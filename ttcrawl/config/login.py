"""The keys of config.ini for a session of the user."""

from __future__ import annotations

from ttcrawl.config.certificates import certificates
from ttcrawl.config.forms import forms, signs
from ttcrawl.config.key import key
from ttcrawl.config.lines import NO_LINES, Lines
from ttcrawl.frozen import frozen


@frozen
class LoginSection:
    """How a crawl sees what its user may see (docs/guides/behind-a-login.md)."""

    cookies: str = key(
        "",
        "FILE with cookies of a browser that are sent from the beginning: cookies.txt, or JSON; needs [fetch] cookies ="
        " kept or host; requests are then archived without cookies",
    )
    form: Lines = key(
        NO_LINES,
        "[PATTERN] URL NAME=VALUE ..., the page with a form and the fields to fill in, one login per line: it is sent"
        " before the first page of its host, or of those of a pattern such as host:*.a.example, and again when the"
        " session is lost; a password is ${NAME} (an environment variable) or ${file:PATH}; percent-encode white space",
    )
    success: Lines = key(
        NO_LINES,
        "what a login shows that has succeeded, all lines for its host: [PATTERN] text: WORDS (on the page after"
        " it), url: PATTERN (of that page) or cookie: NAME; empty: that page has no field for a password",
    )
    lost: Lines = key(
        NO_LINES,
        "what an answer shows when the session is lost, one line is enough: [PATTERN] url: PATTERN (it redirects"
        " there), text: WORDS or status: NUMBER; empty: it redirects to the page with the form",
    )

    certificates: Lines = key(
        NO_LINES,
        "certificates of the client, HOST FILE [KEY] [${NAME}], one per line: PEM files of the certificate and of its"
        " key, if that is another file, and the environment variable with its passphrase, or ${file:PATH}; sent to"
        " this host alone",
    )

    def check(self) -> None:
        """Raises ConfigError."""
        certificates(self.certificates)
        forms(self.form)
        signs(self.success, "success")
        signs(self.lost, "lost")
