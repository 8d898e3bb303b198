"""A resolver of names for whole crawls, as a sitecustomize module."""

#: Put before everything else a Python process does: a resolver in which names of .dead are looked up for 20 s.
RESOLVER = """
import socket, time
system = socket.getaddrinfo
def getaddrinfo(host, port, *more, **others):
    if isinstance(host, str) and host.endswith(".dead"):
        time.sleep(20)
        raise socket.gaierror(socket.EAI_AGAIN, "no answer")
    if isinstance(host, str) and host.endswith(".alive"):
        host = "127.0.0.1"
    return system(host, port, *more, **others)
socket.getaddrinfo = getaddrinfo
"""
