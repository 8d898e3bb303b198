"""Certificates of every kind, good and bad."""

from __future__ import annotations

import datetime
from pathlib import Path

import trustme

DAY = datetime.timedelta(days=1)


def pem(kind: str, trusted: trustme.CA, host: str, directory: Path) -> Path:
    """Key and chain of a server that calls itself `host`, in a file.

    The kinds: good, wrong-name, address (that of this machine), expired, early, stranger (of a CA that nobody trusts),
    chain (the same, with that CA's own), self-signed.
    """
    stranger = trustme.CA()
    file = directory / f"{host}-{kind}.pem"
    if kind == "self-signed":
        file.write_bytes(stranger.private_key_pem.bytes() + stranger.cert_pem.bytes())
        return file
    ca = stranger if kind in ("stranger", "chain") else trusted
    name = {"wrong-name": "b.test", "address": "127.0.0.1"}.get(kind, host)
    now = datetime.datetime.now(datetime.UTC)
    # a certificate that is not valid yet must not be out of date, and one that is must have been valid before
    begin, end = {"expired": (-2, -1), "early": (1, 2)}.get(kind, (-1, 1))
    leaf = ca.issue_cert(name, not_before=now + begin * DAY, not_after=now + end * DAY)
    chain = [*leaf.cert_chain_pems, *([stranger.cert_pem] if kind == "chain" else [])]
    file.write_bytes(leaf.private_key_pem.bytes() + b"".join(each.bytes() for each in chain))
    return file
