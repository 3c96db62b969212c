"""From what a caller wrote to the one real path that it means."""

from __future__ import annotations

import errno
import os
import unicodedata
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from intentls.core.errors import InvalidPath
from intentls.store.fs import path_resolution
from intentls.store.fs.path_resolution import because, find_root, real_path, relative_to_root, roots_below, to_path
from tests.support.workspaces import make_workspace

BASE = Path("/ws")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A resolved folder `ws` with `src/a.py`; `outside/secret` lies beside it."""
    folder = tmp_path.resolve() / "ws"
    (folder / "src").mkdir(parents=True)
    (folder / "src/a.py").write_text("a")
    (folder.parent / "outside").mkdir()
    (folder.parent / "outside/secret").write_text("s")
    return folder


def rel(given_path: str, root: Path) -> str | None:
    """Where a path argument leads, seen from the root."""
    return relative_to_root(real_path(to_path(given_path, root)), root)


@pytest.mark.parametrize(
    ("given_path", "expected"),
    [
        ("src/a.py", "src/a.py"),
        ("./src/./a.py", "src/a.py"),
        ("src//a.py", "src/a.py"),
        ("src/a.py/", "src/a.py"),
        ("src/../src/a.py", "src/a.py"),
        ("no/such/../../dir/new.py", "dir/new.py"),
        ("src/a.py/../b.py", "src/b.py"),
        (".", "."),
        ("src/..", "."),
        ("..", None),
        ("src/../../x", None),
        ("../outside/secret", None),
        ("../wsx/a", None),
        ("/etc/passwd", None),
        ("~/x", "~/x"),
        ("~root", "~root"),
        ("src/%2e%2e/%2e%2e/x", "src/%2e%2e/%2e%2e/x"),
        ("src/a b\n.py", "src/a b\n.py"),
        ("12:30.txt", "12:30.txt"),
        ("./untitled:1", "untitled:1"),
        ("src/git:x", "src/git:x"),
    ],
)
def test_plain_paths_are_normalised_and_otherwise_literal(given_path: str, expected: str | None, root: Path) -> None:
    """Dots and slashes are resolved, also where nothing exists; `~` and `%` mean themselves."""
    assert rel(given_path, root) == expected


@pytest.mark.skipif(os.name == "nt", reason="there these are drives and separators")
@pytest.mark.parametrize("given_path", ["C:\\Windows\\x", "c:/x", "src\\..\\..\\x"])
def test_windows_spellings_are_literal_names_elsewhere(given_path: str, root: Path) -> None:
    """A drive letter or a backslash is an ordinary part of a name on POSIX, so it can't lead out."""
    assert rel(given_path, root) == given_path


def test_absolute_paths_and_extra_leading_slashes_lead_to_the_same_file(root: Path) -> None:
    """An absolute path inside the root gets its relative name, with one or more slashes in front."""
    for slashes in ("", "/", "//"):
        assert rel(f"{slashes}{root}/src/a.py", root) == "src/a.py"


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("file:///a/b.py", "/a/b.py"),
        ("FILE:///a/b.py", "/a/b.py"),
        ("file://localhost/a", "/a"),
        ("file://LOCALHOST/a", "/a"),
        ("file:/a", "/a"),
        ("file:///a%20b/%C3%A4", "/a b/ä"),
        ("file:///a/ä", "/a/ä"),
        ("file:///a%252Fb", "/a%2Fb"),
        ("file:///ws/%2e%2E/x", "/ws/../x"),
        ("file:///a%23b%3Fc", "/a#b?c"),
        ("file:///c%3A/x", "/c:/x"),
    ],
)
def test_file_uris_are_decoded_exactly_once(uri: str, expected: str) -> None:
    """`%2e%2e` in a URI is `..`; `%252F` is the text `%2F`."""
    assert to_path(uri, BASE) == Path(expected)


def test_an_encoded_way_out_is_outside(root: Path) -> None:
    """A URI can't hide `..` or a slash behind its escapes."""
    assert rel(f"file://{root}/src/%2e%2e%2f%2e%2e%2foutside/secret", root) is None
    assert rel(f"file://{root}/src/%2e%2e/src/a.py", root) == "src/a.py"


