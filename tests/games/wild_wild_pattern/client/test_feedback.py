"""What came of a declaration, said and marked until the next race; peaks; how soon one shot."""

import re
from random import Random
from typing import Any

import pytest
from msgspec import json
from msgspec.structs import replace

from clocktowers_tui.config.look import GlyphSet, Look
from clocktowers_tui.games.motion import Playing, Win
from clocktowers_tui.games.parts import Given, Taught
from clocktowers_tui.games.wild_wild_pattern.cards import Form, named
from clocktowers_tui.games.wild_wild_pattern.choosing import NOTHING, Offer, Selection, What
from clocktowers_tui.games.wild_wild_pattern.face import FACE
from clocktowers_tui.games.wild_wild_pattern.hinting import advice, missed, missed_words, nearness
from clocktowers_tui.games.wild_wild_pattern.inks import GLYPHS, PAINTING, Ink
from clocktowers_tui.games.wild_wild_pattern.result import reactions_ms
from clocktowers_tui.games.wild_wild_pattern.scene import (
    MOMENTS,
    PARTS,
    PatternHit,
    Turned,
    peak,
    sight,
    staged,
)
from clocktowers_tui.games.wild_wild_pattern.wheel import Marks, marks
from clocktowers_tui.phrases.review import raced_in_words
from protocol.games.wild_wild_pattern import Click, Declared, Pass, Phase, Ready, View
from protocol.games.wild_wild_pattern.bank import plays
from protocol.games.wild_wild_pattern.cards import Challenge, Colour, Fault, Object, pairs
from protocol.recording import Raced
from server.games.wild_wild_pattern.bots import BOTS
from server.recording.records import line
from tests.clocktowers_tui.history.test_matches import played as recorded
from tests.games.wild_wild_pattern.boards import (
    LATE,
    PAYING,
    PRACTICE,
    RIGHT,
    WHEEL,
    WRONG,
    board,
    cards,
    draw,
    said_on,
    scene,
    told,
)
from tests.games.wild_wild_pattern.matches import RaceMatch
from tests.stage.golden_boards import NAMES, text_of
from tests.stage.staged import Staged

SIZES = ((60, 17), (80, 21), (120, 37), (200, 57))


def said(view: View, size: tuple[int, int]) -> str:
    return said_on(scene(view), size)


def marked(view: View) -> Marks:
    return marks(scene(view))


def lit(*at: int, ink: Ink = Ink.HIT) -> dict[int, Ink]:
    return dict.fromkeys(at, ink)


def inked(view: View, ink: Ink) -> str:
    rows = draw(scene(view), 80, 21, GLYPHS[GlyphSet.UNICODE])
    assert rows is not None
    return "".join(span.text for row in rows for span in row if span.ink is ink)


def test_the_pairs_of_a_right_one_are_lit_in_order_and_of_a_wrong_one_the_counterexample() -> None:
    assert marked(told(RIGHT)) == Marks(lit(2, 3, 6, 7), lit(2, 6))
    assert marked(told(WRONG)) == Marks(lit(4, 5, ink=Ink.WRONG), lit(4, ink=Ink.WRONG))
    assert "x" in inked(told(WRONG), Ink.WRONG)


def test_no_mark_stands_where_another_card_lies() -> None:
    changed = RIGHT.wheel[:2] + cards("WRB") + RIGHT.wheel[3:]
    assert marked(told(RIGHT, wheel=changed)).places == lit(3, 6, 7)
    gap = RIGHT.wheel[:2] + b"\0" + RIGHT.wheel[3:]
    assert 2 in marked(told(RIGHT, wheel=gap)).places


def test_a_player_who_is_asked_to_be_ready_sees_the_new_wheel() -> None:
    """After a moment of the shot while others choose, or at once; the arrows show the shot."""
    changed = RIGHT.wheel[:2] + cards("WRB") + RIGHT.wheel[3:]
    ready = Given(told(RIGHT, Phase.READY, wheel=changed), NAMES, False, ())
    laying = Given(told(RIGHT, Phase.LAY, acting=1, wheel=changed), NAMES, False, ())
    first = staged(laying, None)
    assert first.wheel == RIGHT.wheel, "the control"
    assert staged(ready, None).wheel == staged(ready, first).wheel == changed
    shot = staged(ready, first)._replace(goes_on=False)
    assert staged(ready, shot).wheel == RIGHT.wheel, "and stays where the player put it"


