"""`intentls init`: adds what is missing, overwrites nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from intentls.store.config.intents_parser import parse_intents
from tests.faces.cli.conftest import Cli
from tests.support.workspaces import git, make_git_repo, write_files

INTENTS = ".orchestration/active_intents.yaml"
IGNORE = ".orchestration/.gitignore"
UNION = ".orchestration/agent_trace.jsonl merge=union"


def tree(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(root).parts
    }


def outcomes(cli: Cli, *arguments: str | Path) -> dict[str, str]:
    found = cli("init", "--json", *arguments)
    assert found.code == 0, found.err
    return {step["path"]: step["outcome"] for step in found.json["steps"]}


def test_an_empty_folder_becomes_a_root(cli: Cli, tmp_path: Path) -> None:
    """One call makes the folder, an example, and both lines for git; then every verb has a root."""
    cli.cd(tmp_path)
    found = cli("init")
    assert (found.code, found.err) == (0, "")
    assert set(tree(tmp_path)) == {INTENTS, IGNORE, ".gitattributes"}
    assert UNION in (tmp_path / ".gitattributes").read_text()
    assert cli("list").code == 0
    assert [line.split()[0] for line in found.lines[1:-1]] == ["created"] * 4


def test_the_example_is_valid_and_modest(cli: Cli, tmp_path: Path) -> None:
    """The example has no remark, one open intent, and a scope that opens nothing by accident."""
    outcomes(cli, "--root", tmp_path)
    file = parse_intents((tmp_path / INTENTS).read_bytes())
    assert file.diagnostics == ()
    (intent,) = file.intents.values()
    assert intent.is_open
    assert intent.scope.contains("docs/guide.md")
    assert not intent.scope.contains("docs/generated/api.md")
    assert not intent.scope.contains("src/main.py")


@pytest.mark.parametrize("in_git", [False, True])
def test_a_second_time_changes_nothing(cli: Cli, tmp_path: Path, in_git: bool) -> None:
    """Idempotent: not a byte differs, and it says that nothing was missing."""
    root = make_git_repo(tmp_path / "w", {"a.txt": "a"}) if in_git else tmp_path
    cli.cd(root)
    outcomes(cli)
    before = tree(root)
    assert set(outcomes(cli).values()) == {"kept"}
    assert cli("init").lines[-1] == "Nothing was missing."
    assert tree(root) == before


def test_what_is_there_stays(cli: Cli, tmp_path: Path) -> None:
    """Intents of one's own are kept; lines are added to files that exist, behind what they say."""
    own = {
        INTENTS: "active_intents: []\n",
        IGNORE: "*.bak",
        ".gitattributes": "*.png binary\r\n",
    }
    write_files(tmp_path, own)
    assert outcomes(cli, "--root", tmp_path) == {
        ".orchestration/": "kept",
        INTENTS: "kept",
        IGNORE: "extended",
        ".gitattributes": "extended",
    }
    after = tree(tmp_path)
    assert after[INTENTS] == own[INTENTS].encode()
    assert after[IGNORE].startswith(b"*.bak\n#")
    assert after[IGNORE].endswith(b"\n.state/\n")
    assert after[".gitattributes"].startswith(b"*.png binary\r\n#")
    assert after[".gitattributes"].count(b"\r\n") == after[".gitattributes"].count(b"\n") == 3


@pytest.mark.parametrize("line", [f"{UNION}\n", f"/{UNION} -text", f"# x\n  {UNION}   \n"])
def test_a_line_that_says_it_already_is_found(cli: Cli, tmp_path: Path, line: str) -> None:
    """Also where git can't be asked, the same line is not written twice."""
    write_files(tmp_path, {".gitattributes": line})
    assert outcomes(cli, "--root", tmp_path)[".gitattributes"] == "kept"


def test_git_is_asked_what_it_would_do(cli: Cli, tmp_path: Path) -> None:
    """A pattern further up that does the same is enough: nothing is added."""
    repository = make_git_repo(tmp_path / "w", {".gitattributes": "agent_*.jsonl merge=union\n", "service/a.txt": "a"})
    assert outcomes(cli, "--root", repository / "service")[".gitattributes"] == "kept"
    assert not (repository / "service" / ".gitattributes").exists()


def test_in_a_folder_of_a_repository_git_really_merges_by_union(cli: Cli, tmp_path: Path) -> None:
    """A root below the repository's top gets the line where git finds it."""
    repository = make_git_repo(tmp_path / "w", {"my service/a.txt": "a"})
    root = repository / "my service"
    outcomes(cli, "--root", root)
    assert git(root, "check-attr", "merge", "--", ".orchestration/agent_trace.jsonl").endswith(": union")
    assert git(root, "check-ignore", ".orchestration/.state/x") == ".orchestration/.state/x"


def test_another_choice_of_merge_is_respected_and_told(cli: Cli, tmp_path: Path) -> None:
    """Somebody who wrote another merge driver for the ledger meant it; the answer says what that costs."""
    root = make_git_repo(tmp_path / "w", {".gitattributes": "*.jsonl merge=ours\n"})
    found = cli("init", "--json", "--root", root)
    step = found.json["steps"][-1]
    assert step["outcome"] == "kept"
    assert "merge=ours" in step["what"]


def test_a_root_that_lost_its_intents_gets_no_example(cli: Cli, tmp_path: Path) -> None:
    """With records in the ledger the intents are to be restored: an example would open what they did not."""
    write_files(tmp_path, {".orchestration/agent_trace.jsonl": "{}\n"})
    before = tree(tmp_path)
    found = cli("init", "--root", tmp_path)
    assert (found.code, found.out, found.err.count("\n")) == (2, "", 1)
    assert "Restore it" in found.err
    assert tree(tmp_path) == before


def test_from_below_the_root_itself_is_completed(cli: Cli, workspace: Path) -> None:
    """In a folder of a governed workspace no second root is begun, unless one says so."""
    below = workspace / "src"
    cli.cd(below)
    assert cli("init", "--json").json["root"] == str(workspace)
    assert not (below / ".orchestration").exists()
    assert cli("init", "--json", "--root", ".").json["root"] == str(below)
    assert (below / INTENTS).exists()


@pytest.mark.parametrize("name", [".orchestration", ".gitattributes"])
def test_what_stands_in_the_way_is_named(cli: Cli, tmp_path: Path, name: str) -> None:
    """A link or a file in the place of ours is neither followed nor replaced: a sentence names it."""
    target = tmp_path / "elsewhere"
    target.write_text("not yours\n")
    (tmp_path / name).symlink_to(target)
    found = cli("init", "--root", tmp_path)
    assert (found.code, found.err.count("\n")) == (2, 1)
    assert name in found.err
    assert target.read_text() == "not yours\n"


def test_nothing_is_written_through_a_linked_folder(cli: Cli, tmp_path: Path) -> None:
    """What it leads to may be anybody's."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "work").mkdir()
    (tmp_path / "work/.orchestration").symlink_to(tmp_path / "elsewhere")
    found = cli("init", "--root", tmp_path / "work")
    assert (found.code, "symbolic link" in found.err) == (2, True)
    assert list((tmp_path / "elsewhere").iterdir()) == []
