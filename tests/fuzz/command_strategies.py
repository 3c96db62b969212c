"""Calls of commands: mostly well formed, so that they get past the arguments and into the engine."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from hypothesis import strategies as st

from intentls.faces.lsp.commands import COMMANDS
from tests.fuzz import inputs
from tests.fuzz.strategies import json_values, mutated, texts

_TEXT = texts(("a", "b", "src/a.py", "\n", "INT-001"), 4)
PATHS = st.just("src/a.py") | texts(
    (
        *("/", "..", ".", "src", "src/", "a.py", ".git", ".GIT", "out", "in", "loop", "w2", "secret.txt", "docs", "~"),
        *("file:", "file://", "%2e%2e", ".orchestration", "active_intents.yaml", "git~1", "::$DATA", "\\", "file_out"),
    ),
    6,
)
PATCHES = mutated(inputs.PATCH, inputs.PATCH_TOKENS).map(lambda data: data.decode("utf-8", "surrogateescape"))
DIAGNOSTIC_KEYS = ("message", "range", "start", "line", "character", "severity", "code", "source", "value")
_ANY = json_values((*DIAGNOSTIC_KEYS, "path", "paths", "patch", "session_id"))
_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(("path", "new_path", "root"), PATHS),
    **dict.fromkeys(
        ("session_id", "content", "old_string", "new_string", "reason", "error", "model_identifier"), _TEXT
    ),
    "paths": st.lists(PATHS, max_size=3),
    "intent_id": st.just("INT-001") | _TEXT,
    "mutation_class": st.sampled_from(("BUG_FIX", "DOCS_UPDATE", "x")),
    "expected_content_hash": st.just("sha256:" + "0" * 64) | _TEXT,
    "pre_hash": st.just("sha256:" + "0" * 64) | _TEXT | st.none(),
    "params": st.dictionaries(
        st.sampled_from(("path", "file_path", "patch", "paths", "input")), PATHS | PATCHES | _ANY
    ),
    "tool_name": st.sampled_from(("write_to_file", "apply_patch", "execute_command", "read_file")) | _TEXT,
    "since": st.just("2026-02-18T18:30:00Z") | _TEXT,
    "problems": _TEXT | st.lists(json_values(DIAGNOSTIC_KEYS), max_size=3),
    "glob": texts(inputs.GLOB_TOKENS, 5),
    "patch": PATCHES,
    "status": st.sampled_from(("DONE", "PENDING", "x")) | _TEXT,
    "words": st.just("api weather") | _TEXT,
    "symbol": st.just("today") | _TEXT,
    **{name: st.integers(-1, 2**70) for name in ("limit", "line")},
    **{name: st.booleans() for name in ("success", "replace_all")},
}


@cache
def arguments_of(command: str) -> st.SearchStrategy[Any]:
    """Arguments of `command`, each with a value of its own kind most of the time; or any JSON value."""
    fields = msgspec.structs.fields(COMMANDS[command].arguments)
    required = {field.name: _FIELDS[field.name] for field in fields if field.required}
    optional = {field.name: _FIELDS[field.name] for field in fields if not field.required}
    return st.fixed_dictionaries(required, optional=optional) | st.fixed_dictionaries(required) | _ANY


def calls(names: tuple[str, ...]) -> st.SearchStrategy[list[tuple[str, Any]]]:
    """A few commands in a row."""
    one = st.sampled_from(names).flatmap(lambda name: st.tuples(st.just(name), arguments_of(name)))
    return st.lists(one, min_size=1, max_size=4)
