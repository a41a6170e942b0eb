"""A review that no bot has made: its mistakes are where a test wants them."""

from collections.abc import Mapping
from typing import Any

from clocktowers_tui.games.registry import FACES
from clocktowers_tui.history.review import reasons
from protocol.ids import Seat
from protocol.recording import Begun, Judged, Weighed
from server.games.registry import GAMES
from server.recording.records import read
from server.recording.reel import Reel, decisions, races


def planted(record: bytes, seat: int, lost: Mapping[int, int]) -> tuple[Begun, list[Any]]:
    """`record`: its line. `lost`: thousandths of the chance to win, at most 750, by the number of
    the seat's decision; better is what the board shows to be so, if anything is. In all others, and
    in those of other seats, nothing is better."""
    reel = Reel(read(record, GAMES))
    rules, names = reel.game.rules, reel.names
    last = reel.plies[-1].state
    outcome: Any = rules.outcome(last)
    found = [one for at in range(len(outcome.scores)) for one in decisions(reel, Seat(at))]
    own = [one.ply for one in found if one.seat == seat]
    losses = {own[number]: less for number, less in lost.items()}
    raced = [one for at in range(len(outcome.scores)) for one in races(reel, Seat(at))]
    findings: list[Any] = sorted(raced, key=lambda one: one.ply)
    for one in sorted(found, key=lambda one: one.ply):
        acting, before = Seat(one.seat), reel.plies[one.ply - 1].state
        action, less = reel.plies[one.ply].action, losses.get(one.ply, 0)
        played, better = Weighed(9000, 250), Weighed(9000, 250 + less)
        view = rules.view(before, acting)
        others = [each for each in rules.legal_actions(before, acting) if less and each != action]
        every = [
            Judged(one.ply, one.seat, view, action, best, played, better, less, 40)
            for best in others or [action]
        ]
        shown = (each for each in every if less and reasons(FACES[rules.id], names, each))
        findings.append(next(shown, every[0]))
    scores, winners = list(outcome.scores), list(outcome.winners)
    plies, seats = [one.ply for one in findings], [one.seat for one in findings]
    view = rules.view(last, None)
    return Begun(rules.id, names, scores, winners, plies, view, outcome, seats), findings
