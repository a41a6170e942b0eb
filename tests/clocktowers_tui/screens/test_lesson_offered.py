"""A lesson is offered, left, resumed, and followed by a match."""

import pytest
from msgspec.structs import replace

from clocktowers_tui.config.settings import load, settings_file
from clocktowers_tui.games.registry import LESSONS, title_of
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.arrival import Arrival
from clocktowers_tui.net.lasting_link import LastingLink
from clocktowers_tui.net.seats import OwnSeat, Seat
from clocktowers_tui.net.wishes import Return, Solo, again
from clocktowers_tui.new_table import lesson_of
from clocktowers_tui.screens.home import HomeScreen
from clocktowers_tui.screens.lesson import LessonScreen
from clocktowers_tui.screens.match import MatchScreen
from tests.clocktowers_tui.games.test_lessons import every_game
from tests.clocktowers_tui.screens.test_lesson import learning
from tests.stage.pilot import SMALL, playing, press, seen, sees, until


def lead_to(address: Address, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every wish leads to this server: one of its own would take a second to start."""

    async def arrive(wish: Solo, name: str) -> Arrival:
        return Arrival(wish, await LastingLink.open(address, name, own=OwnSeat(name)))

    monkeypatch.setattr("clocktowers_tui.net.arrival.arrive", arrive)


@pytest.fixture
def served(address: Address, monkeypatch: pytest.MonkeyPatch) -> Address:
    lead_to(address, monkeypatch)
    return address


@every_game
@pytest.mark.parametrize("apart", [5, pytest.param(1, marks=pytest.mark.soak)])
async def test_it_is_left_and_resumed(
    game: str, apart: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the board is then as it was: after some steps, and again after more. `make soak` leaves
    at every step, and goes on to the end."""
    steps = LESSONS[game].steps[: None if apart == 1 else 2 * apart]
    async with learning(game) as pupil:
        app, pilot = pupil.player
        lead_to(Address(*pupil.at.address), monkeypatch)
        for at, step in enumerate(steps):
            await pupil.comes_to(at)
            if not at or (at + 1) % apart:  # nothing waits before the first step
                await pupil.does(step)
                continue
            assert app.state.match is not None
            view = app.state.match.view
            await press(pupil.player, "q")
            await sees(pupil.player, f"Your lesson in {title_of(game)} waits: l goes on")
            assert load(settings_file()).lessons[game] == at
            assert isinstance(app.screen, HomeScreen)
            app.screen.go(lesson_of(game))
            await until(pilot, lambda: isinstance(app.screen, LessonScreen))
            await pupil.comes_to(at)
            assert app.state.match is not None and app.state.match.view == view
            await pupil.does(step)
        if steps == LESSONS[game].steps:
            await sees(pupil.player, f"You know {title_of(game)} now")


def test_a_line_that_is_lost_leads_back_to_the_lesson() -> None:
    learns = lesson_of("clocktowers")
    plays = learns._replace(lesson=False)
    seat = Seat(
        host="h", port=1, name="A", match="m", table="T", game="clocktowers", token="ab", folder=1
    )
    assert again(learns, seat) == learns
    assert again(plays, seat) == Return(seat)


async def test_a_match_follows_at_once(served: Address, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a board that plays, on which nothing is of the lesson."""
    lesson = LESSONS["clocktowers"]
    short = {"clocktowers": lesson._replace(steps=lesson.steps[:1])}
    monkeypatch.setattr("clocktowers_tui.deeds.match.LESSONS", short)
    async with playing(lesson_of("clocktowers"), at=served, size=SMALL, shows=" 1/1 ") as player:
        await press(player, "enter")
        await sees(player, "You know Clocktowers now", "Play: 1 bot, learner")
        await press(player, "enter", shows=("(you)", "1-3 Take card"))
        assert not isinstance(player[0].screen, LessonScreen)


async def test_a_match_may_begin_as_soon_as_the_lesson_says_so(
    served: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lesson waits meanwhile."""
    lesson = LESSONS["clocktowers"]
    first, second, *others = lesson.steps
    steps = [first, second._replace(enough=True), *others]
    short = {"clocktowers": lesson._replace(steps=steps)}
    monkeypatch.setattr("clocktowers_tui.deeds.match.LESSONS", short)
    async with playing(lesson_of("clocktowers"), at=served, size=SMALL, shows=" 1/") as player:
        await press(player, "p", shows="Press Enter to go on.")
        assert "Play now" not in seen(player[0])
        await press(player, "enter", shows=(" 2/", "p Play now"))
        await press(player, "p", shows=("(you)", "1-3 Take card"))
        assert not isinstance(player[0].screen, LessonScreen)
        assert load(settings_file()).lessons["clocktowers"] == 1


@pytest.mark.parametrize(("key", "leads"), [("p", "< bot, learner >"), ("escape", "Join a table")])
async def test_it_is_offered_before_there_is_a_form_to_fill_in(key: str, leads: str) -> None:
    """Once: what is answered, also by Esc, is kept."""
    async with playing(new=True, shows="Join a table") as player:
        await press(player, "m", shows="New to Clocktowers?")
        await press(player, key, shows=leads)
        await press(player, *(["enter"] if key == "p" else ["m"]))
        await sees(player, "Wren" if key == "p" else "< bot, learner >")
        assert "New to" not in seen(player[0])
        assert load(settings_file()).lessons == {"clocktowers": 0}


async def test_a_match_that_begins_in_a_lesson_takes_its_first_keys() -> None:
    """No field for a name does."""
    steps = LESSONS["wild_wild_pattern"].steps
    enough = next(at for at, step in enumerate(steps) if step.enough)
    async with learning("wild_wild_pattern") as pupil:
        app = pupil.player[0]
        app.settings = replace(app.settings, name="")
        for at, step in enumerate(steps[:enough]):
            await pupil.comes_to(at)
            await pupil.does(step)
        await pupil.comes_to(enough)
        await press(pupil.player, "p")
        await until(pupil.player[1], lambda: type(app.screen) is MatchScreen)
        assert app.settings.name == ""


@pytest.mark.usefixtures("served")
async def test_an_offer_taken_leads_to_the_lesson() -> None:
    async with playing(name="", new=True, shows="Join a table") as player:
        await press(player, "p", shows="New to Clocktowers?")
        await press(player, "l", shows=" 1/")
        await press(player, "enter", shows=" 2/")
        await press(player, "q", shows=("waits: l goes on", "Go on with the lesson"))
        await press(player, "right", shows="Learn it in 5 minutes")
        await press(player, "left", shows="Go on with the lesson")
        await press(player, "l", shows=" 2/")
        await press(player, "q", shows="waits: l goes on")
        await press(player, "p", shows="Your turn")
