"""What neighbours say of their servers: understood where it makes sense, and always fit to show."""

from hypothesis import given, strategies as st

from protocol.nearby import Nearby, from_txt
from protocol.text import MAX_TITLE_CELLS, cells, clean
from tests.stage.document import rows

TXT = st.dictionaries(
    st.sampled_from([b"name", b"version", b"key", b"password", b"else"]) | st.binary(max_size=9),
    st.none() | st.binary(max_size=255) | st.text(max_size=80).map(str.encode),
)


def test_what_is_said_is_what_is_heard() -> None:
    for said in (
        Nearby(),
        Nearby(name="Città, giovedì", versions=(3, 1), key="ab" * 32, password=True),
    ):
        assert from_txt({key.encode(): value.encode() for key, value in said.txt().items()}) == said


def test_the_document_lists_the_keys() -> None:
    assert [row[0] for row in rows("On the local network")] == ["key", *Nearby().txt()]


def test_a_long_name_still_fits_into_a_record() -> None:
    assert all(
        len(f"{key}={value}".encode()) < 255 for key, value in Nearby(name="é" * 500).txt().items()
    )


@given(TXT)
def test_anything_else_is_fit_to_be_shown(txt: dict[bytes, bytes | None]) -> None:
    heard = from_txt(txt)
    assert heard.name == clean(heard.name) and cells(heard.name) <= MAX_TITLE_CELLS
    assert heard.key == clean(heard.key)


def test_a_program_of_another_version_is_known_as_one() -> None:
    assert from_txt({b"version": b"7,1"}).understood
    assert not from_txt({b"version": b"7"}).understood
    assert not from_txt({}).understood
