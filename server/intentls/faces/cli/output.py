"""What a verb shows: plain columns for people, JSON for programs. Colours only on a terminal."""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import IO, TYPE_CHECKING

from intentls.core.ledger.person import with_person
from intentls.faces.cli.plain.json_output import encoded
from intentls.late_module import LateModule
from intentls.late_pattern import late_pattern

if TYPE_CHECKING:
    import shutil

    import click
else:
    shutil = LateModule("shutil")  # for a table on a terminal
    click = LateModule("click")  # a check before a commit needs nothing else of it

# Whatever a name holds must neither steer a terminal nor break a line: controls, line ends, half surrogates.
_UNSAFE = late_pattern("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_GAP = "  "
_MIN_LAST_COLUMN = 12  # columns of a terminal that a last column has at least

Style = str
"""What a terminal is told before a text, so that it shows it in this way; "" for as it is."""
Cell = str | tuple[str, Style]

GOOD: Style = "\x1b[32m"
BAD: Style = "\x1b[31m\x1b[1m"
WARN: Style = "\x1b[33m"
DIM: Style = "\x1b[2m"
STRONG: Style = "\x1b[1m"
_PLAIN = "\x1b[0m"


def print_json(document: object) -> None:
    """Print one JSON document (see `json_output.encoded`)."""
    click.echo(encoded(document))


def print_line(*parts: Cell) -> None:
    """Print a line; its parts may have a style each."""
    _echo("".join(_painted(part, sys.stdout) for part in parts), sys.stdout)


def print_error(text: str) -> None:
    """Print a sentence on stderr, beside the output that stdout holds."""
    _echo(f"intentls: {safe(text)}", sys.stderr)


def safe(text: str) -> str:
    """`text` with all that a terminal would obey replaced by U+FFFD, tabs by spaces."""
    return _UNSAFE.sub("\ufffd", text.expandtabs(4))


def print_table(rows: Sequence[Sequence[Cell]], header: Sequence[str] = ()) -> None:
    """Print rows of cells below each other; on a terminal the last column is cut to the screen's width."""
    lines = [*([[(name, STRONG) for name in header]] if header and rows else []), *rows]
    widths = _widths(lines)
    limit = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    for line in lines:
        _echo(_line(line, widths, limit), sys.stdout)


def moment(timestamp: object) -> str:
    """A record's RFC 3339 time, in UTC and to the minute: `2026-02-18 18:30Z`; `-` for what is none."""
    try:
        instant = datetime.fromisoformat(str(timestamp))
        instant = instant if instant.tzinfo is not None else instant.replace(tzinfo=UTC)
        return f"{instant.astimezone(UTC):%Y-%m-%d %H:%M}Z"
    except (ValueError, OverflowError):  # overflow: the first or last day of all, in another time zone
        return "-"


def author(contributor: object) -> str:
    """Who wrote something: a person by name, a model without its vendor, else `human`, `ai`, `mixed`, `unknown`.

    Of an agent also for whom it worked, where that is known: `claude-opus-4-5 for Ada`.
    """
    if not isinstance(contributor, Mapping):
        return "unknown"
    model = str(contributor.get("model_id") or "").rpartition("/")[2]
    name = with_person(model or str(contributor.get("type") or "unknown"), contributor)
    return f"{name} (attested)" if contributor.get("attested_by") else name


def size(number: int) -> str:
    """A number of bytes as people read it."""
    amount = float(number)
    for unit in ("bytes", "KB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "bytes" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def count(number: int, noun: str, plural: str | None = None) -> str:
    """`1 record`, `2,000 records`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def cut(text: str, limit: int) -> str:
    """`text` in at most `limit` columns of a terminal."""
    if width(text) <= limit:
        return text
    kept, used = [], 0
    for character in text:
        used += width(character)
        if used > limit - 1:
            break
        kept.append(character)
    return "".join(kept) + "…"


def width(text: str) -> int:
    """How many columns of a terminal `text` takes."""
    if text.isascii():
        return len(text)
    return sum(map(_character_width, text))


def _character_width(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _echo(line: str, stream: IO[str]) -> None:
    """Print a line at once. A terminal of Windows, and a stream that does not take UTF-8, need click's care."""
    if os.name == "nt" or getattr(stream, "encoding", None) != "utf-8":
        click.echo(line, file=stream)
        return
    stream.write(line + "\n")
    stream.flush()


def _line(cells: Sequence[Cell], widths: Sequence[int], limit: int | None) -> str:
    parts, used = [], 0
    for index, cell in enumerate(cells):
        text, style = _split(cell)
        last = index == len(cells) - 1
        if last and limit is not None:
            text = cut(text, max(limit - used, _MIN_LAST_COLUMN))
        painted = _painted((text, style), sys.stdout)
        parts.append(painted if last else painted + " " * (widths[index] - width(text)) + _GAP)
        used += widths[index] + len(_GAP)
    return "".join(parts).rstrip(" ")


def _widths(lines: Iterable[Sequence[Cell]]) -> list[int]:
    widths: list[int] = []
    for line in lines:
        for index, cell in enumerate(line):
            if index == len(widths):
                widths.append(0)
            widths[index] = max(widths[index], width(_split(cell)[0]))
    return widths


def _split(cell: Cell) -> tuple[str, Style]:
    text, style = (cell, "") if isinstance(cell, str) else cell
    return safe(text), style


def _painted(cell: Cell, stream: IO[str]) -> str:
    text, style = _split(cell)
    return f"{style}{text}{_PLAIN}" if style and text and is_coloured(stream) else text


def is_coloured(stream: IO[str]) -> bool:
    """Whether colours may go to this stream: it is a terminal that knows them, and nobody said no."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
