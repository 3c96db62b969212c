"""`intentls trace log`, `trace verify`, `blame`, `map`, `lessons`: what was done, by whom, and what came of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from intentls.engine.edits.read import read_file
from tests.faces.cli.conftest import Cli
from tests.support.agent_edits import MODEL, Agent
from tests.support.workspaces import git, make_git_repo

LEDGER = ".orchestration/agent_trace.jsonl"


@pytest.fixture
def worked(here: Path) -> Path:
    """Two agents wrote and renamed files; one was refused."""
    first, second = Agent(here, "agent-1").select("INT-001"), Agent(here, "agent-2").select("INT-002")
    first.write("src/api/rain.py", "import os\n\ndef rain():\n\treturn 0.0  # 雨\n")
    second.write("docs/rain.md", "# Rain\n")
    first.write("docs/secret.md", "no\n")
    first.rename("src/api/weather.py", "src/api/forecast.py")
    return here


def logged(cli: Cli, *arguments: str) -> list[dict[str, Any]]:
    found = cli("trace", "log", "--json", *arguments)
    assert (found.code, found.json["status"]) == (0, "ok")
    entries: list[dict[str, Any]] = found.json["entries"]
    return entries


def paths(entries: list[dict[str, Any]]) -> list[str]:
    return [entry["files"][0]["path"] for entry in entries]


def test_the_log_is_newest_first(cli: Cli, worked: Path) -> None:
    """A line for each record: time, intent, model, class or refusal, files."""
    lines = cli("trace", "log").lines
    assert lines[0].split() == ["time", "intent", "by", "what", "files"]
    assert lines[1].endswith("src/api/weather.py -> src/api/forecast.py")
    assert lines[2].split()[2:] == ["INT-001", "claude-opus-4-5", "SCOPE_VIOLATION", "docs/secret.md"]
    assert lines[4].split()[2:] == ["INT-001", "claude-opus-4-5", "FILE_CREATION", "src/api/rain.py"]
    assert len(lines) == 5


def test_the_log_names_people(cli: Cli, git_workspace: Path) -> None:
    """A person by name, an agent with the person for whom it worked; `identity: none` names nobody."""
    git(git_workspace, "config", "user.name", "Ada Lovelace")
    agent = Agent(git_workspace).select("INT-001")
    agent.write("src/api/rain.py", "x = 1\n")
    policy = git_workspace / ".orchestration" / "policy.yaml"
    policy.write_text("identity: none\n")
    agent.write("src/api/rain.py", "x = 2\n")
    last, first = cli("trace", "log", "--root", git_workspace).lines[1:]
    assert "  claude-opus-4-5 for Ada Lovelace  " in first
    assert "  claude-opus-4-5  " in last


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--intent", "INT-002"], ["docs/rain.md"]),
        (["--session", "agent-2"], ["docs/rain.md"]),
        (["--path", "src/api/weather.py"], ["src/api/forecast.py"]),
        (["--limit", "2"], ["src/api/forecast.py", "docs/secret.md"]),
        (["--intent", "INT-001", "--path", "docs/secret.md"], ["docs/secret.md"]),
        (["--since", "1h", "--limit", "1"], ["src/api/forecast.py"]),
        (["--since", "2000-01-01", "--limit", "1"], ["src/api/forecast.py"]),
        (["--since", "999999w", "--limit", "1"], ["src/api/forecast.py"]),
        (["--since", "2999-01-01T00:00:00Z"], []),
        (["--intent", "INT"], []),
    ],
)
def test_the_log_can_be_narrowed(cli: Cli, worked: Path, options: list[str], expected: list[str]) -> None:
    """By intent, session, path, time and number, alone and together."""
    assert paths(logged(cli, *options)) == expected


def test_since_counts_back_from_now(cli: Cli, worked: Path) -> None:
    """`2h` is two hours ago: what was written three hours ago is left out."""
    ledger = worked / LEDGER
    early = f"{datetime.now(UTC) - timedelta(hours=3):%Y-%m-%dT%H:%M:%S.000Z}"
    ledger.write_text('{"timestamp":"' + early + '","intent_id":"X","files":[]}\n' + ledger.read_text("utf-8"), "utf-8")
    assert logged(cli, "--intent", "X", "--since", "2h") == []
    assert len(logged(cli, "--intent", "X", "--since", "4h")) == 1


def test_a_path_of_the_log_begins_where_one_stands(cli: Cli, worked: Path) -> None:
    """From a folder below, --path is relative to it."""
    cli.cd(worked / "docs")
    assert paths(logged(cli, "--path", "rain.md")) == ["docs/rain.md"]


def test_other_tools_records_are_shown_as_far_as_they_go(cli: Cli, here: Path) -> None:
    """A record without our keys, or with odd ones, is a line like the others and no crash."""
    odd = '{"files":[{"path":"a\\u001b[31m\\nb","conversations":[{"contributor":null},3]}]}'
    (here / LEDGER).write_text(f'{{"timestamp":7}}\n{odd}\n{{"files":5}}\n')
    found = cli("trace", "log")
    assert (found.code, len(found.lines)) == (0, 4)
    assert "\x1b" not in found.out


def test_an_empty_log_is_a_sentence(cli: Cli, here: Path) -> None:
    """Nothing recorded, or nothing that fits: each said on stderr."""
    assert cli("trace", "log").err == "intentls: Nothing is on record yet.\n"
    Agent(here).select("INT-001").write("src/api/a.py", "a\n")
    assert cli("trace", "log", "--intent", "X").err == "intentls: No record fits.\n"


def test_a_whole_ledger_verifies(cli: Cli, worked: Path) -> None:
    """Exit code 0, and how many records there are."""
    found = cli("trace", "verify")
    assert (found.code, found.out) == (0, "sound  4 records\n")
    assert cli("trace", "verify", "--json").json == {"status": "ok", "ok": True, "records": 4, "problems": []}


def test_a_damaged_ledger_is_exit_code_1_with_the_lines(cli: Cli, worked: Path) -> None:
    """Each problem with its line, its kind and a sentence; for programs the same."""
    ledger = worked / LEDGER
    lines = ledger.read_bytes().splitlines(keepends=True)
    ledger.write_bytes(lines[0] + lines[1].replace(b"INT-002", b"INT-001") + lines[3])
    found = cli("trace", "verify")
    assert found.code == 1
    assert found.lines[-1] == "1 problem in 3 records" or "problems in 3 records" in found.lines[-1]
    answer = cli("trace", "verify", "--json")
    assert (answer.code, answer.json["ok"]) == (1, False)
    assert {"line": 3, "kind": "removed"}.items() <= answer.json["problems"][-1].items()
    assert found.lines[0].startswith(f"line {answer.json['problems'][0]['line']}  ")


def test_a_verification_tells_how_far_it_is(cli: Cli, worked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a long ledger progress is reported on the way; stdout stays as it is without."""
    told: list[tuple[int, int]] = []
    monkeypatch.setattr("intentls.store.ledger.history._PROGRESS_LINES", 2)
    monkeypatch.setattr("intentls.faces.cli.progress.Progress.__call__", lambda _self, *now: told.append(now))
    assert cli("trace", "verify").out == "sound  4 records\n"
    size = (worked / LEDGER).stat().st_size
    assert [total for _, total in told] == [size, size]
    assert 0 < told[0][0] < told[1][0] < size


