"""Which of a server's addresses the client dials."""

import ifaddr
import pytest
from ifaddr import IP, Adapter

from clocktowers_tui.net.hearing import best


@pytest.mark.parametrize(
    ("addresses", "dialled"),
    [
        (["10.0.0.5", "192.168.1.5"], "192.168.1.5"),  # of our own network
        (["fe80::5%2", "10.0.0.5"], "fe80::5%2"),
        (["fd00::5", "fe80::5%2"], "fd00::5"),
        (["fe80::5"], ""),  # without the zone nobody knows which cable
        (["127.0.0.1", "::1", "0.0.0.0", "224.0.0.1"], ""),  # a neighbour means none of these
        (["203.0.113.9"], "203.0.113.9"),
    ],
)
def test_the_best_address(
    addresses: list[str], dialled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ips = [
        IP("192.168.1.2", 24, "a"),
        IP(("fe80::2", 0, 2), 64, "a"),
        IP(("fd00::2", 0, 0), 64, "a"),
    ]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: [Adapter("eth0", "eth0", ips, index=2)])
    assert best(addresses) == dialled
