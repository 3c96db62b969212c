"""Open documents and their changes."""

from __future__ import annotations

import copy
import random
import threading
from typing import ClassVar

import pytest
from lsprotocol import types
from lsprotocol.types import Position, Range

from intentls.core.errors import InvalidInput
from intentls.faces.lsp.protocol.documents import Document, Documents

URI = "file:///w/a.py"
ENCODINGS = ("utf-8", "utf-16", "utf-32")


def opened(text: str, encoding: str = "utf-16") -> tuple[Documents, Document]:
    workspace = Documents(None, position_encoding=encoding)
    workspace.put_text_document(types.TextDocumentItem(URI, "python", 1, text))
    document = workspace.open_document(URI)
    assert document is not None
    return workspace, document


def part(start: tuple[int, int], end: tuple[int, int], text: str) -> types.TextDocumentContentChangePartial:
    return types.TextDocumentContentChangePartial(Range(Position(*start), Position(*end)), text)


class Model:
    """A document as LSP describes it, one character at a time: slow, and without a line of our code."""

    UNITS: ClassVar = {
        "utf-8": lambda char: len(char.encode()),
        "utf-16": lambda char: 2 if ord(char) > 0xFFFF else 1,
        "utf-32": lambda char: 1,
    }

    def __init__(self, text: str, encoding: str) -> None:
        self.text = text
        self.units = self.UNITS[encoding]

    def position(self, offset: int) -> tuple[int, int]:
        line = character = 0
        for place, char in enumerate(self.text[:offset]):
            if char == "\n" or (char == "\r" and self.text[place + 1 : place + 2] != "\n"):
                line, character = line + 1, 0
            elif char != "\r":
                character += self.units(char)
        return line, character

    def splits_a_line_end(self, offset: int) -> bool:
        return self.text[max(0, offset - 1) : offset + 1] == "\r\n"


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_thousand_random_edits(encoding: str) -> None:
    """After each of 1,000 random edits the document equals a plain model's, in every encoding."""
    dice = random.Random(f"edits in {encoding}")
    pieces = ["", "a", "x y", "é", "€", "😀", "😁😂", "\n", "\r", "\r\n", "\f", "\x85", "\u2028", "l\nm\r\nn\ro"]
    model = Model("def f():\r\n\treturn '😀'\n\f\r", encoding)
    workspace, document = opened(model.text, encoding)
    for version in range(2, 1002):
        places = [place for place in range(len(model.text) + 1) if not model.splits_a_line_end(place)]
        start = dice.choice(places)
        end = min((place for place in places if place >= start + dice.randrange(6)), default=places[-1])
        text = "".join(dice.choices(pieces, k=dice.randrange(3)))
        change = part(model.position(start), model.position(end), text)
        workspace.update_text_document(types.VersionedTextDocumentIdentifier(version, URI), change)
        model.text = model.text[:start] + text + model.text[end:]
        if dice.random() < 0.5:  # not always: edits must also be right on top of each other
            assert document.source == model.text
        if dice.random() < 0.1:
            place = dice.choice([p for p in range(len(model.text) + 1) if not model.splits_a_line_end(p)])
            assert document.index.offset_at(Position(*model.position(place)), encoding) == place
        if len(model.text) > 400:
            model.text = model.text[200:]
            whole = types.TextDocumentContentChangeWholeDocument(model.text)
            workspace.update_text_document(types.VersionedTextDocumentIdentifier(version, URI), whole)
    assert document.source == model.text
    assert document.version == 1001


def test_positions_past_the_end_are_clamped() -> None:
    """An edit past the end of a line happens at the line's end, past the last line at the text's end."""
    _, document = opened("one\r\ntwo\n")
    document.apply_change(part((0, 99), (0, 99), "!"))
    assert document.source == "one!\r\ntwo\n"
    document.apply_change(part((99, 5), (99, 9), "three"))
    assert document.source == "one!\r\ntwo\nthree"
    document.apply_change(part((1, 0), (99, 0), ""))
    assert document.source == "one!\r\n"


def test_a_reversed_range_is_put_right() -> None:
    """A range whose end lies before its start replaces the same text."""
    _, document = opened("abcdef")
    document.apply_change(part((0, 4), (0, 2), "-"))
    assert document.source == "ab-ef"


def test_an_empty_document_can_be_edited() -> None:
    """An empty document takes an edit, has a line, and knows offsets (pygls raises)."""
    _, document = opened("")
    assert document.lines == ("",)
    assert document.index.offset_at(Position(0, 0), document.encoding) == 0
    document.apply_change(part((0, 0), (0, 0), "hello\n"))
    assert (document.source, document.lines) == ("hello\n", ("hello\n", ""))


