"""A person and agents at one open document, and an independent account of who wrote each of its lines.

The account follows the actions alone: it knows nothing of the server's differences or records. Each line has the
authors that may be named for it: one, but for a line that came back after a save without it. There the person who put
it back may be named, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from intentls.engine.actions.request import EditResult
from intentls.engine.edits.read import read_file
from tests.support.agent_edits import Agent
from tests.support.patience import eventually
from tests.support.session import Json, Session

UNKNOWN, HUMAN, AI = "unknown", "human", "ai"


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its end. `number` tells apart lines of one text."""

    text: str
    authors: frozenset[str]
    number: int


Lines = tuple[Line, ...]


class Desk:
    """One document in an editor that speaks to a real server, as VS Code does."""

    def __init__(self, server: Session, path: str) -> None:
        self.server = server
        self.path = path
        self.saves_at_once = False
        self._agent = Agent(server.root, "terminal").select("INT-001")
        self._count = 0
        self._version = 1
        self.lines: Lines = tuple(self._line(text, UNKNOWN) for text in self._file.read_text().splitlines())
        self.disk = self.lines
        self._saved_once = {line.number for line in self.lines}
        self._rewritten: set[int] = set()
        self._undo: list[Lines] = []
        self._redo: list[Lines] = []
        server.wire.handlers["workspace/applyEdit"] = self._apply
        server.do("selectActiveIntent", intent_id="INT-001", model_identifier="lab/m")
        server.open(path)

    @property
    def _file(self) -> Path:
        return self.server.root / self.path

    def _line(self, text: str, author: str) -> Line:
        self._count += 1
        return Line(text, frozenset({author}), self._count)

    # what the person does

    def insert(self, place: int, texts: Sequence[str], *, saved_before: bool = False) -> None:
        """Whole lines, typed or pasted; `saved_before`: the file is written before the server hears of them."""
        new = [self._line(text, HUMAN) for text in texts]
        if saved_before:
            self._file.write_text(_joined([*self.lines[:place], *new, *self.lines[place:]]))
        self._change([*self.lines[:place], *new, *self.lines[place:]], [_edit(place, 0, place, 0, _joined(new))])

    def type_behind(self, places: Sequence[int], text: str) -> None:
        """The same text behind several lines, character by character, with several cursors."""
        places = sorted(places, reverse=True)
        lines = list(self.lines)
        for place in places:
            lines[place] = self._line(lines[place].text + text, HUMAN)
        for index, character in enumerate(text):
            ends = [(place, len(self.lines[place].text) + index) for place in places]
            self._send([_edit(place, end, place, end, character) for place, end in ends])
        self._change(lines, [])

    def delete(self, start: int, end: int) -> None:
        """Whole lines."""
        self._change([*self.lines[:start], *self.lines[end:]], [_edit(start, 0, end, 0, "")])

    def move(self, start: int, end: int, place: int) -> None:
        """Cut lines, and paste them at a place among the others."""
        cut = self.lines[start:end]
        self.delete(start, end)
        self._change([*self.lines[:place], *cut, *self.lines[place:]], [_edit(place, 0, place, 0, _joined(cut))])

    def format(self) -> None:
        """Blanks around each `=`, as a formatter does it."""
        texts = [line.text.replace("=", " = ").replace("  =  ", " = ") for line in self.lines]
        lines = [Line(text, line.authors, line.number) for line, text in zip(self.lines, texts, strict=True)]
        edits = [
            _edit(place, 0, place, len(old.text), new.text)
            for place, (old, new) in reversed([*enumerate(zip(self.lines, lines, strict=True))])
            if old.text != new.text
        ]
        if edits:
            self._change(lines, edits)

    def undo(self) -> None:
        """Take the last action back, whoever's it was."""
        if self._undo:
            self._redo.append(self.lines)
            self._show(self._undo.pop())

    def redo(self) -> None:
        """Do it again."""
        if self._redo:
            self._undo.append(self.lines)
            self._show(self._redo.pop())

    def save(self) -> None:
        """Write the file, and wait until the server has seen it."""
        saved = {line.number: line.text for line in self.disk}
        self._rewritten |= {line.number for line in self.lines if self._may_be_rewritten(line, saved)}
        self.lines = tuple(
            Line(line.text, line.authors | {HUMAN}, line.number) if line.number in self._rewritten else line
            for line in self.lines
        )
        self._load_disk(self.lines)
        self.server.save(self.path, _joined(self.lines))

    def close_and_open(self) -> None:
        """Drop what is not saved, and open the file again."""
        self.server.close(self.path)
        self.lines, self._undo, self._redo, self._version = self.disk, [], [], 1
        self.server.open(self.path)

    def load(self) -> None:
        """What is in the file now, whose author nobody recorded."""
        texts = self._file.read_text().splitlines()
        lines = tuple(self._line(text, UNKNOWN) for text in texts)
        self._load_disk(lines)
        self._show(lines)

    def revert(self) -> None:
        """Load the file again."""
        self._undo.append(self.lines)
        self._redo.clear()
        self._show(self.disk)

    # what agents do

    def agent_edits(self, place: int, texts: Sequence[str]) -> None:
        """An agent in the editor puts lines in the place of one: the editor applies them to the document."""
        old, new = self.lines[place].text + "\n", "".join(f"{text}\n" for text in texts)
        self.server.do("readFile", path=self.path)
        answer = self.server.do("editFile", path=self.path, old_string=old, new_string=new)
        assert answer.get("applied") == "editor", answer

    def agent_writes(self, place: int, texts: Sequence[str]) -> None:
        """An agent in a terminal does the same to the file, which has no unsaved changes; the editor loads it."""
        new = [self._line(text, AI) for text in texts]
        lines = (*self.disk[:place], *new, *self.disk[place + 1 :])

        def write() -> bool:
            read_file(self._agent.engine, self._agent.session_id, self.path)
            return isinstance(self._agent.write(self.path, _joined(lines)), EditResult)

        eventually(write)  # it is refused until the editor's server has seen that nothing is unsaved any more
        self._load_disk(lines)
        self._undo.append(self.lines)
        self._redo.clear()
        self._show(lines)

    def _apply(self, params: Json) -> Json:
        lines = list(self.lines)
        (change,) = params["edit"]["documentChanges"]
        events = sorted(change["edits"], key=lambda edit: edit["range"]["start"]["line"], reverse=True)
        for edit in events:
            start, end = edit["range"]["start"], edit["range"]["end"]
            assert (start["character"], end["character"]) == (0, 0)
            lines[start["line"] : end["line"]] = [self._line(text, AI) for text in edit["newText"].splitlines()]
        self._change(lines, [{"range": edit["range"], "text": edit["newText"]} for edit in events])
        if self.saves_at_once:
            self.save()
        return {"applied": True}

    # how it is told

    def _change(self, lines: Sequence[Line], events: Sequence[Json]) -> None:
        self._undo.append(self.lines)
        self._redo.clear()
        self.lines = tuple(lines)
        if events:
            self._send(events)

    def _show(self, lines: Lines) -> None:
        """Replace what differs between the first and the last common line, as VS Code does."""
        old, new = [line.text for line in self.lines], [line.text for line in lines]
        head = 0
        while head < min(len(old), len(new)) and old[head] == new[head]:
            head += 1
        tail = 0
        while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
            tail += 1
        text = "".join(f"{text}\n" for text in new[head : len(new) - tail])
        self.lines = lines
        self._send([_edit(head, 0, len(old) - tail, 0, text)])

    def _send(self, events: Sequence[Json]) -> None:
        self._version += 1
        identifier = {"uri": self.server.uri(self.path), "version": self._version}
        self.server.wire.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": [*events]})

    def _load_disk(self, lines: Lines) -> None:
        self.disk = lines
        self._saved_once |= {line.number for line in lines}

    def _may_be_rewritten(self, line: Line, saved: dict[int, str]) -> bool:
        """Whether the line was saved before, and is now put back or has another form.

        Beside other changes a form is no proof that a saved line is the same one.
        """
        return line.number in self._saved_once and saved.get(line.number) != line.text

    # who wrote what

    def named(self) -> list[str]:
        """The author that the server names for each line of the saved file."""
        self.server.wire.request("intentls/state", {})  # what was asked before is done
        ranges = self.server.do("blame", path=self.path)["ranges"]
        return [part["contributor"]["type"] for part in ranges for _ in range(part["start_line"], part["end_line"] + 1)]

    def wrong(self) -> list[str]:
        """Lines of the saved file for which the server names an author who did not write them."""
        named = self.named()
        return [
            f"{number} {line.text!r}: {author}, not {'/'.join(sorted(line.authors))}"
            for number, (author, line) in enumerate(zip(named, self.disk, strict=True), start=1)
            if author not in line.authors
        ]


