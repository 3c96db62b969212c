"""Read, change and write the derived files. The caller holds the lock that keeps other processes out."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from intentls.core.derived import intent_map
from intentls.core.derived.intent_map import MapSection
from intentls.core.derived.lesson import Lesson, new_lessons, new_problems, parse_lessons
from intentls.core.errors import InvalidPath, StoreError
from intentls.core.lint.problems import LinterProblem
from intentls.core.text.encoding import TextFormat
from intentls.core.text.lines import utf16_codec
from intentls.store.derived import spatial_map
from intentls.store.derived.spatial_map import SpatialEntry, SpatialMap
from intentls.store.fs.atomic_write import overwrite_part, replace_bytes, write_all
from intentls.store.fs.boot_id import boot_id
from intentls.store.fs.path_resolution import because
from intentls.store.fs.primitives import NO_LINK, read_file
from intentls.store.fs.rooted_files import RootedFiles
from intentls.store.layout import Layout

_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND | NO_LINK


class LessonNote(Struct, frozen=True):
    """Which ledger AGENT.md follows, and the ids of the records whose lessons were brought into it.

    `generation` is None where that is not known. A lesson that was brought and is gone was deleted by a person.
    """

    generation: str | None = None
    brought: frozenset[str] = frozenset()


class DerivedFiles:
    """intent_map.md, spatial_map.json and AGENT.md of one root.

    Losing them loses no history, so nothing here is forced to disk. Every method raises StoreError where the
    disk refuses or one of these names is no regular file (links are not followed).
    """

    def __init__(self, layout: Layout) -> None:
        self._map = layout.intent_map
        self._spatial = layout.spatial_map
        self._lessons = layout.lessons
        self._lesson_note = layout.lesson_note
        self._generation = layout.map_generation
        self._tree = RootedFiles(layout.orchestration.resolve())
        # The files as this process wrote them last: spares parsing all of them for each edit.
        self._last_spatial: tuple[bytes | None, SpatialMap] = (None, SpatialMap())
        self._last_map: tuple[bytes | None, set[tuple[str, str, str]]] = (None, set())

    def generation(self) -> str:
        """Which ledger the maps were made from; "" if that is not known."""
        try:
            return read_file(self._generation).decode("ascii")
        except (OSError, UnicodeDecodeError):
            return ""

    def note_generation(self, generation: str) -> None:
        """Note that the maps say what this ledger says."""
        try:
            replace_bytes(self._generation, generation.encode("ascii"))
        except OSError as error:
            raise StoreError(f"{self._generation} can't be written: {because(error)}") from error

    # --- intent_map.md ---

    def read_map(self) -> dict[str, list[str]]:
        """The files of each intent, as the map says now."""
        data = self._read(self._map) or b""
        return intent_map.parse(TextFormat.of(data).decode(data))

    def record_map(
        self,
        intent_id: str,
        name: str,
        *,
        added: Iterable[str] = (),
        removed: Iterable[str] = (),
        renamed: Iterable[tuple[str, str]] = (),
    ) -> bool:
        """Note what an action did to the files of an intent called `name`; whether the map changed.

        Paths are root-relative POSIX, renames (old, new). What is removed or renamed is so for every intent.
        """

        entries = {(intent_id, name, path) for path in added}
        gone, moved = tuple(removed), tuple(renamed)
        only_adds = not gone and not moved
        data = self._read(self._map)
        before, settled = self._last_map
        if only_adds and data == before and entries <= settled:
            return False

        def change(text: str | None) -> str | None:
            for old, new in moved:
                text = text and intent_map.rename(text, old, new)
            if gone:
                text = text and intent_map.remove_files(text, gone)
            return intent_map.add_files(text, intent_id, name, [path for *_, path in entries]) if entries else text

        after = self._edit_map(data, change)
        if not only_adds or data != before:
            settled = set()
        self._last_map = (after, entries | {entry for entry in settled if entry[0] != intent_id or entry[1] == name})
        return after != data

    def rebuild_map(self, sections: Mapping[str, MapSection]) -> bool:
        """Let the map say exactly this of these intents (name all that are known); whether it changed."""
        data = self._read(self._map)
        return self._edit_map(data, lambda text: intent_map.rebuild(text, sections)) != data

    def _edit_map(self, data: bytes | None, change: Callable[[str | None], str | None]) -> bytes | None:
        """Make `change` to the map that holds `data`; what it holds then."""
        form = TextFormat.of(data or b"")
        before = None if data is None else form.decode(data)
        after = change(before)
        if after is None or after == before:
            return data
        written = form.write(after) or after.encode()
        self._replace(self._map, written)
        return written

    # --- spatial_map.json ---

    def read_spatial(self) -> tuple[SpatialEntry, ...]:
        """The entries that can be read, in the file's order."""
        data = self._read(self._spatial)
        return () if data is None else spatial_map.decode(data)

    def record_spatial(self, entries: Iterable[SpatialEntry]) -> bool:
        """Add `entries`, each in place of an older one of its key; whether the file changed."""
        data = self._read(self._spatial)
        before, current = self._last_spatial
        if data != before:  # not what we wrote last: another process did
            current = SpatialMap(() if data is None else spatial_map.decode(data))
        return self._write_spatial(data, current, entries)

    def rebuild_spatial(self, entries: Iterable[SpatialEntry]) -> bool:
        """Let the file hold `entries` and nothing else; whether it changed."""
        return self._write_spatial(self._read(self._spatial), SpatialMap(), entries)

    def _write_spatial(self, data: bytes | None, current: SpatialMap, entries: Iterable[SpatialEntry]) -> bool:
        current.record(entries)
        after = current.encode()
        if after != data and (data is None or not self._overwrite(self._spatial, data, after)):
            self._replace(self._spatial, after)
        self._last_spatial = (after, current)
        return after != data

    # --- AGENT.md ---

    def lessons(self) -> tuple[Lesson, ...]:
        """The lessons learned so far, oldest first."""
        return parse_lessons(_text(self._read(self._lessons) or b""))

    def append_lesson(self, date: str, path: str, problems: Iterable[LinterProblem]) -> tuple[LinterProblem, ...]:
        """Append those of `problems` that AGENT.md does not hold against `path` yet, and return them.

        `date` is YYYY-MM-DD, `path` root-relative POSIX.
        """
        data = self._read(self._lessons) or b""
        text = _text(data)
        new = new_problems(text, path, problems)
        if new:
            self._append_lessons(data, [Lesson(date, path, new)])
        return new

    def missing_lessons(self, lessons: Iterable[Lesson]) -> tuple[Lesson, ...]:
        """What AGENT.md does not hold yet of `lessons`, in their order."""
        return new_lessons(_text(self._read(self._lessons) or b""), lessons)

    def append_lessons(self, lessons: Iterable[Lesson]) -> int:
        """Append what AGENT.md does not hold yet, in this order; how many blocks that are."""
        data = self._read(self._lessons) or b""
        new = new_lessons(_text(data), lessons)
        if new:
            self._append_lessons(data, new)
        return len(new)

    def _append_lessons(self, data: bytes, lessons: Iterable[Lesson]) -> None:
        text = _text(data)
        block = _gap(text) + "".join(lesson.render() for lesson in lessons)
        if "\r\n" in text:
            block = block.replace("\n", "\r\n")
        _append(self._lessons, block.encode(utf16_codec(data) or "utf-8"))

    def has_lessons(self) -> bool:
        """Whether there is an AGENT.md."""
        return self._read(self._lessons) is not None

    def lesson_note(self) -> LessonNote:
        """What was noted last; a note that can't be read says nothing."""
        try:
            note = json.loads(self._lesson_note.read_bytes())
            generation = note["generation"] if isinstance(note["generation"], str) else None
            return LessonNote(generation, frozenset(map(str, note["brought"])))
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return LessonNote()

    def note_lessons(self, note: LessonNote) -> None:
        """Keep the note."""
        content = json.dumps({"generation": note.generation, "brought": sorted(note.brought)})
        try:
            replace_bytes(self._lesson_note, content.encode("ascii"))
        except OSError as error:
            raise StoreError(f"{self._lesson_note} can't be written: {because(error)}") from error

    def _read(self, path: Path) -> bytes | None:
        try:
            return self._tree.read(path.name)
        except InvalidPath as error:
            raise StoreError(str(error)) from error

    def _overwrite(self, path: Path, before: bytes, after: bytes) -> bool:
        """Whether some bytes of the file were overwritten: a new one would change the stamp of `.orchestration`, and
        all that is looked up there would be read again.

        A power loss may mix old and new bytes. The ledger has another generation in each run of the machine, so the
        next edit makes the maps from it; where the system names no run, nothing is overwritten.
        """
        try:
            return bool(boot_id()) and overwrite_part(path, before, after)
        except OSError:
            return False

    def _replace(self, path: Path, data: bytes) -> None:
        state = self._tree.state(path.name)
        try:
            replace_bytes(path, data, mode=None if state is None else state.mode)
        except OSError as error:
            raise StoreError(f"{path.name} can't be written: {because(error)}") from error


def _text(data: bytes) -> str:
    """AGENT.md as far as it can be read: only lessons are looked for, and it is never written back."""
    return data.decode(utf16_codec(data) or "utf-8", "replace").removeprefix("\ufeff")


def _gap(text: str) -> str:
    """The line ends that a new block needs before it to stand apart."""
    if not text or text.endswith(("\n\n", "\r\n\r\n", "\r\r")):
        return ""
    return "\n" if text.endswith(("\n", "\r")) else "\n\n"


def _append(path: Path, data: bytes) -> None:
    try:
        descriptor = os.open(path, _APPEND, 0o666)
        try:
            write_all(descriptor, data)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise StoreError(f"{path.name} can't be appended to: {because(error)}") from error
