"""A server that speaks TLS."""

from tests.support.web.listening import listening


def tls_connections(context, address, serve_one):
    """Calls `serve_one` with each connection, one after the other, until the end of the block; gives its port."""

    def serve(connection):
        with context.wrap_socket(connection, server_side=True) as secured:
            serve_one(secured)

    return listening(serve, address, threads=False)


def tls_server(context, address):
    """Answers one request a connection until the end of the block; gives its port."""

    def answer(secured):
        secured.recv(65536)
        secured.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")

    return tls_connections(context, address, answer)
