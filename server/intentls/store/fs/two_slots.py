"""A small file that is overwritten in place and always holds a whole value: the newest one, or the one before it.

Replacing a file costs a new file, a rename and, on common file systems, a write of its data: forty times as much as
overwriting some bytes. A file in place may be torn, though: by a kill, by a power loss, or for a reader that looks
meanwhile. So the file has two slots of one size, written in turn, each with a number and a checksum:

    slot 0   number 5, "B"      slot 1   number 4, "A"      -> "B"; C goes to slot 1
    slot 0   number 5, "B"      slot 1   half of number 6   -> "B": the write of C never happened
    slot 0   half of number 7   slot 1   half of number 6   -> TornFile: unknown what it holds, which is not "nothing"

Its first value comes with the file itself, which takes its place in one step (`first`). Writers exclude each other.
"""

from __future__ import annotations

from typing import Final
from zlib import crc32

from intentls.store.fs.atomic_write import write_at

_SMALLEST: Final = 512  # bytes of a slot: what disks write whole
_HEAD: Final = 35  # bytes: checksum, number and length in hexadecimal digits, a space or a line's end behind each
_HEX: Final = b"0123456789abcdef"


class TornFile(ValueError):
    """Neither slot is whole: what the file held is unknown."""

    def __init__(self) -> None:
        super().__init__("it was cut off while it was written")


def first(value: bytes) -> bytes:
    """The whole file with its first value, to be put in its place in one step."""
    size = _SMALLEST
    while size < _HEAD + len(value):
        size *= 2
    return _slot(1, value, size) + b" " * (size - 1) + b"\n"


def newest(file: bytes) -> bytes:
    """The newest whole value of a file's bytes. Raises TornFile.

    What was not written by `first` and `overwrite` at all is its own value: earlier versions wrote it so.
    """
    if file[:1] not in (b"", b" ") and file[0] not in _HEX:
        return file
    return _newest(file)[1]


def overwrite(descriptor: int, file: bytes, value: bytes) -> bool:
    """Let `value` be the newest one, in one write into the older slot, and say whether that was done.

    It is not where the file has no slots, no whole value or too little room. `descriptor` is open for writing, `file`
    is what it holds. Raises OSError; the file then has the value that it had.
    """
    size = len(file) // 2
    if _HEAD + len(value) > size:
        return False
    try:
        number, _ = _newest(file)
    except TornFile:
        return False
    slot = 0 if _value(file[:size])[0] != number else 1
    write_at(descriptor, _slot(number + 1, value, size), slot * size)
    return True


def _newest(file: bytes) -> tuple[int, bytes]:
    size = len(file) // 2
    number, value = max(_value(file[:size]), _value(file[size:]))
    if not number:
        raise TornFile
    return number, value


def _slot(number: int, value: bytes, size: int) -> bytes:
    body = b"%016x %08x\n%b" % (number, len(value), value)
    return (b"%08x %b" % (crc32(body), body)).ljust(size - 1) + b"\n"


def _value(slot: bytes) -> tuple[int, bytes]:
    """The number and the value of a slot; number 0 for one that is not whole."""
    try:
        checksum, number, length = int(slot[:8], 16), int(slot[9:25], 16), int(slot[26:34], 16)
    except ValueError:
        return 0, b""
    end = _HEAD + length
    return (number, slot[_HEAD:end]) if end <= len(slot) and crc32(slot[9:end]) == checksum else (0, b"")