@pytest.mark.parametrize(
    ("given_path", "words"),
    [
        ("untitled:Untitled-1", "scheme 'untitled'"),
        ("git:/ws/a.py?x", "scheme 'git'"),
        ("https://example.invalid/a", "scheme 'https'"),
        ("vscode-notebook-cell:/a#1", "scheme 'vscode-notebook-cell'"),
        ("file://server/share/a", "host 'server'"),
        ("file://c:/a", "host 'c:'"),
        ("file:a.py", "without an absolute path"),
        ("file://", "without an absolute path"),
        ("file://localhost", "without an absolute path"),
        ("file:", "without an absolute path"),
        ("file:///a?b", "query or fragment"),
        ("file:///a#b", "query or fragment"),
        ("file:///a%zz", "write it as %25"),
        ("file:///a%2", "write it as %25"),
        ("file:///a%ff", "UTF-8"),
        ("file:///a%ED%A0%80", "UTF-8"),
        ("file:///a\ud800", "half a surrogate pair"),
        ("file:///a%00b", "NUL"),
        ("a\0b", "NUL"),
        ("", "is empty"),
        ("x" * 300, "300 bytes"),
        ("file:///" + "%41" * 300, "300 bytes"),
    ],
)
def test_what_names_no_file_of_this_machine_is_refused(given_path: str, words: str) -> None:
    """The refusal is an InvalidPath whose sentence says what is wrong."""
    with pytest.raises(InvalidPath, match=words):
        to_path(given_path, BASE)


def test_a_uri_may_be_longer_than_the_name_it_stands_for() -> None:
    """Limits hold for the decoded name: 200 characters take 600 in escapes."""
    assert to_path("file:///" + "%E3%81%82" * 80, BASE).name == "あ" * 80


def test_a_windows_uri_names_a_drive_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows `file:///c%3A/x` is `c:/x`, with no slash in front of the drive."""
    monkeypatch.setattr(path_resolution, "_WINDOWS", True)
    assert str(to_path("file:///c%3A/x", Path("d:/base"))).endswith("c:/x")
    assert "/c:" not in str(to_path("file:///C:/x", Path())).lower()


def test_links_lead_to_their_target(root: Path) -> None:
    """A link inside counts as its target: inside, outside or not there yet."""
    (root / "alias.py").symlink_to("src/a.py")
    (root / "dir").symlink_to(root / "src", target_is_directory=True)
    (root / "leak").symlink_to("../outside")
    (root / "dangling").symlink_to("src/../gen/new.py")
    (root / "far").symlink_to("/no/such/place")
    (root / "chain").symlink_to("dir/../alias.py")
    assert rel("alias.py", root) == "src/a.py"
    assert rel("dir/a.py", root) == "src/a.py"
    assert rel("dir/new/x.py", root) == "src/new/x.py"
    assert rel("dir/../alias.py", root) == "src/a.py"
    assert rel("dangling", root) == "gen/new.py"
    assert rel("chain", root) == "src/a.py"
    for outside in ("leak", "leak/secret", "leak/new", "far", "leak/../../x"):
        assert rel(outside, root) is None


def test_dots_after_a_link_leave_its_target(root: Path) -> None:
    """`link/..` is the parent of where the link leads, as for the kernel, not of the link."""
    (root / "src/deep").mkdir()
    (root / "short").symlink_to("src/deep")
    assert rel("short/../a.py", root) == "src/a.py"


def test_a_root_behind_a_link_is_one_root(root: Path) -> None:
    """A workspace opened by a link and a file named by its real path meet."""
    link = root.parent / "link"
    link.symlink_to(root)
    assert relative_to_root(real_path(link / "src/a.py"), real_path(link)) == "src/a.py"


@pytest.mark.parametrize("name", ["loop", "loop/x", "a", "b/c"])
def test_circles_of_links_are_refused(name: str, root: Path) -> None:
    """Links in a circle, direct or not, raise InvalidPath and end."""
    (root / "loop").symlink_to("loop")
    (root / "a").symlink_to("b")
    (root / "b").symlink_to("a")
    with pytest.raises(InvalidPath, match="circle"):
        real_path(root / name)


def test_links_that_multiply_end_quickly(root: Path) -> None:
    """Links that each name the next one twice would take 2^60 steps; after 40 it is over."""
    for number in range(60):
        (root / f"l{number}").symlink_to(f"l{number + 1}/../l{number + 1}")
    with pytest.raises(InvalidPath, match="circle"):
        real_path(root / "l0")


def test_as_many_links_are_followed_as_linux_follows(root: Path) -> None:
    """A chain of 40 links leads to its end; with one more it is refused."""
    (root / "l0").symlink_to("src/a.py")
    for number in range(1, 41):
        (root / f"l{number}").symlink_to(f"l{number - 1}")
    assert rel("l39", root) == "src/a.py"
    with pytest.raises(InvalidPath, match="circle"):
        real_path(root / "l40")


def test_a_path_below_a_file_is_refused(root: Path) -> None:
    """A file has nothing below it; the sentence says so."""
    with pytest.raises(InvalidPath, match="a file, not a folder"):
        real_path(root / "src/a.py/b")


def test_a_path_that_only_becomes_too_long_is_refused(root: Path) -> None:
    """A name within the limits whose absolute form is not is a clean error as well."""
    with pytest.raises(InvalidPath, match="is too long"):
        real_path(to_path("a/" * 2040, root))


@pytest.mark.parametrize("number", [errno.EACCES, errno.ENAMETOOLONG, errno.EIO])
def test_every_error_of_the_system_becomes_a_sentence(number: int, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever stands in the way of looking a path up, the caller gets an InvalidPath with the reason."""

    def refuse(path: str) -> os.stat_result:
        raise OSError(number, os.strerror(number), path)

    monkeypatch.setattr(os, "lstat", refuse)
    with pytest.raises(InvalidPath, match="can't be resolved: ") as caught:
        real_path(root / "src/a.py")
    assert "Errno" not in str(caught.value)


