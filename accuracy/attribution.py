"""Who wrote this line, after what people and git do to code: our blame beside `git blame -w -M -C`.

    python -m accuracy.attribution

Several authors write real files through the engine, step by step, a commit each; then one rewrite is made, and every
line that stands once and says enough is asked for. Writes results/attribution.json.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from rapidfuzz.distance import Indel

from accuracy import releases
from accuracy.scores import Share
from accuracy.town import AUTHORS, LATER, PERSON, Tagged, Town, Verdicts, judged, shared_out, text_of

RESULTS = Path(__file__).parent / "results"
_FORMATTERS = Path(__file__).parent / ".cache" / "formatters" / "tools"  # where accuracy.formatters puts them
_STEPS = 6
_WORD = re.compile(r"[^\W\d]\w{3,}")
_TOKEN = re.compile(r"\w+|[^\w\s]")
# Where the material comes from, and between which sizes: long enough for several authors, short enough for a minute.
_MATERIAL = {"python": ("flask", "httpx", "boltons"), "javascript": ("express", "eslint", "fastify")}
_SUFFIX = {"python": ".py", "javascript": ".js"}
_LINES = range(150, 500)
_FILES = 4  # of each language, and one more to move blocks to

Rewrite = Callable[["Case"], None]


class Case:
    """A town whose authors have written `path` (and `other`), and the dice for what comes next."""

    def __init__(self, town: Town, path: str, text: str, other: str, seed: str) -> None:
        self.town, self.path, self.dice = town, path, random.Random(seed)
        self._plan = shared_out(text, self.dice, _STEPS)
        self.other = "other" + path[path.rindex(".") :]
        self._write(self.other, [(0, line) for _, line in shared_out(other, self.dice, _STEPS)], 0)
        for step in range(_STEPS // 2):
            self.take(step)

    def take(self, step: int) -> None:
        """One author's step, and the commit."""
        self._write(self.path, self._plan, step)
        self.town.commit(AUTHORS[step % len(AUTHORS)])

    def finish(self) -> None:
        """The steps that are left."""
        for step in range(_STEPS // 2, _STEPS):
            self.take(step)

    def _write(self, path: str, plan: Sequence[tuple[int, Tagged]], step: int) -> None:
        if path == self.path:
            self.town.write(AUTHORS[step % len(AUTHORS)], path, [line for when, line in plan if when <= step])
            return
        for author in AUTHORS:  # the other file: one author after the other
            known = AUTHORS[: AUTHORS.index(author) + 1]
            self.town.write(author, path, [line for _, line in plan if line[1] <= frozenset(known)])
            self.town.commit(author)

    def on_top(self, author: str) -> None:
        """`author` puts six lines of their own above all others."""
        new = [(f"# {author} {self.dice.getrandbits(64):x}", frozenset({author})) for _ in range(6)]
        self.town.write(author, self.path, [*new, *self.town.lines[self.path]])

    @property
    def lines(self) -> list[Tagged]:
        """What the file holds."""
        return self.town.lines[self.path]

    def block(self) -> tuple[int, int]:
        """Start and end of some 10 to 20 lines in the upper half."""
        start = self.dice.randrange(8, max(9, len(self.lines) // 2))
        return start, start + self.dice.randint(10, 20)


def amend(case: Case) -> None:
    """The last commit gets more lines."""
    case.finish()
    case.on_top(LATER)
    case.town.commit(AUTHORS[-1], "--amend")


def squash(case: Case) -> None:
    """All commits become one, of a person."""
    case.finish()
    case.town.git("reset", "--quiet", "--soft", case.town.git("rev-list", "--max-parents=0", "HEAD").strip())
    case.town.commit(PERSON)


def rebase(case: Case) -> None:
    """Half of the steps are made on a branch and put on top of what happened meanwhile."""
    _diverge(case)
    case.town.git("checkout", "--quiet", "work")
    case.town.git("rebase", "--quiet", "main")


def cherry_pick(case: Case) -> None:
    """Half of the steps are made on a branch and picked one by one."""
    base = _diverge(case)
    case.town.git("cherry-pick", f"{base}..work")


def merge(case: Case) -> None:
    """Half of the steps are made on a branch and merged."""
    _diverge(case)
    case.town.git("merge", "--quiet", "--no-edit", "work")


def _diverge(case: Case) -> str:
    """Branch `work` has the later steps, `main` six new lines on top: the model is of both together. The base."""
    town = case.town
    base = town.git("rev-parse", "HEAD").strip()
    start = list(case.lines)
    town.git("checkout", "--quiet", "-b", "work")
    case.finish()
    whole = list(case.lines)
    town.git("checkout", "--quiet", "main")
    town.lines[case.path] = start
    case.on_top(LATER)
    town.commit(LATER)
    town.lines[case.path] = [*case.lines[:6], *whole]
    return base


def revert(case: Case) -> None:
    """Somebody deletes a third of the file, and the commit is reverted."""
    case.finish()
    whole = list(case.lines)
    start = case.dice.randrange(8, len(whole) // 2)
    case.town.write(LATER, case.path, [*whole[:start], *whole[start + len(whole) // 3 :]])
    case.town.commit(LATER)
    case.town.git("revert", "--no-edit", "HEAD")
    case.town.lines[case.path] = whole


def stash(case: Case) -> None:
    """Lines that are not committed yet are put away and come back over a commit."""
    case.finish()
    whole = list(case.lines)
    added = [(f"# end {case.dice.getrandbits(64):x}", frozenset({LATER})) for _ in range(6)]
    case.town.write(LATER, case.path, [*whole, *added])
    case.town.git("stash", "--quiet")
    case.town.lines[case.path] = whole
    case.on_top(AUTHORS[1])
    case.town.commit(AUTHORS[1])
    case.town.git("stash", "pop", "--quiet")
    case.town.lines[case.path] = [*case.lines, *added]


def git_mv(case: Case) -> None:
    """The file gets another name and folder."""
    case.finish()
    moved = f"moved/to/{case.path}"
    (case.town.root / moved).parent.mkdir(parents=True)
    case.town.git("mv", case.path, moved)
    case.town.commit(PERSON)
    case.town.lines[moved] = case.town.lines.pop(case.path)
    case.path = moved


def move_in_file(case: Case) -> list[Tagged]:
    """A block goes to the end of the file."""
    start, end = case.block()
    lines = case.lines
    return [*lines[:start], *lines[end:], *lines[start:end]]


def rename_symbol(case: Case) -> list[Tagged]:
    """The name that occurs most gets another. A changed line is rightly whoever's it was, or who renamed it."""
    words = Counter(word for text, _ in case.lines for word in _WORD.findall(text))
    frequent = [word for word, number in words.most_common(12) if number >= 5] or [words.most_common(1)[0][0]]
    name = case.dice.choice(frequent)
    pattern = re.compile(rf"\b{name}\b")
    renamed = [(pattern.sub(f"{name}_renamed", text), authors) for text, authors in case.lines]
    return [
        (new, authors | {LATER} if new != old else authors)
        for (new, authors), (old, _) in zip(renamed, case.lines, strict=True)
    ]


def formatted(command: Sequence[str]) -> Callable[[Case], list[Tagged]]:
    """What a formatter makes of the file. A line is rightly of anybody who wrote one of its words."""

    def run(case: Case) -> list[Tagged]:
        text = text_of(case.lines)
        name = Path(case.path).name
        with tempfile.TemporaryDirectory() as folder:
            held = Path(folder) / name
            held.write_text(text, "utf-8")
            subprocess.run([*command, str(held)], check=True, capture_output=True, cwd=folder)
            return carried(case.lines, held.read_text("utf-8"))

    return run


def carried(lines: Sequence[Tagged], after: str) -> list[Tagged]:
    """The new lines, each with the authors of the words that it has from old lines."""
    old = [(token, authors) for text, authors in lines for token in _TOKEN.findall(text)]
    new = [(token, number) for number, text in enumerate(after.splitlines()) for token in _TOKEN.findall(text)]
    found: list[set[str]] = [set() for _ in after.splitlines()]
    for code in Indel.opcodes([token for token, _ in old], [token for token, _ in new]):
        if code.tag == "equal":
            for (token, authors), (_, number) in zip(
                old[code.src_start : code.src_end], new[code.dest_start : code.dest_end], strict=True
            ):
                if token[0].isalnum() or token[0] == "_":
                    found[number] |= authors
    return [(text, frozenset(authors)) for text, authors in zip(after.splitlines(), found, strict=True)]


def recorded(change: Callable[[Case], list[Tagged]]) -> Rewrite:
    """The change is made by an agent, through the engine."""

    def run(case: Case) -> None:
        case.finish()
        case.town.write(LATER, case.path, change(case))
        case.town.commit(LATER)

    return run


def unrecorded(change: Callable[[Case], list[Tagged]]) -> Rewrite:
    """The change is made by a person or a program behind the engine's back, and committed."""

    def run(case: Case) -> None:
        case.finish()
        # A line that was really changed is now partly theirs, whom no record names: there is no right answer.
        lines = [(text, authors if LATER not in authors else frozenset[str]()) for text, authors in change(case)]
        case.town.write_unseen(case.path, lines)
        case.town.commit(PERSON)

    return run


def _between(case: Case) -> dict[str, list[Tagged]]:
    start, end = case.block()
    lines, others = case.lines, case.town.lines[case.other]
    return {case.path: [*lines[:start], *lines[end:]], case.other: [*others, *lines[start:end]]}


def move_between_recorded(case: Case) -> None:
    """A block goes to the other file, in one patch."""
    case.finish()
    case.town.patch(LATER, _between(case))
    case.town.commit(LATER)


def move_between_unrecorded(case: Case) -> None:
    """A block goes to the other file behind the engine's back."""
    case.finish()
    for path, lines in _between(case).items():
        case.town.write_unseen(path, lines)
    case.town.commit(PERSON)


def rewrites() -> dict[str, tuple[tuple[str, ...], Rewrite]]:
    """Name -> languages, and the rewrite. A formatter that is not installed is left out."""
    both = ("python", "javascript")
    found: dict[str, tuple[tuple[str, ...], Rewrite]] = {
        "rebase": (both, rebase),
        "amend": (both, amend),
        "squash": (both, squash),
        "cherry-pick": (both, cherry_pick),
        "revert": (both, revert),
        "stash": (both, stash),
        "merge": (both, merge),
        "git mv": (both, git_mv),
        "move in the file, recorded": (both, recorded(move_in_file)),
        "move in the file, unrecorded": (both, unrecorded(move_in_file)),
        "move to another file, recorded": (both, move_between_recorded),
        "move to another file, unrecorded": (both, move_between_unrecorded),
        "rename of a symbol, recorded": (both, recorded(rename_symbol)),
        "rename of a symbol, unrecorded": (both, unrecorded(rename_symbol)),
    }
    black, prettier = _FORMATTERS / "bin" / "black", _FORMATTERS / "node_modules" / ".bin" / "prettier"
    formatters = {
        "ruff format": ("python", [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length", "70"]),
        "black": ("python", [str(black), "--quiet", "--line-length", "60"] if black.exists() else None),
        "prettier": ("javascript", [str(prettier), "--no-config", "--write"] if prettier.exists() else None),
    }
    for name, (language, command) in formatters.items():
        if command is not None:
            found[f"{name}, recorded"] = ((language,), recorded(formatted(command)))
            found[f"{name}, unrecorded"] = ((language,), unrecorded(formatted(command)))
    return found


def material(language: str) -> list[str]:
    """Real files, of different projects by turns."""
    piles = []
    for package in releases.packages():
        if package.name in _MATERIAL[language]:
            held = releases.files(releases.fetch(package, package.releases[0]))
            texts = [held[path] for path in sorted(held) if path.endswith(_SUFFIX[language])]
            piles.append([text.decode() for text in texts if text.isascii() and len(text.splitlines()) in _LINES])
    mixed = [text for round_ in zip(*piles, strict=False) for text in round_]
    return mixed[: _FILES + 1]


def measure(name: str, rewrite: Rewrite, language: str, texts: Sequence[str]) -> tuple[Verdicts, Verdicts]:
    """One rewrite over all texts but the last, each with the next as the other file: our verdicts and git's."""
    ours = gits = Verdicts(0, 0, 0)
    for number, (text, other) in enumerate(pairwise(texts)):
        with tempfile.TemporaryDirectory() as folder:
            town = Town(Path(folder) / "town")
            case = Case(town, f"code{_SUFFIX[language]}", text, other, f"{name} {language} {number}")
            rewrite(case)
            for path in (case.path, case.other):
                ours += judged(town, path, town.ours(path))
                gits += judged(town, path, town.gits(path))
    return ours, gits


def row(verdicts: Verdicts) -> dict[str, Any]:
    """As the results keep it."""
    lines = verdicts.right + verdicts.nobody + verdicts.wrong
    return {
        "right": Share(verdicts.right, lines).as_json(),
        "nobody": verdicts.nobody,
        "wrong": verdicts.wrong,
    }


def main() -> None:
    """Measure every rewrite and write results/attribution.json."""
    texts = {language: material(language) for language in _MATERIAL}
    table = {}
    for name, (languages, rewrite) in rewrites().items():
        print(f"attribution: {name}", file=sys.stderr, flush=True)
        ours = gits = Verdicts(0, 0, 0)
        for language in languages:
            found = measure(name, rewrite, language, texts[language])
            ours, gits = ours + found[0], gits + found[1]
        table[name] = {"ours": row(ours), "git": row(gits)}
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "attribution.json").write_text(json.dumps({"rewrites": table}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