def test_the_proof_stays_until_the_player_is_ready() -> None:
    """All its cards and pairs, though some of them are won; but the next Wheel can be seen, too."""
    changed = RIGHT.wheel[:2] + cards("WRB") + RIGHT.wheel[3:]
    view = told(RIGHT, Phase.READY, wheel=changed)
    assert scene(view).wheel == RIGHT.wheel and marked(view).places == lit(2, 3, 6, 7)
    the_next = scene(view)._replace(goes_on=True)
    assert the_next.wheel == changed and marks(the_next) == Marks()
    assert scene(told(RIGHT, Phase.LAY, acting=1, wheel=changed)).wheel == RIGHT.wheel
    asked = told(RIGHT, Phase.LAY, acting=0, wheel=changed)
    assert scene(asked).wheel == changed and marked(asked).places == lit(3, 6, 7)
    for over in (replace(view, done=[True] * 4), replace(view, turn=1)):
        assert scene(over).wheel == changed and marked(over) == Marks()
        assert "H I T !" not in said(over, (80, 21)), "not in another round, either"


@pytest.mark.parametrize("phase", [Phase.RACE, Phase.CLICKED, Phase.DECLARE])
def test_a_race_has_no_marks(phase: Phase) -> None:
    assert marked(told(RIGHT, phase)) == Marks()


@pytest.mark.parametrize("size", SIZES)
def test_what_came_of_it_is_said_at_every_size(size: tuple[int, int]) -> None:
    for view, word, sentence in (
        (told(RIGHT), "HIT!", "HIT! 2 pairs: 3-4 and 7-8"),
        (told(WRONG), "WRONG!", "Wrong: after 5 (white bottle, coin) comes 6"),
        (told(LATE), "TIME!", "Your time ran out: that counts as wrong"),
    ):
        shown = said(view, size)
        assert word in shown or " ".join(word) in shown
        found = sight(scene(view), *size, GLYPHS[GlyphSet.UNICODE])
        assert found is not None
        x, y, width, height = found.places["told"]
        rows = [line[x : x + width].strip(" │") for line in shown.split("\n")[y : y + height]]
        assert sentence in " ".join(rows)
    assert "HIT!" not in said(board(), size)


def test_a_hint_of_two_rows_covers_no_sentence() -> None:
    """It aims the card at a place, and lies over the last row."""
    view = board(1, won=[b""], challenges=[b""], round=1, options=PRACTICE)
    aimed = Selection(cursor=Offer(What.PLACE, 2))
    last = [said_on(scene(view, one), (60, 17)).split("\n")[-1] for one in (NOTHING, aimed)]
    assert [bool(row.strip(" │")) for row in last] == [True, False]


@pytest.mark.parametrize(
    ("size", "sentence"),
    [
        ((80, 21), "Björn declares: before every bottle comes an azure card. HIT!"),
        ((60, 17), "Björn. HIT! 2 pairs: 3-4 and 7-8"),
    ],
)
def test_another_players_hit_is_told_by_name(size: tuple[int, int], sentence: str) -> None:
    """It must not read as the player's own; and what to do now stays in sight."""
    view = told(replace(RIGHT, seat=1), Phase.READY, done=[False] * 4)
    found = sight(scene(view), *size, GLYPHS[GlyphSet.UNICODE])
    assert found is not None
    x, y, width, height = found.places["told"]
    shown = said(view, size).split("\n")[y : y + height]
    rows = [line[x : x + width].strip(" │") for line in shown]
    assert sentence in " ".join(rows) and "Space: ready" in rows


@pytest.mark.parametrize("phase", [Phase.RACE, Phase.TAKE])
@pytest.mark.parametrize("number", [1, 2])
def test_a_lesson_shows_the_target_from_the_first_taking_on_and_wild_at_its_end(
    number: int, phase: Phase
) -> None:
    view = board(1, phase, won=[cards("SRC LWC")], acting=0, takes=1, round=number)
    for hidden in ({"wild"}, set()):
        text = said_on(scene(view, taught=Taught(hidden=frozenset(hidden))))
        assert ("WILD" in text) is (not hidden)
        assert ("Target" in text) is (not hidden or phase is Phase.TAKE or number > 1)


# How near to WILD --------------------------------------------------------------------------------


