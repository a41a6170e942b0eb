"""A player's name where room is short."""

from rich.cells import cell_len

from clocktowers_tui.games.spans import cut
from clocktowers_tui.text.i18n import _


def nameplate(name: str, width: int, ellipsis: str, *, own: bool) -> str:
    """A clean name in at most `width` cells. A mark says that it is the player's own, whatever is
    cut."""
    if not own:
        return cut(name, width, ellipsis)
    words = _("{name} (you)")
    you = cell_len(words.format(name=""))
    return cut(words.format(name=cut(name, max(0, width - you), ellipsis)), width)
