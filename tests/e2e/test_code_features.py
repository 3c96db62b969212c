"""What an editor shows and offers in code: quick fixes, hover, lenses, hints, the changed files, progress."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from intentls.store.layout import Layout
from tests.store.large_ledger import write
from tests.support.patience import PATIENCE_S, eventually
from tests.support.session import Json, Session, session
from tests.support.workspaces import commit_all, make_git_repo, make_workspace, write_files

INTENTS = ".orchestration/active_intents.yaml"
CAPABILITIES = Path(__file__).parents[1] / "data" / "capabilities"
TYPED = "x = 1  # 😀\nb = '😀'\n"


def capabilities(name: str) -> Json:
    found: Json = json.loads((CAPABILITIES / f"{name}.json").read_text())["capabilities"]
    return found


@contextmanager
def editor(root: Path, able: Mapping[str, Any], *more: Path, **options: bool) -> Iterator[Session]:
    """A session whose client says yes to whatever the server wants of it. `more`: its other workspace folders."""
    with session(root, able, options, [root, *more]) as server:
        for question in ("client/registerCapability", "window/workDoneProgress/create"):
            server.wire.handlers[question] = lambda _: None
        for view in ("codeLens", "inlayHint", "diagnostic"):
            server.wire.handlers[f"workspace/{view}/refresh"] = lambda _: None
        yield server


def ask(server: Session, method: str, path: str, **params: Any) -> Any:
    response = server.wire.request(f"textDocument/{method}", {"textDocument": {"uri": server.uri(path)}, **params})
    assert "result" in response, response
    return response["result"]


def actions(server: Session, path: str, line: int = 0, **context: Any) -> list[Json]:
    """The code actions on a line; the client names what it shows there as the context."""
    place = {"line": line, "character": 0}
    params = {"range": {"start": place, "end": place}, "context": {"diagnostics": [], **context}}
    found: list[Json] = ask(server, "codeAction", path, **params)
    return found


def marks(server: Session, path: str) -> list[Json]:
    found: list[Json] = ask(server, "diagnostic", path)["items"]
    return found


def do(server: Session, command: Json) -> Json:
    """What a click on a command does."""
    params = {"command": command["command"], "arguments": command["arguments"]}
    result: Json = server.wire.request("workspace/executeCommand", params)["result"]
    return result


def applied(text: str, edit: Json) -> str:
    """`text` after one edit in utf-16 units."""
    lines = text.split("\n")

    def offset(place: Json) -> int:
        before = lines[place["line"]].encode("utf-16-le")[: place["character"] * 2].decode("utf-16-le")
        return sum(len(line) + 1 for line in lines[: place["line"]]) + len(before)

    return text[: offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]) :]


def test_a_click_puts_a_file_into_scope_and_its_mark_goes(tmp_path: Path) -> None:
    """Quick fixes: at once and on record with the intents file closed; by an edit of the open document else."""
    odd = "odd [1]/a{b} 😀.md"
    root = make_workspace(tmp_path / "w", ignore="secret/\n", files={odd: "x\n", "docs/design.md": "# D\n"})
    with editor(root, capabilities("vscode")) as server:
        server.open(odd)
        server.open("docs/design.md")
        assert [action["title"][:17] for action in actions(server, odd)] == ["Select an intent:"] * 2
        assert actions(server, odd, line=1, triggerKind=2) == []
        server.do("selectActiveIntent", intent_id="INT-001")
        (mark,) = marks(server, odd)
        to_file, to_folder, _ = actions(server, odd, diagnostics=[mark])
        assert to_file["diagnostics"][0]["code"] == "SCOPE_VIOLATION"
        assert (to_file["kind"], to_file["isPreferred"], to_folder.get("isPreferred")) == ("quickfix", True, None)
        assert actions(server, odd, only=["refactor"]) == actions(server, odd, only=["quickfix.odd"]) == []
        assert len(actions(server, odd, only=["quickfix"])) == len(actions(server, odd, only=[""])) == 3
        assert actions(server, "secret/key") == actions(server, ".orchestration/policy.yaml") == []

        assert do(server, to_folder["command"])["status"] == "ok"
        assert marks(server, odd) == actions(server, odd) == []
        assert server.ledger[-1]["reason"] == f"quick fix in the editor: {odd} was out of scope"
        assert server.do("writeToFile", path="odd [1]/new.md", content="x")["status"] == "ok"

        server.open(INTENTS)
        unsaved = "# unsaved 😀\n" + (root / INTENTS).read_text()
        server.type(INTENTS, unsaved)
        (mark,) = marks(server, "docs/design.md")
        switch, to_file, _ = actions(server, "docs/design.md", diagnostics=[mark])
        (change,) = to_file["edit"]["documentChanges"]
        assert change["textDocument"] == {"uri": server.uri(INTENTS), "version": 2}
        wanted = applied(unsaved, change["edits"][0])
        assert wanted.replace(', "docs/design.md"', "") == unsaved
        server.type(INTENTS, wanted)
        assert [action["title"] for action in actions(server, "docs/design.md")] == [switch["title"]]
        assert len(marks(server, "docs/design.md")) == 1  # the gate reads the disk
        server.save(INTENTS, wanted)
        assert marks(server, "docs/design.md") == []
        assert do(server, switch["command"])["intent_id"] == "INT-002"
        assert marks(server, "docs/design.md") == []


def test_a_client_without_literal_actions_gets_commands(workspace: Path) -> None:
    """An old client is offered the same, each as a command that the server runs."""
    with editor(workspace, {}) as server:
        server.do("selectActiveIntent", intent_id="INT-001")
        found = actions(server, "docs/design.md")
        assert [entry["command"] for entry in found] == [
            "intent.selectActiveIntent",
            "intent.expandScope",
            "intent.expandScope",
        ]
        assert do(server, found[1])["edit"]["new_text"] == ', "docs/design.md"'


def test_hover_lens_and_hint_name_who_wrote_the_lines(workspace: Path) -> None:
    """The intent, the author and the model, beside the line; fresh after every change."""
    refresh = {"refreshSupport": True}
    able = {
        "workspace": {"codeLens": refresh, "inlayHint": refresh},
        "textDocument": {"hover": {"contentFormat": ["markdown"]}},
    }
    path, everywhere = "src/api/weather.py", {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    lenses, hints = threading.Event(), threading.Event()
    with editor(workspace, able, inlayHints=True) as server:
        server.wire.handlers["workspace/codeLens/refresh"] = lambda _: lenses.set()
        server.wire.handlers["workspace/inlayHint/refresh"] = lambda _: hints.set()
        server.do("selectActiveIntent", intent_id="INT-001", model_identifier="claude-x")
        assert lenses.wait(PATIENCE_S)
        assert hints.wait(PATIENCE_S)
        server.do("writeToFile", path=path, content=TYPED)
        server.open(path)

        def hover(line: int) -> str:
            found = ask(server, "hover", path, position={"line": line, "character": 3})
            return "" if found is None else str(found["contents"]["value"])

        assert hover(1).startswith("**INT-001 Build Weather API**\n\nclaude-x, just now")
        assert hover(2) == ""
        server.open("docs/design.md")
        assert ask(server, "hover", "docs/design.md", position={"line": 0, "character": 0}) is None
        (lens,) = ask(server, "codeLens", path)
        assert lens["command"]["command"] == ""
        assert lens["command"]["title"].startswith("INT-001 Build Weather API · claude-x · ")
        units = len("x = 1  # ") + 2  # utf-16
        assert lens["range"] == {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": units}}
        (hint,) = ask(server, "inlayHint", path, range=everywhere)
        assert (hint["label"], hint["position"]) == ("INT-001 · claude-x", {"line": 0, "character": units})

        server.type(path, "# mine\n" + TYPED)
        assert "not saved yet" in hover(0)
        assert "INT-001" in hover(1)
        server.save(path, "# mine\n" + TYPED)
        assert "a person" in hover(0)
        server.do("selectActiveIntent", intent_id="INT-002")
        assert "outside the scope" not in hover(1)  # the diagnostic says so
        params = {"textDocument": {"uri": server.uri(path)}, "line": 1}
        author = server.wire.request("intentls/lineAuthor", params)["result"]
        assert author == {"text": "claude-x, just now · INT-001 Build Weather API", "recorded": True}
        assert server.wire.request("intentls/lineAuthor", {**params, "line": 99})["result"] is None
        server.wire.notify("workspace/didChangeConfiguration", {"settings": {"intentls": {"codeLens": False}}})
        assert ask(server, "codeLens", path) == ask(server, "inlayHint", path, range=everywhere) == []
        assert ask(server, "hover", INTENTS, position={"line": 99, "character": 0}) is None


def test_the_name_of_a_definition_shows_its_history(workspace: Path) -> None:
    """In the hover, and step by step for a client that lists them."""
    path = "src/api/rain.py"
    with editor(workspace, {}) as server:
        server.do("selectActiveIntent", intent_id="INT-001", model_identifier="claude-x")
        server.do("writeToFile", path=path, content="def rain(city):\n    value = measure(city)\n    return value\n")
        server.do("editFile", path=path, old_string="def rain(", new_string="def rain_in(")
        server.open(path)
        texts = [
            ask(server, "hover", path, position={"line": line, "character": 4})["contents"]["value"] for line in (0, 1)
        ]
        assert "function rain_in\n  renamed from rain by claude-x, just now · INT-001" in texts[0]
        assert "created by claude-x" in texts[0] and "function" not in texts[1]

        def history(line: int, of: str = path) -> Any:
            params = {"textDocument": {"uri": server.uri(of)}, "line": line}
            return server.wire.request("intentls/definitionHistory", params)["result"]

        answer = history(1)
        assert (answer["kind"], answer["name"], answer["beginning"]) == ("function", "rain_in", "created")
        assert [(step["text"].split(" by ")[0], step["path"]) for step in answer["steps"]] == [
            ("renamed from rain", path),
            ("created", path),
        ]
        contents = {"id": answer["steps"][1]["id"], "path": path}
        assert server.wire.request("intentls/recordedContents", contents)["result"]["before"] is None
        assert history(99) is None
        server.open("docs/design.md")
        assert "No definitions can be read" in history(0, "docs/design.md")["reason"]
        assert server.wire.request("intentls/definitionHistory", {})["result"] is None


def test_all_changed_files_are_marked_open_or_closed(git_workspace: Path, tmp_path: Path) -> None:
    """`workspace/diagnostic`: unchanged reports, partial results, what is gone; notebooks and others harm nothing."""
    root = git_workspace
    commit_policy(root, "closed_files: all\n")
    write_files(root, {"docs/design.md": "# Changed 😀\n", "src/api/weather.py": "x\n", "new [1].ipynb": "{}"})
    (root / "prototype/main.py").unlink()
    other = make_git_repo(make_workspace(tmp_path / "other", policy="closed_files: all\n"))  # nothing is selected
    write_files(other, {"docs/other.md": "x\n"})
    with editor(root, capabilities("vscode"), other) as server:
        _open_what_is_no_file(server)

        def pull(known: list[Json], **params: Any) -> list[Json]:
            previous = [{"uri": item["uri"], "value": item["resultId"]} for item in known]
            found = server.wire.request("workspace/diagnostic", {"previousResultIds": previous, **params})
            return list(found["result"]["items"])

        assert [item["items"] for item in pull([])] == [[]] * 4
        server.do("selectActiveIntent", intent_id="INT-001")
        first = pull([])
        assert {Path(item["uri"]).name: [mark["code"] for mark in item["items"]] for item in first} == {
            "design.md": ["SCOPE_VIOLATION"],
            "new%20%5B1%5D.ipynb": ["SCOPE_VIOLATION"],
            "other.md": [],
            "weather.py": [],
        }
        design = next(item for item in first if item["uri"].endswith("design.md"))
        assert design["items"][0]["range"]["end"] == {"line": 0, "character": len("# Changed ") + 2}
        assert {item["kind"] for item in pull(first)} == {"unchanged"}

        assert pull([], partialResultToken="part", workDoneToken="work") == []
        told = [server.wire.expect_notification("$/progress") for _ in range(3)]
        assert [note["token"] for note in told] == ["work", "part", "work"]
        assert len(told[1]["value"]["items"]) == 4

        write_files(root, {"docs/design.md": "# Design\n"})
        server.open("src/api/weather.py")
        later = {item["uri"]: item for item in pull(first)}
        assert (later[design["uri"]]["items"], later[design["uri"]].get("resultId")) == ([], None)
        assert later[server.uri("src/api/weather.py")]["version"] == 1

        write_files(root, {f"many/{number}.md": "x" for number in range(500)})
        asked = server.wire.ask("workspace/diagnostic", {"previousResultIds": []})
        server.wire.notify("$/cancelRequest", {"id": asked})
        assert server.wire.answer(asked)["error"]["code"] == -32800
        assert len(pull([])) == 503


def commit_policy(root: Path, policy: str) -> None:
    """Give a repository this policy."""
    write_files(root, {".orchestration/policy.yaml": policy})
    commit_all(root, "policy")


def test_closed_files_are_one_summary_at_the_scope_or_nothing(git_workspace: Path) -> None:
    """It counts what is out of scope and not open, names the first, and follows the scope and policy."""
    root = git_workspace
    write_files(root, {f"many/{number}.md": "x" for number in range(1_200)} | {"src/api/weather.py": "x\n"})
    with editor(root, capabilities("vscode")) as server:
        server.do("selectActiveIntent", intent_id="INT-001")

        def marks() -> list[str]:
            found = server.wire.request("workspace/diagnostic", {"previousResultIds": []})
            return [
                mark["message"]
                for item in found["result"]["items"]
                for mark in item["items"]
                if mark["code"] == "CHANGED_OUT_OF_SCOPE"
            ]

        sentence = "1,200 changed files that are not open are outside the scope of INT-001: "
        assert marks() == [f"{sentence}many/0.md, many/1.md, many/10.md and 1,197 more."]
        server.open("many/0.md")
        server.open(INTENTS)
        report = server.wire.request("textDocument/diagnostic", {"textDocument": {"uri": server.uri(INTENTS)}})
        (mark,) = [mark for mark in report["result"]["items"] if mark["code"] == "CHANGED_OUT_OF_SCOPE"]
        assert mark["message"].startswith("1,199 changed files")
        assert mark["range"]["start"]["line"] == 4
        write_files(root, {".orchestration/policy.yaml": "closed_files: off\n"})
        assert marks() == []


def test_a_client_that_asks_again_and_again_gets_its_answer_when_something_happened(git_workspace: Path) -> None:
    """VS Code asks for the changed files two seconds after each answer; at rest there is none."""
    with editor(git_workspace, capabilities("vscode")) as server:
        server.do("selectActiveIntent", intent_id="INT-001")
        params = {"previousResultIds": [], "partialResultToken": "part"}
        server.wire.request("workspace/diagnostic", params)
        known = {**params, "previousResultIds": [{"uri": server.uri("a.md"), "value": "old"}]}
        waiting = server.wire.ask("workspace/diagnostic", known)
        assert server.do("listIntents")["status"] == "ok"
        server.do("selectActiveIntent", intent_id="INT-002")
        assert server.wire.answer(waiting)["result"] == {"items": []}


def _open_what_is_no_file(server: Session) -> None:
    """Notebook cells, unsaved buffers, git's view of a file: no root governs them, and nothing fails."""
    cell = {"uri": "vscode-notebook-cell:/w/new.ipynb#W0", "languageId": "python", "version": 1, "text": "x = 1\n"}
    notebook = {
        "uri": server.uri("new [1].ipynb"),
        "notebookType": "jupyter-notebook",
        "version": 1,
        "cells": [{"kind": 2, "document": cell["uri"]}],
    }
    server.wire.notify("notebookDocument/didOpen", {"notebookDocument": notebook, "cellTextDocuments": [cell]})
    server.wire.notify("notebookDocument/didSave", {"notebookDocument": {"uri": notebook["uri"]}})
    for uri in (cell["uri"], "untitled:Untitled-1", "git:/w/docs/design.md?%7B%22ref%22%3A%22%7E%22%7D"):
        identifier = {"uri": uri}
        if uri != cell["uri"]:
            server.wire.notify("textDocument/didOpen", {"textDocument": {**cell, "uri": uri}})
        place = {"line": 0, "character": 0}
        span = {"start": place, "end": place}
        document = {"textDocument": identifier}
        server.wire.notify("textDocument/didSave", document)
        for method, params, nothing in (
            ("hover", {"position": place}, None),
            ("codeLens", {}, []),
            ("codeAction", {"range": span, "context": {"diagnostics": []}}, []),
            ("inlayHint", {"range": span}, []),
        ):
            assert server.wire.request(f"textDocument/{method}", {**document, **params})["result"] == nothing
        assert server.wire.request("textDocument/diagnostic", document)["result"]["items"] == []
    closing = {"notebookDocument": {"uri": notebook["uri"]}, "cellTextDocuments": [{"uri": cell["uri"]}]}
    server.wire.notify("notebookDocument/didClose", closing)


