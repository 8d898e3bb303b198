"""Every kind of address that is not public is told from those that are, however it is spelt."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttcrawl.config import read, resolve_map
from ttcrawl.web.address import Allowed, allowed, non_public_kind, not_public

PUBLIC = [
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.1",
    "169.253.255.255",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.1",
    "192.167.255.255",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "::ffff:8.8.8.8",
    "::ffff:808:808",
    "64:ff9b::808:808",
    "2002:808:808::1",
    "2606:4700::1111",
    "2001:4860:4860::8888",
    "2a00:1450::1",
]
OTHERS = {
    "loopback": (
        "127.0.0.1 127.255.255.255 ::1 ::ffff:127.0.0.1 ::ffff:7f00:2 0:0:0:0:0:ffff:7f00:1"
        " 2002:7f00:1:: 2002:7f00:0001::8 64:ff9b::7f00:1 0.0.0.0 :: ::ffff:0.0.0.0"
    ),
    "unspecified": "0.0.0.1 0.255.255.255 ::ffff:0.1.2.3",
    "private": (
        "10.0.0.0 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 192.168.255.255"
        " fc00:: fd12:3456::1 ::ffff:10.0.0.1 2002:a00:1::1 64:ff9b::192.168.0.1"
    ),
    "link-local": (
        "169.254.0.1 169.254.169.254 fe80::1 fe80::1%eth0 febf::1 ::ffff:169.254.169.254 64:ff9b::a9fe:a9fe"
    ),
    "shared": "100.64.0.1 100.127.255.255",
    "multicast": "224.0.0.1 239.255.255.255 ff02::1 ff0e::1 ::ffff:224.0.0.1",
    "documentation": "192.0.2.1 198.51.100.1 203.0.113.255 2001:db8::1 3fff::1",
    "benchmarking": "198.18.0.1 198.19.255.255",
    "reserved": (
        "192.0.0.1 192.88.99.1 240.0.0.1 255.255.255.255"
        " 2001::1 2001:0:7f00:1::1 2001:2::1 100::1 ::7f00:1 ::8.8.8.8 64:ff9b:1::1 fec0::1 4000::1 5f00::1"
    ),
}


@pytest.mark.parametrize(
    ("address", "kind"),
    [(each, "") for each in PUBLIC] + [(each, kind) for kind, several in OTHERS.items() for each in several.split()],
)
def test_refusal(address, kind):
    assert non_public_kind(address) == kind
    assert Allowed().permits("a.test", address) == (not kind)
    assert not_public("a.test", [address]) == ({("a.test", address)} if kind else set())


@pytest.mark.parametrize("text", ["", "a.test", "127.1", "0x7f.1", "2130706433", "127.0.0.1 ", "1::2::3"])
def test_what_is_no_address(text):
    with pytest.raises(ValueError):
        non_public_kind(text)


@pytest.mark.slow
@given(st.ip_addresses(v=4))
def test_no_address_is_public_here_that_is_not_so_for_the_standard_library(address):
    assert non_public_kind(str(address)) or (address.is_global and not address.is_multicast)
    assert non_public_kind(f"::ffff:{address}") == non_public_kind(f"64:ff9b::{address}") or not int(
        address
    )  # 0.0.0.0 is special


@pytest.mark.parametrize(
    ("allow", "resolve", "begun", "host", "address", "permitted"),
    [
        ("10.0.0.0/8", "", (), "a.test", "10.1.2.3", True),
        ("10.0.0.0/8", "", (), "a.test", "::ffff:10.1.2.3", True),
        ("10.0.0.0/8", "", (), "a.test", "11.1.2.3", True),
        ("10.0.0.0/8", "", (), "a.test", "192.168.1.1", False),
        ("10.0.0.7", "", (), "a.test", "10.0.0.7", True),
        ("10.0.0.7", "", (), "a.test", "10.0.0.8", False),
        ("fd00::/8 [::1]", "", (), "a.test", "::1", True),
        ("fd00::/8", "", (), "a.test", "fd00::1", True),
        ("fe80::/10", "", (), "a.test", "fe80::1%eth0", True),
        ("Intranet.Example", "", (), "intranet.example", "10.0.0.1", True),
        ("intranet.example", "", (), "intranet.example.", "10.0.0.1", True),
        ("intranet.example", "", (), "www.intranet.example", "10.0.0.1", False),
        ("bücher.example", "", (), "xn--bcher-kva.example", "10.0.0.1", True),
        ("", "a.test:80:127.0.0.1", (), "a.test", "127.0.0.1", True),
        ("", "a.test:80:127.0.0.1", (), "a.test", "127.0.0.2", False),
        ("", "a.test:80:127.0.0.1", (), "127.0.0.1", "127.0.0.1", False),
        ("", "a.test:80:[::ffff:127.0.0.1]", (), "a.test", "127.0.0.1", True),
        ("", "", [("a.test", "10.0.0.1")], "a.test", "10.0.0.1", True),
        ("", "", [("a.test", "10.0.0.1")], "a.test", "10.0.0.2", False),
        ("", "", [("a.test", "10.0.0.1")], "b.test", "10.0.0.1", False),
        ("", "", [("0.0.0.0", "0.0.0.0")], "0.0.0.0", "127.0.0.1", True),  # where the system connects to
        ("", "", [("a.test", "fe80::1%eth0")], "a.test", "fe80::1%eth0", True),
    ],
)
def test_what_the_user_named(allow, resolve, begun, host, address, permitted):
    config = read(None, [("safety.allow", allow), ("fetch.resolve", resolve)])
    assert (
        allowed(config.safety.allow, frozenset(begun), resolve_map(config.fetch.resolve)).permits(host, address)
        == permitted
    )
