"""FTP servers of tests: one that works (pyftpdlib), and one whose every reply is scripted."""

import contextlib
import socket
import threading

from pyftpdlib.authorizers import DummyAuthorizer
from pyftpdlib.handlers import FTPHandler
from pyftpdlib.servers import ThreadedFTPServer


@contextlib.contextmanager
def serving(folder, address="127.0.0.1", **settings):
    """A server of the files in a folder. Yields its port and the list of (client, command, argument) it receives."""
    authorizer, commands = DummyAuthorizer(), []
    authorizer.add_anonymous(str(folder))

    class Handler(FTPHandler):
        def pre_process_command(self, line, cmd, arg):
            commands.append((self.remote_port, cmd, arg))
            super().pre_process_command(line, cmd, arg)

    Handler.authorizer = authorizer
    for name, value in settings.items():
        setattr(Handler, name, value)
    server = ThreadedFTPServer((address, 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"handle_exit": False})
    thread.start()
    try:
        yield server.socket.getsockname()[1], commands
    finally:
        server.close_all()
        thread.join()


CLOSE = None  # instead of a reply: the connection is closed
SILENT = ""  # no reply

#: Command -> what is sent for it: text, or what is done.
USUAL = {
    "": "220 ready\r\n",
    "USER": "331 password?\r\n",
    "PASS": "230 hello\r\n",
    "PWD": '257 "/"\r\n',
    "TYPE": "200 done\r\n",
    "CWD": "250 done\r\n",
    "MDTM": "213 20240102030405\r\n",
    "SIZE": "213 5\r\n",
    "QUIT": "221 bye\r\n",
}


class Scripted:
    """A server of one file, "hello". `replies` replace those of USUAL; `data`: for RETR, MLSD and LIST.

    `lingering`: after the data it waits until the client has closed the data connection too, as ProFTPD does."""

    def __init__(self, replies=(), data=b"hello", *, passive="", endless=False, lingering=False):
        self.replies, self.data = {**USUAL, **dict(replies)}, data
        self.passive, self.endless, self.lingering = passive, endless, lingering
        self.commands = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._listener.close()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self._serve, args=self._listener.accept()[:1], daemon=True).start()

    def _serve(self, connection):
        with connection, contextlib.suppress(OSError), connection.makefile("rb") as lines:
            if not self._send(connection, self.replies[""]):
                return
            passive = None
            for line in lines:
                command, _, _ = line.decode("latin-1").strip().partition(" ")
                self.commands.append(line.decode("latin-1").strip())
                if command in self.replies:
                    if not self._send(connection, self.replies[command]):
                        return
                elif command in ("EPSV", "PASV"):
                    passive = socket.create_server(("127.0.0.1", 0))
                    self._send(connection, self._where(command, passive.getsockname()[1]))
                elif command in ("RETR", "MLSD", "LIST"):
                    if not self._transfer(connection, passive):
                        return
                else:
                    self._send(connection, "502 what?\r\n")

    def _where(self, command, port):
        if command == "EPSV":
            return "500 what?\r\n" if self.passive else f"229 here (|||{port}|)\r\n"
        high, low = divmod(port, 256)
        return f"227 here ({self.passive},{high},{low})\r\n"

    def _transfer(self, connection, passive):
        with passive, passive.accept()[0] as data:
            self._send(connection, "150 here it comes\r\n")
            data.sendall(self.data)
            while self.endless:
                data.sendall(self.data)
            if self.lingering:
                data.shutdown(socket.SHUT_WR)
                data.recv(1)
        return self._send(connection, self.replies.get("226", "226 done\r\n"))

    @staticmethod
    def _send(connection, reply):
        """Return whether the connection stays open."""
        if reply is CLOSE:
            return False
        if callable(reply):
            reply(connection)
        else:
            connection.sendall(reply.encode("latin-1"))
        return True
