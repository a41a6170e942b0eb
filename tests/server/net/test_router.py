"""Every message of a client is served."""

from protocol.from_client import FROM_CLIENT
from server.net.router import HANDLERS


def test_every_message_has_a_handler_and_nothing_else_has() -> None:
    assert set(HANDLERS) == set(FROM_CLIENT)
