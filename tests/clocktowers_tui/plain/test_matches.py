"""Whole matches and lessons in plain mode, through a pipe, over a real server; and finished
matches: the list, a replay, a file, and none any more."""

import asyncio
import re
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

from clocktowers_tui.games.registry import FACES, LESSONS
from clocktowers_tui.games.spoken import sentence
from clocktowers_tui.history import matches, review
from clocktowers_tui.new_table import lesson_of
from clocktowers_tui.phrases.match import log_by_turns, names_of
from clocktowers_tui.plain.lesson import LessonPlace
from clocktowers_tui.plain.what_if import NONE_REVIEWED
from clocktowers_tui.text import i18n
from clocktowers_tui.text.i18n import _
from protocol.games.registry import GAMES
from server.recording.records import line
from server.store.sqlite import FILE_NAME, SqliteJournal, connect_to
from tests.clocktowers_tui.history.test_matches import packed, played
from tests.stage.house import eventually, house
from tests.stage.reviewed import planted
from tests.stage.typist import Typist, settings, typing, visit

LANGUAGES = {"clocktowers": "nl", "architetti_attenti": "it", "wild_wild_pattern": "ru"}
TABLES = {"wild_wild_pattern": ("--seats 1 --preset practice", "hard")}
"""A race's bots take their time, and a player who misses every pattern plays twenty rounds."""


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("translated", [False, True], ids=["English", "translated"])
async def test_a_whole_match(game: str, translated: bool) -> None:
    i18n.speak(LANGUAGES[game] if translated else "en")
    async with house() as at, typing(visit(at)) as typist:
        flags, level = TABLES.get(game, ("--seats 2 --bots 1 --level random", "random"))
        typist.type(f"new {game} {flags}", "start")
        await typist.plays_to_the_end(Random(7), level)
        await typist.types("result", "Ann")
        match = typist.client.state.match
        assert match is not None and match.over and not typist.client.undone
        own = [int(n) for n in re.findall(r"[Yy]ou have (-?\d+) points?\b(?! more)", typist.heard)]
        assert translated or (own[-1:] == [match.outcome.scores[0]]) is (game not in TABLES)
        shown = log_by_turns(match, FACES[game], names_of(match), typist.client.state.seat)
        assert shown and not unsaid(typist.lines, filter(None, shown))
        await typist.types("try", _(NONE_REVIEWED))


def unsaid(lines: Sequence[str], shown: Iterable[str]) -> list[str]:
    """Lines of the screen's log that were not said, in this order."""
    heard = iter(lines)
    return [one for one in shown if sentence(one) not in heard]


async def test_how_much_is_heard_of_a_turn_is_the_player_s_choice() -> None:
    """Of the turns behind the first one; an empty line says all that is asked."""
    new, words = "new clocktowers --seats 2 --bots 1 --option first_seat=0", []
    async with house() as at, typing(visit(at)) as typist:
        await typist.types("verbosity loud", "Choose one of brief, normal, full.")
        for verbosity in ("brief", "normal", "full"):
            await typist.types(f"verbosity {verbosity}", f"each turn: {verbosity}.")
            typist.type(new, "start", "discard 1", "floors", "wait", "settings")
            await typist.hears(f"\nverbosity: {verbosity}.")
            asked = typist.heard.rpartition("\nYour turn")[2].rpartition("name: ")[0]
            assert ("Card 1: " in asked) == (verbosity == "full")
            words.append(len(asked.split()))
            typist.type("leave end")
            await typist.types("yes", "tables lists the tables")
        await typist.types("verbosity brief", "each turn: brief.")
        typist.type(new, "start", "discard 1", "verbosity normal", "floors", "wait", "pace slow")
        await typist.hears("at this pace: slow")
        assert "; roofs: " in typist.heard.rpartition("\nYour turn")[2], "never told before"
    assert words == sorted({*words})


