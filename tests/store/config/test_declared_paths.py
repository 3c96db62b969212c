"""Which files of a root are declared."""

from __future__ import annotations

from pathlib import Path

from intentls.store.config.declared_paths import ALWAYS, declared_paths
from intentls.store.layout import Layout


def test_the_declared_files_are_four_fixed_names_and_each_file_of_an_intent(tmp_path: Path) -> None:
    """The four are named whether they exist or not; the others in the order of their names."""
    folder = tmp_path / ".orchestration/intents"
    assert declared_paths(Layout(tmp_path)) == ALWAYS
    folder.mkdir(parents=True)
    for name in ("b.yaml", "a.yaml", "notes.md", ".c.yaml"):
        (folder / name).write_text("")
    expected = (".orchestration/intents/a.yaml", ".orchestration/intents/b.yaml")
    assert declared_paths(Layout(tmp_path)) == (*ALWAYS, *expected)


def test_a_link_in_place_of_the_folder_names_no_files(tmp_path: Path) -> None:
    """What it leads to may be written by an edit; reading the configuration says what is wrong."""
    (tmp_path / ".orchestration").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.yaml").write_text("id: INT-1\n")
    (tmp_path / ".orchestration/intents").symlink_to(tmp_path / "src")
    assert declared_paths(Layout(tmp_path)) == ALWAYS
