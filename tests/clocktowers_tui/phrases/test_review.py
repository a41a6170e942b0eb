"""Reviews in words: a page's numbers, and what can be told apart by its words."""

import pytest

from clocktowers_tui.games.registry import FACES
from clocktowers_tui.history.review import Reviewed, mistakes, raced
from clocktowers_tui.net.reviewing import in_words_of
from clocktowers_tui.phrases.races import raced_in_words
from clocktowers_tui.phrases.review import mistakes_in_words, review_in_words
from clocktowers_tui.text.i18n import languages, speak
from protocol.ids import Seat
from protocol.reviewing import Begun
from server.games.registry import GAMES
from server.recording.records import read
from server.replaying.reel import Reel
from server.reviewing.deciding import races
from tests.games.wild_wild_pattern.server.test_reviewing import record
from tests.server.test_replaying import recorded, reel_of

RACE = "wild_wild_pattern"


def reviewed_race(seat: int) -> tuple[Reel, Reviewed]:
    reel = Reel(read(record(0, "learner", "learner"), GAMES))
    found = [in_words_of(RACE, one) for one in races(reel, Seat(seat))]
    begun = Begun(RACE, ["Ann", "Bo"], [9, 7], [0], [one.ply for one in found])
    return reel, Reviewed(begun, seat, found)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_race_counts_as_hits_what_was_declared_right(seat: int) -> None:
    """As the log has it; and each of its shots says what came of it."""
    reel, review = reviewed_race(seat)
    told = [
        event for ply in reel.heard(seat) for event in ply if type(event).__name__ == "Declared"
    ]
    own = [event for event in told if event.seat == seat]
    hits = [event for event in own if event.anchors]
    assert 0 < len(hits) < len(own), "a control"
    page = [*review_in_words(FACES[RACE], review, 80)]
    assert f" {len(hits)} of them hit." in page[1]
    assert [one.came for one in raced(review) if one.came] == own
    wrong = [one for one in raced(review) if one.came and not one.hit]
    for one in wrong:
        *said, least = raced_in_words(FACES[RACE], one)
        assert all("Wrong: " in each for each in said[:3]) and "Wrong: " not in least
    assert {one.ply for one in wrong} <= {ply for ply, _ in mistakes_in_words(FACES[RACE], review)}
    assert not mistakes(review)


@pytest.mark.parametrize("code", sorted(languages()))
@pytest.mark.parametrize("game", [game for game, face in FACES.items() if face.in_turns])
def test_two_actions_have_two_names(game: str, code: str) -> None:
    speak(code)
    reel, face = reel_of(recorded(game)), FACES[game]
    for ply in reel.plies[:-1]:
        for seat in reel.game.rules.to_act(ply.state):
            view = reel.game.rules.view(ply.state, seat)
            names = [
                face.choice(view, one) for one in reel.game.rules.legal_actions(ply.state, seat)
            ]
            assert len({*names}) == len(names)
