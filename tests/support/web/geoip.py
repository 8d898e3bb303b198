"""GeoIP files in the format MaxMind DB (version 2.0), written here."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Node = list[Any]


def write(path: Path, networks: Mapping[str, Any]) -> Path:
    """Write a file for IPv4: network -> record, of texts and maps."""
    tree: Node = [None, None]
    for network, record in networks.items():
        net = ipaddress.IPv4Network(network)
        bits = f"{int(net.network_address):032b}"[: net.prefixlen]
        node = tree
        for bit in bits[:-1]:
            if node[int(bit)] is None:
                node[int(bit)] = [None, None]
            node = node[int(bit)]
        node[int(bits[-1])] = record
    nodes = [tree]
    for node in nodes:
        nodes += [each for each in node if isinstance(each, list)]
    numbers = {id(node): number for number, node in enumerate(nodes)}
    data, records = b"", b""
    for node in nodes:
        for each in node:
            if isinstance(each, list):
                value = numbers[id(each)]
            elif each is None:
                value = len(nodes)
            else:
                value = len(nodes) + 16 + len(data)
                data += _value(each)
            records += value.to_bytes(3, "big")
    about = {"node_count": len(nodes), "record_size": 24, "ip_version": 4, "database_type": "Test", "languages": []}
    about |= {"binary_format_major_version": 2, "binary_format_minor_version": 0, "build_epoch": 1, "description": {}}
    path.write_bytes(records + bytes(16) + data + b"\xab\xcd\xefMaxMind.com" + _value(about))
    return path


#: Numbers of the metadata: name -> control bytes and size; others have 16 bits.
NUMBERS = {"node_count": (bytes([6 << 5 | 4]), 4), "build_epoch": (bytes([8, 2]), 8)}


def _number(name: str, value: int) -> bytes:
    control, size = NUMBERS.get(name, (bytes([5 << 5 | 2]), 2))
    return control + value.to_bytes(size, "big")


def _value(value: Any) -> bytes:
    match value:
        case dict():
            pairs = b"".join(
                _value(name) + (_number(name, each) if isinstance(each, int) else _value(each))
                for name, each in value.items()
            )
            return bytes([7 << 5 | len(value)]) + pairs
        case str():
            return bytes([2 << 5 | len(value.encode())]) + value.encode()
        case _:
            return bytes([len(value), 4]) + b"".join(map(_value, value))
