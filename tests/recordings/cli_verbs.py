"""Every verb of the command line, for people and with `--json`, with its exit codes. (Texts of `--help` are free.)"""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet

from tests.recordings.lsp_commands import PATCH, WEATHER
from tests.recordings.mcp_tools import shake_hands
from tests.recordings.speaking import Talk
from tests.recordings.stage import INTENTS, Json, Stage

ASKED_IN_JSON = ("INT-003", "INT-999", "s1", "INT-002")  # verbs that end so are asked for JSON, others not
LEDGER = ".orchestration/agent_trace.jsonl"


def both(stage: Stage, root: Path, *arguments: str) -> None:
    """For people, and for programs."""
    stage.run(root, *arguments)
    stage.run(root, *arguments, "--json")


def work(stage: Stage, root: Path) -> None:
    """Some records of two sessions: edits, a refusal, a lesson."""
    for session, intent in (("agent-1", "INT-001"), ("agent-2", "INT-002")):
        talk = Talk(stage, root, "mcp", "--session", session)
        shake_hands(talk)
        talk.call("select_active_intent", intent_id=intent, model_identifier="acme/model-7")
        if intent == "INT-001":
            talk.call("write_to_file", path="src/api/x.py", content="def x():\n    return 1\n")
            talk.call("edit_file", path="src/api/weather.py", old_string="'rain'", new_string="'snow'")
            talk.call("write_to_file", path="docs/design.md", content="a")
            talk.call("apply_patch", patch=PATCH)
            talk.call("record_lesson", path="src/api/weather.py", problems="The unit of wind speed is m/s.")
        else:
            talk.call("write_to_file", path="docs/guide.md", content="# Guide\n\nText.\n")
            talk.call("edit_file", path="src/api/weather.py", old_string="'fog'", new_string="'mist'")
        talk.end()


def reading(stage: Stage) -> None:
    """What shows the intents, the sessions, the ledger and who wrote what."""
    root = stage.workspace()
    stage.run(root, "--version")
    stage.say("Before there are records")
    for words in ("status", "list --json", "list --open", "trace log", "trace log --json", "trace verify", "map",
                  "lessons", "doctor", "blame src/api/weather.py"):  # fmt: skip
        stage.run(root, *words.split())
    work(stage, root)
    (root / "src/api/weather.py").write_text((root / "src/api/weather.py").read_text() + "# by hand\n")
    stage.say("With records")
    for verb in (
        ("status",),
        ("trace", "log"),
        ("trace", "verify"),
        ("map",),
        ("lessons",),
        ("lessons", "--record", "docs/guide.md", "Say the unit.\nSay the place."),
        ("doctor",),
        ("blame", "src/api/weather.py"),
        ("blame", "src/api/weather.py:2"),
    ):
        both(stage, root, *verb)
    for verb in (
        ("list",),
        ("trace", "log", "--intent", "INT-002", "--json"),
        ("trace", "log", "--path", "src/api/weather.py", "--limit", "2"),
        ("trace", "log", "--session", "nobody"),
        ("trace", "log", "--since", "7d"),
        ("map", "--rebuild"),
        ("lessons", "src/api/weather.py", "docs/design.md", "--json"),
        ("blame", "docs/guide.md"),
        ("blame", "docs/design.md", "--json"),
    ):
        stage.run(root, *verb)
    stage.run(root / "src/api", "blame", "x.py")
    stage.run(stage.play, "list", "--root", "work")
    stage.say("Exports")
    for form in ("agent-trace", "csv", "otel-json"):
        stage.run(root, "trace", "export", "--format", form)
    stage.run(root, "trace", "export", "--format", "csv", "--path", "docs/guide.md", "--since", "2026-02-18",
              "--output", "../out.csv")  # fmt: skip
    stage.show(root, "../out.csv")
    both(stage, root, "trace", "export", "--format", "agent-trace", "--output", "../out.jsonl", "--intent", "INT-002")
    stage.run(root, "trace", "export", "--format", "parquet", "--output", "../out.parquet")
    for row in pyarrow.parquet.read_table(stage.play / "out.parquet").to_pylist():
        stage.put("|", json.dumps(row, default=str, ensure_ascii=False) + "\n")
    stage.say("Wrong usage")
    for wrong in (("fly",), ("list", "--colour"), ("blame",), ("blame", "none.py"), ("blame", "src/api/weather.py:99"),
                  ("trace", "fly"), ("trace", "log", "--limit", "0"), ("trace", "log", "--since", "yesterday"),
                  ("trace", "export"), ("list", "--root", "none"), ("lessons", "--record", "../out", "x"),
                  ("blame", "../out.csv"), ("hook",), ("serve", "--tcp", "nowhere"), ("classify",)):  # fmt: skip
        stage.run(root, *wrong)
    stage.run(stage.play, "status")
    stage.run(stage.play, "doctor")
    stage.run(stage.play, "list")
    stage.say("A configuration that can't be used")
    (root / ".orchestration/active_intents.yaml").write_text(INTENTS.replace("INT-002", "INT-001"))
    (root / ".orchestration/policy.yaml").write_text("mode: never\nlinters: 5\n")
    for name in ("status", "list", "doctor", "map", "lessons"):
        stage.run(root, name)
    stage.run(root, "status", "--json")
    both(stage, root, "check", "src/api/weather.py")
    stage.run(root, "select", "INT-001", "--session", "s1", "--json")
    stage.show_records(root)