def test_an_error_without_a_number_still_has_words() -> None:
    """`because` never answers with nothing."""
    assert because(OSError()) == "OSError"
    assert because(OSError(errno.EIO, "Input/output error")) == "Input/output error"
    assert because(OSError(errno.EACCES, "x")) == "permission denied"


def test_a_link_to_a_name_that_is_no_text_is_refused(root: Path) -> None:
    """A target whose name is not UTF-8 can't be recorded, so it can't be used."""
    os.symlink(b"caf\xe9", os.fsencode(root / "coffee"))
    with pytest.raises(InvalidPath, match="Unicode"):
        real_path(root / "coffee")


SEGMENTS = st.lists(st.sampled_from(["a", "b", "up", "in", "..", ".", "", "x"]), min_size=1, max_size=8)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(SEGMENTS)
def test_resolving_is_idempotent_and_agrees_with_the_kernel(root: Path, segments: list[str]) -> None:
    """A resolved path resolves to itself; where the kernel finds a file, it is the same one."""
    for name, target in (("up", ".."), ("in", "a/b")):
        (root / "a/b").mkdir(parents=True, exist_ok=True)
        if not (root / name).is_symlink():
            (root / name).symlink_to(target)
    path = "/".join([str(root), *segments])
    real = real_path(Path(path))
    assert real_path(real) == real
    assert not {"..", ".", ""} & set(str(real).split("/")[1:])
    if os.path.exists(path):
        assert os.path.samefile(path, real)


class FoldingDisk:
    """A stand-in for a file system that finds names whatever their case and normal form."""

    def __init__(self) -> None:
        self.lstat = os.lstat

    def find(self, path: str) -> os.stat_result:
        """Like lstat, with every component looked up the way such a disk does."""
        here = "/"
        for part in path.split("/")[1:]:
            listed = os.listdir(here)
            folded = [name for name in listed if self.fold(name) == self.fold(part)]
            here = os.path.join(here, part if part in listed or not folded else folded[0])
        return self.lstat(here)

    @staticmethod
    def fold(name: str) -> str:
        return unicodedata.normalize("NFD", name).casefold()


