"""The files of intents as they are now: each is looked at before it is used, and read again only when it changed."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable
from typing import Final

from msgspec import Struct

from intentls.core.errors import StoreError
from intentls.core.patterns.protected_paths import INTENTS_FILE, INTENTS_FOLDER
from intentls.store.config.declared_files import DeclaredFiles
from intentls.store.config.declared_intents import DeclaredIntents
from intentls.store.fs.cached_file import CachedFile, directory_stamp
from intentls.store.fs.intent_names import intent_names
from intentls.store.fs.path_resolution import because
from intentls.store.fs.primitives import Stamp, is_racy
from intentls.store.layout import MAX_BYTES, Layout

MAX_FILES: Final = 10_000
"""Files of single intents that are read."""

Effective = Callable[[str, bytes | None], bytes | None]
"""What counts of a declared file, given its root-relative path and its bytes (None: there is no file)."""


class IntentsReading(Struct, frozen=True):
    """What the files declare. `unreadable` is the path of a file that can't be read, with the reason as a clause."""

    value: DeclaredIntents
    unreadable: tuple[str, str] | None = None


class _Names(Struct, frozen=True):
    """The names in the folder. `absent_in`: the stamp of the directory that then had no such folder."""

    names: tuple[str, ...]
    error: str | None
    stamp: Stamp | None
    absent_in: Stamp | None


class IntentsReader:
    """Reads the list and the folder of one root. Safe to use from several threads.

    `more_names` are those of files in the folder of which something may count although they are not there.
    """

    def __init__(
        self,
        layout: Layout,
        declared: DeclaredFiles,
        effective: Effective,
        more_names: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        self._layout = layout
        self._declared = declared
        self._effective = effective
        self._more_names = more_names
        self._list = CachedFile(layout.intents, _same, MAX_BYTES)
        self._parsing = threading.Lock()
        self._names: _Names | None = None
        self._files: dict[str, CachedFile[bytes | None]] = {}
        self._last: tuple[tuple[bytes | None, dict[str, bytes], tuple[str, str] | None], DeclaredIntents] | None = None

    def get(self, directory: Stamp | None) -> IntentsReading:
        """What they declare at this moment. `directory` is the stamp of `.orchestration`, if known."""
        listed = self._list.get()
        unreadable = None if listed.error is None else (INTENTS_FILE, listed.error)
        names = self._folder(directory)
        if names.error is not None:
            unreadable = unreadable or (INTENTS_FOLDER, names.error)
        counting = tuple(sorted({*names.names, *self._more_names()}))
        contents, problem = self._contents(counting, len(listed.value or b""))
        unreadable = unreadable or problem
        own = self._effective(INTENTS_FILE, listed.value)
        inputs = (own, contents, unreadable)
        last = self._last
        if last is None or last[0] != inputs:
            with self._parsing:  # a second thread finds it parsed
                last = self._last
                if last is None or last[0] != inputs:
                    last = self._last = (inputs, self._declared.all_intents(own, contents))
        return IntentsReading(last[1], unreadable)

    def _folder(self, directory: Stamp | None) -> _Names:
        """The names in the folder; nothing is looked at if `directory` shows that there is still no folder."""
        known = self._names
        if known is not None and known.absent_in is not None and known.absent_in == directory:
            return known
        stamp = directory_stamp(self._layout.intents_folder)
        if known is not None and known.stamp is not None and known.stamp == stamp:
            return known
        started = time.time_ns()
        names, error = _listed(self._layout)
        is_kept = error is None and not is_racy(stamp, started)
        is_absent = stamp is None and error is None and not os.path.lexists(self._layout.intents_folder)
        absent_in = directory if is_absent and not is_racy(directory, started) else None
        known = self._names = _Names(names, error, stamp if is_kept else None, absent_in)
        return known

    def _contents(self, names: tuple[str, ...], used: int) -> tuple[dict[str, bytes], tuple[str, str] | None]:
        """What counts of each file, by path, and what stands in the way of reading one. `used` bytes are the list's."""
        contents: dict[str, bytes] = {}
        if len(names) > MAX_FILES:
            return contents, (INTENTS_FOLDER, f"it has {len(names):,} files, and at most {MAX_FILES:,} are read")
        if len(self._files) > len(names):
            self._files = {name: self._files[name] for name in names if name in self._files}
        for name in names:
            path = f"{INTENTS_FOLDER}/{name}"
            file = self._files.get(name)
            if file is None:
                file = self._files[name] = CachedFile(self._layout.intents_folder / name, _same, MAX_BYTES)
            reading = file.get()
            if reading.error is not None:
                return contents, (path, reading.error)
            used += len(reading.value or b"")
            if used > MAX_BYTES:
                return contents, (path, f"all files of intents together have more than {MAX_BYTES:,} bytes")
            data = self._effective(path, reading.value)
            if data is not None:
                contents[path] = data
        return contents, None


def _same(data: bytes | None) -> bytes | None:
    return data


def _listed(layout: Layout) -> tuple[tuple[str, ...], str | None]:
    try:
        return tuple(intent_names(layout.intents_folder)), None
    except OSError as error:
        return (), because(error)
    except StoreError as error:
        return (), str(error)
