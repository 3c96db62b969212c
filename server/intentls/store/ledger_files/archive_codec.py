"""How an archive is compressed: in blocks that can be found and read one by one, in any order.

Each block is whole by itself (a gzip member, a Zstandard frame), so that `gunzip` and `zstd -d` read the file as
well. Neither library can tell how long a block is without decompressing it, so that is read from the block's own
headers. Anybody's branch may bring an archive: nothing here takes more memory than a block may have.

    a gzip archive of two blocks:   [header with length 310 | deflate | crc] [header with length 287 | ...]
    its blocks begin at the offsets 0 and 310, and the file ends at 597
"""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING, TypeAlias

from intentls.store.fs.atomic_write import read_at

if TYPE_CHECKING:
    import zstandard

MAX_BLOCK = 1 << 26  # bytes, of a block's content and of the block itself


class BadBlock(ValueError):
    """A block that can't be read; says why."""


TOO_LARGE = "a block of it is too large, so it is not from intentls"


class Gzip:
    """Slower and larger, but every Python has it. Each member's header says how long the member is."""

    suffix = ".gz"
    _HEADER = struct.Struct("<2sBBIBBHccHI")  # RFC 1952, with one subfield of four bytes: "iL", the member's length
    _TAIL = struct.Struct("<II")
    _EXTRA = 4  # the flag of a header that has subfields

    def compress(self, content: bytes) -> bytes:
        """One block. The same content always gives the same block, so that two machines make the same archive."""
        deflate = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
        body = deflate.compress(content) + deflate.flush()
        length = self._HEADER.size + len(body) + self._TAIL.size
        header = self._HEADER.pack(b"\x1f\x8b", 8, self._EXTRA, 0, 0, 255, 8, b"i", b"L", 4, length)
        return header + body + self._TAIL.pack(zlib.crc32(content), len(content) & 0xFFFFFFFF)

    def length(self, descriptor: int, offset: int, end: int) -> int:
        """How many bytes the block at `offset` has, in a file that ends at `end`.

        A member that another program wrote says nothing about that: it is taken for the last one.
        """
        header = read_at(descriptor, self._HEADER.size, offset)
        if len(header) == self._HEADER.size:
            magic, _, flags, _, _, _, _, *field, size, length = self._HEADER.unpack(header)
            if magic == b"\x1f\x8b" and flags == self._EXTRA and (field, size) == ([b"i", b"L"], 4):
                return max(int(length), self._HEADER.size)
        return end - offset

    def decompress(self, block: bytes) -> bytes:
        """A block's content. Raises BadBlock."""
        inflate = zlib.decompressobj(zlib.MAX_WBITS | 16)
        try:
            content = inflate.decompress(block, MAX_BLOCK)
        except zlib.error as error:
            raise BadBlock(f"it is damaged ({error})") from error
        if inflate.unconsumed_tail:
            raise BadBlock(TOO_LARGE)
        if not inflate.eof:
            raise BadBlock("it is cut off")
        if inflate.unused_data:
            raise BadBlock("it is in several parts, so it is not from intentls")
        return content


class Zstd:
    """Zstandard, where the package `zstandard` is installed."""

    suffix = ".zst"
    _LEVEL = 3  # hashes are most of what is left, and no level makes them smaller
    _MAX_FRAME_HEADER = 18  # bytes
    _REPEATED = 1  # a part of one byte, however long its content

    def __init__(self) -> None:
        """Raises ImportError."""
        import zstandard  # an optional package

        self._library = zstandard
        self._errors: tuple[type[Exception], ...] = (zstandard.ZstdError, MemoryError)

    def compress(self, content: bytes) -> bytes:
        """One block; the same content always gives the same block."""
        return self._library.ZstdCompressor(level=self._LEVEL, write_checksum=True).compress(content)

    def length(self, descriptor: int, offset: int, end: int) -> int:
        """How many bytes the block at `offset` has, in a file that ends at `end`. Raises BadBlock.

        It follows the frame's own parts (RFC 8878, 3.1.1) from header to header: each begins with three bytes that
        say whether it is the last one (1 bit), of what kind (2 bits) and how long it is (21 bits).
        """
        header = read_at(descriptor, self._MAX_FRAME_HEADER, offset)
        has_checksum = self._parameters(header).has_checksum
        position = offset + self._library.frame_header_size(header)
        last = False
        while not last:
            part = read_at(descriptor, 3, position)
            if len(part) < 3 or position >= end:
                raise BadBlock("it is cut off")
            value = int.from_bytes(part, "little")
            last, kind, size = bool(value & 1), value >> 1 & 3, value >> 3
            position += 3 + (1 if kind == self._REPEATED else size)
        return position + (4 if has_checksum else 0) - offset

    def decompress(self, block: bytes) -> bytes:
        """A block's content. Raises BadBlock."""
        size = self._parameters(block).content_size
        if size > MAX_BLOCK and size != self._library.CONTENTSIZE_UNKNOWN:
            raise BadBlock(TOO_LARGE)
        try:
            return self._library.ZstdDecompressor().decompress(block, max_output_size=MAX_BLOCK)
        except self._errors as error:
            raise BadBlock(f"it is damaged ({error})") from error

    def _parameters(self, header: bytes) -> zstandard.FrameParameters:
        try:
            return self._library.get_frame_parameters(header)
        except self._errors as error:
            raise BadBlock(f"it is damaged ({error})") from error


Codec: TypeAlias = Gzip | Zstd


def best_codec() -> Codec:
    """What new archives are made with: Zstandard where it is installed."""
    try:
        return Zstd()
    except ImportError:
        return Gzip()


def codec_of(name: str) -> Codec:
    """What reads the archive of this file name. Raises BadBlock, which says what is lacking."""
    if name.endswith(Gzip.suffix):
        return Gzip()
    try:
        return Zstd()
    except ImportError as error:
        raise BadBlock("it needs the package zstandard: pip install 'intentls[archive]'") from error