def working(stage: Stage) -> None:
    """What changes something: init, select, check, accept."""
    empty = stage.play / "empty"
    empty.mkdir()
    stage.git(empty, "init", "--quiet", "--initial-branch=main")
    stage.say("init")
    stage.run(empty, "init")
    both(stage, empty, "init")
    stage.show(empty, ".orchestration/active_intents.yaml", ".orchestration/.gitignore", ".gitattributes")
    settings = {
        **{"claude-code": ".claude/settings.json", "cursor": ".cursor/hooks.json", "codex": ".codex/hooks.json"},
        **{"gemini": ".gemini/settings.json", "cline": ".clinerules/hooks/PreToolUse"},
    }
    for agent, file in settings.items():
        stage.run(empty, "init", "--agent", agent)
        stage.show(empty, file)
        stage.run(empty, "init", "--agent", agent, "--remove")
        stage.show(empty, file)
    stage.run(empty, "init", "--git-hooks")
    stage.show(empty, ".git/hooks/pre-commit", ".git/hooks/post-commit")
    both(stage, empty, "init", "--git-hooks", "--remove")
    stage.run(empty, "init", "--agent", "nobody")
    both(stage, stage.play, "init", "--root", "other")
    stage.say("select and check")
    root = stage.workspace()
    both(stage, root, "select", "INT-001", "--session", "s1", "--model", "acme/model-7", "--mutation-class", "BUG_FIX")
    for verb in (
        ("status",),
        ("select", "INT-003", "--session", "s1"),
        ("select", "INT-004", "--session", "s1"),
        ("select", "INT-999", "--session", "s1"),
        ("select", "INT-001"),
        ("select", "--session", "s1"),
        ("select", "INT-001", "--session", "s1", "--mutation-class", "WONDER"),
        ("check", "src/api/weather.py", "--session", "s1"),
        ("check", "src/api/weather.py", "docs/design.md", "lib/a.py", "src/api/a.secret", "--session", "s1"),
        ("check", "docs/design.md", "--intent", "INT-002"),
        ("check", "docs/design.md", "--intent", "INT-003"),
        ("check", "docs/design.md"),
        ("check", "../out", ".git/config", ".orchestration/policy.yaml", "--intent", "INT-001"),
        ("check", "docs/design.md", "--session", "s1", "--tool", "read_file"),
        ("check", "--session", "s1"),
        ("select", "--clear", "--session", "s1"),
        ("select", "--clear", "--session", "s1"),
    ):
        stage.run(root, *verb, *(["--json"] if verb[-1] in ASKED_IN_JSON else []))
    for form in ("sarif", "github", "json", "text"):
        stage.run(root, "check", "docs/design.md", "--intent", "INT-001", "--format", form)
    stage.run(root, "select", "INT-002", env={"INTENTLS_SESSION": "named"})
    stage.say("accept")
    commands = '{run: "test -f src/api/weather.py"}, {run: "test -f gone || (echo no; exit 3)"}'
    changed = INTENTS.replace('["Unit tests in tests/api pass"]', f'["Unit tests in tests/api pass", {commands}]')
    (root / ".orchestration/active_intents.yaml").write_text(changed)
    both(stage, root, "accept", "INT-001")
    both(stage, root, "accept", "INT-001", "--trust")
    (root / "gone").write_text("")
    both(stage, root, "accept", "INT-001", "--trust", "--strict")
    stage.run(root, "accept", "INT-001", "--trust", "--session", "s1")
    stage.run(root, "accept", "INT-001", "--trust")
    stage.run(root, "accept", "INT-002", "--json")
    stage.run(root, "accept", "INT-999")
    stage.show_records(root)


