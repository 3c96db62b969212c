"""The maps made anew from the ledger are the maps that were kept along the way."""

from __future__ import annotations

import json
import random
import shutil
import tracemalloc
from pathlib import Path

import pytest

from intentls.core.ledger.hash_chain import line_hash, link
from intentls.core.mutation.classes import MutationClass
from intentls.engine.records.rebuild_maps import rebuild_maps
from intentls.engine.workspace.workspace import Workspace
from intentls.store.fs import boot_id
from tests.support.agent_edits import Agent
from tests.support.workspaces import intents_yaml, make_workspace

MAPS = ("intent_map.md", "spatial_map.json")
SWAP = """\
diff --git a/src/a.py b/src/b.py
similarity index 100%
rename from src/a.py
rename to src/b.py
diff --git a/src/c.py b/src/c.py
new file mode 100644
--- /dev/null
+++ b/src/c.py
@@ -0,0 +1 @@
+c
diff --git a/src/d.py b/src/d.py
deleted file mode 100644
--- a/src/d.py
+++ /dev/null
@@ -1 +0,0 @@
-d
"""


def opened(root: Path) -> Workspace:
    return Agent(root).engine.workspace(root)


def maps(root: Path) -> dict[str, bytes]:
    folder = root / ".orchestration"
    return {name: (folder / name).read_bytes() for name in MAPS if (folder / name).exists()}


def two_intents(root: Path) -> Path:
    return make_workspace(root, intents_yaml({"A": ["**"], "B": ["src/**"]}), {})


@pytest.mark.parametrize("seed", range(6))
def test_rebuilt_maps_are_those_that_were_kept(tmp_path: Path, seed: int) -> None:
    """Whatever two agents write, edit, rename and delete in turn, the ledger alone gives the same maps."""
    rng = random.Random(seed)
    root = two_intents(tmp_path / "w")
    agents = [Agent(root, "one"), Agent(root, "two")]
    classes = [None, MutationClass.BUG_FIX, MutationClass.INTENT_EVOLUTION]
    names = [f"src/{name}.py" for name in "abcd"]
    for number in range(25):
        agent = rng.choice(agents).select(rng.choice("AB"), rng.choice(classes))
        path, other = rng.sample(names, 2)
        exists, taken = (root / path).exists(), (root / other).exists()
        action = rng.choice(["write", "write", "delete", "rename"])
        if action == "write" or not exists:
            agent.write(path, f"{number}\n" * rng.randint(0, 3))
        elif action == "delete":
            agent.delete(path)
        elif not taken:
            agent.rename(path, other)
    before = maps(root)
    assert before
    rebuilt = rebuild_maps(opened(root))
    assert (rebuilt.map_changed, rebuilt.spatial_changed) == (False, False)
    for name in before:
        (root / ".orchestration" / name).unlink()
    rebuild_maps(opened(root))
    assert maps(root) == before


def test_a_patch_of_many_files_is_one_step(tmp_path: Path) -> None:
    """Renames and deletions of a record come first, then what is new, as when it was made."""
    root = two_intents(tmp_path / "w")
    agent = Agent(root).select("A")
    for name in "ad":
        agent.write(f"src/{name}.py", f"{name}\n")
    agent.patch(SWAP)
    before = maps(root)
    assert not rebuild_maps(opened(root)).map_changed
    assert opened(root).derived.read_map() == {"A": ["src/b.py", "src/c.py"]}
    assert maps(root) == before


def test_what_people_wrote_into_the_map_stays(tmp_path: Path) -> None:
    """Notes, sections of their own and entries of other tools are left alone; stale entries go."""
    root = two_intents(tmp_path / "w")
    Agent(root).select("A").write("src/a.py", "a\n")
    folder = root / ".orchestration"
    text = (folder / "intent_map.md").read_text().replace("`src/a.py`", "`src/a.py` (the heart)\n- `src/gone.py`")
    (folder / "intent_map.md").write_text(f"{text}\n## Mine: notes\n\n- `x.py`\n")
    entries = json.loads((folder / "spatial_map.json").read_text())
    seen = {"file_path": "src/z.py", "intent_id": "A", "operation_type": "read", "timestamp": "2026-01-01T00:00:00Z"}
    stale = {**entries[0], "file_path": "src/gone.py"}
    (folder / "spatial_map.json").write_text(json.dumps([*entries, seen, stale]))
    rebuilt = rebuild_maps(opened(root))
    assert (rebuilt.map_changed, rebuilt.spatial_changed) == (True, True)
    after = (folder / "intent_map.md").read_text()
    assert "`src/a.py` (the heart)" in after
    assert "gone.py" not in after
    assert after.endswith("## Mine: notes\n\n- `x.py`\n")
    paths = [entry["file_path"] for entry in json.loads((folder / "spatial_map.json").read_text())]
    assert paths == ["src/a.py", "src/z.py"]


