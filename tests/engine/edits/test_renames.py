"""A file that a person renames in the editor goes on under its new name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from intentls.engine.edits.renames import renamed
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from tests.support.session import ledger_of
from tests.support.workspaces import make_workspace

OLD, NEW = "src/api/weather.py", "src/api/climate.py"


def rename(root: Path, old: Path, new: Path) -> list[dict[str, Any]]:
    """As the editor does, after it has renamed the file; the records."""
    new.parent.mkdir(parents=True, exist_ok=True)
    old.rename(new)
    ids = renamed(Engine(Headless("lsp", (root,))), old, new, "s")
    records = [record for record in ledger_of(root) if record["id"] in ids]
    assert len(records) == len(ids)
    return records


def names(records: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    return [(file["change"], file["old_path"], file["path"]) for record in records for file in record["files"]]


def test_a_renamed_file_is_on_record_with_both_names(tmp_path: Path) -> None:
    root = make_workspace(tmp_path / "root")
    assert names(rename(root, root / OLD, root / NEW)) == [("rename", OLD, NEW)]


def test_each_file_of_a_renamed_folder_is_on_record(tmp_path: Path) -> None:
    root = make_workspace(tmp_path / "root")
    assert names(rename(root, root / "src/api", root / "src/web")) == [
        ("rename", "src/api/weather.py", "src/web/weather.py"),
        ("rename", "src/api/generated/schema.py", "src/web/generated/schema.py"),
    ]


@pytest.mark.parametrize(("old", "new"), [("root/src/api/weather.py", "beside/a.py"), ("beside/b.py", "root/src/b.py")])
def test_a_file_that_comes_into_a_root_or_leaves_it_has_no_other_name_there(tmp_path: Path, old: str, new: str) -> None:
    root = make_workspace(tmp_path / "root")
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside/b.py").write_text("b = 1\n")
    assert rename(root, tmp_path / old, tmp_path / new) == []


def test_a_file_that_goes_to_another_root_has_no_other_name_there(tmp_path: Path) -> None:
    root, other = make_workspace(tmp_path / "root"), make_workspace(tmp_path / "other")
    (root / OLD).rename(other / NEW)
    assert renamed(Engine(Headless("lsp", (root, other))), root / OLD, other / NEW, "s") == []


def test_where_policy_does_not_record_people_a_rename_is_on_no_record(tmp_path: Path) -> None:
    root = make_workspace(tmp_path / "root", policy="trace_on_save: false\n")
    assert rename(root, root / OLD, root / NEW) == []
