"""The result's line about the shuffle, for whole matches as a server tells them."""

from functools import cache

from msgspec import to_builtins

from clocktowers_tui.games.registry import FACES
from clocktowers_tui.screens.result import proof_in_words
from clocktowers_tui.state import match as matches
from protocol.dealing import commitment
from protocol.from_server import Ended, History, Notice, Update
from protocol.games.clocktowers import Options
from tests.clocktowers_tui.games.clocktowers.matches import RULES
from tests.clocktowers_tui.games.clocktowers.matches import Match as Played
from tests.clocktowers_tui.state import samples

FACE = FACES["clocktowers"]
NUMBER = 5
SEED = bytes([NUMBER]) * 32
OTHER_SEED = bytes([NUMBER + 1]) * 32


@cache
def played() -> Played:
    """A match dealt from SEED, to its end."""
    match = Played(2, Options(), seed=NUMBER)
    while not match.over():
        match.play_one()
    return match


def told(promised: bytes, shown: bytes, notices: int = 0, seen_from: int = 0) -> matches.Match:
    """The client's match: events by pages, here and there a notice, the last view, the end."""
    events = to_builtins(played().events[seen_from:], builtin_types=(bytes,))
    view = to_builtins(played().view(), builtin_types=(bytes,))
    outcome = to_builtins(RULES.outcome(played().state), builtin_types=(bytes,))
    match = matches.started(samples.started(sha=commitment(promised)), ("Ann", "Bob"))
    match = matches.caught_up(match, History(match="m1", version=1, events=events[:20]))
    for _ in range(notices):
        match = matches.noticed(match, Notice("joined", {"name": "Cleo"}))
    last = Update(match="m1", version=2, ply=2, view=view, events=events[20:])
    match = matches.updated(match, last)
    return matches.ended(match, Ended(match="m1", outcome=outcome, seed=shown.hex()))


def test_seed_and_deal_match() -> None:
    words = proof_in_words(told(SEED, SEED), FACE)
    assert words.startswith("Provable shuffle:")
    assert "gives what was seen" in words
    assert commitment(SEED)[:12] in words


def test_a_match_that_was_not_dealt_from_its_seed_is_shown_as_such() -> None:
    """The seed is the promised one, so the promise alone would call this match proven."""
    match = told(OTHER_SEED, OTHER_SEED)
    assert match.proven
    words = proof_in_words(match, FACE)
    assert "NOT proven" in words
    assert "not dealt from it" in words


def test_another_seed_than_promised() -> None:
    words = proof_in_words(told(OTHER_SEED, SEED), FACE)
    assert "NOT proven" in words
    assert "does not match what was promised" in words


def test_what_was_not_seen_cannot_be_checked() -> None:
    words = proof_in_words(told(SEED, SEED, seen_from=10), FACE)
    assert "could not be checked" in words
    assert "NOT" not in words


def test_a_log_that_had_to_forget_does_not_touch_the_proof() -> None:
    match = told(SEED, SEED, notices=matches.MAX_LOG + 5)
    assert len(match.log) == matches.MAX_LOG
    assert match.log[0].kind is matches.LineKind.NOTICE
    assert proof_in_words(match, FACE).startswith("Provable shuffle:")
