"""Linters: started without a shell, bounded, read in any format; old content is linted beside the tree."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from intentls.core.errors import StoreError
from intentls.core.gate.policy import LinterPolicy, Policy
from intentls.core.lint.problems import LinterProblem, introduced
from intentls.core.patterns.glob import Glob
from intentls.store.process import linter
from intentls.store.process.linter import lint_content, run_linter
from tests.support.patience import eventually
from tests.support.processes import has_ended
from tests.support.workspaces import write_files

_FOUND = shutil.which("ruff", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))
needs_ruff = pytest.mark.skipif(_FOUND is None, reason="ruff is not installed")
RUFF = _FOUND or "ruff"
POSIX = pytest.mark.skipif(os.name != "posix", reason="process groups")


def python(code: str, *arguments: str, form: str = "text", name: str = "lint") -> LinterPolicy:
    """A linter that is a Python program."""
    return LinterPolicy(name, (Glob("**"),), (sys.executable, "-c", code, *arguments), form)  # type: ignore[arg-type]


def saying(text: str, code: int = 1, *, form: str = "text", stderr: str = "") -> LinterPolicy:
    """A linter that always says the same."""
    program = f"import sys; sys.stdout.write({text!r}); sys.stderr.write({stderr!r}); sys.exit({code})"
    return python(program, form=form)


def ruff(form: str = "sarif") -> LinterPolicy:
    """The contract's default linter, wherever it is installed here."""
    (default,) = Policy().linters
    output = "concise" if form == "text" else form
    command = [part.replace("sarif", output) for part in default.command[1:]]
    return LinterPolicy("ruff", default.files, (RUFF, *command), form)  # type: ignore[arg-type]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file in a project; the project's folder is `file.parents[2]`."""
    root = tmp_path.resolve() / "my project"
    write_files(root, {"src/api/a.py": "import os\n", "src/other.py": ""})
    return root / "src" / "api" / "a.py"


def listing(folder: Path) -> set[str]:
    """All names below a folder."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


# --- running ----------------------------------------------------------------------------------------------


@needs_ruff
@pytest.mark.parametrize("form", ["sarif", "json", "text"])
def test_ruff_is_read_in_each_format(file: Path, form: str) -> None:
    """The contract's own example of a linter."""
    (problem,) = run_linter(ruff(form), file, file.parents[2])
    assert problem.line_text == "F401 `os` imported but unused [ruff] line 1"


def test_the_path_is_put_in_as_one_argument_without_a_shell(tmp_path: Path) -> None:
    """Whatever the file is called, also inside a longer argument."""
    file = tmp_path.resolve() / "a; echo $HOME `x`.py"
    file.touch()
    linter = python("import sys; print(sys.argv[1:]); sys.exit(1)", "--file={file}", "{file}", "x")
    (problem,) = run_linter(linter, file, tmp_path)
    assert problem.message == str([f"--file={file}", str(file), "x"])


@pytest.fixture
def chatty_stdin() -> Iterator[None]:
    """Our own standard input has something to say, as an editor's would."""
    mine = os.dup(0)
    reader, writer = os.pipe()
    os.write(writer, b"Content-Length: 2")
    os.close(writer)
    os.dup2(reader, 0)
    os.close(reader)
    yield
    os.dup2(mine, 0)
    os.close(mine)


@pytest.mark.usefixtures("chatty_stdin")
def test_a_linter_has_no_input_and_no_colours(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It can't take the editor's messages from us, and escapes don't end up in lessons."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    code = (
        "import os, sys; print(repr(sys.stdin.read()), os.environ['NO_COLOR'], 'FORCE_COLOR' in os.environ,"
        "os.getcwd()); sys.exit(1)"
    )
    (problem,) = run_linter(python(code), file, file.parent)
    assert problem.message == f"'' 1 False {file.parent}"


@pytest.mark.parametrize(
    ("stdout", "code", "messages"),
    [
        ("", 0, []),
        ("All checks passed!\n", 0, []),
        ("{file}:3: E1 bad\nFound 1 error.\n", 0, ["bad"]),
        ("{file}:3: E1 bad\nFound 1 error.\n", 1, ["bad"]),
        ("a.py:3: E1 relative\n", 1, ["relative"]),
        ("./x/../a.py:3: E1 relative\n", 22, ["relative"]),
        ("other.py:3: E1 not ours\n", 2, []),
        ("\0:3: E1 not ours\n", 1, []),
        ("too slow\ntoo big\n", 1, ["too slow", "too big"]),
    ],
)
def test_text_is_read_by_exit_code_and_place(file: Path, stdout: str, code: int, messages: list[str]) -> None:
    """0 and 1 are the custom, some programs count; prose is a report only where something was found."""
    found = run_linter(saying(stdout.replace("{file}", str(file)), code), file, file.parent)
    assert [problem.message for problem in found] == messages
    assert all(problem.source == "lint" for problem in found if problem.line is not None)


