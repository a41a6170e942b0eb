"""Every code of the protocol has its sentence, and no parameter can break one."""

import string

import pytest

from clocktowers_tui.net.errors import Fault, LinkError, TurnedAway
from clocktowers_tui.phrases import faults, goodbyes, notices, refusals
from clocktowers_tui.phrases.filling import fill
from protocol.errors import GoodbyeCode
from protocol.from_server import NoticeCode, Refused, TableGone
from protocol.refusal import Param, RefusalCode
from tests.stage.hostile_texts import HOSTILE, harmless


def test_no_code_is_forgotten_and_none_invented() -> None:
    assert set(refusals.SENTENCES) == set(RefusalCode)
    assert set(goodbyes.SENTENCES) == set(GoodbyeCode)
    assert set(notices.SENTENCES) == set(NoticeCode)
    assert set(notices.GONE) == set(TableGone)
    assert set(faults.SENTENCES) == set(Fault)


SENTENCES = [
    *refusals.SENTENCES.values(),
    *goodbyes.SENTENCES.values(),
    *(goodbyes.SERVER_OLDER, goodbyes.WE_ARE_OLDER, goodbyes.BANNED_UNTIL, goodbyes.REASON),
    *notices.SENTENCES.values(),
    *notices.YOURS.values(),
    *notices.GONE.values(),
    notices.STOPS_WITHIN,
    *faults.SENTENCES.values(),
]


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"seat": 1}, "You cannot take that back: Bob has moved since."),
        ({"seat": 0}, "You cannot take that back: you have moved on since."),
        ({"seat": 2}, ""),
        ({}, ""),
    ],
)
def test_who_has_moved_since_is_named(params: dict[str, Param], said: str) -> None:
    """As far as the server says it."""
    late = Refused(id=1, code=RefusalCode.TOO_LATE, params=params)
    assert refusals.overtaken_in_words(late, ["Ann", "Bob"], 0) == said
    other = Refused(id=1, code=RefusalCode.NOT_YOURS, params=params)
    assert refusals.overtaken_in_words(other, ["Ann", "Bob"], 0) == ""


def test_they_are_sentences() -> None:
    for sentence in SENTENCES:
        assert sentence[0].isupper() or sentence[0] in "{“", sentence
        assert sentence.endswith((".", "}")), sentence
        parts = string.Formatter().parse(sentence)
        assert all(name.isidentifier() for _text, name, _spec, _conv in parts if name), sentence


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_hostile_parameters_come_out_harmless(name: str) -> None:
    said = [
        notices.notice_in_words("joined", {"name": name}),
        notices.notice_in_words(name, {}),
        notices.notice_in_words("operator_says", {"text": name}),
        notices.gone_in_words("closed", name),
        refusals.refused_in_words(Refused(id=0, code=name)),
        goodbyes.goodbye_in_words(name, {name: [name]}),
        goodbyes.goodbye_in_words("banned", {"until": name, "reason": name}),
        faults.fault_in_words(TurnedAway(name, {})),
        faults.fault_in_words(LinkError(Fault.LOCAL_FAILED, reason=name)),
    ]
    assert all(harmless(sentence) and sentence for sentence in said)


def test_the_older_side_is_named_where_the_server_says_what_it_speaks() -> None:
    def said(*versions: int | str) -> str:
        return goodbyes.goodbye_in_words("version", {"versions": list(versions)})

    assert (said(0), said(2, 3)) == (goodbyes.SERVER_OLDER, goodbyes.WE_ARE_OLDER)
    assert "update the older one" in said() == said("x")


def test_who_is_banned_reads_until_when_and_why() -> None:
    said = goodbyes.goodbye_in_words("banned", {"until": 2_000_000_000, "reason": "cheats"})
    assert "until 2033-05-1" in said and said.endswith("Their reason: cheats")
    for for_ever in (0, -(2**62), 2**62, "soon"):
        params = {"until": for_ever, "reason": ""}
        assert goodbyes.goodbye_in_words("banned", params) == goodbyes.SENTENCES["banned"]


def test_a_stop_says_within_how_many_minutes() -> None:
    assert "in 2 min" in notices.notice_in_words("draining", {"within_s": 61})
    assert notices.notice_in_words("draining", {}) == notices.SENTENCES["draining"]


def test_a_forgotten_parameter_does_not_cost_the_sentence() -> None:
    assert notices.notice_in_words("joined", {}) == "? sat down."
    assert notices.notice_in_words("joined", {"name": "{seat}"}) == "{seat} sat down."
    assert "12, 13" in fill("{versions}", {"versions": [12, 13]})