def test_a_disk_that_ignores_case_gives_a_file_one_name(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There `SRC/A.PY` is spelled `src/a.py` before any rule sees it; a new name stays as given."""
    composed = unicodedata.normalize("NFC", "é.py")
    (root / "src" / composed).touch()
    monkeypatch.setattr(path_resolution, "_exact_directories", {})  # this disk was another one until now
    monkeypatch.setattr(os, "lstat", FoldingDisk().find)
    assert rel("SRC/A.PY", root) == "src/a.py"
    assert rel("Src/New.py", root) == "src/New.py"
    assert rel("src/" + unicodedata.normalize("NFD", "É.py"), root) == f"src/{composed}"
    assert rel(str(root).swapcase() + "/src/a.py", root) == "src/a.py"


def test_a_folder_that_cannot_be_listed_keeps_the_spelling(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the disk won't list names, the given one stays: the documented limit, and no error."""
    monkeypatch.setattr(os, "lstat", FoldingDisk().find)

    def refuse(folder: str) -> None:
        raise PermissionError(errno.EACCES, "no", folder)

    monkeypatch.setattr(os, "scandir", refuse)
    assert real_path(root / "SRC").name == "SRC"


def test_hard_links_that_differ_in_case_stay_apart(root: Path) -> None:
    """On a disk that keeps case, `Makefile` and `mAKEFILE` are two names even for one file."""
    (root / "Makefile").touch()
    os.link(root / "Makefile", root / "mAKEFILE")
    assert rel("Makefile", root) == "Makefile"
    assert rel("mAKEFILE", root) == "mAKEFILE"


def test_windows_names_are_checked_there(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows a stream or a device is refused and a circle of links still is."""
    monkeypatch.setattr(path_resolution, "_WINDOWS", True)
    assert real_path(root / "src/../src/a.py") == root / "src/a.py"
    with pytest.raises(InvalidPath, match="colon"):
        real_path(root / "src/a.py:stream")
    with pytest.raises(InvalidPath, match="device"):
        real_path(root / "NUL")
    (root / "loop").symlink_to("loop")
    with pytest.raises(InvalidPath, match="circle"):
        real_path(root / "loop")


def make_root(folder: Path, name: str = "active_intents.yaml", content: str = "active_intents: []\n") -> Path:
    """Give `folder` an `.orchestration` with one file."""
    (folder / ".orchestration").mkdir(parents=True, exist_ok=True)
    (folder / ".orchestration" / name).write_text(content)
    return folder


def test_the_deepest_root_above_a_path_governs_it(root: Path) -> None:
    """Files, folders and names that don't exist yet belong to the nearest folder with an intents file."""
    inner = make_root(root / "packages/one")
    make_root(root)
    assert find_root(root) == root
    assert find_root(root / "src/a.py") == root
    assert find_root(root / "packages/two/new.py") == root
    assert find_root(inner) == inner
    assert find_root(inner / "deep/new/x.py") == inner
    assert find_root(root.parent / "outside/secret") is None


def test_a_ledger_with_records_alone_makes_a_root(root: Path) -> None:
    """Deleting the intents file does not switch the gate off; an empty ledger is no history."""
    make_root(root, "agent_trace.jsonl", "")
    assert find_root(root / "src/a.py") is None
    make_root(root, "agent_trace.jsonl", "{}\n")
    assert find_root(root / "src/a.py") == root


def test_a_ledger_that_is_no_file_is_no_history(root: Path) -> None:
    """A folder called like the ledger does not make a root."""
    (root / ".orchestration/agent_trace.jsonl").mkdir(parents=True)
    assert find_root(root) is None


def test_an_intents_file_of_any_kind_makes_a_root(root: Path) -> None:
    """A dangling link or a folder in its place is a broken root, not an ungoverned one."""
    (root / ".orchestration").mkdir()
    (root / ".orchestration/active_intents.yaml").symlink_to("gone.yaml")
    assert find_root(root / "src") == root


def test_a_file_called_orchestration_is_no_root(root: Path) -> None:
    """Nothing lies below a file."""
    (root / ".orchestration").write_text("x")
    assert find_root(root / "src") is None


def test_a_folder_that_cannot_be_looked_into_counts_as_a_root(root: Path) -> None:
    """An `.orchestration` that leads in a circle hides the intents; the gate must not open for that."""
    (root / ".orchestration").symlink_to(".orchestration")
    assert find_root(root / "src/a.py") == root
    assert find_root(root.parent / "outside") is None


def test_a_folder_with_one_file_of_an_intent_is_a_root(root: Path) -> None:
    """The list is not needed beside it."""
    folder = root / ".orchestration/intents"
    folder.mkdir(parents=True)
    (folder / ".draft.yaml").write_text("id: INT-1\n")
    assert find_root(root / "src/a.py") is None
    (folder / "INT-1.yaml").write_text("id: INT-1\n")
    assert find_root(root / "src/a.py") == root


def test_a_folder_of_intents_that_can_not_be_trusted_makes_a_root(root: Path) -> None:
    """A link in its place does not switch the gate off."""
    (root / ".orchestration").mkdir()
    (root / ".orchestration/intents").symlink_to(root.parent / "outside")
    assert find_root(root / "src/a.py") == root


def test_roots_are_looked_for_two_folders_below_one_that_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not deeper, not in hidden or installed folders, not through links, and in so many folders at most."""
    for name in ("b", "a/one", "a/one/deep", "a/two/x/y", ".hidden", "node_modules/pkg"):
        make_workspace(tmp_path / "top" / name, files={})
    (tmp_path / "top" / "link").symlink_to(tmp_path / "top" / "b")
    top = tmp_path / "top"
    assert list(roots_below(top)) == [top / "b", top / "a/one"]
    monkeypatch.setattr(path_resolution, "_MAX_LOOKED", 2)
    assert list(roots_below(top)) == [top / "b"]
    assert list(roots_below(top / "absent")) == []


def test_a_directory_that_tells_case_is_not_asked_again_until_it_changes(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each name costs one look instead of two; a directory that may have been switched meanwhile is asked again."""
    monkeypatch.setattr(path_resolution, "_exact_directories", {})
    monkeypatch.setattr(path_resolution, "RACY_ANY_DISK_NS", -1)
    real_lstat, looks = os.lstat, list[str]()

    def lstat(path: str) -> os.stat_result:
        looks.append(path)
        return real_lstat(path)

    monkeypatch.setattr(os, "lstat", lstat)
    assert rel("src/a.py", root) == "src/a.py"
    first, looks[:] = len(looks), []
    assert rel("src/a.py", root) == "src/a.py"
    names = len((root / "src/a.py").parts) - 1
    assert (first, len(looks)) == (2 * names, names + 1)  # of `/` itself nothing is kept
    monkeypatch.setattr(path_resolution.time, "time_ns", lambda: 0)  # nothing is noted from here on
    (root / "src" / "new").touch()
    monkeypatch.setattr(os, "lstat", FoldingDisk().find)
    assert rel("src/A.py", root) == "src/a.py"


def test_what_a_directory_told_about_case_is_kept_for_so_many(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that sees ever new directories does not grow by them."""
    noted: dict[tuple[int, int], int] = {}
    monkeypatch.setattr(path_resolution, "_exact_directories", noted)
    monkeypatch.setattr(path_resolution, "RACY_ANY_DISK_NS", -1)
    monkeypatch.setattr(path_resolution, "_MOST_NOTED", 2)
    for number in range(5):
        folder = root / f"d{number}" / "e"
        folder.mkdir(parents=True)
        real_path(folder / "x")
        assert len(noted) <= 2


WAYS = (
    "src/a.py",
    "SRC/a.py",
    ".",
    "..",
    "../outside/secret",
    "src/../..",
    "no/such/../new.py",
    "in/a.py",
    "out/secret",
)
WAYS += ("up/outside/secret", "round/a.py", "../ws/src/a.py", "../wsx/a", "/etc", "in/../a.py")


@pytest.mark.parametrize("given_path", WAYS)
def test_a_path_leads_to_the_same_file_where_its_beginning_is_known(given_path: str, root: Path) -> None:
    """Also where links and `..` lead out of what is known, and back."""
    for name, target in {"in": "src", "out": "../outside", "up": "..", "round": root / "src"}.items():
        (root / name).symlink_to(target)
    path = to_path(given_path, root)
    assert real_path(path, root) == real_path(path)
    beside = Path(f"{root}x/{given_path}")
    assert real_path(beside, root) == real_path(beside)


def test_what_is_known_of_a_path_is_not_looked_at_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the way to it, nor whether it is a root."""
    looked: list[str] = []
    lstat = os.lstat

    def counting(path: str) -> os.stat_result:
        looked.append(os.path.relpath(path, root))
        return lstat(path)

    monkeypatch.setattr(os, "lstat", counting)
    assert find_root(real_path(root / "src" / "a.py", root), root) == root
    assert [path for path in looked if path.lower() == path] == [
        "src",
        "src/a.py",
        "src/a.py/.orchestration",
        "src/.orchestration",
    ]


def test_a_root_inside_a_known_one_governs_its_own_files(root: Path) -> None:
    make_workspace(root / "inner", files={})
    assert find_root(root / "inner" / "a.py", root) == root / "inner"
    assert find_root(root / "src" / "a.py", root) == root
    assert find_root(root.parent / "outside" / "secret", root) is None
