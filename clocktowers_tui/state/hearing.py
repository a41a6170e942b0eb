"""Which lines of a table's chat reach this player: all but those of muted players."""

from msgspec.structs import replace

from clocktowers_tui.state.store import State
from protocol.from_server import Said


def in_company(state: State) -> bool:
    """Whether there is a chat: at a table, and not alone with bots."""
    return state.table is not None and state.connection is not None and not state.alone


def you(state: State) -> str:
    """The name in the player's own lines."""
    return "" if state.connection is None else state.connection.name


def muted(state: State) -> frozenset[str]:
    """The names that are muted at this table."""
    here = _here(state)
    return frozenset(name for table, name in state.muted if table == here)


def toggled(state: State, name: str) -> State:
    """Hide that player's lines at this table, or show them again."""
    return replace(state, muted=state.muted ^ {(_here(state), name)})


def audible(state: State) -> tuple[Said, ...]:
    """The lines that are shown."""
    unheard = muted(state)
    return tuple(line for line in state.chat.lines if line.name not in unheard)


def unread(state: State) -> tuple[Said, ...]:
    """Shown lines of others that the player has not seen yet."""
    chat, unheard = state.chat, muted(state) | {you(state)}
    fresh = chat.lines[len(chat.lines) - chat.fresh :]
    return tuple(line for line in fresh if line.name not in unheard)


def others(state: State) -> tuple[str, ...]:
    """Whom the player might mute or hear again: the muted, then those who spoke last."""
    spoke = (line.name for line in reversed(state.chat.lines) if line.name != you(state))
    return tuple(dict.fromkeys((*sorted(muted(state)), *spoke)))


def _here(state: State) -> str:
    return "" if state.table is None else state.table.info.table
