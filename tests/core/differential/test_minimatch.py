"""No glob that is accepted means anything else than to minimatch, wherever one looks."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from intentls.core.errors import InvalidGlob
from intentls.core.patterns import braces
from intentls.core.patterns.glob import Glob, as_utf16
from tests.core.differential.oracle import LONG, Dice, require, unavailable, words

PATHS_EACH = 10
PATTERNS = 30_000 if LONG else 2_200
DRIVER = Path(__file__).with_name("minimatch_driver.mjs")

LETTERS = words("a b ab x 1 src .py . a b")
ODDITIES = ["\n", " ", *words(r"é 😀 $ | ^ + @ ! # ( ) ~ & ] } { , - \ &&")]
IN_CLASSES = words(r"a b a-c - z-a ] \] . +-9 [ ^ ! a- a-\c 😀 é \ -- $")
SEQUENCES = words("1..3 3..1 01..03 -1..1 -01..1 1..9..3 1..2..0 a..c a..e..2 Z..b 1.. a..1")
MEMBERS = ["", *words(r"a b x/a * ** **/a [ [a .py a/ \\ \* \. \, a}")]
NO_GROUPS = words(r"{a} {} { } {a a} ${a,b} {,} {a},b} {{a,b}} {a}{b,c} {a}{1..2} {${a,b}} \{a,b}")
NAMES = [
    *words("a b ab aa ba abc .a a.py .py x src 1 2 3 01 10 -1 ..a a. ... Z _ ` -"),
    *words(r"é 😀 \ \a a\ * ? + 9 0 | $a ${a} {a} { } , a,b ^ ! a] [a] #a"),
    *["a b", "a\nb"],
]


@pytest.fixture(scope="module")
def minimatch(request: pytest.FixtureRequest) -> list[str]:
    """The command that starts the driver over an installed minimatch 10."""
    node, npm = require("node"), require("npm")
    home = (
        request.config.cache.mkdir("minimatch-10")
        if getattr(request.config, "cache", None)
        else Path(tempfile.mkdtemp())
    )
    if not (home / "node_modules").exists():
        with tempfile.TemporaryDirectory(dir=home) as fresh:
            command = [npm, "install", "--prefix", fresh, "--ignore-scripts", "--no-audit", "--no-fund", "minimatch@10"]
            installed = subprocess.run(command, capture_output=True, text=True, timeout=300)
            if installed.returncode:
                unavailable(f"npm can't install minimatch: {installed.stderr.strip()[-300:]}")
            os.replace(Path(fresh, "node_modules"), home / "node_modules")
    return [node, str(DRIVER), str(home)]


def ask(minimatch: list[str], questions: list[tuple[str, list[str]]]) -> Iterator[tuple[list[str], str]]:
    lines = "".join(json.dumps({"pattern": pattern, "paths": paths}) + "\n" for pattern, paths in questions)
    answers = subprocess.run(minimatch, input=lines, capture_output=True, text=True, check=True, timeout=900)
    for line in answers.stdout.split("\n")[:-1]:
        answer = json.loads(line)
        yield answer["alternatives"], answer["verdicts"]


def a_class(dice: Dice) -> str:
    return "[" + dice.pick(["", "", "!", "^"]) + "".join(dice.several(IN_CLASSES, 1, 4)) + dice.pick(["]"] * 6 + [""])


def a_group(dice: Dice, depth: int = 0) -> str:
    if dice.chance(0.2):
        return "{" + dice.pick(SEQUENCES) + "}"
    if dice.chance(0.1):
        return dice.pick(NO_GROUPS)
    nested = depth < 2 and dice.chance(0.2)
    return "{" + ",".join([*dice.several(MEMBERS, 1, 3), *([a_group(dice, depth + 1)] if nested else [])]) + "}"


def a_name_pattern(dice: Dice) -> str:
    pieces = []
    for kind in dice.several(["letters"] * 5 + ["*", "*", "?", "class", "group", "escape", "oddity"], 1, 5):
        if kind == "letters":
            pieces.append(dice.pick(LETTERS))
        elif kind == "class":
            pieces.append(a_class(dice))
        elif kind == "group":
            pieces.append(a_group(dice))
        elif kind == "escape":
            pieces.append("\\" + dice.pick([*LETTERS, *ODDITIES, "*", "?", "["]))
        else:
            pieces.append(dice.pick(ODDITIES) if kind == "oddity" else kind)
    return "".join(pieces)


def a_pattern(dice: Dice) -> str:
    names = ["**" if dice.chance(0.3) else a_name_pattern(dice) for _ in dice.several("....", 1, 6)]
    return dice.pick(["/"] * 20 + ["//"]).join(names)


def a_path_like(dice: Dice, pattern: str) -> str:
    """A path that `pattern` has a fair chance to match."""
    text = re.sub(r"\{([^{}]*)\}", lambda group: dice.pick(group[1].split(",")), pattern.replace("\\", ""))
    text = re.sub(r"\[([^]]*)\]", lambda group: dice.pick(group[1] or " "), text)
    names: list[str] = []
    for part in text.split("/"):
        if part == "**":
            names += dice.several(NAMES, 0, 3)
        else:
            names.append("".join(dice.pick(["", "a", "ab"]) if it == "*" else "a" if it == "?" else it for it in part))
    return "/".join(name for name in names if name not in {"", ".", ".."}) or "a"


def a_path(dice: Dice, pattern: str) -> str:
    return a_path_like(dice, pattern) if dice.chance(0.4) else "/".join(dice.several(NAMES, 1, 5))


def accepted(pattern: str) -> Glob | None:
    try:
        return Glob(pattern)
    except InvalidGlob:
        return None


def test_no_accepted_glob_differs_from_minimatch(minimatch: list[str]) -> None:
    """Generated patterns of every construct against generated paths: each glob is refused or decides alike."""
    dice = Dice(20260218)
    globs = {pattern: accepted(pattern) for pattern in (a_pattern(dice) for _ in range(PATTERNS))}
    asked = [(glob, [a_path(dice, pattern) for _ in range(PATHS_EACH)]) for pattern, glob in globs.items() if glob]
    assert len(asked) > 0.85 * len(globs), "too many are refused for the rest to say much"

    differences, hits, pairs = [], 0, 0
    answers = ask(minimatch, [(glob.pattern, paths) for glob, paths in asked])
    for (glob, paths), (_, verdicts) in zip(asked, answers, strict=True):
        for path, verdict in zip(paths, verdicts, strict=True):
            pairs += 1
            hits += verdict == "1"
            if glob.matches(path) != (verdict == "1"):
                differences.append((glob.pattern, path, verdict))
    assert differences == []
    assert pairs >= (200_000 if LONG else 15_000)
    assert hits > 0.1 * pairs, "too few match for the comparison to say much"


def test_braces_expand_to_what_minimatch_expands_them_to(minimatch: list[str]) -> None:
    """Soups of braces, commas, dots, dollars and backslashes, most of them malformed."""
    dice = Dice(20260219)
    soup = [*"{},{},ab1\\$\n", "..", "1..3", "a..c", "{a,b}", "{1..2}", "-2", "01", "{}", "${"]
    patterns = [pattern for _ in range(PATTERNS) if (pattern := "".join(dice.several(soup, 1, 14)))]
    differences, expanded = [], 0
    for pattern, (alternatives, _) in zip(patterns, ask(minimatch, [(one, []) for one in patterns]), strict=True):
        try:
            ours = list(braces.expand(as_utf16(pattern)))
        except InvalidGlob:
            assert len(alternatives) > braces.MAX_ALTERNATIVES
            continue
        expanded += len(ours) > 1
        if ours != alternatives:
            differences.append((pattern, alternatives, ours))
    assert differences == []
    assert expanded > 0.1 * len(patterns)
