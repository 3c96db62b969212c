"""The markers that git leaves in a file that two branches changed in one place.

<<<<<<< HEAD            line 3, where the span begins
status: IN_PROGRESS
=======
status: BLOCKED
>>>>>>> topic           line 7, with which it ends
"""

from __future__ import annotations

from typing import Final

from intentls.core.diagnostic import Span
from intentls.late_pattern import late_pattern

BOM: Final = b"\xef\xbb\xbf"
_BEGIN: Final = b"<<<<<<< "
_MARKER: Final = late_pattern(rb"(<<<<<<<|=======|>>>>>>>)(?: .*)?")
_LINE: Final = late_pattern(rb"\r\n|\n|\r")
_MAX_SPANS: Final = 100


def conflict_spans(data: bytes) -> tuple[Span, ...]:
    """From each opening marker to the closing one that belongs to it, a hundred at most; empty for other files.

    Git writes the three markers at the beginnings of lines and in this order; in YAML no line of a value does.
    """
    if _BEGIN not in data:
        return ()
    spans: list[Span] = []
    begin: int | None = None
    divided = False
    for number, line in enumerate(_LINE.split(data.removeprefix(BOM))):
        marker = _MARKER.fullmatch(line)
        if marker is None:
            continue
        if marker[1] == b"<<<<<<<":
            begin, divided = number, False
        elif marker[1] == b"=======":
            divided = begin is not None
        elif begin is not None and divided:
            spans.append(Span(begin, 0, number, len(line.decode("utf-8", "replace"))))
            begin = None
        if len(spans) == _MAX_SPANS:
            break
    return tuple(spans)


def conflict_message(span: Span) -> str:
    """What stands at the markers in an editor."""
    return (
        f"lines {span.start_line + 1} to {span.end_line + 1} are an unresolved merge conflict. Keep what is right, "
        "delete the markers, save, and `git add` the file"
    )


def conflict_note(path: str, spans: tuple[Span, ...]) -> str:
    """What a refusal adds while the version in HEAD counts of the file at root-relative `path`."""
    lines = ", ".join(f"{span.start_line + 1}-{span.end_line + 1}" for span in spans)
    return (
        f"{path} has a merge conflict (lines {lines}), so its version in HEAD counts. Resolve the conflict: keep what "
        f"is right, delete the markers, then `git add {path}`; or take a side with `git checkout --ours {path}` or "
        "`--theirs`, or go back with `git merge --abort` or `git rebase --abort`."
    )