def test_line_ends_that_meet_become_one() -> None:
    r"""Text between a \r and a \n goes: they are one line end from then on, for later edits too."""
    _, document = opened("a\rb\nc")
    assert len(document.lines) == 3
    document.apply_change(part((1, 0), (1, 1), ""))
    assert document.lines == ("a\r\n", "c")
    document.apply_change(part((1, 0), (1, 1), "d"))
    assert document.source == "a\r\nd"


def test_a_newline_after_a_final_carriage_return() -> None:
    r"""A \n that is appended after a final \r joins it."""
    _, document = opened("a\r")
    document.apply_change(part((1, 0), (1, 0), "\nb"))
    assert document.lines == ("a\r\n", "b")


def test_the_callers_objects_are_left_alone() -> None:
    """Neither an edit nor a question changes the positions that came in (pygls writes into them)."""
    workspace, document = opened("short")
    change = part((0, 99), (7, 99), "x")
    position = Position(5, 77)
    before = copy.deepcopy((change, position))
    document.index.offset_at(position, document.encoding)
    workspace.update_text_document(types.VersionedTextDocumentIdentifier(2, URI), change)
    assert (change, position) == before


def test_a_change_of_an_unknown_document_is_ignored(caplog: pytest.LogCaptureFixture) -> None:
    """A change of a document that was never opened is logged, and nothing else happens."""
    workspace, document = opened("text")
    other = types.VersionedTextDocumentIdentifier(2, "file:///w/other.py")
    workspace.update_text_document(other, part((0, 0), (0, 0), "x"))
    assert "never opened" in caplog.text
    assert document.source == "text"
    assert workspace.open_document(other.uri) is None


def test_a_document_that_is_not_open_has_no_text() -> None:
    """Its text is an error that names it, not a read of some file."""
    workspace, _ = opened("text")
    with pytest.raises(InvalidInput, match=r"file:///w/other\.py is not open in the editor"):
        _ = workspace.get_text_document("file:///w/other.py").source


def test_halves_of_an_emoji_are_joined() -> None:
    """A client that sends an emoji in two halves ends up with the emoji."""
    _, document = opened("ab")
    document.apply_change(part((0, 1), (0, 1), "\ud83d"))
    document.apply_change(part((0, 2), (0, 2), "\ude00"))
    assert document.source == "a😀b"
    assert document.source.encode()


def test_changes_of_one_message_come_together() -> None:
    """The changes of one didChange build on each other, and the version goes with the last of them."""
    workspace, document = opened("abc")
    changes = [part((0, 0), (0, 1), ""), part((0, 0), (0, 1), "xy"), part((0, 2), (0, 2), "!")]
    workspace.change(types.VersionedTextDocumentIdentifier(7, URI), changes)
    assert document.snapshot() == (7, "xy!c")


def test_a_thread_reads_text_and_version_that_belong_together() -> None:
    """While the loop edits, a thread's snapshot is a text with its own version, and no edit is ever lost."""
    workspace, document = opened("0\n" * 50)
    wrong = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            version, text = document.snapshot()
            if text.count(f"{version}\n") + text.count("0\n") < 50 and version != 1:
                wrong.append((version, text))
            if document.index.text.count("\n") != 50 or len(document.lines) != 51:
                wrong.append((version, "lines"))

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for version in range(1001, 3001):
        changes = [part((line, 0), (line, 99), str(version)) for line in (0, 25, 49)]
        workspace.change(types.VersionedTextDocumentIdentifier(version, URI), changes)
        assert document.source.count(f"{version}\n") == 3
    done.set()
    for reader in readers:
        reader.join()
    assert wrong == []


def test_an_index_does_not_follow_later_edits() -> None:
    """What a handler took before it waited stays what it was."""
    _, document = opened("one\n")
    index = document.index
    lines = document.lines
    document.apply_change(part((0, 0), (0, 0), "zero\n"))
    assert (index.text, lines) == ("one\n", ("one\n", ""))
    assert document.index.text == "zero\none\n"
    assert document.index is document.index


@pytest.mark.parametrize(
    ("given", "name"),
    [(None, "utf-16"), ("utf-8", "utf-8"), (types.PositionEncodingKind.Utf32, "utf-32")],
)
def test_the_encoding_has_a_name(given: types.PositionEncodingKind | str | None, name: str) -> None:
    """A document says by name which encoding the client counts in; utf-16 if nothing was agreed."""
    workspace = Documents(None, position_encoding=given)
    assert workspace.get_text_document(URI).encoding == name  # type: ignore[attr-defined]


def test_reopening_and_closing() -> None:
    """Opening again replaces the text, closing forgets it, and closing what is not open is no error."""
    workspace, _ = opened("old")
    workspace.put_text_document(types.TextDocumentItem(URI, "python", 5, "new"))
    document = workspace.open_document(URI)
    assert document is not None and (document.source, document.version) == ("new", 5)
    workspace.remove_text_document(URI)
    workspace.remove_text_document(URI)
    assert workspace.open_document(URI) is None
