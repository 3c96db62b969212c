"""`trace export` and `trace import`: what other programs get, and what is taken in from them."""

from __future__ import annotations

import csv
import io
import json
import uuid
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from pyarrow import parquet

from intentls.core.hashing import content_hash
from intentls.engine.export import FORMATS
from intentls.engine.export.rows import COLUMNS
from intentls.faces.cli.commands.trace import export as verb
from tests.faces.cli.conftest import Cli
from tests.support.agent_edits import MODEL, Agent
from tests.support.markdown import Page, code
from tests.support.workspaces import git, make_workspace

ROOT = Path(__file__).parents[3]
SCHEMA = (ROOT / "tests/data/agent-trace-0.1.0.schema.json").read_text()
PAGE = Page.read(ROOT / "docs" / "reference" / "interchange.md")
LEDGER = ".orchestration/agent_trace.jsonl"


@pytest.fixture
def worked(here: Path) -> Path:
    """Two changes, one of them in the archive; a refusal."""
    agent = Agent(here).select("INT-001")
    agent.write("src/api/rain.py", 'x = "a,b"\n')
    agent.write("docs/no.md", "no\n")
    agent.rename("src/api/weather.py", "src/api/forecast.py")
    agent.delete("src/api/rain.py")
    return here


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def foreign(number: int, **keys: Any) -> dict[str, Any]:
    where = {"start_line": 1, "end_line": 1, "content_hash": content_hash(b"def today():\n")}
    conversation = {"contributor": {"type": "ai", "model_id": "x/other"}, "ranges": [where]}
    record = {
        "version": "0.1.0",
        "id": str(uuid.UUID(int=number)).upper(),
        "timestamp": "2026-01-23T14:30:00Z",
        "tool": {"name": "other", "version": "1"},
        "files": [{"path": "src/api/weather.py", "conversations": [conversation]}],
    }
    return record | keys


def attributes(request: dict[str, Any]) -> dict[str, str]:
    """The texts among the attributes of a request's first log record."""
    log = request["resourceLogs"][0]["scopeLogs"][0]["logRecords"][0]
    return {each["key"]: each["value"]["stringValue"] for each in log["attributes"] if "stringValue" in each["value"]}


def write(path: Path, *records: Any) -> Path:
    path.write_text("".join(f"{r if isinstance(r, str) else json.dumps(r)}\n" for r in records))
    return path


def test_every_exported_record_is_valid_agent_trace(cli: Cli, worked: Path) -> None:
    """By the published schema and an independent validator; archived records come first; a foreign line is left out."""
    assert cli("trace", "archive", "--keep", "3").code == 0
    with (worked / LEDGER).open("a") as ledger:
        ledger.write('{"not": "a record"}\n')
    found = cli("trace", "export", "--format", "agent-trace")
    records = lines(found.out)
    validator = Draft202012Validator(json.loads(SCHEMA), format_checker=Draft202012Validator.FORMAT_CHECKER)
    assert [error.message for record in records for error in validator.iter_errors(record)] == []
    assert [record["tool_name"] for record in records][:4] == [
        *("write_to_file", "write_to_file", "rename_file", "delete_file"),
    ]
    assert "1 record left out" in found.err


def test_the_schema_that_is_shipped_is_the_published_one() -> None:
    """What we validate by is the specification's own text."""
    assert (ROOT / "server/intentls/schemas/agent-trace-0.1.0.schema.json").read_text() == SCHEMA


def test_csv_has_a_row_for_each_range(cli: Cli, worked: Path) -> None:
    """And one for what has no lines: a deletion, a rename, a refusal."""
    table = list(csv.DictReader(io.StringIO(cli("trace", "export", "--format", "csv").out)))
    assert list(table[0]) == list(COLUMNS)
    added, refused, renamed, deleted = table
    assert (added["path"], added["start_line"], added["end_line"], added["model_id"]) == (
        *("src/api/rain.py", "1", "1"),
        MODEL,
    )
    assert added["content_hash"] == added["post_hash"] == content_hash(b'x = "a,b"\n')
    assert (refused["success"], refused["code"], refused["start_line"]) == ("false", "SCOPE_VIOLATION", "")
    assert (renamed["old_path"], renamed["path"]) == ("src/api/weather.py", "src/api/forecast.py")
    assert (deleted["change"], deleted["success"]) == ("delete", "true")


