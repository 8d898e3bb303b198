"""Parse the networks and addresses in settings."""

from __future__ import annotations

import ipaddress
import re
from ipaddress import IPv4Network, IPv6Network


def is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def allow_list(text: str) -> tuple[tuple[IPv4Network | IPv6Network, ...], frozenset[str]]:
    """Networks (or single addresses) and host names in IDNA, separated by white space. Raises ValueError.

    >>> allow_list("10.0.0.0/8 Intranet.example")
    ((IPv4Network('10.0.0.0/8'),), frozenset({'intranet.example'}))
    """
    networks, names = [], set()
    for entry in text.split():
        try:
            if re.search(r"[/:]|^[\d.]+$", entry):
                networks.append(ipaddress.ip_network(entry.strip("[]")))
            else:
                names.add(_host_name(entry))
        except ValueError as error:
            raise ValueError(f"{entry}: {error}; write networks and host names: 10.0.0.0/8 intranet.example") from None
    return tuple(networks), frozenset(names)


def _host_name(text: str) -> str:
    name = text.encode("idna").decode().lower()
    if not re.fullmatch(r"([\w-]+\.)*[\w-]+\.?", name, re.ASCII):
        raise ValueError("not a host name")
    return name