def _edit(line: int, character: int, end_line: int, end_character: int, text: str) -> Json:
    start, end = {"line": line, "character": character}, {"line": end_line, "character": end_character}
    return {"range": {"start": start, "end": end}, "text": text}


def _joined(lines: Sequence[Line]) -> str:
    return "".join(f"{line.text}\n" for line in lines)


def interleave(desk: Desk, seed: int, steps: int) -> list[str]:
    """Random actions of both; after each save, what is wrong with its log is returned, [] if nothing is."""
    random = Random(seed)
    log: list[str] = []

    def texts(name: str) -> list[str]:
        return [f"{name}_{random.randrange(10**9)}=call({random.randrange(99)})" for _ in range(random.randint(1, 3))]

    def place(extra: int = 0) -> int:
        return random.randrange(len(desk.lines) + extra)

    def do(name: str, *arguments: Any) -> None:
        log.append(f"{name}{arguments}")
        action: Callable[..., None] = getattr(desk, name)
        action(*arguments)

    def step() -> None:
        kind = random.choices(
            ["insert", "type", "delete", "move", "format", "undo", "redo", "save", "edit", "write", "close", "revert"],
            [5, 4, 2, 2, 1, 4, 3, 4, 6, 4, 0.5, 0.5],
        )[0]
        if kind == "insert":
            do("insert", place(1), texts("typed"))
        elif kind == "type":
            do("type_behind", sorted({place() for _ in range(random.randint(1, 3))}), "0")
        elif kind == "delete" and len(desk.lines) > 4:
            start = place()
            do("delete", start, min(len(desk.lines), start + random.randint(1, 2)))
        elif kind == "move" and len(desk.lines) > 6:
            start = random.randrange(len(desk.lines) - 3)
            do("move", start, start + random.randint(1, 3), random.randrange(len(desk.lines) - 3))
        elif kind in ("format", "undo", "redo", "revert"):
            do(kind)
        elif kind == "save":
            if random.random() < 0.3:
                do("format")
            do("save")
        elif kind == "edit":
            desk.saves_at_once = random.random() < 0.2
            do("agent_edits", place(), texts("agent"))
        elif kind == "write" and desk.lines == desk.disk:
            do("agent_writes", place(), texts("agent"))
        elif kind == "close":
            do("close_and_open")

    for _ in range(steps):
        step()
        if log and log[-1].startswith(("save", "agent_writes")) and (wrong := desk.wrong()):
            return [*log, *wrong]
    do("save")
    wrong = desk.wrong()
    return [*log, *wrong] if wrong else []