def test_five_colours_are_counted_and_a_second_one_is_too_many() -> None:
    view = board(2, won=[cards("SRC LWC"), cards("SRC LRB WAC")])
    found = nearness(view, 0)
    assert found.colours == {Colour.RED, Colour.WHITE}
    assert (found.wild, found.thing, found.lost) == (2, None, False)
    assert (nearness(view, 1).wild, nearness(view, 1).lost) == (2, True)
    assert "2 of 5 " in said(view, (120, 37))
    for width in range(60, 161, 5):
        shown = said(view, (width, 37))
        assert re.search(r"no WILD(: red twice)? +Target [^ ]", shown), "nothing is cut"
    assert "no WILD: red twice " in said(view, (100, 37))


def test_where_five_colours_only_pay_five_of_one_object_are_counted() -> None:
    view = board(2, won=[cards("SRC SYC"), b""], options=PAYING)
    assert nearness(view, 0)[:3] == (frozenset((Colour.RED, Colour.YELLOW)), 2, Object.STAR)
    assert (nearness(view, 1).wild, nearness(view, 1).thing) == (0, None)
    assert "2 of 5: ★S" in said(view, (120, 37))


# In practice -------------------------------------------------------------------------------------


def test_after_a_pass_all_is_listed_that_was_there() -> None:
    match = RaceMatch(1, seed=3)
    match.does(0, Ready())
    while match.view().waiting[0] or not match.view().card:
        match.step()
    view = match.view()
    assert missed(view) is None, "not while the race is on"
    match.does(0, Pass())
    found = missed(match.view())
    assert found is not None and set(found) == set(plays(view.wheel, view.card, in_pair=True))


def test_after_a_shot_what_wins_no_more_is_left_out() -> None:
    """A pattern that is there twice wins as much as any other that is; a wrong one nothing."""
    assert RIGHT.anchors == 2 and missed(told(RIGHT, seats=1, options=PRACTICE)) is None
    wrong = replace(RIGHT, anchors=0)
    view = told(wrong, Phase.READY, seats=1, options=PRACTICE, wheel=RIGHT.wheel)
    found = missed(view)
    assert found is not None
    assert missed(replace(view, turn=1)) is None, "not in another round"
    assert "on 3: before every bottle comes an azure card (2 pairs)" in missed_words(view, found)
    near = missed(replace(view, won=[cards("SRC SAB SGC HYC")]))
    assert near and len(near) < len(found), "only what brings the white card for WILD"
    assert missed_words(replace(view, won=[cards("SRC SAB SGC HYC")]), near)[0].endswith("match")
    assert all(not one.pattern.has_suit or one.place == 4 for one in near)


def test_it_is_not_told_where_it_cannot_be_known_and_after_a_race_in_one_line() -> None:
    laying = board(2, Phase.LAY, acting=0, wheel=WHEEL, options=PRACTICE)
    assert len(missed(laying) or []) > 1
    assert missed(replace(laying, in_hand=[True, False])) is None
    assert len(missed(board(2, Phase.LAY, acting=0, wheel=WHEEL)) or []) == 1
    assert missed(told(WRONG, card=0, options=PRACTICE)) is None
    assert missed(replace(laying, card=Challenge.TRADE)) is None
    closed = replace(laying, card=cards("LGB")[0], won=[cards("LRB PAB PYC PWB")] * 2)
    assert missed(closed) == [], "none of them brings grey, and each makes five cards"
    race = replace(closed, phase=Phase.RACE)
    assert FACE.best(race) is race, "who shoots there has missed, too"
    hinted = BOTS["hard"](replace(race, in_hand=[True] * 2), (), Random(1))
    assert hinted == Click(), "a hint says what the review does"
    assert advice(race, Click()).why == "every pattern there would close your way to WILD"
    for view, said in (
        (closed, "Every pattern there would have closed your way to WILD."),
        (replace(closed, wheel=bytes(8)), "There was nothing to win with your card."),
        (laying, r"You could have shot with your .* on .*, or made [0-9]+ other patterns\."),
    ):
        raced = Raced(1, 0, view, 0, 0, None, None, False, False, None)
        assert re.match(f"{said} You do not shoot", raced_in_words(FACE, raced)[0])


