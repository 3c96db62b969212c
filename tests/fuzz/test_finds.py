"""What the fuzzers found, each as the smallest input that showed it, so that it is not found twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from intentls.faces.cli.main import run
from intentls.store.config.intents_parser import parse_intents
from tests.fuzz.entrances.ledger import ledger
from tests.support.workspaces import make_workspace


def test_a_lone_exclamation_mark_is_no_id() -> None:
    """`id: !` is an empty text to YAML: an error at its place, not an intent called `!`."""
    file = parse_intents(b"active_intents:\n- id: !\n  owned_scope: [a]\n")
    assert not file.valid and not file.intents
    (diagnostic,) = file.diagnostics
    assert diagnostic.span.start_line == 1


@pytest.mark.parametrize(
    "files",
    [
        "[null]",
        '[{"path": "src/a.py", "conversations": [null]}]',
        '[{"path": "src/a.py", "conversations": {"a": 1}, "old_path": [1]}]',
        '[{"path": "src/a.py", "conversations": [{"ranges": [null], "contributor": 5, "related": 5}]}]',
        '[{"path": "src/a.py", "pre_hash": null, "hunks": [[5, 0, 1, 1]]}]',
        '[{"path": "src/a.py", "pre_hash": null, "hunks": [[0, 0, 1, 1000000000000]]}]',
    ],
)
def test_a_forged_record_answers_with_what_makes_sense(files: str) -> None:
    """Files, conversations, ranges and hunks of any shape: blame, the context and the maps pass over them."""
    odd = '"tool_name": {}, "mutation_class": [], "timestamp": "0001-01-01T00:00:00+23:59"'
    ledger(f'{{"success": true, "intent_id": "INT-001", {odd}, "files": {files}}}\n'.encode())


def test_half_a_surrogate_pair_in_a_chain_is_no_link() -> None:
    """Verification says so of the line, and goes on."""
    ledger(b'{"success": true, "chain": {"\\ud800": null}}\n')


def test_the_command_line_prints_forged_records(tmp_path: Path) -> None:
    """A contributor that is a number, and a day that no other time zone has."""
    files = [{"path": "src/a.py", "conversations": [{"contributor": 5}, 6]}, 7]
    record = {"success": True, "timestamp": "0001-01-01T00:00:00+23:59", "files": files}
    root = make_workspace(tmp_path / "w", files={"src/a.py": "a\n"})
    (root / ".orchestration/agent_trace.jsonl").write_text(json.dumps(record) + "\n")
    for verb in (["trace", "log"], ["blame", "src/a.py"]):
        with pytest.raises(SystemExit) as ended:
            run([*verb, "--root", str(root)])
        assert ended.value.code == 0, verb
