"""Hints, hurried bots and their pace: the real app at a real server; and how far a match is."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from msgspec.structs import replace

from clocktowers_tui.deeds.client import progress
from clocktowers_tui.games.board import Board
from clocktowers_tui.games.clocktowers import face
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.history import matches
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.seats import Seat
from clocktowers_tui.net.wishes import Solo, Visit
from clocktowers_tui.phrases import codes as phrases
from clocktowers_tui.phrases.home import on_card_in_words, waiting_in_words
from clocktowers_tui.state.store import handed_over
from protocol.from_client import Hint
from protocol.from_server import Done, Welcome
from protocol.games.wild_wild_pattern import Phase
from protocol.games.wild_wild_pattern.cards import is_pattern
from protocol.table import Pace
from server.addresses import AddressBook, Letter
from server.config import Limits
from tests.stage import small_match
from tests.stage.house import AT_HOME, GatedBrains, House, house
from tests.stage.pilot import Playing, playing, press, seen, sees, until
from tests.stage.scripted_server import ScriptedPeer, scripted
from tests.stage.small_match import bot_table
from tests.stage.staged import Staged

HOUR_S = 3600.0
FIRST = {"first_seat": 0}


@asynccontextmanager
async def alone(
    game: str, options: dict[str, Any], preset: str = "standard", pace_s: float = 0, **home: Any
) -> AsyncIterator[tuple[Playing, House]]:
    """`home`: as for `house`."""
    wish = Solo(bot_table(1, "normal", preset, options, game))
    async with house(bot_pace_s=pace_s, **home) as at:
        address = Address(*at.address)
        async with playing(wish, at=address) as player:
            yield player, at


def version(at: House) -> int:
    (table,) = at.server.lobby.tables.values()
    assert table.match is not None
    return table.match.version


def phase(player: Playing) -> Phase | None:
    """Of the race that is on the screen."""
    match = player[0].state.match
    return None if match is None or match.view is None else match.view.phase


def has_card(player: Playing) -> bool:
    match = player[0].state.match
    return match is not None and is_pattern(match.view.card)


def selection(player: Playing) -> object:
    """What is chosen on the board."""
    board = player[0].screen.query_one(Board)
    scene: Any = vars(board).get("scene") or vars(board)["_scene"]
    return scene.selection


@pytest.mark.parametrize(
    ("game", "plan"), [("clocktowers", {}), ("architetti_attenti", {"plan": 1})]
)
async def test_a_hint_is_chosen_and_told_but_not_played(
    game: str, plan: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a `plan` comes with it that this program cannot read."""
    monkeypatch.setattr("server.net.handlers.play.Done", lambda **told: Done(**told | plan))
    async with alone(game, FIRST) as (player, at):
        await sees(player, "Your turn", "H Hint")
        before = selection(player)
        await press(player, "H", shows="Hint: ")
        assert selection(player) != before
        assert version(at) == 0
        await press(player, "enter")
        await until(player[1], lambda: version(at) > 0)


async def test_a_choice_of_the_player_stays_when_the_hint_comes_later() -> None:
    """Else the next Enter would play what nobody has seen."""
    brains = GatedBrains()
    async with alone("clocktowers", FIRST, brains=brains) as (player, at):
        await sees(player, "Your turn", "H Hint")
        await press(player, "H", shows="A bot looks for a good move")
        await press(player, "2")
        chosen = selection(player)
        brains.gate.set()
        await sees(player, "Your choice has changed: H asks again.")
        assert selection(player) == chosen and version(at) == 0
        await press(player, "H", shows="Hint: ")


async def test_in_a_race_no_bot_helps_and_none_finishes_it() -> None:
    async with alone("wild_wild_pattern", {}) as (player, _at):
        await until(player[1], lambda: phase(player) is Phase.READY)
        assert "H Hint" not in seen(player[0]) and "E Autoplay" not in seen(player[0])
        await press(player, "H", shows="Hints are for practice without other people.")
        await press(player, "E", shows="A bot finishes for you only in games played in turns")