def test_after_a_power_loss_the_next_edit_makes_the_maps_from_the_ledger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parts of them may be old, also where no log of edits shows that the power failed."""
    root = two_intents(tmp_path / "w")
    agent = Agent(root).select("A")
    for number in range(3):
        agent.write("src/a.py", f"{number}\n")
    before = maps(root)
    folder = root / ".orchestration"
    shutil.rmtree(folder / ".state/log")
    (folder / "spatial_map.json").write_bytes(before["spatial_map.json"].replace(b"src/a.py", b"src/b.py"))
    (folder / "intent_map.md").write_bytes(b"")
    (tmp_path / "boot").write_text("another\n")
    monkeypatch.setattr(boot_id, "_FILE", tmp_path / "boot")
    agent = Agent(root, "two").select("A")
    agent.write("src/c.py", "c\n")
    agent.delete("src/c.py")
    assert maps(root)["intent_map.md"].count(b"src/a.py") == 1
    assert {entry.file_path for entry in opened(root).derived.read_spatial()} == {"src/a.py", "src/c.py"}


def test_refusals_and_foreign_records_map_nothing(tmp_path: Path) -> None:
    """What was refused changed nothing, and a record that lacks our keys says nothing we could map."""
    root = two_intents(tmp_path / "w")
    Agent(root).select("B").write("docs/no.md", "no\n")
    with (root / ".orchestration/agent_trace.jsonl").open("a") as file:
        file.write('{"success":true,"intent_id":"A","files":[{"path":7},{"conversations":5}]}\n')
        file.write('{"success":true,"files":[{"path":"x","conversations":[{"ranges":[{"start_line":"1"}]}]}]}\n{torn\n')
    rebuilt = rebuild_maps(opened(root))
    assert (rebuilt.records, rebuilt.map_changed) == (2, False)
    assert opened(root).derived.read_map() == {}


def test_only_the_newest_places_are_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long history does not pile up in memory: what would not be kept is let go on the way."""
    monkeypatch.setattr("intentls.engine.records.rebuild_maps.MAX_ENTRIES", 2)
    root = two_intents(tmp_path / "w")
    lines = [
        json.dumps(
            {
                "success": True,
                "intent_id": "A",
                "timestamp": f"2026-01-{day:02}T00:00:00Z",
                "mutation_class": "BUG_FIX",
                "files": [{"path": f"{day}.py", "conversations": [{"ranges": [{"start_line": 1, "end_line": 1}]}]}],
            }
        )
        for day in range(1, 12)
    ]
    (root / ".orchestration/agent_trace.jsonl").write_text("\n".join(lines) + "\n")
    rebuild_maps(opened(root))
    kept = [entry.file_path for entry in opened(root).derived.read_spatial()]
    assert kept == ["10.py", "11.py", "8.py", "9.py"]


def test_a_line_belongs_to_the_intent_it_was_written_under(tmp_path: Path) -> None:
    """In one save there may be lines of several sessions: each keeps the intent of its own."""
    root = two_intents(tmp_path / "w")
    conversations = [
        {"ranges": [{"start_line": 1, "end_line": 1}], "related": [{"type": "specification", "value": "B"}]},
        {"ranges": [{"start_line": 2, "end_line": 2}], "related": []},
    ]
    record = {
        "success": True,
        "intent_id": "A",
        "timestamp": "2026-01-01T00:00:00Z",
        "mutation_class": "BUG_FIX",
        "files": [{"path": "src/a.py", "change": "modify", "conversations": conversations}],
    }
    (root / ".orchestration/agent_trace.jsonl").write_text(json.dumps(record) + "\n")
    rebuild_maps(opened(root))
    found = [
        (entry.intent_id, entry.line_range.start) for entry in opened(root).derived.read_spatial() if entry.line_range
    ]
    assert found == [("B", 1), ("A", 2)]


def test_declarations_and_attestations_map_nothing(tmp_path: Path) -> None:
    """A new intent's own file is none of its files, and what was attested happened before, elsewhere."""
    root = two_intents(tmp_path / "w")
    Agent(root).select("A").write("src/a.py", "a\n")
    before = maps(root)
    added = {
        "success": True,
        "intent_id": "A",
        "mutation_class": "FILE_CREATION",
        "files": [{"path": "x", "change": "add"}],
    }
    gone = {"success": True, "intent_id": "UNTRACKED", "files": [{"path": "src/a.py", "change": "delete"}]}
    with (root / ".orchestration/agent_trace.jsonl").open("a") as file:
        file.write(json.dumps(added | {"tool_name": "new_intent"}) + "\n")
        file.write(json.dumps(gone | {"tool_name": "attest"}) + "\n")
    rebuild_maps(opened(root))
    assert maps(root) == before


def test_the_memory_that_a_rebuild_takes_does_not_grow_with_the_history(tmp_path: Path) -> None:
    """Records of the same files are read one after the other: six times as many need no more room."""

    def peak(count: int) -> int:
        root = two_intents(tmp_path / str(count))
        previous = None
        with (root / ".orchestration/agent_trace.jsonl").open("wb") as ledger:
            for number in range(count):
                where = {"start_line": 1, "end_line": 2, "content_hash": f"sha256:{number:064x}"}
                file = {"path": f"src/{number % 10}.py", "change": "modify", "conversations": [{"ranges": [where]}]}
                record = {
                    **{"id": f"{number:08x}", "timestamp": "2026-01-01T00:00:00.000Z", "intent_id": "A"},
                    **{"mutation_class": "INTENT_EVOLUTION", "success": True, "files": [file]},
                }
                line = link(record, "ab", number + 1, previous)
                previous = line_hash(line)
                ledger.write(line + b"\n")
        workspace = opened(root)
        assert workspace.ledger.has_records()
        tracemalloc.start()
        try:
            assert rebuild_maps(workspace).records == count
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(500)  # modules that are loaded on first use
    assert peak(6_000) < peak(1_000) + (1 << 20)
