"""How a file's bytes hold its text (encoding, byte order mark, line ends), and edits that keep it so."""

from __future__ import annotations

import codecs

from msgspec import Struct

from intentls.core.errors import InvalidArgument
from intentls.core.text.lines import utf16_codec

_BOM = "\ufeff"
MAX_COUNTED = 99  # overlapping occurrences; counting more is slow, and no clearer


class TextFormat(Struct, frozen=True):
    r"""The form of a text file.

    `encoding` is `utf-8`, `utf-16-le`, `utf-16-be` or `latin-1` (which fits any bytes); `bom` is the byte
    order mark it begins with, often b""; `newline` is the one line end it uses (`\n`, `\r\n` or `\r`), None
    if it uses none or several.
    """

    encoding: str = "utf-8"
    bom: bytes = b""
    newline: str | None = None

    @classmethod
    def of(cls, data: bytes) -> TextFormat:
        """The form of `data`: decoding it and encoding it again gives `data` back, byte for byte."""
        codec = utf16_codec(data)
        utf8_bom = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
        encoding, bom = (codec, data[:2]) if codec else ("utf-8", utf8_bom)
        try:
            text = data.removeprefix(bom).decode(encoding)
        except UnicodeDecodeError:
            encoding, bom, text = "latin-1", b"", data.decode("latin-1")
        return cls(encoding, bom, newline_of(text))

    def decode(self, data: bytes) -> str:
        """The text of `data` without the byte order mark. UnicodeDecodeError for bytes of another form."""
        return data.removeprefix(self.bom).decode(self.encoding)

    def encode(self, text: str) -> bytes:
        """The bytes of `text` with the byte order mark. UnicodeEncodeError for what the encoding lacks."""
        return self.bom + text.encode(self.encoding)

    def write(self, text: str) -> bytes | None:
        """`encode(text)`; None if the encoding can't hold `text` or the bytes would read as another text."""
        try:
            data = self.encode(text)
        except UnicodeEncodeError:
            return None
        return data if TextFormat.of(data).decode(data) in (text, text.removeprefix(_BOM)) else None


def newline_of(text: str) -> str | None:
    r"""The line end that `text` uses throughout (`\n`, `\r\n` or `\r`); None if it uses none or several."""
    crlf = text.count("\r\n")
    counts = {"\r\n": crlf, "\n": text.count("\n") - crlf, "\r": text.count("\r") - crlf}
    used = [end for end, count in counts.items() if count]
    return used[0] if len(used) == 1 else None


def replace_content(before: bytes | None, new_text: str) -> bytes:
    r"""The bytes to write when `new_text` replaces the whole of `before` (None: a new file, plain UTF-8).

    Encoding and byte order mark stay; UTF-8 is taken if the encoding can't hold `new_text`. If `before` uses
    only `\r\n` and `new_text` only `\n`, the ends become `\r\n`; else `new_text`'s ends stay as given.
    Raises InvalidArgument for a lone surrogate, which no encoding can hold.
    """
    form = TextFormat() if before is None else TextFormat.of(before)
    text = new_text.removeprefix(_BOM) if form.bom else new_text
    if form.newline == "\r\n" and newline_of(text) == "\n":
        text = text.replace("\n", "\r\n")
    data = form.write(text)
    return _utf8(text, "content") if data is None else data


def replace_text(before: bytes, old: str, new: str, replace_all: bool) -> bytes:
    r"""`before` with `old` replaced by `new`; every byte outside the replaced places stays as it is.

    `old` must occur exactly once, unless `replace_all` is set: then all are replaced, from left to right.
    In a file that uses only `\r\n`, an `old` without `\r` is read as if its ends were `\r\n`; so is `new`.
    Raises InvalidArgument: `old_string` is empty, absent or not unique; the file's encoding can't hold
    `new_string`.
    """
    if not old:
        raise InvalidArgument("old_string", "is empty. Quote the text to replace, or write the whole file.")
    form = TextFormat.of(before)
    text = form.decode(before)
    if form.newline == "\r\n" and "\r" not in old:
        old = old.replace("\n", "\r\n")
        new = new if "\r" in new else new.replace("\n", "\r\n")
    _check_occurrences(text, old, replace_all)
    edited = text.replace(old, new) if replace_all else text.replace(old, new, 1)
    data = form.write(edited)
    if data is None:
        _utf8(new, "new_string")
        raise InvalidArgument(
            "new_string",
            f"has characters that the file's encoding ({form.encoding}) can't hold."
            " Leave them out, or write the whole file to turn it into UTF-8.",
        )
    return data


def _check_occurrences(text: str, old: str, replace_all: bool) -> None:
    """Raises InvalidArgument unless `old` occurs, and once unless `replace_all` is set.

    Occurrences may overlap (`aa` is twice in `aaa`): which one is meant would be unclear.
    """
    count = 0
    start = text.find(old)
    while start >= 0 and count <= (0 if replace_all else MAX_COUNTED):
        count += 1
        start = text.find(old, start + 1)
    if not count:
        raise InvalidArgument(
            "old_string", "does not occur in the file. Read it again and quote it exactly, spaces and all."
        )
    if count > 1:
        shown = str(count) if count <= MAX_COUNTED else f"more than {MAX_COUNTED}"
        raise InvalidArgument(
            "old_string", f"occurs {shown} times. Quote more of the text around it, or set replace_all."
        )


def _utf8(text: str, argument: str) -> bytes:
    """`text` in UTF-8. Raises InvalidArgument, which names `argument`, for a lone surrogate."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidArgument(
            argument,
            f"has a lone surrogate at character {error.start}, which no encoding can hold. Leave it out.",
        ) from error
