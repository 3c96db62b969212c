"""Files that are overwritten in place: whatever is cut off, they hold a whole value, or it is known that they don't."""

from __future__ import annotations

import itertools
import os
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.store.fs.two_slots import TornFile, first, newest, overwrite

VALUES = st.binary(max_size=600)


def changed(path: Path, value: bytes) -> bool:
    """Overwrite the file as its writer does."""
    file = path.read_bytes()
    descriptor = os.open(path, os.O_WRONLY | getattr(os, "O_BINARY", 0))
    try:
        return overwrite(descriptor, file, value)
    finally:
        os.close(descriptor)


@given(VALUES)
def test_a_value_comes_back(value: bytes) -> None:
    """Any bytes, also none."""
    assert newest(first(value)) == value


def test_a_value_of_an_earlier_version_is_read_as_it_is() -> None:
    """There the file held the JSON text alone."""
    assert newest(b'{"session_id": "s"}') == b'{"session_id": "s"}'


def test_each_value_takes_the_place_of_the_one_before_the_last(tmp_path: Path) -> None:
    """The file keeps its size and its identity."""
    path = tmp_path / "value"
    path.write_bytes(first(b"0"))
    before = path.stat()
    for number in range(1, 40):
        value = b"%d" % number * 100
        assert changed(path, value)
        assert newest(path.read_bytes()) == value
    assert (path.stat().st_ino, path.stat().st_size) == (before.st_ino, before.st_size)


def test_a_value_that_is_too_long_is_not_written(tmp_path: Path) -> None:
    """The file is as it was: it has to be replaced."""
    path = tmp_path / "value"
    path.write_bytes(first(b"0"))
    assert not changed(path, b"x" * 500)
    assert path.read_bytes() == first(b"0")


@pytest.mark.parametrize("content", [b"", b"{}", b"abc", b"0" * 2000, b" " * 1024])
def test_what_has_no_whole_value_is_not_overwritten(tmp_path: Path, content: bytes) -> None:
    """A file of an earlier version, an empty or a damaged one: it has to be replaced."""
    path = tmp_path / "value"
    path.write_bytes(content)
    assert not changed(path, b"1")
    assert path.read_bytes() == content


@pytest.mark.parametrize("content", [b"", b"abc", b"0" * 2000, b" " * 1024, first(b"x")[:30]])
def test_a_file_without_a_whole_value_is_unknown_and_never_empty(content: bytes) -> None:
    """Its reader is told so."""
    with pytest.raises(TornFile, match="cut off"):
        newest(content)


def test_a_write_that_was_cut_off_at_any_byte_leaves_the_value_before_it(tmp_path: Path) -> None:
    """A kill leaves the beginning of the write, a power loss any of its sectors."""
    path, chance = tmp_path / "value", random.Random(5)
    path.write_bytes(first(b"a" * 900))
    values = [b"a" * 900, b"b" * 800, b"c" * 850]
    for before, after in itertools.pairwise(values):
        old = path.read_bytes()
        assert changed(path, after)
        new = path.read_bytes()
        different = [index for index in range(len(old)) if old[index] != new[index]]
        seen = [newest(new[:end] + old[end:]) for end in range(different[0], different[-1] + 1)]
        assert seen[0] == before
        assert set(seen) <= {before, after}  # what is behind the value does not count
        sectors = range(different[0] // 128, different[-1] // 128 + 1)  # smaller than any disk's
        for _ in range(200):
            written = {sector for sector in sectors if chance.random() < 0.5}
            torn = b"".join(
                (new if sector in written else old)[sector * 128 : sector * 128 + 128]
                for sector in range(len(old) // 128)
            )
            assert newest(torn) in (before, after)


def test_a_file_both_of_whose_slots_are_torn_is_unknown(tmp_path: Path) -> None:
    """Two writes that a power loss took half of: an old value must not come back as if it were the newest."""
    path = tmp_path / "value"
    path.write_bytes(first(b"a" * 900))
    changed(path, b"b" * 900)
    data = bytearray(path.read_bytes())
    for offset in (700, len(data) // 2 + 700):
        data[offset] ^= 1
    with pytest.raises(TornFile):
        newest(bytes(data))
