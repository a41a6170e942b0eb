"""By which addresses others can dial this machine, and which networks are told of a server."""

import socket

import ifaddr
import pytest
from ifaddr import IP, Adapter

from server.net.interfaces import (
    Interface,
    dialled_from_outside,
    lan_addresses,
    lan_interfaces,
    reached_at,
)


def test_addresses_for_others_are_no_loopback() -> None:
    for address in lan_addresses():
        assert not socket.inet_aton(address).startswith(b"\x7f")


@pytest.mark.parametrize(
    ("found", "dialled"),
    [
        ([("lo", "127.0.0.1"), ("eth0", "169.254.3.4"), ("wlan0", "192.168.1.5")], "192.168.1.5"),
        ([("docker0", "172.17.0.1"), ("br-3f", "172.18.0.1"), ("eth0", "10.0.0.2")], "10.0.0.2"),
        ([("vEthernet (WSL)", "172.29.0.1"), ("br0", "10.0.0.3")], "10.0.0.3"),
        ([("lo", "127.0.0.1"), ("tailscale0", "100.64.0.1")], "100.64.0.1"),
    ],
)
def test_containers_and_vpns_are_named_only_where_nothing_else_is(
    found: list[tuple[str, str]], dialled: str
) -> None:
    assert dialled_from_outside(found) == [dialled]


def adapter(name: str, number: int, *ips: str) -> Adapter:
    written = [(ip, 0, number) if ":" in ip else ip for ip in ips]
    return Adapter(name, name, [IP(ip, 24, name) for ip in written], index=number)


def test_only_local_networks_are_told_and_where_somebody_listens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    adapters = [
        adapter("lo", 1, "127.0.0.1", "::1"),
        adapter("eth0", 2, "192.168.1.5", "fe80::5"),
        adapter("wlan0", 3, "169.254.3.4"),
        adapter("docker0", 4, "172.17.0.1"),
        adapter("tailscale0", 5, "100.64.0.1"),
        adapter("veth3f", 6, "fe80::6"),
    ]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: adapters)
    wired, wireless = Interface(2, ("192.168.1.5", "fe80::5")), Interface(3, ("169.254.3.4",))
    assert (near := lan_interfaces()) == [wired, wireless]
    assert reached_at(["0.0.0.0", "::"], near) == near
    assert reached_at(["0.0.0.0"], near) == [Interface(2, ("192.168.1.5",)), wireless]
    assert reached_at(["fe80::5"], near) == [Interface(2, ("fe80::5",))]
    assert reached_at(["127.0.0.1", "172.17.0.1"], near) == []