async def test_what_is_typed_before_the_board_is_there_is_meant_for_the_match() -> None:
    """For somebody who comes back to a seat the table is told first, the board a moment later."""
    async with house() as at:
        async with typing(visit(at)) as typist:
            new = f"new clocktowers --seats 2 --bots 1 --clock 30 --title {'x' * 300}"
            await typist.types(new, "Table ")
            await typist.types("change --clock 10", "choose one of no, 30, 60")
            await typist.types("change --clock no --watchers no", "Nobody may watch.")
            await typist.types("change --clock no", "Nobody may watch.")
            assert typist.client.state.table is not None
            table = typist.client.state.table.info.table
            typist.type("start", "quit")
            await typist.ends()
        async with typing(visit(at, table)) as typist:
            typist.type("floors", "quit")
            await typist.ends()
            assert "There is no command" not in typist.heard
            assert "You cannot draw yet: " in typist.heard


# Lessons ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "language"),
    [
        ("clocktowers", "en"),
        ("architetti_attenti", "it"),
        ("wild_wild_pattern", "ru"),
        ("clocktowers", "nl"),
    ],
)
async def test_a_whole_lesson(game: str, language: str) -> None:
    """An action of its own is named by the step, or by the hint; what is read goes on by an empty
    line. Other words lead nowhere."""
    i18n.speak(language)
    typist = Typist(settings())
    running = asyncio.ensure_future(typist.run(lesson_of(game)))
    try:
        await eventually(lambda: isinstance(typist.client.place, LessonPlace))
        place, asked, mark = typist.client.place, 0, 0
        typist.type("undo", "autoplay", "play on")  # no commands here
        steps = LESSONS[game].steps
        for n, step in enumerate(steps, 1):
            said = _("Step {n} of {steps}.").format(n=n, steps=len(steps))
            await typist.hears(said, mark)
            asked, mark = asked + 1, len(typist.heard)
            command = "" if step.do is None else _command(typist.heard, said)
            if step.is_free:
                typist.type("hint")
                await eventually(partial(_names_one, typist, mark))
                command = _command(typist.heard[mark:], "")
            typist.type(command)
        await eventually(lambda: typist.client.place is not place)
        assert asked == len(LESSONS[game].steps)
        assert game in typist.client.settings.known
    finally:
        typist.end()
        await running


def _names_one(typist: Typist, mark: int) -> bool:
    return _command(typist.heard[mark:], "") != ""


def _command(heard: str, after: str) -> str:
    """The first command that a line asks for, behind these words, in the language's own words."""
    now = re.escape(_("Now {does}: type {command}").partition("{does}")[2]).split(r"\{")[0]
    type_ = re.escape(_("Type: {command}")).split(r"\{")[0]
    asks = re.compile(f"(?:{now}|^{type_})(.+)$")
    lines = heard[heard.index(after) :].splitlines()
    return next((match[1] for line in lines if (match := asks.search(line))), "")


async def test_a_declaration_is_put_right_and_the_number_of_a_card_says_its_object() -> None:
    """As the lesson of the race tells, and as on the screen."""
    i18n.speak("en")
    typist = Typist(settings())
    running = asyncio.ensure_future(typist.run(lesson_of("wild_wild_pattern")))
    try:
        for n, typed in enumerate(("", "ready", "shoot 4"), 1):
            await typist.hears(f"Step {n} of ")
            typist.type(typed)
        assert "The Wheel:\nOn 1: " in typist.heard.partition("Step 1 of ")[0]
        assert "Your card: yellow pistol (coin)." in typist.heard.partition("Step 3 of ")[2]
        await typist.types("pass", "That is not it.")
        await typist.types("ready", "You shot: declare a new pattern.")
        await typist.types("after 9 coin", "There is no feature 9.")
        await typist.types("after star b", "There is no feature b.")
        await typist.types("declare quit", "Type it so: before or after")
        await typist.types(
            "say after 1 coi", "You declare: after every star comes a card with a coin."
        )
        for n, typed in enumerate(("ready", "shoot 2"), 5):
            await typist.hears(f"Step {n} of ")
            typist.type(typed)
        await typist.hears("Step 7 of ")
        await typist.types("after star bullets", "Not “after” but “before”.")
        await typist.types("before loot coin", "Not loot but star.")
        await typist.types("before star coin", "You declared coin.")
        await typist.types("before star bullets", "Step 8 of ")
    finally:
        typist.end()
        await running


