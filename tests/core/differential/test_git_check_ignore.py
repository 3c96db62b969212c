"""`.intentignore` decides as `git check-ignore` does over the same lines."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from intentls.core.intents.intentignore import IgnoreRules
from tests.core.differential.oracle import LONG, Dice, require, words

FILES = 1_500 if LONG else 150
PATHS_EACH = 40

PIECES = [" ", "\\ ", *words(r"* * ** *** ? a b src foo .txt x .h é \a \* - ! #")]
IN_CLASSES = [
    *words(r"a b a-c - z-a ] \] x . +-9 [ ^ ! a- é \ -- / \a-\c [:"),
    *words("[:alpha:] [:punct:] [:space:] [:digit:] [:none:] [:cntrl:] [:graph:] [:alnum:]"),
]
LATE_STARS = words(r"**/ ** ***/ **/**/ **\/ **/**\/")
AFTER_THEM = ["", *words("a bar ** *x **b b**/c")]
NAMES = [
    "a b",
    "foo ",
    "\t",
    "a\nb",
    *words(r"a b ab src foo.txt x .h foo foobar foox é [a] - ] \ * a* !a #a 1 Z a^ _"),
]
ENDINGS = [" ", "  ", "\\", "\\ ", "\\  ", "\t", "\r"]


def a_name_pattern(dice: Dice) -> str:
    return "".join(a_class(dice) if dice.chance(0.12) else piece for piece in dice.several(PIECES, 1, 4))


def a_class(dice: Dice) -> str:
    return "[" + dice.pick(["", "", "!", "^"]) + "".join(dice.several(IN_CLASSES, 1, 4)) + dice.pick(["]"] * 6 + [""])


def a_line(dice: Dice) -> str:
    body = dice.pick(["/"] * 12 + ["//", "\\/"]).join(a_name_pattern(dice) for _ in dice.several("....", 1, 5))
    if dice.chance(0.1):
        body = dice.pick(["a", "foo", "src/f"]) + dice.pick(LATE_STARS) + dice.pick(AFTER_THEM)
    body = ("/" if dice.chance(0.2) else "") + body + ("/" if dice.chance(0.3) else "")
    ending = dice.pick(ENDINGS) if dice.chance(0.05) else ""
    return ("!" if dice.chance(0.3) else "") + body + ending


def a_path(dice: Dice) -> str:
    return "/".join(dice.several(NAMES, 1, 5))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    subprocess.run([require("git"), "init", "-q", str(tmp_path)], check=True)
    return tmp_path


def ask(repository: Path, paths: list[str]) -> list[bool]:
    """Git's verdicts. It answers source, line, pattern and path; where nothing matches, only the path."""
    command = ["git", "check-ignore", "--no-index", "--verbose", "--non-matching", "--stdin", "-z"]
    question = "".join(path + "\0" for path in paths).encode()
    answer = subprocess.run(command, cwd=repository, input=question, capture_output=True)
    assert answer.returncode in {0, 1}, answer.stderr
    fields = answer.stdout.decode("utf-8", "surrogateescape").split("\0")[:-1]
    assert fields[3::4] == paths
    return [bool(pattern) and not pattern.startswith("!") for pattern in fields[2::4]]


def compare(repository: Path, text: str, paths: list[str], *, is_dir: bool = False) -> list[tuple[str, str, bool]]:
    (repository / ".gitignore").write_bytes(text.encode())
    rules = IgnoreRules.parse([text])
    verdicts = zip(paths, ask(repository, paths), strict=True)
    return [(text, path, git) for path, git in verdicts if rules.excludes_path(path + "/" * is_dir) != git]


def test_no_file_is_judged_otherwise_than_by_git(repository: Path) -> None:
    """Generated ignore files against generated paths."""
    dice = Dice(20260220)
    differences = []
    for _ in range(FILES):
        text = "\n".join(a_line(dice) for _ in dice.several(".....", 1, 7)) + dice.pick(["\n", "", "\r\n"])
        differences += compare(repository, text, [a_path(dice) for _ in range(PATHS_EACH)])
    assert differences == []


def test_no_directory_is_judged_otherwise_than_by_git(repository: Path) -> None:
    """The same for folders that exist, which patterns with a final slash match as well."""
    dice = Dice(20260221)
    paths = sorted({"/".join(dice.several(NAMES, 1, 4)) for _ in range(60)})
    for path in paths:
        (repository / path).mkdir(parents=True, exist_ok=True)
    differences = []
    for _ in range(FILES // 3):
        text = "\n".join(a_line(dice) for _ in dice.several(".....", 1, 7)) + "\n"
        differences += compare(repository, text, paths, is_dir=True)
    assert differences == []


def test_every_byte_is_in_the_classes_that_git_puts_it_in(repository: Path) -> None:
    """`[[:punct:]]` and the others over all characters that a file name can hold."""
    characters = [chr(code) for code in range(1, 128) if chr(code) not in "/."] + ["é"]
    names = "alnum alpha blank cntrl digit graph lower print punct space upper xdigit"
    for name in names.split():
        assert compare(repository, f"x[[:{name}:]]\n", [f"x{character}" for character in characters]) == []
