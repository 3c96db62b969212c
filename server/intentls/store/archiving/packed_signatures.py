"""After segments went into an archive: their signatures go into one file, so that the folder has fewer."""

from __future__ import annotations

from intentls.core.errors import StoreError
from intentls.core.ledger.signatures.statement import SignedStatement
from intentls.store.fs.atomic_write import fsync_dir, replace_bytes
from intentls.store.fs.path_resolution import system_reason
from intentls.store.layout import Layout
from intentls.store.ledger_files.segments import segment_names
from intentls.store.ledger_files.signature_files import all_signatures, packed_file, signed_segment


def pack_signatures(layout: Layout) -> None:
    """Move the signatures of segments that are packed into one file. A file that holds anything else stays.

    A kill on the way leaves signatures in both places, where each counts once. Raises StoreError.
    """
    try:
        there = set(segment_names(layout))
        packed: dict[str, tuple[SignedStatement, ...]] = {}
        for name, signed in all_signatures(layout):
            segment = signed_segment(name)
            if signed is not None and segment is not None and segment not in there:
                packed[name] = signed
        if not packed:
            return
        name, content = packed_file(one for signed in packed.values() for one in signed)
        replace_bytes(layout.trace / name, content, mode=0o644, durable=True)
        for old in packed:
            (layout.trace / old).unlink(missing_ok=True)
        fsync_dir(layout.trace)
    except OSError as error:
        raise StoreError(
            f"The segments are archived, but their signatures can't be packed ({system_reason(error)}). Nothing is "
            "lost: they stand where they stood."
        ) from error