# Finished matches ---------------------------------------------------------------------------------


SEEN_AGAIN = {
    "matches nobody": "None of your matches has these words.",
    "matches wren": "1: ",
    "replay 1": "Replay: ",
    "own": "The next move is yours.",
    "move  1": "move 1 of",
    "look": "A roof needs a tower of",
    "eyes wren": "as Wren saw it, you are Wren.",
    "eyes nobody": "Choose one of",
    "story": "story more says ",
    "story more": "4: ",
    "story 1": "tower 1",
    "comment  Here  I lost it.": "Comment: Here I lost it.",
    "before": "move 0 of",
    "": "Comment: Here I lost it.",
    "leave": "You are back at your matches",
    "replay  1": "Comments at moves: 1.",
    "move 1": "Comment: ",
    "comment": "move 1 of",
    "move 999": "win",
    "move x": "Type which move",
    " ": "This was the last move.",
    "leave  ": "You are back at your matches",
    "leave ": "You are at the menu",
}
DELETED = {
    "matches": "1: ",
    "write 1 text": "Written: ",
    "share 1": "With the line come your comments.",
    "write 1 pdf": "No match is written as pdf: type text, png, svg, or nothing for its record.",
    "delete": "Type delete and its number in the list, for example: delete 1",
    "delete 1": "Type yes or no.",
    "no": "You said no.",
    "yes": "Nothing was asked.",
    "delete  1": "Delete this match for good: ",
    "": "Type yes or no.",  # a question is said again
    "yes ": "You have no finished matches yet.",
    "replay 1": "No match of yours",
}


UNTAKEN = (
    ("clocktowers_tui.deeds.finished.MAX_SAID_BYTES", 9, "They are too long"),
    ("protocol.from_server.Welcome.annotates", False, "Its server is older"),
    ("server.tables.record.read_said", lambda *_: None, "The server cannot read these"),
)


async def test_a_match_is_seen_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    monkeypatch.setattr("clocktowers_tui.plain.finished._STORIES", 3)
    journal = SqliteJournal(lambda: connect_to(home / FILE_NAME), FILE_NAME)
    async with house(journal=journal) as at, typing(visit(at)) as typist:
        typist.type("new clocktowers --seats 2 --bots 1 --level random", "start")
        await typist.plays_to_the_end(Random(7))
        await typist.types("discard 1", "The match is over.")
        await typist.types("result", "Look towers tells each tower.")
        await typist.types("write", "Written: ")
        await typist.types("share", "Your friend types: clocktowers join ct:")
        line = next(said for said in typist.lines if "join ct:" in said).split()[-1]
        await typist.types("write pdf", "No match is written as pdf")
        await typist.types("write 1 text", "type write text, without a number")
        typist.client.undone = False
        await typist.types("write", "This file is there already: ")
        assert typist.client.undone
        await typist.types("leave", "tables lists the tables")
        await typist.types("leave", "You are at the menu")
        for typed, said in SEEN_AGAIN.items():
            await typist.types(typed, said)
        await typist.types("matches", "1: ")
        matches.comment(matches.newest_first()[0].head.id, 1, "Here I lost it.")
        for name, as_if, why in UNTAKEN:
            with monkeypatch.context() as here:
                here.setattr(name, as_if)
                await typist.types("share 1 ", f"Your comments and the review stay here: {why}")
        for typed, said in DELETED.items():
            await typist.types(typed, said)
        await typist.types("leave", "You are at the menu")
        await typist.types(f"join {line}", "Replay: move 0 of")
        await typist.types("comment Seen.", "Comment: Seen.")
        await typist.types("menu   ", "You are at the menu")
        await typist.types("matches  ", "watched")
        await typist.types(f"replay {line}#1", "Comment: Ann: Here I lost it.")
        await typist.types("move 0", "Comment: Seen.")
        assert any("Ann " in line for line in typist.lines if line.startswith("1: "))