async def test_in_practice_there_is_a_hint_for_the_race_too() -> None:
    async with alone("wild_wild_pattern", {}, "practice") as (player, _at):
        await until(player[1], lambda: phase(player) is Phase.READY)
        await press(player, "H", shows="Hint: ")
        await press(player, "enter")
        # A Challenge card is replaced first.
        await until(player[1], lambda: phase(player) is Phase.RACE and has_card(player))
        await press(player, "H", shows="Hint: ")


@pytest.mark.parametrize(
    ("version", "action", "said"),
    [
        (0, ["play", 99, 99], "You cannot see this hint: update this program."),
        (0, None, "Hint: wait for the others."),
        (0, ["draw", 2], "A bot looks for a good move"),
        (7, ["play", 2, None], "The match has moved on"),
    ],
    ids=["nonsense", "nothing", "impossible", "late"],
)
async def test_what_a_server_says_instead_of_a_hint(version: int, action: Any, said: str) -> None:
    async def script(peer: ScriptedPeer) -> None:
        await peer.hears()
        peer.says(Welcome(version=1, name="Ann"))
        peer.says(small_match.at_table("Ann", "Bob"), small_match.started(), small_match.update(0))
        while True:
            if isinstance(wish := await peer.hears(), Hint):
                peer.says(Done(id=wish.id, version=version, action=action))

    async with scripted(script) as address, playing(Visit(address), shows="Your turn") as player:
        before = selection(player)
        await press(player, "H", shows=said)
        await player[1].pause()
        assert selection(player) == before


async def test_bots_hurry_to_the_players_turn() -> None:
    async with alone("clocktowers", {"first_seat": 1}, pace_s=HOUR_S) as (player, at):
        await sees(player, "F Fast")
        assert version(at) == 0
        await press(player, "F", shows="Your turn")
        assert "F Fast" not in seen(player[0])


async def test_a_bot_plays_for_the_player_until_they_take_the_seat_back_or_the_end() -> None:
    brains = GatedBrains()
    async with alone("clocktowers", FIRST, pace_s=HOUR_S, brains=brains) as (player, at):
        await player[1].resize_terminal(100, 24)
        await sees(player, "Your turn", "Enter Take", "E Autoplay")
        await player[1].resize_terminal(60, 20)
        asked = ("Autoplay to the end?", "does not count", "Keep playing myself")
        await press(player, "E", shows=asked)
        await player[1].resize_terminal(100, 24)
        await press(player, "escape", "E", shows=asked)
        assert not handed_over(player[0].state)
        await press(
            player, "down", "enter", shows=("A bot plays for you; E lets you play", "E Play on")
        )
        assert "H Hint" not in seen(player[0])
        await press(player, "E", shows=("Your turn", "E Autoplay"))
        assert version(at) == 0
        await press(player, "E", "down", "enter", shows=("E Play on", "F Finish"))
        brains.gate.set()
        await until(player[1], lambda: version(at) == 0)
        await press(player, "F", shows=("a bot played the last ones for you", "Rematch"))
        assert "You win" not in seen(player[0])


async def test_a_line_that_is_lost_leads_back_to_a_seat_that_a_bot_plays() -> None:
    brains = GatedBrains()
    async with alone("clocktowers", FIRST, brains=brains, limits=Limits()) as (player, at):
        await sees(player, "Your turn")
        await press(player, "E", "down", "enter", shows="A bot plays for you; E lets you play")
        (table,) = at.server.lobby.tables.values()
        chair, arrival = table.seating.chairs[0], player[0].journey.arrival
        guest = chair.guest
        assert arrival is not None
        arrival.link._link.abort()
        await until(player[1], lambda: chair.guest not in (None, guest))
        await sees(player, "A bot plays for you; E lets you play")
        await press(player, "E", shows="Your turn")


