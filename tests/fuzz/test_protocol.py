"""Any bytes from a client, and any JSON as a command's arguments."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz import inputs
from tests.fuzz.command_strategies import calls
from tests.fuzz.entrances import arguments, commands, protocol
from tests.fuzz.strategies import json_values, mutated

_KEYS = (
    "jsonrpc",
    "id",
    "method",
    "params",
    "result",
    "error",
    "command",
    "arguments",
    "textDocument",
    "uri",
    "position",
)
_WORDS = (
    "2.0",
    "initialize",
    "shutdown",
    "exit",
    "workspace/executeCommand",
    "textDocument/didOpen",
    "$/x",
    "file:///a",
)
_FRAMED = tuple(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) for body in inputs.MESSAGES)
_MESSAGES = st.sampled_from(inputs.MESSAGES).map(msgspec.json.decode)


@settings(max_examples=60)
@given(mutated((*_FRAMED, b"".join(_FRAMED)), inputs.FRAME_TOKENS), st.integers(1, 90))
def test_any_bytes_on_the_stream_are_messages_or_end_it(data: bytes, chunk: int) -> None:
    """However they are cut into pieces; every request is answered exactly once, nothing is raised."""
    protocol.stream(data, chunk)


@settings(max_examples=30)
@given(mutated(inputs.MESSAGES, inputs.MESSAGE_TOKENS))
def test_any_body_in_a_frame_is_answered_or_ignored(body: bytes) -> None:
    """A message that is no JSON, or JSON that is no message."""
    start = protocol.framed(protocol.INITIALIZE)
    protocol.stream(start + b"Content-Length: %d\r\n\r\n%b" % (len(body), body))


@settings(max_examples=30)
@given(st.lists(_MESSAGES | json_values(_KEYS, _WORDS), max_size=4), st.booleans())
def test_any_messages_are_answered_or_ignored(given_: list[object], initialize: bool) -> None:
    """Any JSON in any order, before and after `initialize`."""
    protocol.bodies(given_, initialize=initialize)


@settings(max_examples=120)
@given(json_values(("path", "paths", "intent_id", "session_id", "limit", "since", "mutation_class", "params")))
def test_any_value_is_a_commands_argument_or_is_refused_by_name(value: object) -> None:
    """For the arguments of every command."""
    arguments.command(value)


@settings(max_examples=60)
@given(calls(commands.NAMES))
def test_any_commands_are_answered_and_change_only_what_they_may(given_: list[tuple[str, Any]]) -> None:
    """Through the whole server, in a folder whose links lead everywhere."""
    commands.calls(given_)
