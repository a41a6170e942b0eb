"""What tests of guests have in common."""

import pytest

from server.guests import guest
from tests.stage import shell_client


@pytest.fixture
def shells(monkeypatch: pytest.MonkeyPatch) -> None:
    """Guests of doors in this process get a shell for a client (`tests.stage.shell_client`)."""
    monkeypatch.setattr(guest, "CLIENT", shell_client.__name__)
    monkeypatch.setattr(guest, "PRELOADED", (guest.__name__, shell_client.__name__))
    guest.make_ready()