def test_blame_shows_each_line_with_its_author(cli: Cli, worked: Path) -> None:
    """Intent, model, time, number, text: one line each, tabs and wide characters in place."""
    found = cli("blame", "src/api/rain.py")
    assert found.code == 0
    assert [line.split()[0:2] for line in found.lines] == [["INT-001", "claude-opus-4-5"]] * 4
    assert found.lines[3].endswith("4      return 0.0  # 雨")


def test_blame_never_guesses(cli: Cli, worked: Path) -> None:
    """Lines that nobody recorded have no intent, no author and no time."""
    assert cli("blame", "docs/design.md").out.split() == ["-", "-", "-", "1", "#", "Design"]


def test_blame_of_one_line(cli: Cli, worked: Path) -> None:
    """`FILE:3` is line 3 alone; for programs the range that it is in."""
    assert cli("blame", "src/api/rain.py:3").out.endswith("3  def rain():\n")
    answer = cli("blame", "src/api/rain.py:3", "--json").json
    assert (answer["path"], len(answer["ranges"])) == ("src/api/rain.py", 1)
    assert answer["ranges"][0]["contributor"]["model_id"] == MODEL


def test_blame_of_a_definition_shows_its_history(cli: Cli, here: Path) -> None:
    """An unknown name, or a line as well, is refused in a sentence."""
    agent = Agent(here).select("INT-001")
    agent.write("src/api/rain.py", "def rain(city):\n    value = measure(city)\n    return value\n")
    agent.edit("src/api/rain.py", "def rain(", "def rain_in(")
    lines = cli("blame", "src/api/rain.py", "--symbol", "rain_in").lines
    assert [line.split("Z  ")[-1] for line in lines] == [
        "1  def rain_in(city):", "2      value = measure(city)", "3      return value",
        "", "function rain_in", "renamed from rain", "created",
    ]  # fmt: skip
    answer = cli("blame", "src/api/rain.py", "--symbol", "rain_in", "--json").json
    assert [lines["start_line"] for lines in answer["ranges"]] == [1, 2]
    assert [(step["what"], step["name"]) for step in answer["definition"]["history"]] == [
        (["renamed"], "rain_in"), (["created"], "rain"),
    ]  # fmt: skip
    assert answer["definition"]["history"][0]["old_name"] == "rain"
    assert answer["definition"]["beginning"] == "created"
    unknown = cli("blame", "src/api/rain.py", "--symbol", "rainin")
    assert (unknown.code, "has no definition rainin. Near: rain_in" in unknown.err) == (2, True)
    assert "give LINE or --symbol" in cli("blame", "src/api/rain.py:1", "--symbol", "rain_in").err
    (here / "src/api/rain.py").write_text("def rain_in(town, year):\n    return measure(town)\n")
    assert cli("blame", "src/api/rain.py", "--symbol", "rain_in").lines[-1].startswith("What was before")


