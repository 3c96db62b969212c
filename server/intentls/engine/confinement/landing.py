"""Landing: what a confined command changed reaches the tree through the gate, or is held.

    the layer's change -> the same as the tree: nothing to do
                       -> ignored by git: it stays in the layer
                       -> the gate lets it pass: put in place through the journal, with a record
                       -> the gate refuses: the refusal is on record, the content is held for a person
                       -> the disk refuses: nothing is decided, and it is tried again later

All that changed up to one quiet moment lands as one edit, with one record. Where the gate refuses some of its paths,
these are held and the others are judged again without them.

Example: the scope is `src/**`, a build wrote `src/a.py`, `src/b.py` and `docs/x.md`. The first try is refused for
`docs/x.md`: one record of the refusal, the content in `.state/held`. The second lands the other two.

The layer shows no removal of a file that landed while the command ran and that the command then removes: the tree had
no such file when the layer was laid over it. What landed and is in the layer no more is gone, what was held likewise.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from intentls.core.errors import IntentlsError, InvalidPath, StoreError
from intentls.core.gate.refusal import Code, Refusal
from intentls.core.hashing import hash_of
from intentls.core.ledger.record_json import files_of
from intentls.core.patterns.protected_paths import POLICY_FILE, is_declared_file
from intentls.engine.actions.effects import Answer, Effect, Reply, Steps, drive, refuse
from intentls.engine.actions.request import EditRequest, EditResult
from intentls.engine.confinement.request import LandingReport
from intentls.engine.confinement.staged_file import LandFiles, StagedFile
from intentls.engine.edits.guard import Guard
from intentls.engine.edits.perform import perform_or_raise
from intentls.store.confinement.held_changes import HeldChange, HeldChanges
from intentls.store.confinement.run_directory import RunDirectory
from intentls.store.confinement.upper_layer import LayerChange, LayerEntry, UpperLayer
from intentls.store.git.status import GitFiles
from intentls.store.layout import ORCHESTRATION
from intentls.store.ledger_search.query import RecordQuery

if TYPE_CHECKING:
    from intentls.engine.workspace.engine import Engine
    from intentls.engine.workspace.workspace import Workspace

_BATCH = 500
_GIT = ".git"
RUN_BY_GIT = frozenset({"hooks", "config", "config.worktree", "info", "modules"})  # what makes git run something
_PERMISSIONS = 0o777
_WHOLE = (LayerEntry.LEFT_OUT, LayerEntry.CLOSED)
_CHANGED = "changed while the command ran"
_TORN = "may be torn: the machine stopped while the command ran"


class Landing:
    """The landing of one run. Used in one thread."""

    def __init__(self, engine: Engine, workspace: Workspace, directory: RunDirectory) -> None:
        self._engine = engine
        self._workspace = workspace
        self._directory = directory
        self._run = directory.note.run
        self._started_ns = directory.note.started_ns
        self._is_torn = directory.is_of_another_boot
        self._layer = UpperLayer(directory.upper, workspace.root)
        self._held = HeldChanges(workspace.layout.held)
        self._git = GitFiles(workspace.root)
        self._is_final = False
        self._seen: dict[str, tuple[int, ...]] = {}
        self._judged: dict[str, tuple[int, ...]] = {}
        self._landed: dict[str, str | None] = {}
        self._bases = directory.bases()
        self._held_before: dict[str, HeldChange] = {}
        self.outside: dict[str, HeldChange] = {}
        """What is held for the scope alone, so that a person can let it land."""
        self.report = LandingReport()

    def take_up(self) -> None:
        """Go on from where a killed process was: what it landed is on record, what it held is on the disk.

        Raises StoreError, OSError.
        """
        for record in self._workspace.newest_records(RecordQuery(session_id=self._run.session_id)):
            if record.get("success") is True:
                for file in files_of(record):
                    self._landed.setdefault(file["path"], file.get("post_hash"))
                    if "old_path" in file:
                        self._landed.setdefault(file["old_path"], None)
        for change in self._held.changes(self._run.id):
            self._held_before[change.path] = change
            self._note_held(change, Refusal.of(Code(change.code), change.error, paths=(change.path,)))

    def land(self, *, final: bool) -> None:
        """Land what is quiet: what is as it was at the last call, or with `final` everything.

        Raises StoreError and OSError where the disk refuses: what is not landed or held then is tried again by the
        next call, or by another process.
        """
        try:
            self._land(final)
        except (IntentlsError, OSError):
            with suppress(OSError):  # without it, what was undone is held
                self._directory.note_bases(self._bases)
            raise

    def _land(self, final: bool) -> None:
        self._is_final = final
        changes = {change.path: change for change in self._changes(final)}
        unseen = {path for path, change in changes.items() if change.entry in _WHOLE}
        quiet: list[LayerChange] = []
        for path, change in changes.items():
            was, self._seen[path] = self._seen.get(path), change.signature
            if self._judged.get(path) != change.signature and (final or was == change.signature):
                quiet.append(change)
        ignored = self._git.ignored([change.path for change in quiet if change.entry not in _WHOLE])
        files: list[StagedFile] = []
        for change in quiet:
            path = change.path
            if change.entry is LayerEntry.CLOSED:
                continue
            if change.entry is LayerEntry.LEFT_OUT or path in ignored:
                self.report.private.add(path)
                self._settled(path)
            elif change.entry in (LayerEntry.LINK, LayerEntry.OTHER):
                self.hold_other(change)
            elif (file := self._staged(change)) is not None:
                files.append(file)
        in_the_way = _in_the_way(files)
        self.put(in_the_way, refuse)
        files = [file for file in files if file not in in_the_way]
        for file in files:
            if file.after is not None:
                _remove_empty(self._workspace.root / file.path)
        for start in range(0, len(files), _BATCH):
            self.put(files[start : start + _BATCH], refuse)
        if not self._is_torn:
            for path in [path for path in self.report.held if path not in changes and not _is_below(path, unseen)]:
                self._give_up(path)

    def offer(self, answer: Callable[[Effect], Reply | bool]) -> None:
        """Ask about what is held because of the scope, as one question; what a person lets pass lands."""
        asked = self.held_files(self.outside)
        said_no = False

        def ask(effect: Effect) -> Reply | bool:
            nonlocal said_no
            reply = answer(effect)
            said_no = is_no(reply)
            return reply

        if asked:
            self.put(asked, ask)
        if said_no:
            self.drop(asked)

    def put(self, files: Sequence[StagedFile], answer: Callable[[Effect], Reply | bool]) -> None:
        """Land `files`, but for those that the gate refuses, which are held; `answer` to what it asks."""
        while files:
            try:
                result = drive(self.steps(files), answer)
            except InvalidPath as error:  # no file can be there: something that is in the tree is in its way
                if not self._is_final:  # maybe only for now
                    return
                result = Refusal.of(Code.PATH_OUTSIDE_WORKSPACE, str(error), paths=_meant(files, error.path))
            files = self.settle(files, result)

    def steps(self, files: Sequence[StagedFile]) -> Steps[EditResult | Refusal]:
        """The landing of these files as one edit, for who answers its questions later; `settle` what comes of it."""
        return perform_or_raise(self._engine, self._request(files))

    def settle(self, files: Sequence[StagedFile], result: EditResult | Refusal) -> list[StagedFile]:
        """Take note of what came of `files`; those that are still to be judged."""
        if isinstance(result, EditResult):
            for file in files:
                self._landed[file.path] = hash_of(file.after)
                self.report.landed.add(file.path)
                self._give_up(file.path)
                self._settled(file.path)
            return []
        paths = set(result.paths) & {file.path for file in files} or {file.path for file in files}
        for file in files:
            if file.path in paths:
                self._hold(file, result)
        return [file for file in files if file.path not in paths]

    def drop(self, files: Iterable[StagedFile]) -> None:
        """Hold these no more: a person said no."""
        for file in files:
            if file.path in self.report.held:
                self.report.dropped.add(file.path)
                self._give_up(file.path)

    def held_files(self, paths: Iterable[str]) -> list[StagedFile]:
        """Those of the paths that are still held: a person may have decided on some elsewhere. Raises OSError."""
        files, names = [], set(paths)
        for change in self._held.changes(self._run.id):
            if change.path in names:
                with suppress(FileNotFoundError):
                    content = self._held.content(self._run.id, change)
                    files.append(StagedFile(change.path, change.before, content, change.mode))
        return files

    def _changes(self, final: bool) -> list[LayerChange]:
        """What the layer has, and what landed and is in it no more. After a power loss that may just be lost."""
        limit = self._workspace.configuration().policy.run.max_changes
        layer = self._layer.changes(self._left_out, final=final, limit=limit)
        changes = [change for change in layer if not is_private(change.path)]
        if self._is_torn:
            return changes
        named = {change.path for change in changes}
        unseen = {change.path for change in changes if change.entry in _WHOLE}
        for path, after in self._landed.items():
            if after is not None and path not in named and not _is_below(path, unseen):
                changes.append(LayerChange(path, LayerEntry.REMOVED))
        return changes

    def _left_out(self, folders: Sequence[str]) -> Set[str]:
        """Those of the folders in which nothing can land: what git ignores, and its own."""
        own = {path for path in folders if path.startswith(f"{_GIT}/") and is_private(path)}
        return own | self._git.ignored_folders([path for path in folders if path not in own])

    def _staged(self, change: LayerChange) -> StagedFile | None:
        """The change as a file to land; None where nothing is to be done: the tree is so already, it is held so
        already, or it has just vanished."""
        path = change.path
        after: bytes | None = None
        if change.entry is LayerEntry.FILE:
            try:
                after = self._layer.read(path)
            except StoreError:  # the command may have closed it even to itself; at the end it is opened
                if self._is_final:
                    raise
            if after is None:
                return None
        mode = change.mode & _PERMISSIONS if change.entry is LayerEntry.FILE else None
        try:
            now = self._workspace.tree.read_with_state(path)
        except InvalidPath:  # a folder or a link took the file's place
            now = None
        except StoreError as error:
            self._hold(StagedFile(path, None, after, mode), Refusal.of(Code.HOOK_ERROR, str(error), paths=(path,)))
            return None
        before = None if now is None else hash_of(now[1])
        if hash_of(after) == before and (now is None or mode is None or now[0].mode == mode):
            self._give_up(path)
            self._settled(path)
            return None
        if path in self._landed:
            file = StagedFile(path, self._landed[path], after, mode, _TORN if self._is_torn else "")
        else:
            is_newer = now[0].ctime_ns >= self._started_ns if now is not None else self._layer.was_in_tree(path)
            is_stale = is_newer and (path not in self._bases or self._bases[path] != before)
            if not is_stale:
                self._bases[path] = before
            file = StagedFile(path, before, after, mode, _CHANGED if is_stale else _TORN if self._is_torn else "")
        return None if self._is_held_already(file) else file

    def _is_held_already(self, file: StagedFile) -> bool:
        """Whether a killed process held just this; it is on record then, and stays held."""
        was = self._held_before.get(file.path)
        if was is None or (was.before, was.after, was.mode) != (file.base, hash_of(file.after), file.mode):
            return False
        self._settled(file.path)
        return True

    def _hold(self, file: StagedFile, refusal: Refusal) -> None:
        self.report.landed.discard(file.path)
        self.report.dropped.discard(file.path)
        change = HeldChange(file.path, refusal.code.value, refusal.error, file.base, hash_of(file.after), file.mode)
        self._keep(change, refusal, file.after)

    def hold_other(self, change: LayerChange) -> None:
        """A link, a pipe, a socket or a setting of git never lands, whatever the scope is."""
        was = self._held_before.get(change.path)
        error = (
            f"{change.path} is a {change.what}, and only files of the tree land. Make it yourself where it is right."
        )
        refusal = Refusal.of(Code.PROTECTED_PATH, error, paths=(change.path,))
        if was is None or was.what != change.what:
            request = self._request([StagedFile(change.path, None, None, None)])
            session = self._workspace.sessions.load(self._run.session_id)
            Guard(self._workspace).record_refusal(request, refusal, session)
        self._keep(HeldChange(change.path, refusal.code.value, error, None, None, what=change.what), refusal, None)

    def _keep(self, change: HeldChange, refusal: Refusal, content: bytes | None) -> None:
        self._held.begin(self._run)
        self._held.keep(self._run.id, change, content)
        self._note_held(change, refusal)
        self._settled(change.path)

    def _note_held(self, change: HeldChange, refusal: Refusal) -> None:
        self.report.held[change.path] = refusal
        if refusal.code is Code.SCOPE_VIOLATION:
            self.outside[change.path] = change
        else:
            self.outside.pop(change.path, None)

    def _settled(self, path: str) -> None:
        """Judge this path again only when it changes."""
        self._judged[path] = self._seen.get(path, ())

    def _give_up(self, path: str) -> None:
        """Hold this path no more: it landed, the command took it back, or a person said no."""
        self.outside.pop(path, None)
        if self.report.held.pop(path, None) is not None:
            self._held.drop(self._run.id, path)

    def _request(self, files: Sequence[StagedFile]) -> EditRequest:
        return EditRequest(LandFiles(tuple(files)), self._run.session_id, reason=self._run.command)


def is_no(reply: Reply | bool | None) -> bool:
    """Whether a person said no. Where a question's time was up, nobody is named."""
    return isinstance(reply, Reply) and reply.answer is Answer.REJECT and bool(reply.by)