async def test_a_match_is_played_on_in_another_way(home: Path) -> None:
    record = played("m1")
    (home / "one").write_bytes(line(record))
    own = 1 + [ply["seat"] for ply in record["plies"]].index(0)
    async with house(), typing() as typist:
        await typist.types("matches", "You have no finished matches yet.")
        await typist.types(f"replay {home / 'one'}#{own}", f"move {own} of")
        await typist.types("comment Mine", "import it first")
        await typist.types("try", "Nothing of it is kept.")
        await typist.types("roofs", "You cannot draw yet: play or discard a card.")
        await typist.types("discard 1", "of 100, ")
        assert "\nA roof needs a tower of " in typist.heard
        await typist.types("clocks", "You drew ")
        await typist.types("log 99", "You discard")
        for said in ("draw a card", "play or discard a card", "This is where you have begun."):
            await typist.types("undo", said)
        await typist.types("leave", f"move {own} of")
        await typist.types("move 0", "move 0 of")
        await typist.types("try", "Go to a move of yours")
        await typist.types("own", "The next move is yours.")
        await typist.types("try", "Nothing of it is kept.")
        await typist.types("leave", "ends the replay")
        await typist.types("move 0", "move 0 of")
        typist.type("review", "what if")
        await typist.hears("cancel or quit ends it.\nFrom move 1 on in another way.")
        await typist.types("1 new", "Your turn: draw a card.")
        await typist.types("discard 1", "Draw first: floors, clocks, roofs.")
        place: Any = typist.client.place
        await place._trial.source.stop()  # as where it has ended by itself
        await typist.types("clocks", "ended")
        await typist.types("leave", "move 0 of")
        await place.back._replay.source.stop()
        place.back._replay.told.clear()
        await typist.types("own", "ended")
        await typist.types("look", "ended")
        typist.type("quit")  # at the end of what is typed it would wait for the review
        await typist.ends()


async def test_a_race_is_tried_again_from_its_beginning(home: Path) -> None:
    race = played("r1", "wild_wild_pattern")
    matches.keep("r1", packed(race), 0, 1000)
    review.keep("r1", *planted(line(race).strip(), 0, {}))
    async with house(), typing() as typist:
        typist.type("review", "try", "hint", "shoot 4", "shoot 1", "look wheel")
        await typist.hears("Your card lies on 1: ")
        await typist.types("after star coin", "You declare: after every star")
        typist.type("undo", "quit")
        await typist.ends()
    assert "mistake goes there, try does it in another way.\n" in typist.heard
    assert "\nDo move " in typist.heard and "\nThe best: " in typist.heard
    wheels = [at for at, line in enumerate(typist.lines) if line == "The Wheel:"]
    begun, shot, again = (typist.lines[at + 1 : at + 9] for at in wheels)
    assert begun[1:] == shot[1:] and begun[0] != shot[0] and again == begun


async def test_a_replay_says_what_a_review_has_found(home: Path) -> None:
    record = played("m1")
    matches.keep("m1", packed(record), 0, 1000)
    review.keep("m1", *planted(line(record).strip(), 0, {3: 340}))
    async with house(), typing() as typist:
        await typist.types("next", "51 decisions: 1 mistake, in turn 2.")
        await typist.types("replay 1", "1 mistake was found: mistake goes there.")
        await typist.types("mistake", "Better: ")
        await typist.types("help look", "The parts: points")
        cast("Any", typist.client.place)._view = None  # as where the first could not be had
        await typist.types("look", "A roof needs a tower of")
        typist.type(
            "mistake before", "review", "try", "hint", "mistake", "leave", "leave", "review 1"
        )
        await typist.hears("leave goes back.\nCard 1: ")
        typist.type("next", "mistakes", "try", "share", "menu", "replay")
        await typist.hears(
            "next begins again with the biggest.\nClocktowers with Bot 2.\nReplay: move 8"
        )
        assert typist.heard.count("That was 1 of 1.\nmistake goes there, try does it") == 2
        assert "That was 1 of 1.\nmove 8 goes there." in typist.heard
        assert re.search(r"\nHint: .*\nType: .*\nReplay: move 8 of", typist.heard)
        await typist.types("replay 1", "1 mistake was found")
        await typist.types("discard 1", "Not here: type try, then discard.")
        reviews = cast("Any", typist.client).reviews
        reviews.making.append(reviews.last)
        (done,) = reviews.found.values()
        reviews.found[reviews.last.line] = done._replace(findings=done.findings[:20])
        typist.type("leave", "leave", "next", "mistake", "leave")
        await typist.hears("The review of Clocktowers with Bot 2 is still being made: 20 %.")
        await typist.hears("Replay: move 8")
        await typist.types("review 1", "is still being made: 20 %.")
        await typist.types("cancel", "stops. Asked for again, it goes on.")
        await typist.types("next", "That was the last one")
    assert "This is mistake 1 of 1" in typist.heard and "A bot looks" not in typist.heard