@pytest.mark.parametrize(("policy", "person"), [("name", "Ada"), ("email", "ada@example.org"), ("none", "")])
def test_exports_name_people_as_the_policy_says(cli: Cli, git_workspace: Path, policy: str, person: str) -> None:
    """For whom an agent worked, in every format."""
    for key, value in (("user.name", "Ada"), ("user.email", "ada@example.org")):
        git(git_workspace, "config", key, value)
    (git_workspace / ".orchestration" / "policy.yaml").write_text(f"identity: {policy}\n")
    Agent(git_workspace).select("INT-001").write("src/api/rain.py", "x = 1\n")
    call = ("trace", "export", "--root", git_workspace, "--format")
    (row,) = csv.DictReader(io.StringIO(cli(*call, "csv").out))
    cli(*call, "parquet", "--output", git_workspace / "t.parquet")
    (typed,) = parquet.read_table(git_workspace / "t.parquet").to_pylist()
    (request,) = lines(cli(*call, "otel-json").out)
    (record,) = lines(cli(*call, "agent-trace").out)
    contributor = record["files"][0]["conversations"][0]["contributor"]
    assert (row["on_behalf_of"], typed["on_behalf_of"] or "") == (person, person)
    assert (attributes(request).get("intentls.contributor.on_behalf_of", ""), contributor.get("on_behalf_of", "")) == (
        *(person, person),
    )
    assert (row["name"], typed["name"]) == ("", None)


def test_exports_name_authors_and_those_who_vouched(cli: Cli, here: Path) -> None:
    """Who wrote, who attested it, who let it pass."""
    contributor = {"type": "human", "name": "Ben", "attested_by": "Ada"}
    record = foreign(1, override={"by": "Cem", "action": "Approve", "code": "SCOPE_VIOLATION"})
    record["files"][0]["conversations"][0]["contributor"] = contributor
    write(here / LEDGER, record)
    (row,) = csv.DictReader(io.StringIO(cli("trace", "export", "--format", "csv").out))
    columns = ("name", "on_behalf_of", "attested_by", "override_by")
    assert [row[column] for column in columns] == ["Ben", "", "Ada", "Cem"]
    values = attributes(lines(cli("trace", "export", "--format", "otel-json").out)[0])
    names = ("intentls.contributor.name", "intentls.contributor.attested_by", "intentls.override.by")
    assert [values[name] for name in names] == ["Ben", "Ada", "Cem"]


def test_parquet_is_the_same_table_with_types(cli: Cli, worked: Path) -> None:
    """Numbers are numbers, times are times; what is not there is null, and so is a time that can't be read."""
    with (worked / LEDGER).open("a") as ledger:
        ledger.write('{"id": 7, "timestamp": "soon", "files": [{"path": "\\ud800"}]}\n')
    found = cli("trace", "export", "--format", "parquet", "--output", "t.parquet", "--json")
    assert found.json == {"status": "ok", "format": "parquet", "output": "t.parquet", "records": 5, "left_out": 0}
    rows = parquet.read_table("t.parquet").to_pylist()
    assert list(rows[0]) == list(COLUMNS)
    assert (rows[0]["start_line"], rows[0]["success"], rows[0]["timestamp"].tzname()) == (1, True, "UTC")
    assert (rows[1]["start_line"], rows[1]["success"]) == (None, False)
    assert (rows[4]["record_id"], rows[4]["timestamp"], rows[4]["path"]) == (None, None, "\\ud800")
    assert [path.name for path in worked.glob(".*.tmp")] == []


def test_otel_json_is_a_request_of_log_records(cli: Cli, worked: Path) -> None:
    """One OTLP request a line, with attributes under the names that the page gives."""
    (request,) = lines(cli("trace", "export", "--format", "otel-json").out)
    (resource,) = request["resourceLogs"]
    (scope,) = resource["scopeLogs"]
    logs = scope["logRecords"]
    assert [log["severityText"] for log in logs] == ["INFO", "WARN", "INFO", "INFO"]
    assert logs[1]["body"]["stringValue"].startswith("Scope Violation")
    assert all(log["timeUnixNano"].isdigit() and len(log["timeUnixNano"]) == 19 for log in logs)
    names = {attribute["key"] for log in logs for attribute in log["attributes"]}
    described = {name for row in PAGE.section("otel-json").rows("attribute") for name in code(row[0])}
    assert names <= described
    values = {a["key"]: a["value"] for a in logs[0]["attributes"]}
    assert values["intentls.success"] == {"boolValue": True}
    assert values["intentls.paths"] == {"arrayValue": {"values": [{"stringValue": "src/api/rain.py"}]}}


