"""One engine, one verdict: asking, announcing and editing agree, however the roots lie to the workspace folders."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from intentls.core.errors import IntentlsError
from intentls.engine.actions.effects import drive
from intentls.engine.operations.operation import Call
from intentls.engine.operations.table import OPERATIONS
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.store.fs.path_resolution import find_root, real_path
from intentls.store.sessions.sessions import Session, Sessions
from tests.support.hook_process import hook_here
from tests.support.mcp_wire import McpWire
from tests.support.session import session
from tests.support.workspaces import write_files

FOLDERS = {
    "top": 'active_intents: [{id: INT-1, owned_scope: ["src/**", "link/**", "to-other/**"]}]\n',
    "top/nested": 'active_intents: [{id: INT-1, owned_scope: ["**"]}]\n',
    "other": 'active_intents: [{id: INT-2, owned_scope: ["src/**"]}]\n',
    "broken": "active_intents: [{id: INT-3}, {id: INT-3}]\n",
}
"""Each root with its intents."""

LAYOUTS: Mapping[str, tuple[str, ...]] = {
    "one root": ("top",),
    "a nested root": ("top/nested",),
    "both": ("top", "top/nested"),
    "inside first": ("top/nested", "top"),
    "a folder in a root": ("top/src",),
    "several folders": ("top", "other"),
    "in the other order": ("other", "top"),
    "a free folder": ("free",),
    "a free folder first": ("free", "top"),
    "a root beside a free folder": ("top", "free"),
    "a broken root": ("broken",),
    "a broken root first": ("broken", "top"),
    "a broken root second": ("top", "broken"),
    "above all roots": (".",),
    "through a link": ("linked-top",),
}
PATHS = (
    *("src/a.py", "docs/a.md", "nested/src/a.py", "link/a.py", "to-other/src/a.py", ".git/config", "../other/src/a.py"),
    *("{}/top/src/a.py", "{}/top/docs/a.md", "{}/top/nested/src/a.py", "{}/top/nested/docs/a.md", "{}/top/link/a.py"),
    *("{}/top/to-other/src/a.py", "{}/other/src/a.py", "{}/other/docs/a.md", "{}/other/to-top/src/a.py"),
    *("{}/broken/src/a.py", "{}/free/a.py", "{}/free/to-top/src/a.py", "{}/elsewhere/a.py", "{}/linked-top/src/a.py"),
    *("{}/top/../other/src/a.py", "{}/top/.orchestration/policy.yaml", "{}/free/.git/config", "{}/top/src/new/b.py"),
)
TOOLS = ("write_to_file", "edit_file", "delete_file")
CASES = st.tuples(
    st.sampled_from(sorted(LAYOUTS)),
    st.sampled_from(PATHS),
    st.sampled_from(TOOLS),
    st.sets(st.sampled_from(sorted(FOLDERS))),
)

Json = dict[str, Any]
Do = Callable[[str, Json], Json]


@dataclass(frozen=True)
class Case:
    """A tool for one path; `selected` are the roots in which the session has an intent."""

    top: Path
    layout: str
    path: str
    tool: str
    selected: frozenset[str]

    @property
    def argument(self) -> str:
        return self.path.format(self.top)

    @property
    def folders(self) -> tuple[Path, ...]:
        """The workspace folders, real paths."""
        return tuple((self.top / folder).resolve() for folder in LAYOUTS[self.layout])

    @property
    def params(self) -> Json:
        content = {"content": "x\n"} if self.tool == "write_to_file" else {}
        edit = {"old_string": "a", "new_string": "b"} if self.tool == "edit_file" else {}
        return {"path": self.argument, **content, **edit}

    def prepare(self) -> None:
        """The files as they were, and the session where it begins."""
        write_files(self.top, CONTENTS)
        (self.top / "top/src/new/b.py").unlink(missing_ok=True)
        for folder, intents in FOLDERS.items():
            intent = intents.partition("id: ")[2][:5]
            chosen = intent if folder in self.selected else None
            Sessions(self.top / folder / ".orchestration/.state/sessions").save(Session("s1", intent_id=chosen))

    def verdicts(self, do: Do) -> dict[str, str]:
        """What asking, announcing and editing say, in this order: the edit changes the files."""
        self.prepare()
        ask = {"session_id": "s1", "tool_name": self.tool}
        return {
            "checkEdit": _code(do("check_edit", {**ask, "path": self.argument})),
            "preToolUse": _code(do("pre_tool_use", {**ask, "params": self.params})),
            "edit": _code(do(self.tool, {"session_id": "s1", **self.params})),
        }


CONTENTS = {
    f"{folder}/{name}": "a\n"
    for folder in ("top", "top/nested", "other", "broken", "free", "elsewhere")
    for name in ("src/a.py", "docs/a.md", "a.py")
} | {"free/.git/config": "a\n"}


@pytest.fixture(scope="module")
def top(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All roots, with the links between them."""
    top = tmp_path_factory.mktemp("roots").resolve()
    write_files(top, CONTENTS)
    write_files(top, {f"{folder}/.orchestration/active_intents.yaml": intents for folder, intents in FOLDERS.items()})
    links = {"linked-top": "top", "top/link": "top/src", "top/to-other": "other", "other/to-top": "top"}
    for link, target in {**links, "free/to-top": "top"}.items():
        (top / link).symlink_to(top / target)
    return top