# Peaks --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [1, 3])
def test_every_hit_of_a_match_is_a_peak_and_the_win_is_the_last(seats: int) -> None:
    staged = Staged(seats, 21, game="wild_wild_pattern")
    hits, before, shown = 0, staged.view(), None
    while not staged.over:
        heard = len(staged.heard())
        staged.play_one()
        after = staged.view()
        shown = peak(before, after)
        said = [one for one in staged.heard()[heard:] if isinstance(one, Declared) and one.anchors]
        lies = said if after.round == before.round else []
        if not staged.over:
            assert isinstance(shown, PatternHit) == bool(lies)
            begins = (after.round, after.turn) != (before.round, before.turn)
            assert isinstance(shown, Turned) == (begins and after.phase is Phase.READY and not lies)
        for one in lies:
            hits += 1
            assert one.pattern is not None
            places = pairs(one.wheel, one.pattern).places
            assert staged.over or (isinstance(shown, PatternHit) and shown.seat == one.seat)
            assert not isinstance(shown, PatternHit) or {*shown.places} == places
            check_that_it_must_be_right_and_no_race_may_run(before, after)
        before = after
    assert hits > 1
    assert shown == Win(staged.outcome().winners[0])


def check_that_it_must_be_right_and_no_race_may_run(before: View, after: View) -> None:
    assert after.declared is not None
    wrong = replace(after.declared, anchors=0, fault=Fault.UNTRUE)
    assert not isinstance(peak(before, replace(after, declared=wrong)), PatternHit)
    assert peak(before, replace(after, phase=Phase.RACE, outcome=None)) is None
    assert peak(after, after) is None


def test_wild_is_spelt_with_a_card_a_letter_in_the_ring_of_the_last_pattern() -> None:
    match, shown, glyphs = Staged(2, 1, game="wild_wild_pattern"), None, GLYPHS[GlyphSet.UNICODE]
    while not match.over:
        match.play_one()
        shown = staged(Given(match.view(), NAMES, False, ()), shown)
    assert shown is not None and len(shown.wild) == 5 and marks(shown).places
    found = sight(shown, 100, 27, glyphs)
    lit = None if found is None else MOMENTS[Win](found, Win(0))
    assert found is not None and lit is not None
    place = found.places["own-card"]
    rows = PARTS["own-card"].drawn(found, place[2:])
    moving = [Playing(lit, n).on(rows, PAINTING.styles(Look()), place)[0] for n in range(5)]
    spelt = ["".join(text_of(row).split()) for row in moving]
    assert " ".join(spelt) == "W WI WIL WILD WILD!"
    names = [named(card, Form.WORDS, glyphs).text for card in shown.wild]
    assert [text_of(rows[rect.y - place.y]).strip() for rect in lit.lit] == names


# How soon a player shot ---------------------------------------------------------------------------


def ply(seat: int, do: str, at_ms: int | None = None, **more: Any) -> dict[str, Any]:
    when = {} if at_ms is None else {"at_ms": at_ms}
    return {"seat": seat, "action": {"do": do, **more}, **when}


def record(*plies: dict[str, Any], **options: str) -> bytes:
    return json.encode({"seats": [{}, {}], "plies": plies, "options": options})


RACE = (ply(0, "ready", 500), ply(1, "ready", 1_000), ply(0, "shoot", 9_200, place=3))


def test_a_race_runs_from_the_last_who_was_ready() -> None:
    assert reactions_ms(record(*RACE), 0) == [8_200]
    assert reactions_ms(record(*RACE), 1) == []
    assert reactions_ms(record(*RACE, ply(1, "click")), 1) == [8_200], "at the same time"
    again = [ply(0, "ready", 20_000), ply(1, "ready"), ply(0, "click", 23_000)]
    assert reactions_ms(record(*RACE, ply(0, "declare", 9_900), *again), 0) == [8_200, 3_000]
    # What is no race of the player's own is not counted.
    assert reactions_ms(record(*RACE, practice="on"), 0) == ()
    assert reactions_ms(record(*RACE[1:]), 0) == [], "when all were ready is not known"
    song = [ply(1, "click", 4_000), ply(0, "shoot", 5_000, place=1, clicked=True)]
    assert reactions_ms(record(*RACE[:2], *song), 0) == [], "it is the card that was clicked"


def test_a_real_record_is_read_and_a_false_one_is_none() -> None:
    found = reactions_ms(line(recorded("m1", "wild_wild_pattern")), 0)
    assert found and all(0 < ms < 60_000 for ms in found)
    for lie in (b"", b"\xff", b"{}", b'{"seats": 1, "plies": []}', b"[" * 100_000):
        assert not reactions_ms(lie, 0)
