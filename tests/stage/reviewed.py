"""A review that no bot has made: its mistakes are where a test wants them."""

from collections.abc import Mapping
from typing import Any

from protocol.ids import Seat
from protocol.reviewing import Begun, Judged, Weighed
from server.games.registry import GAMES
from server.recording.records import read
from server.recording.reel import Reel
from server.recording.reviewing import decisions


def planted(record: bytes, seat: int, lost: Mapping[int, int]) -> tuple[Begun, list[Judged]]:
    """`record`: its line. `lost`: thousandths of a point, by the number of the seat's decision,
    below 0 from the last. In all others, and in those of other seats, nothing is better."""
    reel = Reel(read(record, GAMES))
    rules = reel.game.rules
    outcome: Any = rules.outcome(reel.plies[-1].state)
    found = [one for at in range(len(outcome.scores)) for one in decisions(reel, Seat(at))]
    own = [one.ply for one in found if one.seat == seat]
    losses = {own[number]: points for number, points in lost.items()}
    findings = []
    for one in sorted(found, key=lambda one: one.ply):
        acting, before = Seat(one.seat), reel.plies[one.ply - 1].state
        action, points = reel.plies[one.ply].action, losses.get(one.ply, 0)
        others = (each for each in rules.legal_actions(before, acting) if each != action)
        best = next(others) if points else action
        played, better = Weighed(9000, -1000, 250), Weighed(9000 + points, -1000 + points, 600)
        view = rules.view(before, acting)
        findings.append(Judged(one.ply, one.seat, view, action, best, played, better, points))
    names = [record_seat["name"] for record_seat in read(record, GAMES).seats]
    scores, winners = list(outcome.scores), list(outcome.winners)
    return Begun(rules.id, names, scores, winners, [one.ply for one in findings]), findings
