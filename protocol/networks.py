"""The networks of this machine: by which addresses others can dial it."""

import os
from collections.abc import Sequence
from typing import Final, NamedTuple

import ifaddr

ELSEWHERE: Final = (
    *("docker", "podman", "br-", "veth", "virbr", "vmnet", "vboxnet", "vnet", "vethernet"),
    *("cni", "flannel", "cali", "lxc", "lxd", "incus", "kube", "bridge"),
    *("tun", "tap", "utun", "wg", "tailscale", "zt", "ppp", "ipsec", "nordlynx", "proton"),
)
"""How the names of interfaces begin that lead to containers, virtual machines and VPNs."""


class Interface(NamedTuple):
    """One that leads to the local network. `number`: the system's. `ips`: its addresses, IPv6
    without a zone."""

    number: int
    ips: tuple[str, ...]


def lan_addresses(ssh: str = os.environ.get("SSH_CONNECTION", "")) -> list[str]:
    """The IPv4 addresses by which other machines can dial this one: those of containers and VPNs
    only where it has no other. `ssh`: as in `dialled_from_outside`."""
    found = [
        (adapter.nice_name, str(ip.ip))
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
        if ip.is_IPv4
    ]
    return dialled_from_outside(found, ssh)


def dialled_from_outside(found: Sequence[tuple[str, str]], ssh: str = "") -> list[str]:
    """`lan_addresses` of these interfaces: their names and addresses. Where somebody has come by
    SSH (`ssh`: client and server, as it says them), the address that they dialled is the first."""
    there = [(name, ip) for name, ip in found if not ip.startswith(("127.", "169.254."))]
    likely = [ip for name, ip in there if not name.lower().startswith(ELSEWHERE)]
    proven = [ip for _name, ip in there if ip in ssh.split()[2:3]]
    return list(dict.fromkeys([*proven, *(likely or [ip for _name, ip in there])]))


def lan_interfaces() -> list[Interface]:
    """The interfaces to the local network, without those to this machine, containers and VPNs."""
    found = []
    for adapter in ifaddr.get_adapters():
        ips = tuple(str(ip.ip if ip.is_IPv4 else ip.ip[0]) for ip in adapter.ips)
        near = not adapter.nice_name.lower().startswith(ELSEWHERE)
        if near and adapter.index and not any(ip == "::1" or ip.startswith("127.") for ip in ips):
            found.append(Interface(adapter.index, ips))
    return found


def reached_at(bound: Sequence[str], interfaces: Sequence[Interface]) -> list[Interface]:
    """These interfaces with the addresses only where somebody listens, who has bound those hosts;
    without the others."""

    def listens(ip: str) -> bool:
        return ("::" if ":" in ip else "0.0.0.0") in bound or ip in bound

    reached = [one._replace(ips=tuple(filter(listens, one.ips))) for one in interfaces]
    return [one for one in reached if one.ips]
