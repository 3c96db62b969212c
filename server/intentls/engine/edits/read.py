"""Reading a file so that a later edit can build on exactly what was read."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.errors import InvalidArgument
from intentls.core.gate.refusal import Code, Refusal
from intentls.core.gate.tool_class import ToolClass
from intentls.core.hashing import content_hash
from intentls.core.text.encoding import TextFormat
from intentls.core.text.lines import is_binary
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.file_contents import Content, Contents
from intentls.engine.workspace.path_argument import ResolvedPath
from intentls.store.fs.rooted_files import RootedFiles


class FileRead(Struct, frozen=True):
    """A file's text and the hash of its exact bytes."""

    path: str
    content: str
    content_hash: str


def read_file(engine: Engine, session_id: str, path: str) -> FileRead | Refusal:
    """The content now (the open document's, else the disk's), remembered as what the session read.

    Who finds a file gone may make it again: what was read before counts no longer. Raises InvalidArgument for a file
    that is missing or no text, InvalidPath for what is no file at all.
    """
    governing = engine.resolve((path,), session_id)
    workspace = governing.workspace
    if workspace is None or not governing.paths:
        return _read_ungoverned(engine, governing.resolved[path])
    (name,) = governing.paths
    content = workspace.contents.read(name)
    if content.data is None:
        workspace.sessions.update(session_id, lambda session: session.with_read(name, None))
    file = _text_of(name, content)
    workspace.sessions.update(session_id, lambda session: session.with_read(file.path, file.content_hash))
    return file


def _read_ungoverned(engine: Engine, path: ResolvedPath) -> FileRead | Refusal:
    is_open = engine.host.open_document(path.real) is not None
    if not is_open and not engine.path_resolver.is_inside(path):
        refusal = Refusal.of(
            Code.PATH_OUTSIDE_WORKSPACE,
            f"Path Outside Workspace: [{path.argument}] lies outside the workspace. Choose another path.",
            paths=(path.argument,),
        )
        return replace(refusal, classification=ToolClass.SAFE)
    directory = path.real.parent
    name = path.real.name
    file = _text_of(name, Contents(directory, RootedFiles(directory), engine.host).read(name))
    return replace(file, path=path.real.as_posix())


def _text_of(path: str, content: Content) -> FileRead:
    if content.data is None:
        raise InvalidArgument("path", f"{path} does not exist")
    if content.document is not None:
        return FileRead(path, content.document.text, content_hash(content.data))
    if is_binary(content.data):
        raise InvalidArgument("path", f"{path} is a binary file; there is no text to read")
    return FileRead(path, TextFormat.of(content.data).decode(content.data), content_hash(content.data))
