"""Addresses as people type them."""

import pytest

from clocktowers_tui.net.address import Address, parse_address
from clocktowers_tui.net.errors import Fault, LinkError


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("example.org", Address("example.org", 7777)),
        (" 192.168.1.5:80 ", Address("192.168.1.5", 80)),
        ("[::1]", Address("::1", 7777)),
        ("[::1]:9000", Address("::1", 9000)),
        ("fe80::1%eth0", Address("fe80::1%eth0", 7777)),
        ("bücher.example:65535", Address("bücher.example", 65535)),
    ],
)
def test_what_is_understood(typed: str, address: Address) -> None:
    assert parse_address(typed) == address
    assert parse_address(str(address)) == address


@pytest.mark.parametrize(
    "typed",
    [
        *("", ":7777", "host:", "host:0", "host:65536", "host:x", "host:-1", "host:٣"),
        *("[::1", "[host]:1", "[::1]7777", "http://host", "a b", "host:1:", "x" * 300, "a\x1b[2Jb"),
    ],
)
def test_what_is_not(typed: str) -> None:
    with pytest.raises(LinkError) as caught:
        parse_address(typed)
    assert caught.value.fault is Fault.BAD_ADDRESS
    assert "\x1b" not in str(caught.value.params["address"])
