"""What a client waits for as the number of declared intents grows: the same requests to two servers in turn.

The peer is our own server with ten intents. Each intent has five globs. What is asked of both: take the last intent up;
may this file be edited under it; what is to be said of the open file, of which a new version came just before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.client import SERVE, Client
from benchmarks.matching import GLOBS_OF_AN_INTENT, globs
from benchmarks.rows import Pair, Row, Scale
from benchmarks.timing import elapsed

FEW = 10
REPEATED = 10
"""Calls of one measurement: one alone would be lost in what else the machine does."""


def declared(count: int) -> str:
    """An intents file, as people write it."""
    patterns = globs(count * GLOBS_OF_AN_INTENT)
    entries = (
        f"  - id: INT-{number:05}\n"
        f"    name: Part {number}\n"
        "    status: IN_PROGRESS\n"
        f"    owned_scope: {patterns[number * GLOBS_OF_AN_INTENT : (number + 1) * GLOBS_OF_AN_INTENT]!r}\n"
        for number in range(count)
    )
    return "active_intents:\n" + "".join(entries)


class Editor:
    """A client of a server in a workspace of so many intents, with one file open."""

    def __init__(self, client: Client, root: Path, count: int) -> None:
        self.client = client
        self.intent = f"INT-{count - 1:05}"
        self.uri = (root / "src" / f"area{count - 1}" / "a.py").as_uri()
        self.foreign = (root / "lib" / "b.py").as_uri()
        self._version = 1
        client.initialize(root, textDocument={"diagnostic": {}})
        opened = {"uri": self.foreign, "languageId": "python", "version": 1, "text": "a = 1\n"}
        client.notify("textDocument/didOpen", {"textDocument": opened})

    def select(self) -> None:
        """Take the intent up."""
        self.client.command("intent.selectActiveIntent", intent_id=self.intent)

    def decide(self) -> None:
        """Ask whether its file may be edited. AssertionError if not."""
        if not self.client.command("intent.checkEdit", path=self.uri).get("allowed"):
            raise AssertionError("the file is in scope")

    def diagnose(self) -> None:
        """Ask what is to be said of the open file, once it changed. AssertionError if it is nothing."""
        self._version += 1
        whole: list[dict[str, Any]] = [{"text": f"a = {self._version}\n"}]
        document = {"uri": self.foreign, "version": self._version}
        self.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": whole})
        found = self.client.request("textDocument/diagnostic", {"textDocument": {"uri": self.foreign}})
        if not found["items"]:
            raise AssertionError("the file is out of scope")


def growing(asked: Callable[[Editor], None]) -> Callable[[Scale], Iterator[Pair]]:
    """Rounds of the same request to the server with many intents and to the one with few."""

    def run(scale: Scale) -> Iterator[Pair]:
        few = workspace(scale.folder / "few", FEW)
        for count in scale.of(full=(100, 1_000, 10_000), quick=(20,)):
            scale.say(f"{count} intents: loading them")
            many = workspace(scale.folder / str(count), count)
            with Client(SERVE, many) as one, Client(SERVE, few) as other:
                editors = Editor(one, many, count), Editor(other, few, FEW)
                for editor in editors:
                    editor.select()
                for number in range(-2, scale.of(full=20, quick=2)):
                    scale.say(f"{count} intents: round {number}")
                    # In turn: who comes second finds the machine warmer, or busy with what the first left to do later.
                    turn = (0, 1) if number % 2 else (1, 0)
                    took = {at: repeated(asked, editors[at]) for at in turn}
                    if number >= 0:
                        yield Pair(took[0], took[1], count)

    return run


def repeated(asked: Callable[[Editor], None], editor: Editor) -> float:
    """Seconds of one call, over some."""

    def calls() -> None:
        for _ in range(REPEATED):
            asked(editor)

    return elapsed(calls) / REPEATED


def workspace(root: Path, count: int) -> Path:
    """A workspace with so many intents and nothing else."""
    (root / ".orchestration").mkdir(parents=True)
    (root / ".orchestration" / "active_intents.yaml").write_text(declared(count))
    return root


def row(key: str, what: str, asked: Callable[[Editor], None]) -> Row:
    """All three are judged alike."""
    return Row(
        key=f"intents-{key}",
        what=f"{what}, 10,000 intents",
        ours="with so many intents",
        peer="with 10 intents",
        target="<= 2",
        limit=2,
        run=growing(asked),
        sizes="intents",
        at=10_000,
        relative=True,
    )


ROWS = (
    row("select", "take an intent up", Editor.select),
    row("decide", "may this file be edited", Editor.decide),
    row("diagnose", "diagnose an open file", Editor.diagnose),
)