def test_blame_of_a_file_whose_name_ends_in_a_number(cli: Cli, here: Path) -> None:
    """A file that is really called `a:3` is that file."""
    Agent(here).select("INT-001").write("src/api/a:3", "one\n")
    assert cli("blame", "src/api/a:3", "--json").json["path"] == "src/api/a:3"


def test_blame_below_the_root(cli: Cli, worked: Path) -> None:
    """From a folder below, the file is named as one sees it there."""
    cli.cd(worked / "src")
    assert cli("blame", "api/rain.py", "--json").json["path"] == "src/api/rain.py"


def test_map_shows_the_files_of_each_intent(cli: Cli, worked: Path) -> None:
    """Intents with their names, and the files below them."""
    assert cli("map").lines == [
        "INT-001  Build Weather API",
        "  src/api/forecast.py",
        "  src/api/rain.py",
        "INT-002  Write the guide",
        "  docs/rain.md",
    ]
    assert cli("map", "--json").json["intents"][1] == {
        "intent_id": "INT-002",
        "name": "Write the guide",
        "files": ["docs/rain.md"],
    }


def test_map_can_be_made_anew(cli: Cli, worked: Path) -> None:
    """A lost map comes back from the ledger as it was; asked again nothing changes."""
    folder = worked / ".orchestration"
    before = {name: (folder / name).read_bytes() for name in ("intent_map.md", "spatial_map.json")}
    for name in before:
        (folder / name).unlink()
    found = cli("map", "--rebuild", "--json")
    assert found.json["rebuilt"] == {"records": 3, "intent_map_changed": True, "spatial_map_changed": True}
    assert {name: (folder / name).read_bytes() for name in before} == before
    again = cli("map", "--rebuild")
    assert again.err == "intentls: Rebuilt from 3 changes in the ledger: nothing changed.\n"
    assert again.lines[0] == "INT-001  Build Weather API"


