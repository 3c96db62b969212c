"""The session that docs/reference/commands.md shows is played against the real server, request by request."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import intentls
from tests.support.markdown import Page
from tests.support.session import session

PAGE = Path(__file__).parent.parent.parent / "docs" / "reference" / "commands.md"

# What is new in every session: ids, commits and writers, times.
_VOLATILE = (
    (re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"), "<id>"),
    (re.compile(r"\b([0-9a-f]{40}|[0-9a-f]{32}|[0-9a-f]{16})\b"), "<hex>"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z"), "<time>"),
)
_CUT = "…"


def _steady(value: Any) -> Any:
    """`value` without what is new in every session."""
    if isinstance(value, dict):
        kept = {key: _steady(part) for key, part in value.items()}
        if "prev" in kept:  # the hash of a line, and so of its time
            kept["prev"] = "<hash>"
        if kept.get("name") == "intentls":
            assert value["version"] == intentls.__version__
        return kept
    if isinstance(value, list):
        return [_steady(part) for part in value]
    if isinstance(value, str):
        for pattern, word in _VOLATILE:
            value = pattern.sub(word, value)
    return value


def _cut_alike(shown: Any, answered: Any) -> Any:
    """`answered`, its texts cut where the page cuts them with an ellipsis."""
    if isinstance(shown, dict) and isinstance(answered, dict):
        return {key: _cut_alike(shown.get(key), part) for key, part in answered.items()}
    if isinstance(shown, str) and isinstance(answered, str) and shown.endswith(_CUT):
        return answered[: len(shown) - len(_CUT)] + _CUT
    return answered


def _use_own_tool(root: Path) -> None:
    """What the host does between its announcement and its report."""
    file = root / "src/api/weather.py"
    file.write_bytes(file.read_bytes() + b"\n\ndef tomorrow():\n    return 'cloudy'\n")


# What a person does in an editor of their own; the session of the page names a model, so it is an agent's.
_PERSONS = frozenset({"intent.setStatus", "intent.expandScope"})
_BEFORE: dict[str, Callable[[Path], None]] = {"intent.postToolUse": _use_own_tool}


def test_the_server_answers_as_the_page_shows(git_workspace: Path) -> None:
    """Every example of the page, in the page's order, is answered as shown there, ids and times aside."""
    examples = [json.loads(text) for text in Page.read(PAGE).examples("json")]
    assert len(examples) > 40
    with session(git_workspace) as agent, session(git_workspace) as editor:
        for request, shown in zip(examples[::2], examples[1::2], strict=True):
            if (prepare := _BEFORE.get(request["command"])) is not None:
                prepare(git_workspace)
            client = editor if request["command"] in _PERSONS else agent
            response = client.wire.request("workspace/executeCommand", request)
            answered = _cut_alike(_steady(shown), _steady(response.get("result", response)))
            assert answered == _steady(shown), request
