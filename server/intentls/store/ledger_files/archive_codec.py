"""How an archive is compressed: in blocks that can be found and read one by one, in any order.

Each block is whole by itself (a Zstandard frame, a gzip member), so that `zstd -d` and `gunzip` read the file as
well. Archives may come from anybody's branch: nothing here takes more memory than a block may have.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import zstandard

MAX_BLOCK = 1 << 26  # bytes, of a block's content and of the block itself

Read = Callable[[int, int], bytes]  # (offset, size): fewer bytes at the end of the file


class BadBlock(ValueError):
    """A block that can't be read; says why."""


class Codec(Protocol):
    """A way of compressing."""

    suffix: str

    def compress(self, content: bytes) -> bytes:
        """One block. The same content is always the same block, so that two machines make the same archive."""

    def length(self, read: Read, offset: int, end: int) -> int:
        """How long the block is that begins at `offset`, in a file that ends at `end`. Raises BadBlock."""

    def decompress(self, block: bytes) -> bytes:
        """A block's content. Raises BadBlock."""


class Gzip:
    """Slower and larger, but every Python has it. Each member's header says how long the member is."""

    suffix = ".gz"
    _HEADER = struct.Struct("<2sBBIBBHccHI")  # RFC 1952, with one subfield of four bytes: "iL", the length
    _TAIL = struct.Struct("<II")
    _EXTRA = 4  # the flag of a header that has subfields

    def compress(self, content: bytes) -> bytes:
        """See Codec."""
        deflate = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
        body = deflate.compress(content) + deflate.flush()
        length = self._HEADER.size + len(body) + self._TAIL.size
        header = self._HEADER.pack(b"\x1f\x8b", 8, self._EXTRA, 0, 0, 255, 8, b"i", b"L", 4, length)
        return header + body + self._TAIL.pack(zlib.crc32(content), len(content) & 0xFFFFFFFF)

    def length(self, read: Read, offset: int, end: int) -> int:
        """See Codec. A member that another program wrote is taken for the last one."""
        header = read(offset, self._HEADER.size)
        if len(header) == self._HEADER.size:
            magic, _, flags, _, _, _, _, *field, size, length = self._HEADER.unpack(header)
            if magic == b"\x1f\x8b" and flags == self._EXTRA and (field, size) == ([b"i", b"L"], 4):
                return max(int(length), self._HEADER.size)
        return end - offset

    def decompress(self, block: bytes) -> bytes:
        """See Codec."""
        inflate = zlib.decompressobj(zlib.MAX_WBITS | 16)
        try:
            content = inflate.decompress(block, MAX_BLOCK)
        except zlib.error as error:
            raise BadBlock(f"it is damaged ({error})") from error
        if inflate.unconsumed_tail:
            raise BadBlock("a block of it is too large, so it is not from intentls")
        if not inflate.eof:
            raise BadBlock("it is cut off")
        if inflate.unused_data:
            raise BadBlock("it is in several parts, so it is not from intentls")
        return content


class Zstd:
    """Zstandard, where the package `zstandard` is installed."""

    suffix = ".zst"
    _LEVEL = 3  # hashes are most of what is left, and no level makes them smaller
    _BLOCK_HEADER = 3
    _REPEATED = 1  # a block of one byte, however long its content

    def __init__(self) -> None:
        """Raises ImportError."""
        import zstandard

        self._library = zstandard
        self._errors: tuple[type[Exception], ...] = (zstandard.ZstdError, MemoryError)

    def compress(self, content: bytes) -> bytes:
        """See Codec."""
        return self._library.ZstdCompressor(level=self._LEVEL, write_checksum=True).compress(content)

    def length(self, read: Read, offset: int, end: int) -> int:
        """See Codec. Follows the frame's own blocks (RFC 8878, 3.1.1) from header to header."""
        head = read(offset, 18)
        found = self._parameters(head)
        position = offset + self._library.frame_header_size(head)
        last = False
        while not last:
            header = read(position, self._BLOCK_HEADER)
            if len(header) < self._BLOCK_HEADER or position >= end:
                raise BadBlock("it is cut off")
            value = int.from_bytes(header, "little")
            last, kind, size = bool(value & 1), value >> 1 & 3, value >> 3
            position += self._BLOCK_HEADER + (1 if kind == self._REPEATED else size)
        return position + (4 if found.has_checksum else 0) - offset

    def decompress(self, block: bytes) -> bytes:
        """See Codec."""
        size = self._parameters(block).content_size
        if size > MAX_BLOCK and size != self._library.CONTENTSIZE_UNKNOWN:
            raise BadBlock("a block of it is too large, so it is not from intentls")
        try:
            return self._library.ZstdDecompressor().decompress(block, max_output_size=MAX_BLOCK)
        except self._errors as error:
            raise BadBlock(f"it is damaged ({error})") from error

    def _parameters(self, head: bytes) -> zstandard.FrameParameters:
        try:
            return self._library.get_frame_parameters(head)
        except self._errors as error:
            raise BadBlock(f"it is damaged ({error})") from error


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
