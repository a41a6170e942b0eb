"""The line to a server, and the server that the client starts when there is no other."""

from pathlib import Path

import platformdirs


def seats_folder() -> Path:
    """Here, because the menu looks whether there are any and loads no more for that."""
    return platformdirs.user_state_path("clocktowers", appauthor=False) / "seats"