def test_a_file_whose_meaning_nobody_changed_has_its_shares_too(cli: Cli, here: Path) -> None:
    """The map leaves it out; who asks for shares wants all that was written."""
    (here / "docs").mkdir(exist_ok=True)
    (here / "docs/only.md").write_text("one\n")
    agent = Agent(here, "a").select("INT-002")
    read_file(agent.engine, "a", "docs/only.md")
    agent.write("docs/only.md", "one\ntwo\nthree\n")
    assert cli("map").err == "intentls: No file belongs to an intent yet.\n"
    assert cli("map", "--rebuild").lines == ["INT-002  Write the guide", "  docs/only.md  67 %  2 of 3 lines"]


def test_an_empty_map_is_a_sentence(cli: Cli, here: Path) -> None:
    """Before anything was done there is nothing to show, and nothing is made."""
    assert cli("map").err == "intentls: No file belongs to an intent yet.\n"
    assert not (here / ".orchestration/intent_map.md").exists()


def test_a_lesson_is_recorded_once_and_shown(cli: Cli, here: Path) -> None:
    """What stands there already is not written again; a text may have several problems."""
    record = ("lessons", "--record", "src/api/weather.py")
    assert cli(*record, "E501 line too long\nmind the unit").out == "2 problems recorded.\n"
    assert cli(*record, "mind the unit").out == "0 problems recorded, 1 known already.\n"
    assert cli(*record, "mind the gap", "--json").json == {"status": "ok", "recorded": 1, "duplicates": 0}
    lines = cli("lessons").lines
    assert lines[0] == "src/api/weather.py"
    assert [line.split("  ")[-1] for line in lines[1:]] == ["E501 line too long", "mind the unit", "mind the gap"]


def test_lessons_of_some_files(cli: Cli, here: Path) -> None:
    """With paths, only theirs; by file, whatever order they were learned in."""
    for path, text in (("src/b.py", "one"), ("src/a.py", "two"), ("src/b.py", "three")):
        cli("lessons", "--record", path, text)
    assert [lesson["path"] for lesson in cli("lessons", "--json").json["lessons"]] == [
        "src/a.py",
        "src/b.py",
        "src/b.py",
    ]
    cli.cd(here / "src")
    assert [lesson["problems"] for lesson in cli("lessons", "a.py", "--json").json["lessons"]] == [["two"]]
    assert cli("lessons", "c.py").err == "intentls: No lesson was learned there yet.\n"


def test_no_lesson_is_a_sentence_and_two_files_are_a_mistake(cli: Cli, here: Path) -> None:
    """--record names its own file; without text there is nothing to record."""
    assert cli("lessons").err == "intentls: No lesson was learned yet.\n"
    assert cli("lessons", "a.py", "--record", "b.py", "x").code == 2
    assert cli("lessons", "--record", "../outside.py", "x").code == 2
    assert cli("lessons", "--record", "a.py", " \n").out == "0 problems recorded.\n"


def test_a_record_on_another_branch_is_not_missed(cli: Cli, worked: Path) -> None:
    """A ledger that lost its tail to `git checkout` is sound: the records are kept on the other branch."""
    make_git_repo(worked)
    git(worked, "checkout", "-q", "-b", "work")
    Agent(worked, "agent-1").write("src/api/snow.py", "s\n")
    git(worked, "add", "--all")
    git(worked, "commit", "-q", "-m", "Snow")
    git(worked, "checkout", "-q", "main")
    assert cli("trace", "verify").code == 0