def _code(answer: Json) -> str:
    return "allowed" if answer["status"] == "ok" else str(answer["code"])


def _in_process(case: Case, *more: Path) -> Do:
    engine = Engine(Headless("lsp", (*case.folders, *more)))

    def do(name: str, arguments: Json) -> Json:
        try:
            reply = drive(OPERATIONS[name].begin(Call(engine, "s1"), arguments))
        except IntentlsError as error:
            return {"status": "error", "code": type(error).__name__}
        return {**reply} if isinstance(reply, dict) else {"status": "ok"}

    return do


def test_asking_announcing_and_editing_agree(top: Path, figure: Callable[[str], None]) -> None:
    """For each path, each way in which roots and folders may lie, and each root the session may have selected in."""
    seen: set[str] = set()

    @settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
    @given(CASES)
    @example(("one root", "{}/other/src/a.py", "write_to_file", {"top", "other"}))
    @example(("a free folder", "{}/top/src/a.py", "write_to_file", {"top"}))
    @example(("a free folder", "{}/elsewhere/a.py", "write_to_file", set()))
    @example(("one root", "{}/top/docs/a.md", "write_to_file", {"top"}))
    @example(("one root", "{}/top/src/a.py", "write_to_file", {"top"}))
    @example(("one root", "{}/top/src/a.py", "write_to_file", set()))
    @example(("a broken root", "{}/broken/src/a.py", "write_to_file", set()))
    def run(drawn: tuple[str, str, str, set[str]]) -> None:
        layout, path, tool, selected = drawn
        case = Case(top, layout, path, tool, frozenset(selected))
        verdicts = case.verdicts(_in_process(case))
        if tool != "write_to_file" and verdicts["edit"] == "InvalidArgument":
            verdicts["edit"] = "allowed"  # by the gate; there is no such file to edit
        assert len(set(verdicts.values())) == 1, (drawn, verdicts)
        seen.update(verdicts.values())

    run()
    assert {"allowed", "INTENT_REQUIRED", "PATH_OUTSIDE_WORKSPACE", "SCOPE_VIOLATION", "HOOK_ERROR"} <= seen, seen
    figure(f"roots agree: {len(seen)} kinds of answer")


def _lsp(case: Case) -> Iterator[dict[str, str]]:
    with session(case.folders[0], folders=list(case.folders)) as server:

        def do(name: str, arguments: Json) -> Json:
            first, *others = name.split("_")
            command = first + "".join(word.capitalize() for word in others)
            answered = server.wire.command(f"intent.{command}", arguments)
            return answered.get("result") or {"status": "error", "code": answered["error"]["code"]}

        yield case.verdicts(do)


def _mcp(case: Case) -> str:
    with McpWire.begin(case.folders[0]) as wire:
        case.prepare()
        answered = wire.call("check_edit", session_id="s1", tool_name=case.tool, path=case.argument)
        result = answered["result"]
        return _code(json.loads(result["content"][0]["text"])) if result.get("isError") else "allowed"


def _hook(case: Case) -> str:
    case.prepare()
    names = {"write_to_file": "Write", "edit_file": "Edit"}
    path = os.path.join(case.folders[0], case.argument)
    inputs = {**case.params, "file_path": path}
    inputs.pop("path")
    event = {"hook_event_name": "PreToolUse", "session_id": "s1", "cwd": str(case.folders[0])}
    event |= {"tool_name": names[case.tool], "tool_input": inputs, "tool_use_id": "t"}
    answered = hook_here("claude-code", json.dumps(event).encode())
    if answered.code or not answered.out:
        return "allowed" if not answered.code else "failed"
    reason: str = answered.json["hookSpecificOutput"]["permissionDecisionReason"]
    return reason.partition("(code: ")[2].partition(";")[0]


@pytest.mark.parametrize("layout", ["one root", "a nested root", "a folder in a root", "a broken root", "both"])
@pytest.mark.parametrize("path", ["src/a.py", "{}/top/docs/a.md", "{}/other/src/a.py", "{}/top/nested/src/a.py"])
def test_real_servers_and_hooks_say_the_same(top: Path, layout: str, path: str) -> None:
    """The editor's server and MCP's, as processes of their own, and an agent's hook.

    A root governs its files wherever an agent stands, so its hook has the path's own root among its folders.
    """
    case = Case(top, layout, path, "write_to_file", frozenset({"top", "top/nested"}))
    (by_lsp,) = _lsp(case)
    verdicts = {**by_lsp, "engine": case.verdicts(_in_process(case))["edit"], "mcp": _mcp(case)}
    assert len(set(verdicts.values())) == 1, verdicts
    named = find_root(real_path(case.folders[0] / case.argument))
    assert named is not None
    assert _hook(case) == case.verdicts(_in_process(case, named))["checkEdit"]