def branch(stage: Stage) -> None:
    """What judges a branch: check with a base, the index, the working tree; classify; bind; import."""
    root = stage.workspace()
    start = stage.git(root, "rev-parse", "HEAD")
    stage.git(root, "switch", "--quiet", "--create", "work")
    work(stage, root)
    stage.say("Staged, and the working tree")
    both(stage, root, "check", "--staged")
    both(stage, root, "check", "--worktree")
    stage.git(root, "add", "--all")
    both(stage, root, "check", "--staged")
    stage.commit(root, "Recorded work")
    both(stage, root, "trace", "bind")
    both(stage, root, "check", "--base", "main")
    stage.say("What was recorded by nobody")
    stage.write(root, {"src/api/hand.py": "HAND = 1\n", "docs/guide.md": "# Guide\n\nOther.\n", "lib/a.py": "A = 1\n"})
    stage.commit(root, "By hand")
    for form in ("text", "json", "sarif", "github"):
        stage.run(root, "check", "--base", "main", "--format", form)
    stage.run(root, "check", "--base", "main", "--warn", "UNCOVERED_CHANGE", "--warn", "CONTENT_MISMATCH")
    both(stage, root, "check", "--base", "main", "--head", "HEAD~1")
    stage.say("The rules are loosened, and the ledger is written anew")
    loose = INTENTS.replace('"docs/**"', '"**"').replace("status: COMPLETED", "status: TODO")
    lines = (root / LEDGER).read_bytes().splitlines(keepends=True)
    stage.write(root, {".orchestration/active_intents.yaml": loose, ".orchestration/policy.yaml": "mode: advise\n"})
    stage.write(root, {LEDGER: b"".join(lines[:2] + lines[3:])})
    stage.commit(root, "Loosened")
    both(stage, root, "check", "--base", "main")
    both(stage, root, "blame", "src/api/weather.py")
    both(stage, root, "blame", "src/api/hand.py")
    for wrong in (
        ("--base", "nothing"),
        ("--base", "main", "src/api/x.py"),
        ("--base", "main", "--staged"),
        ("--head", "x"),
    ):
        stage.run(root, "check", *wrong)
    stage.say("classify")
    both(stage, root, "classify", "HEAD")
    both(stage, root, "classify", "HEAD~1")
    both(stage, root, "classify", start)
    stage.run(root, "classify", "nothing")
    old, new = stage.play / "old.py", stage.play / "new.py"
    old.write_text(WEATHER)
    for text in (WEATHER, WEATHER.replace("today", "now"), WEATHER.replace("'rain'", "'snow'"), "# note\n" + WEATHER,
                 WEATHER.replace("return", "return  "), "broken(", ""):  # fmt: skip
        new.write_text(text)
        stage.run(stage.play, "classify", "old.py", "new.py", *(["--json"] if "rain" in text else []))
    stage.run(stage.play, "classify", "old.py", "new.py", "--path", "notes.md")
    stage.run(stage.play, "classify", "/dev/null", "old.py")
    stage.run(stage.play, "classify", "old.py", "/dev/null")
    stage.say("import")
    ranges = [{"start_line": 1, "end_line": 2}]
    conversation = {"contributor": {"type": "ai", "model_id": "acme/x"}, "ranges": ranges}
    record: Json = {
        "version": "0.1.0",
        "id": "11111111-2222-4333-8444-555555555555",
        "timestamp": "2026-02-18T10:00:00.000Z",
        "tool": {"name": "other", "version": "1"},
        "files": [{"path": "docs/guide.md", "conversations": [conversation]}],
    }
    stage.names.keep(record["id"])
    file = stage.play / "other.jsonl"
    file.write_text(json.dumps(record) + "\n{}\nnot json\n")
    both(stage, root, "trace", "import", "../other.jsonl")
    file.write_text(json.dumps(record) + "\n")
    both(stage, root, "trace", "import", "../other.jsonl")
    stage.run(root, "trace", "import", "../none.jsonl")
    both(stage, root, "trace", "log", "--limit", "2")
    stage.show_records(root)


