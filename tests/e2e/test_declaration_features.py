"""The declaration files in an editor: a real server, asked by the bare client as an editor would ask it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.session import Json, Session, session
from tests.support.workspaces import WEATHER_FILES, make_git_repo, make_workspace

INTENTS = ".orchestration/active_intents.yaml"
POLICY = ".orchestration/policy.yaml"
MAP = ".orchestration/intent_map.md"
SMILE = "\N{GRINNING FACE}"
TEXT = f"""\
active_intents:
  - {{name: "{SMILE}", id: INT-001, status: IN_PROGRESS, owned_scope: ["src/**", "none/{SMILE}"]}}
  - id: INT-002
    name: Write the guide
    owned_scope:
      - "src/{SMILE}/**"
"""
FILES = {**WEATHER_FILES, f"src/{SMILE}/a.py": "x\n"}
MANY = "".join(
    f'  - {{id: X-{n}, status: TODO, owned_scope: ["src/{n}/**", "a{n}/*.py"], description: "{n}"}}\n'
    for n in range(5_000)
)
UNITS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
CAPABILITIES = {
    "textDocument": {
        "hover": {"contentFormat": ["markdown"]},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "publishDiagnostics": {"relatedInformation": True},
    },
}


class Desk:
    """One editor and its position encoding; places are written as `§` or as a word of the text."""

    def __init__(self, session: Session, encoding: str) -> None:
        self.session = session
        self.encoding = encoding

    def width(self, text: str) -> int:
        return len(text.encode(UNITS[self.encoding])) // {"utf-8": 1, "utf-16": 2, "utf-32": 4}[self.encoding]

    def position(self, text: str, offset: int) -> Json:
        before = text[:offset]
        return {"line": before.count("\n"), "character": self.width(before.rpartition("\n")[2])}

    def ask(self, method: str, path: str, **params: Any) -> Any:
        document = {"textDocument": {"uri": self.session.uri(path)}}
        response = self.session.wire.request(f"textDocument/{method}", {**document, **params})
        assert "result" in response, response
        return response["result"]

    def ask_at(self, method: str, path: str, text: str, word: str, **params: Any) -> Any:
        return self.ask(method, path, position=self.position(text, text.index(word)), **params)

    def shows(self, text: str, range_: Json) -> str:
        """What stands in a range of one line."""
        line = text.split("\n")[range_["start"]["line"]].encode(UNITS[self.encoding])
        size = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[self.encoding]
        cut: bytes = line[range_["start"]["character"] * size : range_["end"]["character"] * size]
        return cut.decode(UNITS[self.encoding])

    def complete(self, path: str, marked: str) -> dict[str, Json]:
        text = marked.replace("§", "")
        self.session.type(path, text)
        found = self.ask("completion", path, position=self.position(text, marked.index("§")))
        return {item["label"]: item for item in found["items"]}


@pytest.mark.parametrize("encoding", list(UNITS))
def test_an_editor_finds_its_way_in_the_declaration_files(tmp_path: Path, encoding: str) -> None:
    """Completion, hover, lenses, symbols, folds, links, definition, references and hints, at exact positions."""
    root = make_git_repo(make_workspace(tmp_path / "w", TEXT, FILES))
    capabilities = {**CAPABILITIES, "general": {"positionEncodings": [encoding]}}
    with session(root, capabilities) as editor:
        desk = Desk(editor, encoding)
        editor.open(INTENTS)
        hints = editor.wire.expect_notification("textDocument/publishDiagnostics")["diagnostics"]
        assert [(hint["code"], hint["severity"]) for hint in hints] == [("no-match", 4), ("overlap", 4), ("overlap", 4)]
        assert desk.shows(TEXT, hints[0]["range"]) == f'"none/{SMILE}"'
        assert f"src/{SMILE}/a.py is in the scope of both INT-002 and INT-001" in hints[2]["message"]
        assert hints[1]["relatedInformation"][0]["location"]["range"] == hints[2]["range"]

        assert editor.do("selectActiveIntent", intent_id="INT-001")["status"] == "ok"
        assert editor.do("writeToFile", path="src/api/new.py", content="x\n")["status"] == "ok"
        lenses = desk.ask("codeLens", INTENTS)
        titles = [(lens["command"]["title"], lens["command"]["command"]) for lens in lenses]
        assert titles[:5] == [
            ("Selected", ""),
            ("1 change", ""),
            ("4 files", ""),
            ("Select", "intent.selectActiveIntent"),
            ("0 changes", ""),
        ]
        assert desk.shows(TEXT, lenses[0]["range"]) == "INT-001"
        command = lenses[3]["command"]
        assert editor.wire.command(command["command"], command["arguments"][0])["result"]["intent_id"] == "INT-002"

        hover = desk.ask_at("hover", INTENTS, TEXT, f"src/{SMILE}")
        assert hover["contents"]["kind"] == "markdown"
        assert f"- `src/{SMILE}/a.py`" in hover["contents"]["value"]
        assert desk.shows(TEXT, hover["range"]) == f"src/{SMILE}/**"
        hover = desk.ask_at("hover", INTENTS, TEXT, "INT-001")["contents"]["value"]
        assert hover.startswith(f"**INT-001: {SMILE}**")
        assert "FILE_CREATION src/api/new.py" in hover

        symbols = desk.ask("documentSymbol", INTENTS)
        assert [desk.shows(TEXT, symbol["selectionRange"]) for symbol in symbols] == ["INT-001", "INT-002"]
        assert [child["name"] for child in symbols[0]["children"]] == ["status", "owned_scope"]
        (found,) = editor.wire.request("workspace/symbol", {"query": "guide"})["result"]
        assert (found["name"], found["containerName"]) == ("INT-002 Write the guide [PENDING]", "w")
        folds = desk.ask("foldingRange", INTENTS)
        assert [(fold["startLine"], fold["endLine"]) for fold in folds] == [(0, 5), (2, 5), (4, 5)]

        editor.open(MAP)
        map_text = (root / MAP).read_text()
        target = desk.ask_at("definition", MAP, map_text, "INT-001")
        assert target["uri"] == editor.uri(INTENTS)
        assert desk.shows(TEXT, target["range"]) == "INT-001"
        (link,) = desk.ask("documentLink", MAP)
        assert (link["target"], desk.shows(map_text, link["range"])) == (editor.uri("src/api/new.py"), "src/api/new.py")
        places = desk.ask_at("references", INTENTS, TEXT, "INT-001", context={"includeDeclaration": True})
        assert [place["uri"].rpartition("/")[2] for place in places] == [
            "active_intents.yaml",
            "intent_map.md",
            "agent_trace.jsonl",
        ]

        items = desk.complete(INTENTS, TEXT.replace(f"none/{SMILE}", "src/§"))
        assert items[f"{SMILE}/"]["textEdit"]["newText"] == f"src/{SMILE}/"
        typed = TEXT.replace(f"none/{SMILE}", "src/")
        assert desk.shows(typed, items[f"{SMILE}/"]["textEdit"]["range"]) == "src/"
        assert "status" in desk.complete(INTENTS, f"{TEXT}    §\n    oops: [\n")
        editor.open(POLICY, "")
        assert "mode" in desk.complete(POLICY, "§")
        assert desk.ask("completion", "docs/design.md", position={"line": 0, "character": 0}) is None


def type_much(editor: Session, path: str, keys: int, pause: float = 0.0) -> None:
    """Type comments at the end of the document, one change for each key, with a pause (seconds) behind it."""
    end = {"line": 10_000_000, "character": 0}
    for number in range(keys):
        editor._versions[path] += 1
        identifier = {"uri": editor.uri(path), "version": editor._versions[path]}
        change = {"range": {"start": end, "end": end}, "text": {0: "#", 19: "\n"}.get(number % 20, "x")}
        editor.wire.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": [change]})
        time.sleep(pause)


def test_a_thousand_keystrokes_give_a_handful_of_looks(tmp_path: Path) -> None:
    """A pushing server looks once somebody stops typing. Guarded edits are done meanwhile, even during a long look."""
    with session(make_workspace(tmp_path / "w", TEXT, FILES), CAPABILITIES) as editor:
        editor.open(INTENTS)
        editor.wire.expect_notification("textDocument/publishDiagnostics")
        editor.do("selectActiveIntent", intent_id="INT-001")
        type_much(editor, INTENTS, 500, pause=0.001)
        done = editor.wire.ask(
            "workspace/executeCommand",
            {"command": "intent.writeToFile", "arguments": [{"path": "src/new.py", "content": "x\n"}]},
        )
        type_much(editor, INTENTS, 500, pause=0.001)
        assert editor.wire.answer(done)["result"]["status"] == "ok"
        last = editor._versions[INTENTS]
        editor.wire.expect_notification("textDocument/publishDiagnostics", lambda told: told.get("version") == last)
        looks = [
            told
            for told in editor.wire.notifications("textDocument/publishDiagnostics")
            if told["uri"] == editor.uri(INTENTS)
        ]
        assert len(looks) <= 20

        editor.type(INTENTS, TEXT + MANY)
        version = editor._versions[INTENTS]
        time.sleep(0.3)  # the look at it has begun, and takes long
        assert editor.do("writeToFile", path="src/new.py", content="y\n")["status"] == "ok"
        shown = editor.wire.notifications("textDocument/publishDiagnostics")
        assert not any(told.get("version") == version for told in shown)


def test_a_plain_client_that_pulls_is_left_alone_while_it_types(tmp_path: Path) -> None:
    """A keystroke has nothing computed or sent: it asks when it wants to know. What it gets is text and flat lists."""
    pulling = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
    with session(make_workspace(tmp_path / "w", TEXT, FILES), pulling) as editor:
        editor.wire.handlers["workspace/diagnostic/refresh"] = lambda _: None
        editor.open(INTENTS)
        asked = len(editor.wire.asked)
        type_much(editor, INTENTS, 1000)
        desk = Desk(editor, "utf-16")
        assert [item["code"] for item in desk.ask("diagnostic", INTENTS)["items"]].count("overlap") == 2
        assert editor.wire.notifications("textDocument/publishDiagnostics") == []
        assert len(editor.wire.asked) == asked
        hover = desk.ask_at("hover", INTENTS, TEXT, "status")
        assert hover["contents"]["kind"] == "plaintext"
        assert hover["contents"]["value"].startswith("status\nWhere the work stands.")
        names = [symbol["name"] for symbol in desk.ask("documentSymbol", INTENTS)]
        assert names[:3] == [f"INT-001 {SMILE} [IN_PROGRESS]", "status", "owned_scope"]
