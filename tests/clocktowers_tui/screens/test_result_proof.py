"""The result's line about the shuffle, for whole matches of each game as a server tells them."""

from functools import cache
from typing import NamedTuple

import pytest

from clocktowers_tui.games.registry import FACES
from clocktowers_tui.phrases.proof import proof_in_words
from clocktowers_tui.screens.result import result_page
from clocktowers_tui.state import match as matches
from protocol.dealing import commitment
from protocol.from_server import Ended, History, Notice, Update
from protocol.games.registry import GAMES
from tests.stage import small_match
from tests.stage.nonsense import plain
from tests.stage.real_matches import Match as Played

NUMBER = 5
SEED = bytes([NUMBER]) * 32
OTHER_SEED = bytes([NUMBER + 1]) * 32

every_game = pytest.mark.parametrize("game", list(GAMES))


@cache
def played(game: str) -> Played:
    """A match dealt from SEED, to its end."""
    match = Played(game, 2, GAMES[game].options(), seed=NUMBER)
    while not match.over():
        match.play_one()
    return match


class Told(NamedTuple):
    """What the server said of its deal, and what of the match was heard."""

    promised: bytes = SEED
    shown: bytes = SEED
    notices: int = 0
    seen_from: int = 0


def heard(game: str, told: Told) -> matches.Match:
    """The client's match: events by pages, here and there a notice, the last view, the end."""
    match = played(game)
    events, view = plain(match.events[told.seen_from :]), plain(match.view())
    outcome = plain(match.rules.outcome(match.state))
    started = small_match.started(game=game, sha=commitment(told.promised))
    known = matches.started(started, ("Ann", "Bob"))
    known = matches.caught_up(known, History(match="m1", version=1, events=events[:20]))
    for _ in range(told.notices):
        known = matches.noticed(known, Notice("joined", {"name": "Cleo"}))
    last = Update(match="m1", version=2, ply=2, view=view, events=events[20:])
    known = matches.updated(known, last)
    return matches.ended(known, Ended(match="m1", outcome=outcome, seed=told.shown.hex()))


def words(game: str, told: Told) -> str:
    return proof_in_words(heard(game, told), FACES[game]).words


@every_game
def test_seed_and_deal_match(game: str) -> None:
    assert words(game, Told()) == "The shuffle was fair: this program has checked it."
    page = result_page(heard(game, Told()), FACES[game], ["Ann", "Bob"])
    assert page.promised == commitment(SEED)


@every_game
def test_a_match_that_was_not_dealt_from_its_seed_is_shown_as_such(game: str) -> None:
    """The seed is the promised one, so the promise alone would call this match proven."""
    told = Told(promised=OTHER_SEED, shown=OTHER_SEED)
    assert heard(game, told).proven
    assert "NOT fair" in words(game, told)
    assert "deals something else" in words(game, told)


@every_game
def test_another_seed_than_promised(game: str) -> None:
    said = words(game, Told(promised=OTHER_SEED))
    assert "NOT fair" in said
    assert "not the promised one" in said


@every_game
def test_a_broken_promise_is_said_before_all_else_and_a_kept_one_last(game: str) -> None:
    kept, broken = (
        [line.plain for line in result_page(match, FACES[game], ["Ann", "Bob"]).lines(80)]
        for match in (heard(game, Told()), heard(game, Told(promised=OTHER_SEED)))
    )
    assert "The shuffle was fair" in kept[-1]
    assert "NOT fair" in broken[0]


@every_game
def test_what_was_not_seen_cannot_be_checked(game: str) -> None:
    said = words(game, Told(seen_from=10))
    assert "is not checked" in said
    assert "NOT" not in said


@every_game
def test_a_log_that_had_to_forget_does_not_touch_the_proof(game: str) -> None:
    told = Told(notices=matches.MAX_LOG + 5)
    match = heard(game, told)
    assert len(match.log) == matches.MAX_LOG
    assert match.log[0].kind is matches.LineKind.NOTICE
    assert words(game, told).startswith("The shuffle was fair")


def test_a_chosen_deal_claims_no_fairness() -> None:
    match, face = heard("clocktowers", Told()), FACES["clocktowers"]
    plain_page, chosen = (
        "\n".join(
            line.plain for line in result_page(match, face, ["Ann", "Bob"], seeded=seeded).lines(80)
        )
        for seeded in (False, True)
    )
    assert (
        "The shuffle was fair" in plain_page
        and "This deal was chosen, not shuffled." not in plain_page
    )
    assert "This deal was chosen, not shuffled." in chosen and "Fair" not in chosen
