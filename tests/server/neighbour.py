"""A neighbour of bad will, as a program: with NAMES, SECONDS and its address it announces so many
servers, again and again, each with a name that would act on a terminal.
"""

import socket
import sys
import time
from typing import Final

from zeroconf._dns import DNSAddress, DNSPointer, DNSService, DNSText
from zeroconf._protocol.outgoing import DNSOutgoing

from protocol.nearby import SERVICE

ANSWER: Final = 0x8400
PTR, TXT, A, SRV, IN = 12, 16, 1, 33, 1
TTL_S: Final = 120
GROUP: Final = ("224.0.0.251", 5353)
HOSTILE: Final = "\x1b[2J\u202eQ"


def packets(number: int) -> list[bytes]:
    """Of one server, each at an address of its own."""
    out = DNSOutgoing(ANSWER)
    name, host = f"{number}.{SERVICE}", f"h{number}.local."
    text = b"".join(
        bytes([len(item)]) + item
        for item in (f"name={HOSTILE}{number}".encode(), b"version=1", b"password=no")
    )
    ip = bytes((10, 77, number >> 8 & 255, number & 255))
    for record in (
        DNSPointer(SERVICE, PTR, IN, TTL_S, name),
        DNSService(name, SRV, IN, TTL_S, 0, 0, 7777, host),
        DNSText(name, TXT, IN, TTL_S, text),
        DNSAddress(host, A, IN, TTL_S, ip),
    ):
        out.add_answer_at_time(record, 0)
    return out.packets()


def main() -> None:
    names, seconds = int(sys.argv[1]), float(sys.argv[2])
    sending = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    own = socket.inet_aton(sys.argv[3])
    sending.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, own)
    announced = [one for number in range(1, names + 1) for one in packets(number)]
    end_s = time.monotonic() + seconds
    print("announcing", flush=True)
    while time.monotonic() < end_s:
        for one in announced:
            sending.sendto(one, GROUP)
        time.sleep(0.02)


if __name__ == "__main__":
    main()
