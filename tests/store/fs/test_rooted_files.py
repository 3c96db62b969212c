"""Reading and changing files below a root without ever following a link."""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import socket
import stat
import struct
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from intentls.core.errors import InvalidPath, StoreError
from intentls.store.fs import directory_handle as folder_module
from intentls.store.fs import rooted_files as tree_module
from intentls.store.fs.directory_handle import DirectoryHandle
from intentls.store.fs.path_resolution import real_path
from intentls.store.fs.rooted_files import FileState, PathMoved, RootedFiles

pytestmark = pytest.mark.skipif(os.name == "nt", reason="makes links and FIFOs")

_MOVED_FROM, _MOVED_TO, _DELETE = 0x40, 0x80, 0x200  # of inotify


@pytest.fixture(params=["handles", "paths"])
def root(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A root with `src/a.py`, `outside/secret` beside it; once with folder handles, once as on Windows."""
    if request.param == "paths":
        monkeypatch.setattr(folder_module, "_HAS_HANDLES", False)
        monkeypatch.setattr(folder_module, "READ_NO_LINK", os.O_RDONLY | os.O_NONBLOCK)  # follows links
        monkeypatch.setattr(os, "supports_fd", set())
    folder = tmp_path.resolve() / "ws"
    (folder / "src").mkdir(parents=True)
    (folder / "src/a.py").write_bytes(b"old\r\n")
    (folder.parent / "outside").mkdir()
    (folder.parent / "outside/secret").write_bytes(b"secret")
    return folder


@pytest.fixture
def staged(tmp_path: Path) -> Callable[[bytes], Path]:
    """Makes staged files, as the journal does."""
    numbers = iter(range(10**9))

    def stage(data: bytes) -> Path:
        file = tmp_path / f"staged{next(numbers)}"
        file.write_bytes(data)
        file.chmod(0o600)
        return file

    return stage


def everything(folder: Path) -> dict[str, bytes | None]:
    """Every name below a folder with its content (None for what is no regular file)."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() and not path.is_symlink() else None
        for path in sorted(folder.rglob("*"))
    }


def outside_is_untouched(root: Path) -> bool:
    """Whether nothing was written or removed beside the root."""
    return everything(root.parent / "outside") == {"secret": b"secret"}


def test_a_file_is_read_byte_for_byte(root: Path) -> None:
    """No line end is changed."""
    assert RootedFiles(root).read("src/a.py") == b"old\r\n"


@pytest.mark.parametrize("rel", ["no.py", "no/such/x.py", "src/a.py/below"])
def test_what_is_missing_reads_as_none(rel: str, root: Path) -> None:
    """A missing file has neither content nor state, and removing it is fine."""
    tree = RootedFiles(root)
    assert tree.read(rel) is None
    assert tree.state(rel) is None
    tree.remove(rel)


def test_a_missing_root_reads_as_none_and_is_not_made(root: Path, staged: Callable[[bytes], Path]) -> None:
    """Nothing is there to read; writing does not bring a deleted root back."""
    tree = RootedFiles(root / "gone")
    assert tree.read("a") is None
    with pytest.raises(StoreError, match="a can't be written"):
        tree.put("a", staged(b""), None)
    assert not (root / "gone").exists()


def test_the_state_tells_one_content_from_another(root: Path, staged: Callable[[bytes], Path]) -> None:
    """Size, permissions and identity are those of the file."""
    tree = RootedFiles(root)
    found = (root / "src/a.py").stat()
    before = tree.state("src/a.py")
    assert before == FileState(found.st_mode & 0o777, 5, found.st_mtime_ns, found.st_ino, found.st_ctime_ns)
    tree.put("src/a.py", staged(b"other"), 0o750)
    after = tree.state("src/a.py")
    assert after is not None
    assert after != before
    assert after.mode == 0o750


