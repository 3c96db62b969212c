"""The documents that the client has open.

pygls's own text document splits lines with `str.splitlines`, clamps positions past the end wrongly, changes
the caller's `Position` objects and fails on an empty text (reproduced with
tests/faces/lsp/test_text_documents.py). This one keeps the text as a list of lines, so that an edit costs as
much as it changes; the whole text is joined when somebody asks for it.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from urllib.parse import unquote

from lsprotocol import types
from pygls.workspace import PositionCodec, ServerTextPosition, TextDocument, Workspace

from intentls.core.errors import InvalidInput
from intentls.faces.lsp.line_index import LineIndex, locate, position_of, split_lines

logger = logging.getLogger(__name__)

_SURROGATE = re.compile("[\ud800-\udfff]")


class ExactCodec(PositionCodec):
    """pygls's conversions between client units and code points, made exact; arguments are only read.

    `lines` are a document's lines as `split_lines` gives them.
    """

    def position_from_client_units(
        self, lines: Sequence[str], position: types.Position
    ) -> ServerTextPosition:
        """(line, column in code points) of a client's position, clamped to the text."""
        return ServerTextPosition(*locate(lines or ("",), position, str_of(self.encoding)))

    def position_to_client_units(
        self, lines: Sequence[str], position: ServerTextPosition | types.Position
    ) -> types.Position:
        """The client's position of (line, column in code points), clamped to the text."""
        return position_of(lines or ("",), position.line, position.character, str_of(self.encoding))


def str_of(encoding: types.PositionEncodingKind | str | None) -> str:
    """The name of a position encoding; LSP's default is utf-16."""
    if isinstance(encoding, types.PositionEncodingKind):
        return encoding.value
    return encoding or "utf-16"


class Document(TextDocument):
    """One open document. `source` is a plain string: take it before you await, edits make a new one."""

    _lines: list[str] | None = None  # None: not split yet
    _index: LineIndex | None = None

    @property
    def source(self) -> str:
        """The text as the client has it. Raises `InvalidInput` if the document is not open."""
        if self._source is None:
            if self._lines is None:
                raise InvalidInput(f"{self.uri} is not open in the editor, so its text is not known here.")
            self._source = "".join(self._lines)
        return self._source

    @property
    def lines(self) -> Sequence[str]:
        """The lines with their ends; the last one has none and may be empty."""
        return tuple(self._split())

    @property
    def index(self) -> LineIndex:
        """The line index of the text as it is now; it does not follow later edits."""
        if self._index is None:
            self._index = LineIndex(self.source, self.lines)
        return self._index

    @property
    def encoding(self) -> str:
        """The position encoding agreed with the client: utf-8, utf-16 or utf-32."""
        return str_of(self.position_codec.encoding)

    def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        """Applies one change of a didChange: a whole new text, or one range of it."""
        self._index = None
        if isinstance(change, types.TextDocumentContentChangePartial):
            self._replace(change.range, change.text)
            self._source = None
        else:
            self._source, self._lines = _joined(change.text), None

    def offset_at_position(self, client_position: types.Position) -> int:
        """The offset in code points of a client's position."""
        return self.index.offset_at(client_position, self.encoding)

    def server_position_at_offset(self, offset: int) -> ServerTextPosition:
        """(line, column in code points) of an offset in code points."""
        return ServerTextPosition(*self.index.point_at(offset))

    def _split(self) -> list[str]:
        if self._lines is None:
            self._lines = split_lines(self.source)
        return self._lines

    def _replace(self, range_: types.Range, text: str) -> None:
        """Replaces the text of a client's range; the lines around it are left alone."""
        lines = self._split()
        start, end = sorted(
            (locate(lines, range_.start, self.encoding), locate(lines, range_.end, self.encoding))
        )
        first, last = start[0], end[0]
        merged = _joined(lines[first][: start[1]] + text + lines[last][end[1] :])
        if merged.startswith("\n") and first and lines[first - 1].endswith("\r"):
            first -= 1  # the two become one line end
            merged = lines[first] + merged
        pieces = split_lines(merged)
        if last < len(lines) - 1:
            pieces.pop()  # `merged` kept the end of line `last`: the empty rest is the next line's place
        lines[first : last + 1] = pieces


def _joined(text: str) -> str:
    """`text` with surrogate halves that met (a client sent them one by one) made one code point."""
    if text.isascii() or _SURROGATE.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


class Documents(Workspace):
    """pygls's workspace with exact documents. Reads no files: what is not open has no text here."""

    @classmethod
    def like(cls, other: Workspace) -> Documents:
        """A workspace without documents, with the root, folders and encoding of `other`."""
        return cls(
            other.root_uri,
            workspace_folders=list(other.folders.values()),
            position_encoding=other.position_encoding,
        )

    def open_document(self, uri: str) -> Document | None:
        """The document if the client has it open."""
        document = self.text_documents.get(unquote(uri))
        return document if isinstance(document, Document) else None

    def update_text_document(
        self, text_doc: types.VersionedTextDocumentIdentifier, change: types.TextDocumentContentChangeEvent
    ) -> None:
        """Applies a change; one for a document that is not open is logged and ignored."""
        document = self.open_document(text_doc.uri)
        if document is None:
            logger.warning("Ignored a change of %s: the client never opened it.", text_doc.uri)
            return
        document.apply_change(change)
        document.version = text_doc.version

    def _create_text_document(
        self,
        doc_uri: str,
        source: str | None = None,
        version: int | None = None,
        language_id: str | None = None,
    ) -> Document:
        return Document(
            doc_uri,
            source=None if source is None else _joined(source),
            version=version,
            language_id=language_id,
            position_codec=ExactCodec(self.position_encoding),
        )
