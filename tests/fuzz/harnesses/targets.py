"""What atheris feeds with bytes: each entrance by name, with the inputs to begin from and the words to use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.fuzz import inputs
from tests.fuzz.entrances import arguments, commands, configuration, ledger, patches, problems, protocol, writes

_SPLIT = b"\x00"  # between the parts of an input that has several


@dataclass(frozen=True)
class Target:
    """`run` takes any bytes and fails with whatever is no documented error."""

    run: Callable[[bytes], None]
    seeds: tuple[bytes, ...]
    words: tuple[bytes, ...]


def _patches(data: bytes) -> None:
    text, _, content = data.partition(_SPLIT)
    patches.patch(_text(text), content)


def _protocol(data: bytes) -> None:
    for part in (data, _in_frames(data)):
        protocol.stream(part)


def _in_frames(data: bytes) -> bytes:
    """The parts of the input as the bodies of messages to a server that is initialized."""
    bodies = (b"Content-Length: %d\r\n\r\n%b" % (len(body), body) for body in data.split(_SPLIT))
    return protocol.framed(protocol.INITIALIZE) + b"".join(bodies)


def _commands(data: bytes) -> None:
    """The first byte chooses a command, the rest is its argument."""
    given = arguments.decoded(data[1:])
    if data and given is not arguments.NO_JSON:
        arguments.command(given)
        commands.calls([(commands.NAMES[data[0] % len(commands.NAMES)], given)])


def _globs(data: bytes) -> None:
    patterns, _, paths = _text(data).partition("\0")
    configuration.globs(patterns.split("\n")[:6], (*paths.split("\n")[:6], *configuration.PATHS))


def _writes(data: bytes) -> None:
    path, _, other = _text(data).partition("\0")
    writes.write(path, other)
    writes.rename(path, other)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _encoded(words: tuple[str, ...]) -> tuple[bytes, ...]:
    return tuple(word.encode() for word in words)


_ARGUMENTS = (
    b'{"path": "src/a.py", "content": "x", "intent_id": "INT-001", "mutation_class": "BUG_FIX"}',
    b'{"path": "src/a.py", "old_string": "a", "new_string": "b", "replace_all": true}',
    b'{"tool_name": "edit", "params": {"file_path": "src/a.py"}, "pre_hash": null, "success": true}',
    b'{"paths": ["src/a.py"], "session_id": "s", "limit": 5, "since": "2026-02-18T18:30:00Z", "line": 1}',
    b'{"path": "src/a.py", "problems": [{"range": {"start": {"line": 0, "character": 0}}, "message": "m"}]}',
)
_PATHS = ("src/", "a.py", "../", ".git/", ".GIT", "out/", "in/", "git/", "file_out", "file://", ".orchestration/", "\0")

TARGETS = {
    "intents": Target(configuration.intents, inputs.INTENTS, inputs.YAML_TOKENS),
    "intents_edits": Target(configuration.intents_edits, inputs.INTENTS, inputs.YAML_TOKENS),
    "policy": Target(configuration.policy, inputs.POLICY, inputs.POLICY_TOKENS),
    "intentignore": Target(configuration.intentignore, inputs.IGNORE, inputs.IGNORE_TOKENS),
    "globs": Target(_globs, (b"src/**\n!src/{a,b}/*.py\x00src/a/x.py",), _encoded(inputs.GLOB_TOKENS)),
    "patches": Target(
        _patches,
        tuple(patch + _SPLIT + content for patch in inputs.PATCH for content in inputs.CONTENTS[:2]),
        inputs.PATCH_TOKENS,
    ),
    "writes": Target(_writes, tuple(f"src/{name}\0src/b.py".encode() for name in ("a.py", "out/x")), _encoded(_PATHS)),
    "ledger": Target(ledger.ledger, inputs.LEDGER, inputs.LEDGER_TOKENS),
    "protocol": Target(_protocol, (*inputs.MESSAGES, _SPLIT.join(inputs.MESSAGES)), inputs.MESSAGE_TOKENS),
    "framing": Target(protocol.stream, tuple(map(protocol.framed, ({}, protocol.INITIALIZE))), inputs.FRAME_TOKENS),
    "commands": Target(
        _commands,
        tuple(bytes([number]) + given for given in _ARGUMENTS for number in range(len(commands.NAMES))),
        tuple(
            b'"%b": ' % name.encode() for name in ("path", "paths", "patch", "glob", "params", "status", "intent_id")
        ),
    ),
    "linter_output": Target(
        lambda data: problems.linter_output(data.decode("utf-8", "replace")),
        inputs.LINTER_OUTPUT,
        inputs.LINTER_TOKENS,
    ),
    "lessons": Target(
        lambda data: problems.lessons(data.decode("utf-8", "replace")), inputs.LESSONS, inputs.LESSON_TOKENS
    ),
}