def test_a_compiler_reports_on_stderr(file: Path) -> None:
    """Where stdout is silent."""
    linter = saying("", 2, stderr=f"# pkg\n{file}:3:5: missing return\n")
    assert run_linter(linter, file, file.parent) == (LinterProblem("missing return", None, "lint", 3, 5),)


def test_json_and_sarif_are_read_whatever_the_exit_code(file: Path) -> None:
    """pylint's is a sum of flags."""
    text = json.dumps([{"path": "a.py", "line": 1, "message": "m"}, {"path": "b.py", "line": 1, "message": "n"}])
    assert run_linter(saying(text, 22, form="json"), file, file.parent) == (LinterProblem("m", None, "lint", 1),)
    assert run_linter(saying("", 0, form="sarif"), file, file.parent) == ()


@pytest.mark.parametrize(
    ("linter", "message"),
    [
        (
            saying("", 2, stderr="\nerror: bad config\nmore\n"),
            "linter lint: ended with exit code 2: error: bad config",
        ),
        (saying("usage: lint FILE\n", 2), "exit code 2: it said nothing on stderr"),
        (saying("", 1, stderr="No module named lint"), "exit code 1: No module named lint"),
        (saying("", 1), "exit code 1: it said nothing"),
        (
            saying("", 1, form="sarif", stderr="Traceback (most recent\n  x\nKeyError: 3\n"),
            "exit code 1: KeyError: 3",
        ),
        (saying("Oops", 0, form="json"), "exit code 0 and wrote no json .*not JSON"),
        (saying("{}", 2, form="sarif", stderr="crash"), "wrote no sarif .*no list of runs.*: crash"),
        (
            LinterPolicy("lint", (), ("no-such-program-here",)),
            "linter lint: .*'no-such-program-here' was not found",
        ),
        (LinterPolicy("lint", (), ("./a.py",)), "can't be started"),
        (LinterPolicy("lint", (), (sys.executable, "a\0b")), "can't be started"),
        (LinterPolicy("lint", (), ()), "linter lint: its command is empty"),
    ],
)
@POSIX
def test_a_linter_that_fails_is_named_and_quoted(file: Path, linter: LinterPolicy, message: str) -> None:
    """With what it said itself: the first line, or the last of a traceback."""
    with pytest.raises(StoreError, match=message):
        run_linter(linter, file, file.parent)


def test_a_missing_folder_is_not_a_missing_program(file: Path) -> None:
    """The message must not send anybody the wrong way."""
    with pytest.raises(StoreError, match=r"folder .* does not exist"):
        run_linter(saying("x"), file, file.parent / "gone")


@POSIX
def test_a_linter_that_takes_too_long_is_killed_with_all_it_started(file: Path, tmp_path: Path) -> None:
    """Nothing of it runs on."""
    number, go, sign = tmp_path / "number", tmp_path / "go", tmp_path / "alive"
    wait = f"while [ ! -e {go} ]; do sleep 0.02; done"
    code = f"import subprocess; subprocess.run(['sh', '-c', 'echo $$ > {number}; {wait}; touch {sign}'])"
    with pytest.raises(StoreError, match=r"took longer than 2 s"):
        run_linter(python(code), file, file.parent, timeout_s=2)
    go.touch()
    eventually(lambda: has_ended(number))
    assert not sign.exists()


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_linter_that_never_stops_talking_is_stopped(file: Path, monkeypatch: pytest.MonkeyPatch, stream: str) -> None:
    """Long before memory runs out."""
    monkeypatch.setattr(linter, "MAX_OUTPUT", 100_000)
    with pytest.raises(StoreError, match="more than 100,000 bytes"):
        run_linter(python(f"import sys\nwhile True: sys.{stream}.write('x' * 10000)"), file, file.parent)