@pytest.mark.parametrize(
    "rel", ["", ".", "..", "a/../b", "./a", "a//b", "/etc/passwd", "a/", "../outside/secret", "a\0"]
)
def test_only_resolved_relative_paths_are_taken(rel: str, root: Path, staged: Callable[[bytes], Path]) -> None:
    """Whatever slipped past the resolver is refused here once more, for every operation."""
    tree = RootedFiles(root)
    file = staged(b"x")
    for use in (tree.read, tree.state, tree.remove, lambda path: tree.put(path, file, None)):
        with pytest.raises(InvalidPath):
            use(rel)
    assert outside_is_untouched(root)


def test_windows_separators_and_drives_are_refused_there(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows a backslash or a colon in a name would lead elsewhere."""
    assert RootedFiles(root).read("a\\b:c") is None
    monkeypatch.setattr(os, "sep", "\\")
    for rel in ("a\\..\\..\\b", "c:", "src/a.py:x"):
        with pytest.raises(InvalidPath, match="no resolved path"):
            RootedFiles(root).read(rel)


@pytest.fixture(params=["folder", "FIFO", "socket", "device"])
def special(request: pytest.FixtureRequest, root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, str]]:
    """The name of something that is no regular file, and what it is."""
    kind = request.param
    if kind == "folder":
        (root / "it").mkdir()
    elif kind == "FIFO":
        os.mkfifo(root / "it")
    elif kind == "socket":
        monkeypatch.chdir(root)
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind("it")
    else:
        try:
            os.mknod(root / "it", 0o600 | stat.S_IFCHR, os.makedev(1, 3))
        except PermissionError:
            pytest.skip("making a device takes privileges")
    yield "it", kind


def test_what_is_no_regular_file_is_refused_at_once(
    special: tuple[str, str], root: Path, staged: Callable[[bytes], Path]
) -> None:
    """Folders, FIFOs (without hanging), sockets and devices can't be read, replaced or removed."""
    rel, kind = special
    tree = RootedFiles(root)
    file = staged(b"x")
    before = (root / rel).lstat()
    for use in (tree.read, tree.state, tree.remove, lambda path: tree.put(path, file, None)):
        with pytest.raises(InvalidPath, match=f"'it' is a {kind}"):
            use(rel)
    assert (root / rel).lstat().st_ino == before.st_ino
    assert file.exists()


def test_a_file_that_turns_into_a_fifo_cannot_hang_a_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even when it happens between the look and the opening, the read ends with an error."""
    after_look(monkeypatch, root / "src/a.py", os.mkfifo)
    with pytest.raises(InvalidPath, match="FIFO"):
        RootedFiles(root).read("src/a.py")


def test_a_file_that_turns_into_a_folder_is_an_error_and_leaks_nothing(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The opened descriptor is closed again."""
    after_look(monkeypatch, root / "src/a.py", os.mkdir)
    opened = open_descriptors()
    with pytest.raises(InvalidPath, match="folder"):
        RootedFiles(root).read("src/a.py")
    assert open_descriptors() == opened


def after_look(monkeypatch: pytest.MonkeyPatch, path: Path, replacement: Callable[[str], object]) -> None:
    """Replace a file right after the tree saw that it is a regular one."""
    look = DirectoryHandle.regular

    def look_then_swap(self: DirectoryHandle, name: str) -> os.stat_result:
        found = look(self, name)
        path.unlink()
        replacement(str(path))
        return found

    monkeypatch.setattr(DirectoryHandle, "regular", look_then_swap)


def open_descriptors() -> int:
    """How many file descriptors this process has open (0 where the system does not tell)."""
    listed = Path("/dev/fd")
    return len(os.listdir(listed)) if listed.exists() else 0


def test_put_replaces_in_one_step_and_keeps_the_given_mode(root: Path, staged: Callable[[bytes], Path]) -> None:
    """The staged file is gone, its content in place, the permission bits are those asked for."""
    file = staged(b"new")
    RootedFiles(root).put("src/a.py", file, 0o751)
    assert everything(root) == {"src": None, "src/a.py": b"new"}
    assert stat.S_IMODE((root / "src/a.py").stat().st_mode) == 0o751
    assert not file.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="inotify")