async def test_who_can_score_no_more_is_told_who_plays_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each time that there is nothing else to say."""
    monkeypatch.setattr(face, "FACE", face.FACE._replace(is_spent=lambda view: True))
    async with alone("clocktowers", FIRST) as (player, _at):
        said = "You can score no more. E: a bot plays on, and the match counts."
        await sees(player, said)
        await press(player, "1", shows="Enter: play it")
        await press(player, "escape", shows=said)
        await press(player, "1", "enter", "E", shows="The cards ran out")
        await until(player[1], lambda: bool(matches.newest_first()))
        (kept,) = matches.newest_first()
        assert not kept.played_for and not kept.by_bot


async def test_what_a_bot_plays_counts_no_more_after_a_take_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spent = [True]
    monkeypatch.setattr(face, "FACE", face.FACE._replace(is_spent=lambda view: bool(spent)))
    async with alone("clocktowers", FIRST, brains=GatedBrains()) as (player, _at):
        await sees(player, "You can score no more.")
        await press(player, "1", "enter", "E", shows="A bot plays for you; E lets you play")
        await press(player, "E", shows="You can score no more.")
        spent.clear()
        await press(player, "E", "down", "enter", shows="A bot plays for you; E lets you play")
        match = player[0].state.match
        assert match is not None and not match.spent


async def test_the_pace_of_the_settings_is_the_servers() -> None:
    async with alone("clocktowers", {"first_seat": 1}, pace_s=HOUR_S) as (player, at):
        app = player[0]
        await sees(player, "F Fast")
        await press(player, "S", shows="How fast bots act")
        app.keep(replace(app.settings, pace=Pace.AT_ONCE))
        assert version(at) == 0
        await press(player, "escape", shows="Your turn")


# How far it is ------------------------------------------------------------------------------------


async def test_the_server_tells_elsewhere_what_the_player_types_behind_a_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Quiet hours are those of the player's clock."""
    codes = list[str]()

    async def send(_book: AddressBook, _address: str, letter: Letter) -> None:
        codes.append(letter.code)

    monkeypatch.setattr(AddressBook, "send", send)
    monkeypatch.setattr(phrases, "_east_of_utc", lambda: 330)
    async with (
        house(config=replace(AT_HOME, notify_ntfy="public")) as at,
        playing(Visit(Address(*at.address)), shows="New table") as player,
    ):
        where = "https://ntfy.sh/ann"
        for typed, says in (
            ("ann", "This server takes no such address"),
            (where, f"A code was sent to {where}"),
            ("000000x", "This server takes no such address"),
            ("CODE", f"You are told at {where}"),
            ("quiet 22-8", "From 22:00 to 8:00 nothing is sent."),
            ("quiet 22 8", "Type notify ADDRESS"),
            ("off", "You have given no address."),
        ):
            await press(player, "D", shows="Be told when it is your turn")
            await press(player, *typed.replace("CODE", "".join(codes)), "enter", shows=says)
            if typed.startswith("quiet 22-"):
                (kept,) = at.server.lobby.people.known.values()
                assert kept.quiet == [16 * 60 + 30, 2 * 60 + 30]
        assert not await at.server.journal.people()


def test_turns_of_others_are_not_counted() -> None:
    staged = Staged(3, 4, game="architetti_attenti")
    found = list[int]()
    for _ in range(40):
        state = staged.client_state()
        assert state.match is not None
        now = progress(state, FACES)
        assert now is not None and now.people, "they are known before the player has the turn"
        if now.turn and now.turn not in found:
            found.append(now.turn)
        staged.play_one()
    assert found == list(range(1, len(found) + 1)) and len(found) > 3


def test_a_race_tells_its_round() -> None:
    """Its turns begin again in each."""
    staged = Staged(2, 4, game="wild_wild_pattern")
    state = staged.client_state()
    assert state.match is not None
    later = replace(state.match.view, round=3, turn=2)
    state = replace(state, match=replace(state.match, view=later))
    now = progress(state, FACES)
    assert now is not None and (now.round, now.turn) == (3, 2)
    seat = Seat(
        host="h", port=1, name="A", match="m", table="T", game="wild_wild_pattern", token="ab",
        folder=1, progress=now,
    )  # fmt: skip
    assert on_card_in_words(seat) == "Continue: round 3"
    assert "round 3, turn 2" in waiting_in_words(seat)