def test_a_client_that_is_pushed_to_sees_closed_changed_files_too(git_workspace: Path) -> None:
    """With an active intent the marks of changed closed files are pushed, and taken back with it."""
    commit_policy(git_workspace, "closed_files: all\n")
    write_files(git_workspace, {"docs/design.md": "# Changed\n", "src/api/weather.py": "x\n"})
    with editor(git_workspace, {}) as server:

        def pushed(count: int) -> None:
            def fits(told: Json) -> bool:
                return told["uri"] == server.uri("docs/design.md") and len(told["diagnostics"]) == count

            server.wire.expect_notification("textDocument/publishDiagnostics", fits)

        server.do("selectActiveIntent", intent_id="INT-001")
        pushed(1)
        server.open("docs/design.md")
        pushed(1)
        server.close("docs/design.md")
        pushed(0)
        pushed(1)
        server.do("clearActiveIntent")
        pushed(0)
        told = server.wire.notifications("textDocument/publishDiagnostics")
        assert [note for note in told if note["uri"] == server.uri("src/api/weather.py")] == []


def test_a_long_question_shows_its_progress_and_can_be_given_up(workspace: Path) -> None:
    """A big ledger: a bar with the client's token; cancelled in either way the request ends, and the server goes on."""
    records = write(Layout(workspace))
    with editor(workspace, capabilities("vscode")) as server:

        def run(command: str, token: str, **arguments: Any) -> int:
            params = {"command": f"intent.{command}", "arguments": [arguments], "workDoneToken": token}
            asked = server.wire.ask("workspace/executeCommand", params)
            server.wire.expect_notification("$/progress", lambda told: told["token"] == token)
            return asked

        def is_given_up(asked: int, method: str, **params: Any) -> bool:
            server.wire.notify(method, params)
            answer = server.wire.answer(asked)
            return "error" in answer and answer["error"]["code"] == -32800

        def is_taken_back() -> bool:
            asked = run("queryTrace", "search", session_id="no such [session]")
            return is_given_up(asked, "$/cancelRequest", id=asked)

        # Now and then the answer is quicker than who gives up.
        eventually(lambda: is_given_up(run("verifyTrace", "bar"), "window/workDoneProgress/cancel", token="bar"))
        eventually(is_taken_back)
        asked = run("blame", "blame", path="src/api/weather.py")
        assert server.wire.answer(asked)["result"]["ranges"][0]["intent_id"] is None
        for token in ("bar", "search", "blame"):
            server.wire.expect_notification(
                "$/progress", lambda told, t=token: told == {"token": t, "value": {"kind": "end"}}
            )
        assert server.do("verifyTrace")["records"] == records
