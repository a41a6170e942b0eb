"""Addresses as people type them."""

import pytest

from clocktowers_tui.net.address import Address, parse_address, parse_place
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


@pytest.mark.parametrize(
    ("pasted", "code"),
    [
        ("10.0.0.2:80", ""),
        ("10.0.0.2:80/kx4r", "KX4R"),
        ("http://10.0.0.2:80/", ""),
        ("HTTPS://10.0.0.2:80/KX4R/", "KX4R"),
        (" clocktowers join 10.0.0.2:80 ", ""),
        ("clocktowers join 10.0.0.2:80 --table kx4r", "KX4R"),
        ("Friends type:  clocktowers join 10.0.0.2:80 --table KX4R --watch", "KX4R"),
        ("join --table=KX4R 10.0.0.2:80", "KX4R"),
    ],
)
def test_a_place_may_be_pasted_with_what_stands_around_it(pasted: str, code: str) -> None:
    assert parse_place(pasted) == ([Address("10.0.0.2", 80)], code)


def test_a_place_that_is_none_is_said() -> None:
    several = [Address("a", 1), Address("::1", 2), Address("b", 7777)]
    assert parse_place("a:1,[::1]:2, b,a:1/KX4R") == (several, "KX4R")
    assert parse_place("ct:7777/KX4R") == ([Address("ct", 7777)], "KX4R")
    for typed, fault in (
        ("ct:AAECAwQFBgc", Fault.BAD_ADDRESS),
        ("clocktowers join", Fault.BAD_ADDRESS),
        ("ftp://host", Fault.BAD_ADDRESS),
        ("/KX4R", Fault.BAD_ADDRESS),
        ("join a b --table KX4R", Fault.BAD_ADDRESS),
    ):
        with pytest.raises(LinkError) as caught:
            parse_place(typed)
        assert caught.value.fault is fault, typed
