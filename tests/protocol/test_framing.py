import pytest
from hypothesis import given, strategies as st

from protocol.errors import GoodbyeCode, RemoteProtocolError
from protocol.framing import MAX_FRAME_BYTES, MAX_HELLO_BYTES, FrameDecoder, frame

payloads = st.lists(st.binary(max_size=40), max_size=8)


def drained(decoder: FrameDecoder) -> list[bytes]:
    found = []
    while (payload := decoder.next_frame()) is not None:
        found.append(payload)
    return found


def test_a_frame_is_its_length_big_endian_and_its_payload() -> None:
    assert frame(b"abc") == b"\x00\x00\x00\x03abc"
    assert frame(b"x" * 258)[:4] == b"\x00\x00\x01\x02"


@given(payloads, st.data())
def test_frames_do_not_depend_on_how_the_bytes_were_cut(
    sent: list[bytes], data: st.DataObject
) -> None:
    stream = b"".join(map(frame, sent))
    cuts = data.draw(st.lists(st.integers(0, len(stream)), max_size=12).map(sorted))
    decoder = FrameDecoder(40)
    received = []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        decoder.feed(stream[start:end])
        received += drained(decoder)
    assert received == sent
    assert not decoder.started


@given(payloads)
def test_one_byte_at_a_time_gives_each_frame_with_its_last_byte(sent: list[bytes]) -> None:
    decoder = FrameDecoder(40)
    for payload in sent:
        whole = frame(payload)
        for byte in whole[:-1]:
            decoder.feed(bytes((byte,)))
            assert decoder.next_frame() is None
            assert decoder.started
        decoder.feed(whole[-1:])
        assert decoder.next_frame() == payload


@pytest.mark.parametrize("limit", [0, 1, MAX_HELLO_BYTES, MAX_FRAME_BYTES])
def test_the_limit_itself_is_allowed_and_one_more_is_not(limit: int) -> None:
    decoder = FrameDecoder(limit)
    decoder.feed(frame(bytes(limit)))
    assert decoder.next_frame() == bytes(limit)
    decoder.feed((limit + 1).to_bytes(4, "big"))
    with pytest.raises(RemoteProtocolError) as caught:
        decoder.next_frame()
    assert caught.value.code is GoodbyeCode.FRAME_TOO_LONG


def test_too_long_a_frame_is_refused_on_its_header_alone() -> None:
    decoder = FrameDecoder(MAX_FRAME_BYTES)
    decoder.feed(b"\xff\xff\xff")
    assert decoder.next_frame() is None
    decoder.feed(b"\xff")
    with pytest.raises(RemoteProtocolError):
        decoder.next_frame()


def test_a_limit_that_is_raised_holds_from_the_next_frame_on() -> None:
    decoder = FrameDecoder(2)
    decoder.feed(frame(b"ab") + frame(b"abc"))
    assert decoder.next_frame() == b"ab"
    decoder.limit_bytes = 3
    assert decoder.next_frame() == b"abc"


def test_a_cleared_decoder_has_forgotten_the_part_it_had() -> None:
    decoder = FrameDecoder(10)
    decoder.feed(frame(b"abc")[:5])
    decoder.clear()
    assert not decoder.started
    decoder.feed(frame(b"d"))
    assert decoder.next_frame() == b"d"
