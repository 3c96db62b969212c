"""The files that hold signatures of segments, beside them in `trace/`. A commit only ever adds some.

ID.jsonl.sig                  by the clone that wrote the segment; nobody else writes this name
ID.jsonl.93a01c44be72.sig     by anybody: named by its content, so that no two of them collide
packed-93a01c44be72.sig.gz    those of segments that were packed into an archive, one after the other
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator
from hashlib import sha256
from io import BytesIO

from intentls.core.ledger.signatures.statement import SignedStatement, parse_signatures
from intentls.late_pattern import late_pattern
from intentls.store.fs.primitives import names_in
from intentls.store.layout import Layout
from intentls.store.ledger_files.segments import read_segment

MAX_BYTES = 64 * 1024 * 1024
"""As much as is read of a file, unpacked: hundreds of thousands of signatures."""

_NAME = late_pattern(r"(?P<segment>[^/.][^/]*\.jsonl)(?:\.[0-9a-f]{12})?\.sig|packed-[0-9a-f]{12}\.sig\.gz", re.DOTALL)
_DIGITS = 12


def is_signature(name: str) -> bool:
    """Whether a file of this name in `trace/` holds signatures."""
    return _NAME.fullmatch(name) is not None


def signed_segment(name: str) -> str | None:
    """The segment that a file of this name is beside; None for one of packed segments, and for other files."""
    match = _NAME.fullmatch(name)
    return None if match is None else match["segment"]


def writers_name(segment: str) -> str:
    """The signature's name that belongs to the clone which wrote the segment."""
    return f"{segment}.sig"


def free_name(segment: str, text: bytes) -> str:
    """The name of a signature by anybody, which stands in a file as `text`."""
    return f"{segment}.{sha256(text).hexdigest()[:_DIGITS]}.sig"


def packed_file(signed: Iterable[SignedStatement]) -> tuple[str, bytes]:
    """The name and the content of the one file for all of these. It is compressed: git then never takes a signature
    that was removed for one that became a part of it.
    """
    data = gzip.compress(b"".join(sorted({one.text for one in signed})), mtime=0)
    return f"packed-{sha256(data).hexdigest()[:_DIGITS]}.sig.gz", data


def signature_names(layout: Layout) -> list[str]:
    """The files of signatures of a root, sorted. Raises OSError where the folder can't be read."""
    return sorted(name for name in names_in(layout.trace) if is_signature(name))


def read_signatures(name: str, data: bytes) -> tuple[SignedStatement, ...] | None:
    """The signed statements in a file of this name; None if it holds anything else."""
    text = _unpacked(data) if name.endswith(".gz") else data
    return None if text is None or len(text) > MAX_BYTES else parse_signatures(text)


def all_signatures(layout: Layout) -> Iterator[tuple[str, tuple[SignedStatement, ...] | None]]:
    """Each file of signatures of a root with what it holds, by name. Raises OSError."""
    for name in signature_names(layout):
        yield name, read_signatures(name, read_segment(layout.trace / name))


def _unpacked(data: bytes) -> bytes | None:
    try:
        with gzip.GzipFile(fileobj=BytesIO(data)) as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error):
        return None