@POSIX
def test_a_daemon_that_keeps_the_pipe_open_delays_nobody(file: Path) -> None:
    """Some linters leave a server behind; what was said by then counts."""
    child = "import time; time.sleep(60)"
    code = (
        "import subprocess, sys; print('bad', flush=True);"
        f"subprocess.Popen([sys.executable, '-c', {child!r}], start_new_session=True); sys.exit(1)"
    )
    started = time.monotonic()
    assert [problem.message for problem in run_linter(python(code), file, file.parent)] == ["bad"]
    assert time.monotonic() - started < 50


# --- content that is not on disk --------------------------------------------------------------------------


@needs_ruff
def test_only_what_a_change_introduced_is_new(file: Path) -> None:
    """With the project's own configuration, path rules included, for the old content as for the new."""
    root = file.parents[2]
    config = '[lint]\nselect = ["E", "F"]\n[lint.per-file-ignores]\n"src/api/**" = ["E401"]\n'
    write_files(root, {"ruff.toml": "line-length = 120\n" + config})
    before = b"import os, re\nx = '" + b"a" * 100 + b"'\n"
    file.write_bytes(b"# new\n" + before + b"y = '" + b"b" * 120 + b"'\n")
    after = run_linter(ruff(), file, root)
    known = lint_content(ruff(), before, file, root)
    assert [problem.rule for problem in known] == ["F401", "F401"]
    assert [problem.line_text for problem in introduced(known, after)] == [
        "E501 Line too long (126 > 120) [ruff] line 4"
    ]


def test_the_working_tree_is_not_touched(
    file: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not while the linter runs, not after; and nothing stays in the temporary folder, which is this test's own."""
    temporary = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    root = file.parents[2]
    before = listing(root)
    code = (
        "import sys, pathlib; here = pathlib.Path(sys.argv[1]);"
        "print(here.read_text(), sorted(p.name for p in here.parents[1].iterdir())); sys.exit(1)"
    )
    (problem,) = lint_content(python(code, "{file}"), b"old", file, root)
    assert problem.message == "old ['api', 'other.py']"
    assert file.read_text() == "import os\n"
    assert listing(root) == before
    assert listing(temporary) == set()


def test_the_mirror_has_all_but_git_around_the_file(file: Path) -> None:
    """Configuration above, beside and in hidden files is found; git is not led astray."""
    root = file.parents[2]
    write_files(root, {".flake8": "", "node_modules/x/index.js": "", ".git/HEAD": "", "../above.toml": ""})
    code = (
        "import os, sys; here = os.path.dirname(sys.argv[1]); up = os.path.join(here, '..', '..');"
        "print(os.path.samefile(up, '.'), sorted(os.listdir()), os.path.exists('node_modules/x/index.js'),"
        "os.path.exists(os.path.join('..', 'above.toml'))); sys.exit(1)"
    )
    (problem,) = lint_content(python(code, "{file}"), b"", file, root)
    assert problem.message == "True ['.flake8', 'node_modules', 'src'] True True"


def test_messages_and_places_name_the_real_file(file: Path) -> None:
    """A path in a message is the same before and after, or every problem would seem new."""
    code = "import sys; print(sys.argv[1] + ':1: in ' + sys.argv[1]); sys.exit(1)"
    root = file.parents[2]
    before = lint_content(python(code, "{file}"), b"", file, root)
    assert before == run_linter(python(code, "{file}"), file, root) == (LinterProblem(f"in {file}", None, "lint", 1),)


def test_content_of_a_file_whose_folder_is_gone_can_be_linted(file: Path) -> None:
    """A change may have removed it."""
    shutil.rmtree(file.parent)
    (problem,) = lint_content(saying("bad"), b"", file, file.parents[2])
    assert problem.message == "bad"


def test_without_links_small_files_are_copied(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows lets few accounts make links; configuration is found all the same."""
    root = file.parents[2]
    write_files(root, {"setup.cfg": "[lint]", "big.bin": b"x" * 2_000_000})

    def forbidden(*_: object, **__: object) -> None:
        raise OSError("a privilege is missing")

    monkeypatch.setattr(Path, "symlink_to", forbidden)
    code = "import os, sys; print(sorted(os.listdir())); sys.exit(1)"
    (problem,) = lint_content(python(code), b"", file, root)
    assert problem.message == "['setup.cfg', 'src']"


def test_a_mirror_that_cannot_be_made_is_an_error_of_the_store(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk, say."""

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(StoreError, match=r"linter lint: a temporary copy could not be made: .*No space"):
        lint_content(saying("x"), b"", file, file.parents[2])
