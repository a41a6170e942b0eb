"""What may be asked of the program, whatever shows it: the app, or the client of plain mode."""

from collections.abc import Mapping
from typing import Protocol

from clocktowers_tui.config.look import Look
from clocktowers_tui.config.settings import Settings
from clocktowers_tui.games.face import Face
from clocktowers_tui.keys.keymap_file import Reading
from clocktowers_tui.net.journey import Journey
from clocktowers_tui.state.store import State


class Client(Protocol):
    """The program, as screens and the places of plain mode know it."""

    settings: Settings
    look: Look
    able: Look
    """The best that the terminal can show, for what the settings leave open."""
    keys: Reading
    faces: Mapping[str, Face]
    guest: bool
    """Whether a server's door has started this client for a guest: its root is the lobby there."""
    journey: Journey

    @property
    def state(self) -> State:
        """The newest state; each new one is shown, or what is new in it is said."""

    def change(self, state: State) -> None:
        """Put a new state in place of the old."""

    def keep(self, settings: Settings) -> None:
        """Remember these settings, here and on disk."""

    def tell(self, sentence: str) -> None:
        """Show a sentence wherever the player is, or is next."""

    def restyle(self, look: Look) -> None:
        """Draw everything in another way from now on."""

    def speak(self, code: str | None) -> None:
        """Say everything in another language from now on; None: in the environment's."""

    def leave_program(self) -> None:
        """End the program."""
