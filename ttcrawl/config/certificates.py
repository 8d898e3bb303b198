"""The lines of [login] certificates: certificates of the client, each for one host."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from pathlib import Path

from ttcrawl.config.secrets import is_reference, revealed
from ttcrawl.errors import ConfigError
from ttcrawl.frozen import frozen
from ttcrawl.web.line import Line
from ttcrawl.web.url import canonical, host


@frozen
class Certificate:
    """A certificate of the client with its key, in PEM."""

    host: str  # as in a canonical URL, with its port if it has one
    file: str
    key: str  # its file; "": the same
    passphrase: str = field(default="", repr=False)  # of the key, or the reference to it; "": none

    def checked(self, environment: Mapping[str, str]) -> Certificate:
        """Return it with its passphrase, after a look whether it can be used. Raises ConfigError."""
        import ssl  # most crawls have none

        where = f"[login] certificates: {self.host}"
        known = revealed(self.passphrase, "[login] certificates", "the passphrase", environment)
        try:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.load_cert_chain(self.file, self.key or None, password=known)
        except ssl.SSLError:
            raise ConfigError(
                f"{where}: {self.file} is not a PEM certificate with its key, or the passphrase is missing or wrong"
            ) from None
        except OSError as error:
            raise ConfigError(f"{where}: {self.file} {self.key}".rstrip() + f": {error.strerror}") from None
        return replace(self, passphrase=known)


def certificates(lines: Iterable[Line]) -> tuple[Certificate, ...]:
    """Return the certificates of lines HOST FILE [KEY] [${NAME}]. Raises ConfigError.

    >>> certificates([Line(text="a.test me.pem me.key ${PASSPHRASE}")])
    (Certificate(host='a.test', file='me.pem', key='me.key'),)
    """
    found = tuple(map(_certificate, lines))
    for number, each in enumerate(found):
        if any(each.host == other.host for other in found[:number]):
            raise ConfigError(f"[login] certificates: {each.host} has two: write one for each host")
    return found


def _certificate(line: Line) -> Certificate:
    where, words = line.position or "[login] certificates", line.text.split()
    passphrase = words.pop() if is_reference(words[-1]) else ""
    if not 2 <= len(words) <= 3 or any("$" in each for each in words):
        raise ConfigError(f"{where}: write HOST FILE [KEY] [${{NAME}}], the passphrase as the name of a variable")
    url = canonical(f"https://{words[0]}/")
    if url is None or "/" in words[0]:
        raise ConfigError(f"{where}: write the host as in its URLs, with a port only if they have one")
    try:
        files = [str(Path(each).expanduser()) for each in words[1:]]
    except RuntimeError:  # of a user that does not exist
        raise ConfigError(f"{where}: there is no such home directory: write the paths without ~") from None
    return Certificate(host=host(url), file=files[0], key=files[1] if files[1:] else "", passphrase=passphrase)
