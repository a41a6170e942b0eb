"""The client: draws what the server says, sends what the keyboard says."""

from typing import Final

VERSION: Final = "0.1.0"
"""As in pyproject.toml, whose own word for it takes longer to read than a start may take."""
