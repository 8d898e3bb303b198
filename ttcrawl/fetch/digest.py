"""HTTP Digest (RFC 7616, and RFC 2069 for servers without qop), for both transports.

libcurl sends the second request by itself, within one transfer: here it is an attempt of the exchange like any other,
counted and with the rules of attempts. Afterwards the nonce of a host is used for all requests to it, until the server
wants another one.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ttcrawl.config import Login
from ttcrawl.fetch.head import Fields

#: The names of algorithms in the registry of RFC 7616 section 6.1 -> those of hashlib.
HASHES = {"md5": "md5", "sha-256": "sha256", "sha-512-256": "sha512_256"}

#: A parameter, or the name of a scheme; RFC 9110 sections 5.6.4 and 11.2.
PART = re.compile(r"""([!#$%&'*+.^_`|~\w-]+)(?:\s*=\s*("(?:[^"\\]|\\.)*"|[^\s,"]*))?""")


class Challenge(Struct, frozen=True, kw_only=True):
    """What a server wants of a client."""

    realm: str
    nonce: str
    opaque: str | None
    algorithm: str  # as received; "": MD5
    qop: str  # "auth", or "" for a server of RFC 2069
    stale: bool
    hashed_user: bool


def challenge(values: Sequence[str]) -> Challenge | None:
    """Return the first challenge in WWW-Authenticate headers that can be answered; None if there is none.

    >>> challenge(['Basic realm="x", Digest realm="a, b", nonce="n", qop="auth,auth-int", stale=TRUE']).realm
    'a, b'
    """
    for scheme, parameters in _schemes(", ".join(values)):
        algorithm = parameters.get("algorithm", "")
        known = algorithm.lower().removesuffix("-sess") in ("", *HASHES)
        qops = [each.strip().lower() for each in parameters.get("qop", "").split(",")]
        if scheme != "digest" or not known or "nonce" not in parameters or not {"", "auth"} & set(qops):
            continue
        return Challenge(
            realm=parameters.get("realm", "").encode("iso-8859-1", "replace").decode("utf-8", "surrogateescape"),
            nonce=parameters["nonce"],
            opaque=parameters.get("opaque"),
            algorithm=algorithm,
            qop="auth" if "auth" in qops else "",
            stale=parameters.get("stale", "").lower() == "true",
            hashed_user=parameters.get("userhash", "").lower() == "true",
        )
    return None


def _schemes(text: str) -> list[tuple[str, dict[str, str]]]:
    found: list[tuple[str, dict[str, str]]] = []
    for name, value in PART.findall(text):
        if not value:
            found.append((name.lower(), {}))
        elif found:
            found[-1][1].setdefault(name.lower(), _unquoted(value))
    return found


def _unquoted(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value[1:-1]) if value.startswith('"') else value


def authorization(wanted: Challenge, login: Login, method: str, target: str, *, count: int, client_nonce: str) -> str:
    """Return the value of Authorization (RFC 7616 section 3.4). `count`: of requests with this nonce, from 1.

    >>> wanted = Challenge(realm="r", nonce="n", opaque=None, algorithm="", qop="", stale=False, hashed_user=False)
    >>> authorization(wanted, Login(user="u", password="p"), "GET", "/", count=1, client_nonce="c")[:58]
    'Digest username="u", realm="r", nonce="n", uri="/", respon'
    """
    algorithm = wanted.algorithm.lower()
    digest = _digest(HASHES[algorithm.removesuffix("-sess") or "md5"])
    secret = digest(f"{login.user}:{wanted.realm}:{login.password}")
    if algorithm.endswith("-sess"):
        secret = digest(f"{secret}:{wanted.nonce}:{client_nonce}")
    number = f"{count:08x}"
    between = f":{number}:{client_nonce}:{wanted.qop}" if wanted.qop else ""
    response = digest(f"{secret}:{wanted.nonce}{between}:{digest(f'{method}:{target}')}")
    user = digest(f"{login.user}:{wanted.realm}") if wanted.hashed_user else login.user
    quoted = {"username": user, "realm": wanted.realm, "nonce": wanted.nonce, "uri": target, "response": response}
    if wanted.opaque is not None:
        quoted["opaque"] = wanted.opaque
    plain = {"algorithm": wanted.algorithm} if wanted.algorithm else {}
    if wanted.qop:
        plain |= {"qop": wanted.qop, "nc": number}
    if wanted.qop or algorithm.endswith("-sess"):
        quoted["cnonce"] = client_nonce
    if wanted.hashed_user:
        plain["userhash"] = "true"
    parts = [f'{name}="{_escaped(value)}"' for name, value in quoted.items()]
    return "Digest " + ", ".join(parts + [f"{name}={value}" for name, value in plain.items()])


def _digest(name: str) -> Callable[[str], str]:
    return lambda text: hashlib.new(name, text.encode("utf-8", "surrogateescape")).hexdigest()


def _escaped(value: str) -> str:
    """A value as it stands between quotes, its characters in ISO 8859-1 the bytes of UTF-8 (`charset` there)."""
    return re.sub(r'(["\\])', r"\\\1", value).encode("utf-8", "surrogateescape").decode("iso-8859-1")


class Nonce(Struct, kw_only=True):
    """The nonce that a host accepts now."""

    challenge: Challenge
    count: int = 0  # requests with it
    accepted: bool = False  # a response to one of them was no 401


class Digests:
    """The nonces of all hosts, of one fetch process; threads may share it. `logins`: by canonical host."""

    def __init__(self, logins: Mapping[str, Login]) -> None:
        self._logins = logins
        self._nonces: dict[str, Nonce] = {}
        self._refused: set[str] = set()  # hosts that do not accept the password: it is not tried again
        self._lock = threading.Lock()
        self._client_nonce = secrets.token_urlsafe(16)

    def of(self, authority: str, method: str, target: str) -> tuple[str, str]:
        """Return the value of Authorization for a request, and the nonce in it; "" if the host has not asked for it."""
        if authority not in self._logins:
            return "", ""
        with self._lock:
            nonce = self._nonces.get(authority)
            if nonce is None or authority in self._refused:
                return "", ""
            nonce.count += 1
            wanted, count = nonce.challenge, nonce.count
        login = self._logins[authority]
        value = authorization(wanted, login, method, target, count=count, client_nonce=self._client_nonce)
        return value, wanted.nonce

    def answered(self, authority: str, used: str, status: int, fields: Fields) -> bool:
        """Note the response to a request. `used`: the nonce in it. Return whether it is to be sent once more."""
        if authority not in self._logins:
            return False
        with self._lock:
            if status == 401:
                return self._wants_another(authority, used, challenge(fields.get("www-authenticate", ())))
            nonce = self._nonces.get(authority)
            if nonce is not None and used == nonce.challenge.nonce:
                nonce.accepted = True
                following = dict(_of_info(fields)).get("nextnonce", "")
                if following and following != used:  # RFC 7616 section 3.5
                    self._nonces[authority] = Nonce(challenge=replace(nonce.challenge, nonce=following), accepted=True)
        return False

    def _wants_another(self, authority: str, used: str, wanted: Challenge | None) -> bool:
        if wanted is None or authority in self._refused:
            return False
        before = self._nonces.get(authority)
        if used and before is not None and used == before.challenge.nonce and not (wanted.stale or before.accepted):
            self._refused.add(authority)  # the password is wrong: many servers lock who goes on
            return False
        if before is None or used == before.challenge.nonce:  # else another request has brought a newer one
            self._nonces[authority] = Nonce(challenge=wanted)
        return True


def _of_info(fields: Fields) -> list[tuple[str, str]]:
    values = ", ".join(fields.get("authentication-info", ()))
    return [(name.lower(), _unquoted(value)) for name, value in PART.findall(values)]
