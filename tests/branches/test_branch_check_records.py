"""Which records the branch check takes for evidence: this repository's own, and no other program's."""

from __future__ import annotations

import json
from pathlib import Path

from intentls.engine.ledger.import_records import import_records
from tests.support.random_branches import Branch


def found(branch: Branch) -> list[tuple[str, str]]:
    return [(finding.code.value, finding.path) for finding in branch.judge().findings]


def test_an_imported_record_explains_no_change(branch: Branch, tmp_path: Path) -> None:
    """Not even if it has all the keys of a record of ours: `trace import` marks it, and the mark decides."""
    branch.forge("src/other.py", "x = 1\n", intent_id="INT-001", imported=True)
    branch.commit()
    assert found(branch) == [("UNCOVERED_CHANGE", "src/other.py")]
    taken = tmp_path / "theirs.jsonl"
    record = {**branch.records()[-1], "id": "5f0c7e0e-0000-4000-8000-000000000001"}
    taken.write_text(json.dumps({key: value for key, value in record.items() if key not in ("chain", "imported")}))
    assert import_records(branch.agent().engine.workspace(branch.root), taken).records == 1
    branch.commit()
    assert found(branch) == [("UNCOVERED_CHANGE", "src/other.py")]


def test_an_imported_record_of_the_base_explains_no_change(branch: Branch) -> None:
    """A record that reached the base before its file did counts only if it is this repository's own."""
    branch.forge("src/late.py", "x = 1\n", intent_id="INT-001", imported=True)
    (branch.root / "src/late.py").unlink()
    branch.commit()
    base = branch.commit()
    branch.put("src/late.py", "x = 1\n")
    branch.commit()
    assert [finding.code.value for finding in branch.judge(base).findings] == ["UNCOVERED_CHANGE"]