def damage(stage: Stage) -> None:
    """Ledgers that somebody changed, and an archive."""
    root = stage.workspace()
    work(stage, root)
    ledger = root / LEDGER
    whole = ledger.read_bytes()
    lines = whole.splitlines(keepends=True)
    stage.show(root, LEDGER)
    damages = {
        "edited": b"".join([lines[0].replace(b"INT-001", b"INT-002"), *lines[1:]]),
        "removed": b"".join(lines[:1] + lines[2:]),
        "reordered": b"".join([lines[1], lines[0], *lines[2:]]),
        "duplicated": b"".join(lines[:2] + lines[1:]),
        "torn": whole + lines[0][:18],
        "cut": b"".join(lines[:-1]),
        "no json": b"".join(lines[:1]) + b"no json\n" + b"".join(lines[1:]),
        "not utf-8": b"".join(lines[:1]) + b"\xff\xfe\n" + b"".join(lines[1:]),
        "emptied": b"",
    }
    for name, content in damages.items():
        stage.say(name)
        ledger.write_bytes(content)
        stage.run(root, "trace", "verify", *(["--json"] if name in ("edited", "cut", "torn") else []))
    stage.run(root, "status")
    stage.run(root, "doctor")
    ledger.write_bytes(damages["torn"])
    stage.say("A record after a torn line")
    stage.run(root, "lessons", "--record", "docs/guide.md", "after")
    talk = Talk(stage, root, "mcp", "--session", "agent-1")
    shake_hands(talk)
    talk.call("verify_trace")
    talk.call("write_to_file", path="src/api/after.py", content="AFTER = 1\n")
    talk.call("query_trace", limit=1)
    talk.end()
    both(stage, root, "trace", "verify")
    stage.run(root, "trace", "archive", "--keep", "1")
    stage.show(root, LEDGER)


def archive(stage: Stage) -> None:
    """The ledger's older part is moved, and still read."""
    root = stage.workspace()
    work(stage, root)
    both(stage, root, "trace", "archive", "--keep", "2", "--dry-run")
    stage.run(root, "trace", "archive", "--keep", "4")
    stage.run(root, "trace", "archive", "--keep", "2", "--json")
    stage.run(root, "trace", "archive", "--before", "2026-01-01")
    stage.run(root, "trace", "archive")
    both(stage, root, "trace", "verify")
    stage.run(root, "trace", "log")
    stage.run(root, "trace", "log", "--path", "src/api/weather.py", "--json")
    stage.run(root, "blame", "src/api/weather.py")
    stage.run(root, "trace", "export", "--format", "csv")
    stage.run(root, "status", "--json")
    stage.show_records(root)
