"""A server that speaks TLS."""

import contextlib
import socket
import threading


@contextlib.contextmanager
def tls_connections(context, address, serve_one):
    """Calls `serve_one` with each connection, one after the other, until the end of the block; gives its port."""
    server = socket.create_server((address, 0))

    def serve():
        while True:
            try:
                connection = server.accept()[0]
            except OSError:
                return
            with connection, contextlib.suppress(OSError), context.wrap_socket(connection, server_side=True) as secured:
                serve_one(secured)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield server.getsockname()[1]
    finally:
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        thread.join()


def tls_server(context, address):
    """Answers one request a connection until the end of the block; gives its port."""

    def answer(secured):
        secured.recv(65536)
        secured.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")

    return tls_connections(context, address, answer)
