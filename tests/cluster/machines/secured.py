"""Ray with TLS between all its processes, and with a token."""

from __future__ import annotations

from typing import ClassVar

import trustme

from tests.cluster.machines.machines import DISK, Machine

#: A token of the length that Ray asks for.
DIGITS = 64


class Secured:
    """The authority that signs the certificates of the machines of a cluster."""

    #: What makes Ray ask for a token, and encrypt.
    token: ClassVar = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN_PATH": str(DISK / "token")}
    environment: ClassVar = token | {
        "RAY_USE_TLS": "1",
        "RAY_TLS_SERVER_CERT": str(DISK / "cert.pem"),
        "RAY_TLS_SERVER_KEY": str(DISK / "key.pem"),
        "RAY_TLS_CA_CERT": str(DISK / "ca.pem"),
    }

    def __init__(self) -> None:
        self._authority = trustme.CA()

    def equip(self, machine: Machine, address: str) -> None:
        """Put the token and a certificate for its address on the disk of a machine."""
        certificate = self._authority.issue_cert(address)
        certificate.private_key_pem.write_to_path(machine.disk / "key.pem")
        certificate.cert_chain_pems[0].write_to_path(machine.disk / "cert.pem")
        self._authority.cert_pem.write_to_path(machine.disk / "ca.pem")
        (machine.disk / "token").write_text("7" * DIGITS)