def test_every_column_is_described() -> None:
    """docs/reference/interchange.md has each column of the table, in its order, and each format."""
    assert [code(row[0])[0] for row in PAGE.section("csv, parquet").rows("column")] == list(COLUMNS)
    assert tuple(FORMATS) == verb._FORMATS
    assert {name for row in PAGE.rows("format") for name in code(row[0])} == set(FORMATS)


def test_an_export_can_be_narrowed(cli: Cli, worked: Path) -> None:
    """By intent, file and time."""
    call = ("trace", "export", "--format", "agent-trace")
    assert len(lines(cli(*call, "--path", "src/api/weather.py").out)) == 1
    assert len(lines(cli(*call, "--intent", "INT-001").out)) == 4
    assert (cli(*call, "--intent", "INT-404").out, cli(*call, "--since", "2999-01-01").out) == ("", "")
    assert "lies outside" in cli(*call, "--path", worked.parent / "x").err


def test_a_failed_export_leaves_the_old_file(cli: Cli, worked: Path) -> None:
    """An archive that can't be read makes it fail as a whole."""
    cli("trace", "archive", "--keep", "1")
    (archive,) = (worked / ".orchestration/trace").glob("*.jsonl.*")
    archive.write_bytes(b"broken")
    (worked / "out.csv").write_text("old")
    assert cli("trace", "export", "--format", "csv", "--output", "out.csv").code == 2
    assert (worked / "out.csv").read_text() == "old"
    assert cli("trace", "export", "--format", "csv", "--output", "no/such/out.csv").code == 2
    assert cli("trace", "export", "--format", "csv", "--json").code == 2
    assert [path.name for path in worked.iterdir() if path.name.endswith(".tmp")] == []


def test_records_of_other_tools_are_taken_in_as_theirs(cli: Cli, worked: Path) -> None:
    """Once, kept word for word, chained, marked; and never mistaken for a verdict of ours."""
    lie = foreign(2, success=True, intent_id="INT-001", scope_validation="PASS", chain={"writer": "w"}, vendor=1)
    file = write(worked / "theirs.jsonl", foreign(1), lie, foreign(1), "", "junk", {"version": "1", "files": []})
    dry = cli("trace", "import", file, "--dry-run", "--json")
    assert (dry.code, dry.json["imported"], dry.json["duplicates"], dry.json["bad"]) == (1, 2, 1, 2)
    assert [problem["line"] for problem in dry.json["problems"]] == [5, 6]
    found = cli("trace", "import", file)
    assert found.code == 1 and "imported  2 records; 1 already there; 2 not valid" in found.out
    assert cli("trace", "import", file, "--json").json["imported"] == 0
    newest, before, *_ = cli("trace", "log", "--json").json["entries"]
    assert newest["imported"] and before["imported"]
    taken = {entry["id"]: entry for entry in (newest, before)}[lie["id"]]
    dialect = ("success", "intent_id", "scope_validation", "chain", "vendor")
    assert taken["foreign"] == {key: lie[key] for key in dialect}
    assert (taken["intent_id"], "success" in taken) == ("UNTRACKED", False)
    assert {key: taken[key] for key in ("tool", "files", "timestamp")} == {
        key: lie[key] for key in ("tool", "files", "timestamp")
    }
    assert cli("trace", "verify").code == 0
    assert "IMPORTED" in cli("trace", "log").out
    assert "x/other" not in cli("select", "INT-001", "--session", "s").out


def test_blame_uses_an_imported_record_where_its_hash_fits(cli: Cli, here: Path) -> None:
    """The first line is what the other tool says it wrote; of the second it says nothing."""
    assert cli("trace", "import", write(here / "theirs.jsonl", foreign(1))).code == 0
    first, second = cli("blame", "src/api/weather.py", "--json").json["ranges"]
    assert (first["contributor"]["model_id"], first["intent_id"]) == ("x/other", "UNTRACKED")
    assert (second["start_line"], second["trace_id"]) == (2, None)
    (here / "src/api/weather.py").write_text("def tomorrow():\n")
    assert [found["trace_id"] for found in cli("blame", "src/api/weather.py", "--json").json["ranges"]] == [None]


def test_an_export_can_be_taken_in_elsewhere(cli: Cli, worked: Path, tmp_path: Path) -> None:
    """Between two workspaces: all of it, as the other one's word."""
    cli("trace", "export", "--format", "agent-trace", "--output", "trace.jsonl")
    other = make_workspace(tmp_path / "other")
    assert cli("trace", "import", "trace.jsonl", "--root", other, "--json").json["imported"] == 4
    assert cli("trace", "verify", "--root", other).code == 0
    assert all(entry["imported"] for entry in cli("trace", "log", "--root", other, "--json").json["entries"])
