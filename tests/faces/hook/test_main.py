"""One event in, one answer out: what is no event is refused in a sentence, and what is none of ours is passed."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from intentls.core.errors import InvalidArgument
from intentls.faces.hook import HookOptions, main
from intentls.faces.hook import event as events
from intentls.faces.hook.event import Event, EventKind, EventTool, InvalidEvent, MustWait
from tests.support.workspaces import make_workspace

AGENT = "claude-code"


def reply(data: bytes, *, always: bool = False) -> main.HookReply:
    return main.answer_event(AGENT, lambda: data, HookOptions(always=always))


def claude(folder: Path, name: str = "PreToolUse", tool: str = "Write", **params: Any) -> bytes:
    event = {"session_id": "s1", "cwd": str(folder), "hook_event_name": name, "tool_name": tool, "tool_input": params}
    return json.dumps(event).encode()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "event: is empty: the agent's JSON was expected on stdin"),
        (b" \n", "event: is empty: the agent's JSON was expected on stdin"),
        (b"{", "event: is no JSON in UTF-8 ("),
        (b"\xff{}", "event: is no JSON in UTF-8 ("),
        (b"[]", "event: is no JSON object"),
        (b"{}", "hook_event_name: is missing in the event, or is no text"),
    ],
)
def test_what_is_no_event_is_refused_in_one_sentence(data: bytes, sentence: str) -> None:
    answer = reply(data)
    assert (answer.code, answer.out) == (main.EXIT_ERROR, b"")
    assert sentence in answer.err.decode()
    assert answer.err.count(b"\n") == 1


def test_an_event_may_have_so_many_bytes_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main, "MAX_EVENT_BYTES", 4)
    assert b"is no JSON object" in reply(b"[  ]").err
    assert b"event: is larger than 4 bytes" in reply(b"[   ]").err


def test_of_what_is_too_large_only_so_much_is_read_that_it_shows(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """And the tool must not run."""
    monkeypatch.setattr(main, "MAX_EVENT_BYTES", 4)
    stdin = io.TextIOWrapper(io.BytesIO(b"[" + b" " * 100))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert main.serve(AGENT, 60, HookOptions()) == main.EXIT_ERROR
    assert b"event: is larger than 4 bytes" in capfdbinary.readouterr().err
    assert stdin.buffer.tell() == 5


def test_an_event_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    """As PowerShell writes one."""
    data = b"\xef\xbb\xbf" + claude(tmp_path, file_path=str(tmp_path / "a"), content="")
    assert reply(data) == main.HookReply(main.EXIT_OK, b"")


def test_where_nothing_governs_a_call_is_passed_in_silence_or_in_words(tmp_path: Path) -> None:
    """Some agents want an answer to each event."""
    data = claude(tmp_path, file_path=str(tmp_path / "a"), content="")
    assert reply(data).out == b""
    assert (reply(data, always=True).code, reply(data, always=True).err) == (main.EXIT_OK, b"")


def test_a_root_governs_its_files_wherever_the_agent_stands(tmp_path: Path) -> None:
    root = make_workspace(tmp_path / "root")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    answer = reply(claude(elsewhere, file_path=str(root / "docs/design.md"), content=""))
    assert answer.code == main.EXIT_OK
    assert b"deny" in answer.out or b"ask" in answer.out


def test_an_agent_in_a_folder_that_is_gone_is_refused(tmp_path: Path) -> None:
    answer = reply(claude(tmp_path / "gone", file_path=str(tmp_path / "a"), content=""))
    assert answer.code == main.EXIT_ERROR
    assert b"is gone, so nobody can say what governs it" in answer.err


def test_a_crash_of_ours_is_named_by_its_text_or_its_kind() -> None:
    def answer(error: Exception) -> main.HookReply:
        def crash() -> bytes:
            raise error

        return main.answer_event(AGENT, crash, HookOptions(always=False))

    answers = [answer(error).err for error in (KeyError("x"), ValueError())]
    assert [line.rpartition(b": ")[2].strip() for line in answers] == [b"'x'", b"ValueError"]


def test_a_sentence_of_many_lines_becomes_one_and_a_long_one_is_cut() -> None:
    def crash() -> bytes:
        raise InvalidArgument("event", "one\n  two " + "x" * 2_000)

    line = main.answer_event(AGENT, crash, HookOptions(always=False)).err
    assert b"one two" in line
    assert line.count(b"\n") == 1 and len(line) < 800


# --- values of an event


def test_a_text_that_must_be_there_is_there() -> None:
    assert events.text({"a": "x"}, "a") == "x"
    for data in ({}, {"a": ""}, {"a": 1}):
        with pytest.raises(InvalidEvent):
            events.text(data, "a")


def test_a_text_that_may_be_missing_says_nothing_where_it_is_none() -> None:
    assert [events.optional_text(data, "a") for data in ({"a": "x"}, {}, {"a": ""}, {"a": 1})] == [
        "x",
        None,
        None,
        None,
    ]


def test_an_object_may_be_given_as_json() -> None:
    assert events.mapping({"a": '{"b": 1}'}, "a") == events.mapping({"a": {"b": 1}}, "a") == {"b": 1}
    for value in ("{", "[]", 1, None):
        with pytest.raises(InvalidEvent):
            events.mapping({"a": value}, "a")


def test_folders_are_absolute() -> None:
    assert events.folders({"a": ["/b", "/c"]}, "a") == (Path("/b"), Path("/c"))
    for value in ([], None, ["b"], ["/b", 1], ["/b\0"], "/b"):
        with pytest.raises(InvalidEvent):
            events.folders({"a": value}, "a")


@pytest.mark.parametrize(
    ("data", "ended", "event"),
    [
        ({"s": "s1", "d": "/b"}, False, Event(EventKind.TURN, "Stop", "s1", (Path("/b"),))),
        ({"s": "s1", "d": ["/b", "/c"]}, True, Event(EventKind.END, "Stop", "s1", (Path("/b"), Path("/c")))),
        ({"s": "s1", "d": ["/b", 1]}, True, Event(EventKind.END, "Stop", "s1", (Path("/b"),))),
        ({"d": "/b"}, False, Event(EventKind.NOTHING, "Stop")),
        ({"s": "s1"}, False, Event(EventKind.NOTHING, "Stop")),
        ({"s": "s1", "d": "b"}, False, Event(EventKind.NOTHING, "Stop")),
        ({"s": "s1", "d": ["/b", "c"]}, False, Event(EventKind.NOTHING, "Stop")),
        ({"s": "s1", "d": "/b\0"}, False, Event(EventKind.NOTHING, "Stop")),
    ],
)
def test_a_pause_counts_where_it_says_whose_it_is_and_where(data: dict[str, Any], ended: bool, event: Event) -> None:
    assert events.pause("Stop", data, "s", "d", ended=ended) == event


def test_a_call_without_an_id_has_its_name_and_parameters_for_a_key() -> None:
    """In any order: the event after it is another process's JSON."""
    one, same = ({"a": 1, "b": Path("/x")}, {"b": Path("/x"), "a": 1})
    assert events.call_key("id", "Write", one) == "id"
    assert events.call_key(None, "Write", one) == events.call_key(None, "Write", same)
    keys = {events.call_key(None, name, params) for name in ("Write", "Edit") for params in (one, {"a": 2})}
    assert len(keys) == 4


def test_an_event_says_nothing_that_it_was_not_given() -> None:
    """No question, no failure, and a tool that names all files and is over with its report."""
    event = Event(EventKind.BEFORE, "PreToolUse")
    assert (event.may_ask, event.success, event.error) == (False, True, None)
    tool = EventTool("write_to_file", (), "k")
    assert (tool.anywhere, tool.is_free, tool.runs_on) == (False, False, False)


def test_who_can_not_wait_for_a_person_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is no error that refuses the tool: another process waits."""

    def ask(*_: object) -> None:
        raise MustWait

    monkeypatch.setattr(main, "_answer", ask)
    with pytest.raises(MustWait):
        reply(claude(tmp_path, file_path=str(tmp_path / "a"), content=""))