async def test_the_mistake_that_was_told_last_is_gone_to_when_there_is_no_other(home: Path) -> None:
    record = played("m1")
    matches.keep("m1", packed(record), 0, 1000)
    review.keep("m1", *planted(line(record).strip(), 0, {3: 340, 7: 300}))
    async with house(), typing() as typist:
        typist.type("next", "next", "mistake", "leave", "next", "mistake", "leave", "quit")
        await typist.ends()
    first, second = re.findall("Replay: move [0-9]+", typist.heard)
    assert "That was 2 of 2." in typist.heard and first == second
    assert "That was the last one" in typist.heard


async def test_one_leave_ends_a_replay_and_all_in_it_is_of_its_match(home: Path) -> None:
    """However the player came to its moves, and whatever was told of another match."""
    for match, losses in (("m1", {7: 340}), ("m2", {3: 340, 7: 300})):
        matches.keep(match, packed(played(match)), 0, 1000)
        review.keep(match, *planted(line(played(match)).strip(), 0, losses))
    async with house(), typing() as typist:
        await typist.types("review m1", "That was 1 of 1.")
        typist.type("matches", "replay m2", "mistake", "review", "review", "move 20", "what if")
        await typist.types("review", "That was the last one: review begins again")
        typist.type("what if")
        await typist.types("mistake", "leave ends the replay.")
        await typist.types("leave", "You are back at your matches")
    found = {*re.findall("move ([0-9]+) goes there", typist.heard)}
    moves = re.findall("Replay: move ([0-9]+)", typist.heard)
    assert len(found) == 2 and moves[-2] == "20" and {moves[1], moves[-1]} <= found


async def test_next_goes_on_with_a_review_that_was_promised(home: Path) -> None:
    for match, loss in (("m1", 340), ("m2", 300)):
        matches.keep(match, packed(played(match)), 0, 1000)
        review.keep(match, *planted(line(played(match)).strip(), 0, {3: loss}))
    async with house(), typing() as typist:
        await typist.types("review 1", "That was 1 of 1.")
        reviews = cast("Any", typist.client).reviews
        promised = reviews.last
        reviews.making.append(promised._replace(line=b""))
        await typist.types("review 2", "That was 1 of 1.")
        reviews.making.clear()
        reviews.untold = [promised]
        await typist.types("review 2", "next tells the review of Clocktowers with Bot 2.")
        typist.type("next", "next", "quit")
        await typist.ends()
    first, *_others, promised = re.findall("Costs [^.]*", typist.heard)
    assert typist.heard.count("That was 1 of 1.") == 4 and promised == first
    assert "still being made" not in typist.heard, "of another match"
    assert "That was the last one" in typist.heard


async def test_a_file_that_is_no_record(home: Path) -> None:
    (home / "none").write_text("{}\n")
    async with house(), typing() as typist:
        await typist.types("matches", "You have no finished matches yet.")
        await typist.types(f"replay {home / 'none'}", "cannot be replayed")
        await typist.types("review", "Type review and its number")
        await typist.types("menu", "You are at the menu")
