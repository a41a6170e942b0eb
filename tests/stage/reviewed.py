"""A review that no bot has made: its mistakes are where a test wants them."""

from collections.abc import Mapping

from protocol.ids import Seat
from protocol.reviewing import Begun, Judged, Weighed
from server.games.registry import GAMES
from server.recording.records import read
from server.replaying.reel import Reel
from server.reviewing.deciding import decisions


def planted(record: bytes, seat: int, lost: Mapping[int, int]) -> tuple[Begun, list[Judged]]:
    """`record`: its line. `lost`: thousandths of a point, by the number of the decision, below 0
    from the last. In all others nothing is better."""
    reel = Reel(read(record, GAMES))
    rules = reel.game.rules
    outcome = rules.outcome(reel.plies[-1].state)
    found = list(decisions(reel, Seat(seat)))
    losses = {found[number].ply: points for number, points in lost.items()}
    findings = []
    for one in found:
        before, action = reel.plies[one.ply - 1].state, reel.plies[one.ply].action
        others = (each for each in rules.legal_actions(before, Seat(seat)) if each != action)
        points = losses.get(one.ply, 0)
        best = next(others) if points else action
        played, better = Weighed(9000, -1000, 250), Weighed(9000 + points, -1000 + points, 600)
        view = rules.view(before, Seat(seat))
        findings.append(Judged(one.ply, view, action, best, played, better, points))
    names = [record_seat["name"] for record_seat in read(record, GAMES).seats]
    scores = list(outcome.scores)  # type: ignore[union-attr]
    return Begun(rules.id, names, scores, [one.ply for one in found]), findings
