"""Certificates of clients, and a server that wants one."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path

import trustme
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)


def client_files(directory: Path, passphrase: str) -> trustme.CA:
    """Write me.pem and me.key, which is encrypted, both.pem, which is not, and ca.pem; return the authority."""
    ca = trustme.CA()
    leaf = ca.issue_cert("me@example.test")
    key = load_pem_private_key(leaf.private_key_pem.bytes(), None)
    encryption = BestAvailableEncryption(passphrase.encode())
    (directory / "me.key").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption))
    (directory / "me.pem").write_bytes(b"".join(each.bytes() for each in leaf.cert_chain_pems))
    (directory / "both.pem").write_bytes(leaf.private_key_pem.bytes() + (directory / "me.pem").read_bytes())
    ca.cert_pem.write_to_path(directory / "ca.pem")
    return ca


@contextlib.contextmanager
def server_for_clients(ca: trustme.CA, wants: ssl.VerifyMode) -> Iterator[tuple[int, list[list[str]]]]:
    """(its port, the subjects of the clients' certificates). `wants`: an ssl.VerifyMode."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ca.issue_cert("a.test", "b.test").configure_cert(context)
    ca.configure_trust(context)
    context.verify_mode = wants
    seen: list[list[str]] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve():
            with contextlib.suppress(OSError):
                while True:
                    connection = listener.accept()[0]
                    with contextlib.suppress(OSError), context.wrap_socket(connection, server_side=True) as secured:
                        secured.recv(65536)
                        certificate = secured.getpeercert() or {}
                        seen.append([value for kind, value in certificate.get("subjectAltName", ())])
                        secured.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")

        threading.Thread(target=serve, daemon=True).start()
        yield listener.getsockname()[1], seen
        listener.shutdown(socket.SHUT_RDWR)
