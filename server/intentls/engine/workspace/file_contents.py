"""The content of a file as its user sees it: the open document if there is one, else the disk."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from intentls.core.hashing import hash_of
from intentls.core.text.encoding import TextFormat
from intentls.engine.workspace.host import Host, OpenDocument
from intentls.store.fs.rooted_files import RootedFiles


class Content(Struct, frozen=True):
    """`data` is None when there is neither a document nor a file; `mode` is the file's, None without one."""

    data: bytes | None
    mode: int | None = None
    document: OpenDocument | None = None

    @property
    def hash(self) -> str | None:
        """The content hash of what is there now."""
        return hash_of(self.data)


class Contents:
    """Reads below one root."""

    def __init__(self, root: Path, tree: RootedFiles, host: Host) -> None:
        self._root = root
        self._tree = tree
        self._host = host

    def read(self, path: str) -> Content:
        """The content of root-relative `path` now. Raises InvalidPath if it is no regular file."""
        file = self._tree.read_with_state(path)
        mode, on_disk = (None, None) if file is None else (file[0].mode, file[1])
        document = self._host.open_document(self._root / path)
        if document is None:
            return Content(on_disk, mode)
        return Content(document_bytes(document.text, on_disk), mode, document)


def document_bytes(text: str, on_disk: bytes | None) -> bytes:
    """The bytes that saving `text` would write over `on_disk`: editors keep a file's encoding and BOM."""
    if on_disk is None:
        return text.encode("utf-8", errors="surrogatepass")
    form = TextFormat.of(on_disk)
    if form.decode(on_disk) == text:
        return on_disk
    try:
        return form.encode(text)
    except UnicodeEncodeError:
        return text.encode("utf-8", errors="surrogatepass")
