"""A match in words: its players, the line above its board, its log, the proof of its shuffle."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, assert_never

from msgspec.structs import replace

from clocktowers_tui.games.face import Face
from clocktowers_tui.games.registry import title_of
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import Keymap
from clocktowers_tui.phrases.codes import notice_in_words
from clocktowers_tui.phrases.tables import bank_in_words, seat_name
from clocktowers_tui.state.match import LineKind, LogLine, Match
from clocktowers_tui.state.store import State, handed_over, stands_still, timed_out
from clocktowers_tui.text.i18n import _, ngettext
from protocol.errors import Param
from protocol.ids import Seat
from protocol.table import TableInfo

if TYPE_CHECKING:
    from clocktowers_tui.net.keyboard import Keyboard


def names_of(match: Match) -> list[str]:
    """By seat; a number where a seat has no name."""
    seats = max(1, len(match.names))
    return [seat_name(match.names, seat) for seat in range(seats)]


def away(state: State, match: Match) -> frozenset[int]:
    """The seats of players who lost the line or have left while the match goes on."""
    seats = () if state.table is None or match.over else state.table.info.seats
    return frozenset(seat for seat, info in enumerate(seats) if info.dropped or info.away)


def names_there(state: State, match: Match) -> list[str]:
    """As `names_of`, and for whom a bot plays, or who is away; where a name is cut, its own
    beginning stays."""
    names, seats = names_of(match), () if state.table is None else state.table.info.seats
    for seat in away(state, match) & {*range(len(names))}:
        said = _("{name} (bot)") if seats[seat].away else _("{name} (away)")
        names[seat] = said.format(name=names[seat])
    return names


# The line above the board of a match.


def banner_in_words(
    state: State, match: Match, face: Face, names: Sequence[str], keymap: Keymap
) -> list[str]:
    """Who is expected to do what, which game, and where, as separate parts, what matters most
    first."""
    code = "" if state.alone else match.table
    watching = _("watching") if state.seat is None and not state.covered else ""
    bank = bank_in_words(match.clock, state.seat)
    deal = "" if state.looked_back is None else state.looked_back.banner
    practice = "" if face.in_turns or face.hurries(match.view) else _("Without a clock")
    turn = expected_in_words(state, match, face, names, keymap)
    parts = [turn, bank, watching, deal or practice, title_of(match.game), code]
    return [part for part in parts if part]


def expected_in_words(
    state: State, match: Match, face: Face, names: Sequence[str], keymap: Keymap
) -> str:
    """Whose turn it is, to do what; or why the match goes on without the player, or not at all."""
    if (wished := handed_over(state)) or timed_out(state):
        key = keymap.name(actions.HAND_OVER if wished else actions.PLAY_ON)
        return _("A bot plays for you; {key} lets you play").format(key=key)
    if stands_still(state):
        return _("All players are away: the match waits")
    return _("The match is over.") if match.over else face.expected(match.view, names)


def due_in_words(keyboard: "Keyboard") -> str:
    """Whose turn it is, of several people at one keyboard."""
    return _("{name}, your turn").format(name=keyboard.due)


def handed_on_in_words(keyboard: "Keyboard") -> str:
    """The same in plain mode, and how that person says that they are there; "" when the match is
    over."""
    if keyboard.eyes.covered:
        return _("{name}, your turn: press Enter").format(name=keyboard.due)
    return due_in_words(keyboard) if keyboard.due else ""


# A match's log as sentences, newest last.


def log_lines(
    match: Match, face: Face, names: Sequence[str], you: Seat | None, newest: int | None = None
) -> list[str]:
    """All lines that say something, or the `newest` so many."""
    lines: list[str] = []
    for line in reversed(match.log):
        if newest is not None and len(lines) >= newest:
            break
        if sentence := _sentence(line, face, names, you):
            lines.append(sentence)
    return lines[::-1]


def since_move(match: Match, seat: Seat | None) -> Match:
    """With the log from that seat's last move on, which no bot did for its player."""
    own = [
        at
        for at, line in enumerate(match.log)
        if not line.by_bot and getattr(line.what, "seat", None) == seat
    ]
    return replace(match, log=match.log[max(own, default=0) :])


def log_by_turns(match: Match, face: Face, names: Sequence[str], you: Seat | None) -> list[str]:
    """All lines that say something, with an empty one before each turn."""
    lines: list[str] = []
    acting: Seat | None = None
    for line in match.log:
        begins = line.kind is LineKind.EVENT and face.opens_turn(line.what, acting)
        if line.kind is LineKind.EVENT:
            acting = getattr(line.what, "seat", acting)
        if begins and lines and lines[-1]:
            lines.append("")
        if sentence := _sentence(line, face, names, you):
            lines.append(sentence)
    return lines


def _sentence(line: LogLine, face: Face, names: Sequence[str], you: Seat | None) -> str:
    match line.kind:
        case LineKind.NOTICE:
            params = line.what.params
            return notice_in_words(line.what.code, params, mine=_is_mine(params, names, you))
        case LineKind.GAP:
            gap = ngettext("… {number} move", "… {number} moves", line.what)
            return gap.format(number=line.what)
        case LineKind.EVENT:
            said = face.phrase(line.what, names, you)
            # TRANSLATORS: {move}: a whole sentence, as: You draw a clock.
            for_you = _("A bot played for you. {move}").format(move=said)
            return for_you if line.by_bot and said else said
        case _:
            assert_never(line.kind)


def _is_mine(params: Mapping[str, Param], names: Sequence[str], you: Seat | None) -> bool:
    """Whether it is the player's own: by the seat that is named, or else by the name, which no two
    players at a server share."""
    if you is None:
        return False
    if "seat" in params:
        return params["seat"] == you
    return you < len(names) and params.get("name") == names[you]


# Whether the shuffle of a finished match was the promised one, in words.


class Proof(NamedTuple):
    words: str
    broken: bool = False


def proof_in_words(match: Match, face: Face, info: TableInfo | None) -> Proof:
    """Whether the seed is the promised seed and deals what the player saw. A chosen deal proves
    nothing; where other tables still play the deal, its seed comes later. `info`: the table's."""
    if info is not None and info.seeded:
        return Proof(_("This deal was chosen, not shuffled."))
    if info is not None and info.deal and not match.seed:
        return Proof(_("The shuffle is checked when all tables are done."))
    sha = match.sha256[:12]
    if not match.proven:
        said = _("The shuffle was NOT fair: its seed is not the promised one ({sha}…).")
        return Proof(said.format(sha=sha), broken=True)
    same = face.same_deal(match.events, match.view, bytes.fromhex(match.seed))
    if same:
        return Proof(_("The shuffle was fair: this program has checked it."))
    if same is None:
        return Proof(_("You did not see the whole match, so the shuffle is not checked."))
    said = _("The shuffle was NOT fair: the promised seed ({sha}…) deals something else.")
    return Proof(said.format(sha=sha), broken=True)
