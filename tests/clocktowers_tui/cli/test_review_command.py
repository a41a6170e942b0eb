"""`clocktowers review`: what it prints, for whom, and what it says where it cannot."""

import zlib
from contextlib import aclosing
from pathlib import Path

import pytest

from clocktowers_tui.cli.commands import read
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.history import matches, reviews
from clocktowers_tui.history.making import made
from clocktowers_tui.net.reviewing import Reviewer
from protocol.reviewing import Begun, Judged, Weighed
from server.games.registry import GAMES
from server.recording.records import read as read_record
from server.replaying.reel import Reel
from server.reviewing.deciding import decisions, judged
from tests.stage.seen_again import record

LINE = record(("Ann", "Bo"), "abc1")
BLUNDER = 3400


def run(*typed: str) -> int:
    tool = read(["review", *typed]).tool
    assert tool is not None
    return tool()


def planted(seat: int) -> tuple[Begun, list[Judged]]:
    """Judgements of the last decisions, the first of which is a blunder by far."""
    reel = Reel(read_record(LINE, GAMES))
    found = [judged(one) for one in list(decisions(reel, seat))[-6:]]  # type: ignore[arg-type]
    first = found[0]
    other = next(each.action for each in first.view.legal if each.action != first.action)
    played, better = Weighed(9000, -1000, 250), Weighed(12000, 2400, 600)
    found[0] = Judged(first.ply, first.view, first.action, other, played, better, BLUNDER)
    outcome = reel.game.rules.outcome(reel.plies[-1].state)
    assert outcome is not None
    return Begun("clocktowers", ["Ann", "Bo"], list(outcome.scores), [x.ply for x in found]), found


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    matches.keep("abc1", zlib.compress(LINE), 1, 1000)
    Path("one.jsonl").write_bytes(LINE + b"more")


@pytest.mark.usefixtures("kept")
def test_a_planted_blunder_is_named_and_a_kept_review_opens_at_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, findings = planted(1)
    reviews.keep("abc1", 1, begun, findings)
    monkeypatch.delattr(Reviewer, "start")  # nothing is made again
    assert run("ab") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Bo's match (Ann ")
    largest = lines.index("The largest losses:") + 1
    face, blunder = FACES["clocktowers"], findings[0]
    assert lines[largest].startswith("  -3.4 points in turn ")
    assert f"(ply {blunder.ply})" in lines[largest]
    you, better = lines[largest + 1 : largest + 3]
    assert you.startswith(f"    played: {face.choice(blunder.view, blunder.action)}: 9.0 points")
    assert better.startswith(f"    better: {face.choice(blunder.view, blunder.best)}: 12.0 points")
    assert "lead +2.4, wins 60 %" in better


@pytest.mark.usefixtures("kept")
async def test_a_review_that_was_made_whole_is_kept() -> None:
    late = [(each.ply, each.lost) for each in planted(1)[1][1:]]
    async with aclosing(made(LINE.strip(), "abc1", 1)) as review:
        async for newest in review:
            if len(newest.findings) < len(newest.begun.plies):
                assert reviews.of("abc1", 1) is None
    assert [(each.ply, each.lost) for each in newest.findings][-5:] == late
    async with aclosing(made(b"", "abc1", 1)) as review:
        (again,) = [one async for one in review]
    assert again == newest._replace(findings=list(newest.findings))


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        (("nobody",), "no match of yours"),
        (("one.jsonl", "--seat", "3"), "--seat is a number from 1 to 2"),
        (("odd.jsonl",), "cannot be reviewed: format must be"),
        (("torn.jsonl",), "cannot be reviewed: the line must be"),
    ],
)
@pytest.mark.usefixtures("kept")
def test_what_cannot_be_reviewed_is_one_sentence(
    typed: tuple[str, ...], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("odd.jsonl").write_bytes(b'{"format": "chess", "seats": [{}]}\n')
    Path("torn.jsonl").write_bytes(LINE[:900])
    assert run(*typed) == 2
    out, err = capsys.readouterr()
    assert not out and why in err and len(err.splitlines()) == 1


@pytest.mark.usefixtures("kept")
def test_who_stops_it_reads_nothing_more(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stopped(_reviewer: Reviewer) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Reviewer, "_next", stopped)
    assert run("ab") == 130
    assert capsys.readouterr() == ("", "")
    assert reviews.of("abc1", 1) is None
