"""The documents that the client has open.

pygls's own text document splits lines with `str.splitlines`, clamps positions past the end wrongly, changes
the caller's `Position` objects and fails on an empty text (reproduced with
tests/faces/lsp/protocol/test_documents.py). `Document` keeps the text as a list of lines, so that the cost of an
edit is proportional to the edit; the whole text is joined when it is read.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Iterable, Sequence
from urllib.parse import unquote

from lsprotocol import types
from pygls.workspace import PositionCodec, TextDocument, Workspace

from intentls.core.errors import InvalidInput
from intentls.faces.lsp.protocol.line_index import LineIndex, locate, split_lines

logger = logging.getLogger(__name__)

_SURROGATE = re.compile("[\ud800-\udfff]")


def str_of(encoding: types.PositionEncodingKind | str | None) -> str:
    """The name of a position encoding; LSP's default is utf-16."""
    if isinstance(encoding, types.PositionEncodingKind):
        return encoding.value
    return encoding or "utf-16"


class Document(TextDocument):
    """One open document.

    The event loop changes it, any thread may read it: `source`, `lines` and `index` are values that later
    edits do not change, and `snapshot` gives the text together with its version.
    """

    _lines: list[str] | None = None  # None: not split yet
    _index: LineIndex | None = None

    def __init__(
        self, uri: str, source: str | None, version: int | None, language_id: str | None, codec: PositionCodec
    ) -> None:
        """`source` is None for a document that is not open."""
        super().__init__(uri, source, version, language_id, position_codec=codec)
        self._lock = threading.RLock()  # else a reader could restore a text that an edit has just replaced

    @property
    def source(self) -> str:
        """The text as the client has it. Raises `InvalidInput` if the document is not open."""
        with self._lock:
            if self._source is None:
                if self._lines is None:
                    raise InvalidInput(f"{self.uri} is not open in the editor, so its text is not known here.")
                self._source = "".join(self._lines)
            return self._source

    @property
    def lines(self) -> Sequence[str]:
        """The lines with their ends; the last one has none and may be empty."""
        with self._lock:
            return tuple(self._split())

    @property
    def index(self) -> LineIndex:
        """The line index of the current text."""
        with self._lock:
            if self._index is None:
                self._index = LineIndex(self.source, self.lines)
            return self._index

    @property
    def encoding(self) -> str:
        """The position encoding agreed with the client: utf-8, utf-16 or utf-32."""
        return str_of(self.position_codec.encoding)

    def snapshot(self) -> tuple[int | None, str]:
        """(version, text) that belong together."""
        with self._lock:
            return self.version, self.source

    def change(self, changes: Iterable[types.TextDocumentContentChangeEvent], version: int | None) -> None:
        """Apply all changes of a didChange, each to the result of the one before."""
        with self._lock:
            for change in changes:
                self.apply_change(change)
            self.version = version

    def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        """Apply one change: a new text, or a new text of one range."""
        with self._lock:
            self._index = None
            if isinstance(change, types.TextDocumentContentChangePartial):
                self._replace(change.range, change.text)
                self._source = None
            else:
                self._source, self._lines = _joined(change.text), None

    def _split(self) -> list[str]:
        if self._lines is None:
            self._lines = split_lines(self.source)
        return self._lines

    def _replace(self, range_: types.Range, text: str) -> None:
        """Replace the text of a client's range. Only the lines that the range touches are split again.

        `"Z"` in place of (0, 1) to (1, 1) of `["ab\\n", "cd\\n", ""]`: the touched lines become `"aZd\\n"`.
        """
        lines = self._split()
        start, end = sorted((locate(lines, range_.start, self.encoding), locate(lines, range_.end, self.encoding)))
        first, last = start[0], end[0]
        merged = _joined(lines[first][: start[1]] + text + lines[last][end[1] :])
        if merged.startswith("\n") and first and lines[first - 1].endswith("\r"):
            first -= 1  # the two become one line end
            merged = lines[first] + merged
        pieces = split_lines(merged)
        if last < len(lines) - 1:
            pieces.pop()  # `merged` ends with a line end, after which `split_lines` puts an empty line
        lines[first : last + 1] = pieces


def _joined(text: str) -> str:
    """`text` with adjacent surrogate halves (which a client sent one by one) joined to one code point."""
    if text.isascii() or _SURROGATE.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


class Documents(Workspace):
    """pygls's workspace with our documents. It reads no files: only open documents have a text."""

    @classmethod
    def like(cls, other: Workspace) -> Documents:
        """A workspace without documents, with the root, folders and encoding of `other`."""
        return cls(
            other.root_uri,
            workspace_folders=list(other.folders.values()),
            position_encoding=other.position_encoding,
        )

    @property
    def encoding(self) -> str:
        """The position encoding agreed with the client: utf-8, utf-16 or utf-32."""
        return str_of(self.position_encoding)

    def open_document(self, uri: str) -> Document | None:
        """The document if the client has it open."""
        document = self.text_documents.get(unquote(uri))
        return document if isinstance(document, Document) else None

    def change(
        self,
        identifier: types.VersionedTextDocumentIdentifier,
        changes: Sequence[types.TextDocumentContentChangeEvent],
    ) -> None:
        """Apply a didChange; one of a document that is not open is logged and ignored."""
        document = self.open_document(identifier.uri)
        if document is None:
            logger.warning("Ignored a change of %s: the client never opened it.", identifier.uri)
        else:
            document.change(changes, identifier.version)

    def update_text_document(
        self, text_doc: types.VersionedTextDocumentIdentifier, change: types.TextDocumentContentChangeEvent
    ) -> None:
        """Apply one change (of a notebook's cell)."""
        self.change(text_doc, [change])

    def _create_text_document(
        self,
        doc_uri: str,
        source: str | None = None,
        version: int | None = None,
        language_id: str | None = None,
    ) -> Document:
        text = None if source is None else _joined(source)
        return Document(doc_uri, text, version, language_id, PositionCodec(self.position_encoding))