def is_private(path: str) -> bool:
    """Whether a path is the engine's own, or git's index, objects and refs: what is there stays in the layer."""
    first, _, rest = path.partition("/")
    if first == _GIT:
        return rest.split("/", 1)[0] not in RUN_BY_GIT
    return first == ORCHESTRATION and path != POLICY_FILE and not is_declared_file(path)


def _in_the_way(files: Sequence[StagedFile]) -> list[StagedFile]:
    """The removals without which others of the files have no place: a folder is to be where a file was, or a file where
    a folder was."""
    removed = {file.path: file for file in files if file.after is None}
    made = {file.path for file in files if file.after is not None}
    first = {path for path in removed if _is_below(path, made)}
    first |= {parent for path in made for parent in _parents(path) if parent in removed}
    return [removed[path] for path in sorted(first)]


def _remove_empty(folder: Path) -> None:
    """Remove a folder that holds nothing but such folders, where a file is to be."""
    if folder.is_symlink() or not folder.is_dir():
        return
    for place, _, _ in os.walk(folder, topdown=False):
        with suppress(OSError):
            Path(place).rmdir()


def _meant(files: Sequence[StagedFile], path: str) -> tuple[str, ...]:
    """The file of these that an error names; all of them where it is not clear which."""
    return tuple(file.path for file in files if path == file.path or path.endswith(f"/{file.path}"))


def _parents(path: str) -> Iterator[str]:
    return (path[:index] for index, letter in enumerate(path) if letter == "/")


def _is_below(path: str, folders: Set[str]) -> bool:
    return any(parent in folders for parent in _parents(path))
