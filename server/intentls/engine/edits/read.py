"""Reading a file so that a later edit can build on exactly what was read."""

from __future__ import annotations

from dataclasses import dataclass

from intentls.core.errors import InvalidArgument
from intentls.core.gate.refusal import Code, Refusal
from intentls.core.gate.tool_names import ToolClass
from intentls.core.hashing import content_hash
from intentls.core.text.encoding import TextFormat
from intentls.core.text.lines import is_binary
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.file_contents import Contents
from intentls.engine.workspace.path_argument import ResolvedPath
from intentls.store.fs.rooted_files import RootedFiles
from intentls.store.sessions.sessions import Session


@dataclass(frozen=True, slots=True)
class FileRead:
    """A file's text and the hash of its exact bytes."""

    path: str
    content: str
    content_hash: str


def read_file(engine: Engine, session_id: str, path: str) -> FileRead | Refusal:
    """The content now (the open document's, else the disk's), remembered as what the session read.

    Raises InvalidArgument for a file that is missing or no text, InvalidPath for what is no file at all.
    """
    venue = engine.venue((path,), session_id)
    place = venue.places[path]
    relative = place.below(venue.workspace.root) if venue.workspace is not None else None
    if venue.workspace is not None and relative is not None:
        found = _read(venue.workspace.contents, relative)
        venue.workspace.sessions.update(session_id, lambda session: _noted(session, found))
        return found
    return _read_ungoverned(engine, place)


def _read_ungoverned(engine: Engine, place: ResolvedPath) -> FileRead | Refusal:
    is_open = engine.host.open_document(place.real) is not None
    if not is_open and not engine.atlas.is_inside(place):
        return Refusal(
            Code.PATH_OUTSIDE_WORKSPACE,
            f"Path Outside Workspace: [{place.given}] lies outside the workspace. Choose another path.",
            paths=(place.given,),
            action_hint=Refusal.of(Code.PATH_OUTSIDE_WORKSPACE, "").action_hint,
            classification=ToolClass.SAFE,
        )
    folder = place.real.parent
    found = _read(Contents(folder, RootedFiles(folder), engine.host), place.real.name)
    return FileRead(place.real.as_posix(), found.content, found.content_hash)


def _read(contents: Contents, path: str) -> FileRead:
    content = contents.read(path)
    if content.data is None:
        raise InvalidArgument("path", f"{path} does not exist")
    if content.document is not None:
        return FileRead(path, content.document.text, content_hash(content.data))
    if is_binary(content.data):
        raise InvalidArgument("path", f"{path} is a binary file; there is no text to read")
    return FileRead(path, TextFormat.of(content.data).decode(content.data), content_hash(content.data))


def _noted(session: Session, found: FileRead) -> Session:
    return session.with_read(found.path, found.content_hash)
