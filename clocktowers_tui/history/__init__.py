"""The matches that this player has finished, kept on this machine."""

from pathlib import Path

import platformdirs


def history_file() -> Path:
    """Here, because the menu looks whether there are any and loads no more for that."""
    return platformdirs.user_data_path("clocktowers", appauthor=False) / "history.sqlite"
