"""Where the matches are kept; apart, because the menu looks whether there are any."""

from pathlib import Path

import platformdirs


def history_file() -> Path:
    return platformdirs.user_data_path("clocktowers", appauthor=False) / "history.sqlite"