def test_who_watches_a_folder_sees_a_replaced_file_arrive_and_none_leave(
    root: Path, staged: Callable[[bytes], Path]
) -> None:
    """An editor would take a file that leaves for a deleted one, and show the old text."""
    system = ctypes.CDLL(None)
    watch = system.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        assert system.inotify_add_watch(watch, os.fsencode(root / "src"), _MOVED_FROM | _MOVED_TO | _DELETE) > 0
        RootedFiles(root).put("src/a.py", staged(b"new"), None)
        seen = os.read(watch, 4096)
    finally:
        os.close(watch)
    events = []
    while seen:
        _, kind, _, length = struct.unpack("iIII", seen[:16])
        events.append((kind, seen[16 : 16 + length].rstrip(b"\0")))
        seen = seen[16 + length :]
    assert events == [(_MOVED_TO, b"a.py")]


def test_put_never_passes_on_a_set_uid_bit(root: Path, staged: Callable[[bytes], Path]) -> None:
    """New content does not inherit more than permissions."""
    RootedFiles(root).put("src/a.py", staged(b"new"), 0o6755)
    assert stat.S_IMODE((root / "src/a.py").stat().st_mode) == 0o755


def test_put_makes_missing_folders_and_gives_a_new_file_ordinary_permissions(
    root: Path, staged: Callable[[bytes], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new file is as readable as the umask lets any new file be."""
    monkeypatch.setattr(tree_module, "_UMASK", 0o027)
    RootedFiles(root).put("gen/deep/x.py", staged(b"new"), None)
    assert (root / "gen/deep/x.py").read_bytes() == b"new"
    assert stat.S_IMODE((root / "gen/deep/x.py").stat().st_mode) == 0o640


def test_the_umask_is_read_and_left_as_it_is() -> None:
    """Reading it does not change it."""
    before = os.umask(0o031)
    try:
        assert tree_module._read_umask() == 0o031
        assert os.umask(0o031) == 0o031
    finally:
        os.umask(before)


def test_put_makes_the_new_name_and_its_folders_durable(
    root: Path, staged: Callable[[bytes], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each folder that got a new name is synced after it did: the parent last."""
    synced: list[str] = []
    monkeypatch.setattr(DirectoryHandle, "sync", lambda self: synced.append(os.path.basename(self._path)))
    RootedFiles(root).put("gen/deep/x.py", staged(b"new"), None)
    assert synced == ["ws", "gen", "deep"]
    synced.clear()
    RootedFiles(root).remove("gen/deep/x.py")
    assert synced == ["deep"]


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP])
def test_a_file_system_that_cannot_sync_folders_is_no_error(
    number: int, root: Path, staged: Callable[[bytes], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some network file systems know no such thing; nothing better can be done there."""
    refuse_sync(monkeypatch, number)
    RootedFiles(root).put("src/a.py", staged(b"new"), 0o600)
    assert (root / "src/a.py").read_bytes() == b"new"


def test_a_disk_that_fails_to_sync_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What may not be durable is not reported as done."""
    staged_file = tmp_path / "staged"
    staged_file.write_bytes(b"new")
    staged_file.chmod(0o600)
    (tmp_path / "ws").mkdir()
    refuse_sync(monkeypatch, errno.EIO)
    with pytest.raises(StoreError, match=r"^a can't be written: .+\.$"):
        RootedFiles(tmp_path / "ws").put("a", staged_file, 0o600)


def refuse_sync(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Let fsync of a folder fail."""

    def refuse(descriptor: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refuse)


def test_remove_takes_the_file_and_nothing_else(root: Path) -> None:
    """The emptied folder stays."""
    RootedFiles(root).remove("src/a.py")
    assert everything(root) == {"src": None}


def test_put_below_a_file_is_refused(root: Path, staged: Callable[[bytes], Path]) -> None:
    """A file does not become a folder."""
    with pytest.raises(InvalidPath, match="a file, not a folder"):
        RootedFiles(root).put("src/a.py/b", staged(b"x"), None)
    assert everything(root) == {"src": None, "src/a.py": b"old\r\n"}


def test_put_below_a_fifo_is_refused(root: Path, staged: Callable[[bytes], Path]) -> None:
    """What is no folder and no link either is in the way, not moved."""
    os.mkfifo(root / "pipe")
    with pytest.raises(InvalidPath, match="not a folder"):
        RootedFiles(root).put("pipe/b", staged(b"x"), None)


def test_a_staged_file_that_is_a_link_or_missing_is_not_used(root: Path, staged: Callable[[bytes], Path]) -> None:
    """Only a regular file takes a file's place."""
    link = root.parent / "link"
    link.symlink_to("outside/secret")
    os.mkfifo(root.parent / "pipe")
    for name, error in (
        ("link", StoreError),
        ("no-such", StoreError),
        ("pipe", InvalidPath),
        ("outside", InvalidPath),
    ):
        with pytest.raises(error):
            RootedFiles(root).put("src/a.py", root.parent / name, None)
    assert everything(root) == {"src": None, "src/a.py": b"old\r\n"}
    assert outside_is_untouched(root)


@pytest.mark.parametrize("number", [errno.EACCES, errno.ENOSPC, errno.EROFS, errno.EBUSY, errno.ENOENT])
def test_a_refused_rename_leaves_everything_as_it_was(
    number: int, root: Path, staged: Callable[[bytes], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old content stands, the staged file is kept for another try, and no temporary file is left."""

    def refuse(*places: object, **handles: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "replace", refuse)
    file = staged(b"new")
    with pytest.raises(StoreError, match=r"^src/a.py can't be written: .+\.$") as caught:
        RootedFiles(root).put("src/a.py", file, None)
    assert "Errno" not in str(caught.value)
    assert everything(root) == {"src": None, "src/a.py": b"old\r\n"}
    assert file.read_bytes() == b"new"


def test_a_name_too_long_for_the_disk_is_a_clean_error(
    root: Path, staged: Callable[[bytes], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the disk's limit is lower than ours."""

    def refuse(*places: object, **handles: object) -> None:
        raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(InvalidPath, match="too long for this file system"):
        RootedFiles(root).put("src/a.py", staged(b"new"), None)


@pytest.fixture
def elsewhere(root: Path) -> Iterator[Path]:
    """A folder on another file system than the root's."""
    for place in ("/dev/shm", "/run", str(Path.home())):
        if os.path.isdir(place) and os.access(place, os.W_OK) and os.stat(place).st_dev != root.stat().st_dev:
            folder = Path(tempfile.mkdtemp(dir=place))
            yield folder
            shutil.rmtree(folder)
            return
    pytest.skip("this machine has one file system only")


def test_put_works_across_file_systems(elsewhere: Path, root: Path) -> None:
    """The content is copied beside its destination and renamed; the staged file is gone."""
    file = elsewhere / "staged"
    file.write_bytes(b"x" * 3_000_000)
    RootedFiles(root).put("src/new/a.py", file, 0o640)
    assert everything(root / "src/new") == {"a.py": b"x" * 3_000_000}
    if os.supports_fd:  # else, as on Windows, a new file's own permissions have to do
        assert stat.S_IMODE((root / "src/new/a.py").stat().st_mode) == 0o640
    assert not file.exists()


def test_a_copy_that_fails_leaves_no_temporary_file(
    elsewhere: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk in the middle: the old content stands, the staged file is kept, nothing else is left."""

    def refuse(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(tree_module, "sync", refuse)
    file = elsewhere / "staged"
    file.write_bytes(b"new")
    with pytest.raises(StoreError, match="the disk is full"):
        RootedFiles(root).put("src/a.py", file, 0o600)
    assert everything(root) == {"src": None, "src/a.py": b"old\r\n"}
    assert file.read_bytes() == b"new"


def test_a_file_that_may_not_be_read_is_a_clean_error(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence names the file below the root and the reason."""
    inner = os.open

    def refuse(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if os.path.basename(path) == "a.py":
            raise PermissionError(errno.EACCES, "no", path)
        return inner(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(StoreError, match=r"^src/a.py can't be read: permission denied\.$"):
        RootedFiles(root).read("src/a.py")


def swap_for_link(place: Path, target: Path) -> None:
    """What an attacker does: move a folder or file away and put a link in its place."""
    place.rename(place.with_name(place.name + ".aside"))
    place.symlink_to(target)


def test_a_folder_swapped_for_a_link_after_the_check_is_refused(root: Path, staged: Callable[[bytes], Path]) -> None:
    """Resolved, checked, then `src` becomes a link: nothing is read or changed through it."""
    checked = real_path(root / "src/secret").relative_to(root).as_posix()
    swap_for_link(root / "src", root.parent / "outside")
    tree = RootedFiles(root)
    file = staged(b"evil")
    for use in (tree.read, tree.state, tree.remove, lambda path: tree.put(path, file, None)):
        with pytest.raises(PathMoved, match="src was replaced by a link"):
            use(checked)
    with pytest.raises(PathMoved):
        tree.put("src/deep/new", file, None)
    assert outside_is_untouched(root)
    assert file.exists()


def test_a_file_swapped_for_a_link_after_the_check_is_refused(root: Path, staged: Callable[[bytes], Path]) -> None:
    """The last component counts like the others; the link's target is not touched."""
    swap_for_link(root / "src/a.py", root.parent / "outside/secret")
    tree = RootedFiles(root)
    file = staged(b"evil")
    for use in (tree.read, tree.state, tree.remove, lambda path: tree.put(path, file, None)):
        with pytest.raises(PathMoved, match=r"^src/a\.py was replaced"):
            use("src/a.py")
    assert outside_is_untouched(root)
    assert (root / "src/a.py").is_symlink()


def test_a_root_swapped_for_a_link_is_refused(root: Path, staged: Callable[[bytes], Path]) -> None:
    """The root itself is entered without following a link."""
    tree = RootedFiles(root)
    swap_for_link(root, root.parent / "outside")
    with pytest.raises(PathMoved):
        tree.read("secret")
    with pytest.raises(PathMoved):
        tree.put("secret", staged(b"evil"), None)
    assert everything(root.parent / "outside") == {"secret": b"secret"}


def test_a_link_that_points_inside_is_not_followed_either(root: Path, staged: Callable[[bytes], Path]) -> None:
    """Another file of the same root may be out of scope: the path must be resolved again."""
    (root / "docs").mkdir()
    swap_for_link(root / "src", root / "docs")
    with pytest.raises(PathMoved):
        RootedFiles(root).put("src/x", staged(b"evil"), None)
    assert everything(root / "docs") == {}


STEPS = ["_enter", "enter", "regular", "take"]


@pytest.mark.parametrize("step", STEPS)
def test_a_swap_between_any_two_steps_of_a_put_never_reaches_outside(
    step: str, root: Path, staged: Callable[[bytes], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before each step of the write in turn, `src` becomes a link to outside."""
    inner = getattr(DirectoryHandle, step)
    calls: list[str] = []

    def swap_first(self: DirectoryHandle, *arguments: object, **options: object) -> object:
        if not calls:
            swap_for_link(root / "src", root.parent / "outside")
        calls.append(step)
        return inner(self, *arguments, **options)

    monkeypatch.setattr(DirectoryHandle, step, swap_first)
    with suppress(PathMoved):
        RootedFiles(root).put("src/a.py", staged(b"evil"), None)
    assert calls
    assert outside_is_untouched(root)


@pytest.mark.parametrize("step", ["regular", "unlink"])
def test_a_swap_between_any_two_steps_of_a_removal_never_reaches_outside(
    step: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file of the same name outside survives."""
    (root / "src/secret").touch()
    inner = getattr(DirectoryHandle, step)

    def swap_first(self: DirectoryHandle, *arguments: object) -> object:
        swap_for_link(root / "src", root.parent / "outside")
        return inner(self, *arguments)

    monkeypatch.setattr(DirectoryHandle, step, swap_first)
    with suppress(PathMoved):
        RootedFiles(root).remove("src/secret")
    assert outside_is_untouched(root)


def test_a_file_swapped_for_a_link_while_it_is_read_does_not_give_the_target(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look and the opening: PathMoved instead of a stranger's content."""
    after_look(monkeypatch, root / "src/a.py", lambda path: os.symlink("../../outside/secret", path))
    with pytest.raises(PathMoved):
        RootedFiles(root).read("src/a.py")


@pytest.mark.parametrize("use", ["put", "copy", "remove"])
def test_a_swap_in_the_very_moment_of_a_change_is_reported_or_harmless(
    use: str, root: Path, staged: Callable[[bytes], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With handles the change stays in the folder that was entered; without, it is at least not called done."""
    name = "unlink" if use == "remove" else "replace"
    inner = getattr(os, name)
    calls: list[str] = []

    def swap_first(*places: str, **handles: int) -> None:
        calls.append(name)
        if use == "copy" and len(calls) == 1:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        inner(*places, **handles)
        if not (root / "src").is_symlink():
            swap_for_link(root / "src", root.parent / "outside")

    file = staged(b"evil")
    monkeypatch.setattr(os, name, swap_first)
    tree = RootedFiles(root)

    def act() -> None:
        if use == "remove":
            tree.remove("src/a.py")
        else:
            tree.put("src/a.py", file, 0o600)

    if folder_module._HAS_HANDLES:
        act()
    else:
        with pytest.raises(PathMoved):
            act()
    assert calls
    assert outside_is_untouched(root)


def test_a_folder_that_somebody_else_makes_meanwhile_is_used(
    root: Path, staged: Callable[[bytes], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two writers may make the same folder at once."""
    make = os.mkdir
    meanwhile(monkeypatch, lambda name: make(root / name))
    RootedFiles(root).put("gen/x", staged(b"new"), None)
    assert everything(root / "gen") == {"x": b"new"}


def test_a_link_that_somebody_makes_in_place_of_a_missing_folder_is_refused(
    root: Path, staged: Callable[[bytes], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that was missing may come back as a link."""
    meanwhile(monkeypatch, lambda name: (root / name).symlink_to("../outside"))
    with pytest.raises(PathMoved):
        RootedFiles(root).put("gen/x", staged(b"evil"), None)
    assert outside_is_untouched(root)


def meanwhile(monkeypatch: pytest.MonkeyPatch, act: Callable[[str], object]) -> None:
    """Let somebody else be faster whenever a folder is to be made."""

    def slow(name: str, *, dir_fd: int | None = None) -> None:
        act(os.path.basename(name))
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), name)

    monkeypatch.setattr(os, "mkdir", slow)


def test_a_folder_seen_as_a_file_that_vanishes_counts_as_moved(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen as no folder and gone at the second look: it is changing under our hands."""
    (root / "flip").touch()
    look = DirectoryHandle.stat

    def look_late(self: DirectoryHandle, name: str) -> os.stat_result:
        if name == "flip" and (root / "flip").exists():
            found = look(self, name)
            (root / "flip").unlink()
            if self._handle is None:
                return found
        return look(self, name)

    monkeypatch.setattr(DirectoryHandle, "stat", look_late)
    with pytest.raises(PathMoved):
        RootedFiles(root).read("flip/x")


class Flipper(threading.Thread):
    """Turns a folder into a link to outside and back, as fast as it can."""

    def __init__(self, place: Path, outside: Path) -> None:
        super().__init__(daemon=True)
        self.place = place
        self.aside = place.with_name("aside")
        self.outside = outside
        self.flips = 0
        self.stopped = threading.Event()

    def run(self) -> None:
        while not self.stopped.is_set():
            try:
                os.rename(self.place, self.aside)
                os.symlink(self.outside, self.place)
                os.unlink(self.place)
            except OSError:
                # The writer was faster and made a new folder in the gap: merge it away.
                shutil.rmtree(self.place, ignore_errors=True)
            with suppress(OSError):
                os.rename(self.aside, self.place)
            self.flips += 1


@pytest.mark.parametrize("rel", ["src/a.py", "src/deep/b.py"])
def test_nothing_ever_lands_outside_while_a_thread_flips_a_link(
    rel: str, tmp_path: Path, staged: Callable[[bytes], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thousands of flips between a folder and a link to outside, during writes, reads and removals:
    not one file is made, changed or removed outside, and no read returns what is there."""
    if not folder_module._HAS_HANDLES:
        pytest.skip("without folder handles a swap is noticed but not prevented")
    monkeypatch.setattr(DirectoryHandle, "sync", lambda self: None)  # a slow disk would only mean fewer chances
    root = tmp_path.resolve() / "ws"
    (root / "src/deep").mkdir(parents=True)
    outside = tmp_path.resolve() / "outside"
    (outside / "deep").mkdir(parents=True)
    for name in ("a.py", "deep/b.py"):
        (outside / name).write_bytes(b"secret")
    before = everything(outside)
    tree = RootedFiles(root)
    flipper = Flipper(root / "src", outside)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # threads change places at every chance
    flipper.start()
    done = refused = 0
    try:
        while flipper.flips < 2000 or not (done and refused):
            try:
                tree.put(rel, staged(b"mine"), 0o600)
                assert tree.read(rel) in (b"mine", None)
                tree.remove(rel)
                done += 1
            except StoreError:
                refused += 1
            if flipper.flips > 200_000:
                break
    finally:
        flipper.stopped.set()
        flipper.join()
        sys.setswitchinterval(interval)
    assert everything(outside) == before
    assert done
    assert refused


def test_two_threads_and_readers_never_see_half_a_file(root: Path, staged: Callable[[bytes], Path]) -> None:
    """While contents replace each other, a reader sees one of them whole."""
    contents = [bytes([letter]) * 200_000 for letter in b"ab"]
    tree = RootedFiles(root)
    stopped = threading.Event()
    seen: set[bytes] = set()

    def read() -> None:
        while not stopped.is_set():
            with suppress(PathMoved):  # the fall-back without handles notices the change of identity
                seen.add(tree.read("src/a.py") or b"")

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for number in range(80):
            tree.put("src/a.py", staged(contents[number % 2]), 0o600)
    finally:
        stopped.set()
        reader.join()
    assert seen <= {b"old\r\n", *contents}


def test_no_operation_leaves_a_descriptor_open(root: Path, staged: Callable[[bytes], Path]) -> None:
    """Neither after success nor after failure."""
    tree = RootedFiles(root)
    (root / "link").symlink_to("../outside")
    opened = open_descriptors()
    for _ in range(5):
        tree.put("gen/deep/x", staged(b"x"), None)
        tree.read("gen/deep/x")
        tree.remove("gen/deep/x")
        tree.read("no/such")
        for bad in ("link/x", "gen/deep"):
            with pytest.raises((PathMoved, InvalidPath)):
                tree.put(bad, staged(b"x"), None)
    assert open_descriptors() == opened
