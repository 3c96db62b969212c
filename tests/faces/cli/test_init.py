"""`intentls init`: adds what is missing, overwrites nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from intentls.engine.agents.install_hooks import AGENTS, USER_SETTINGS
from intentls.store.config.intents_parser import parse_intents
from tests.faces.cli.conftest import Cli
from tests.store.segments.clones import Clone
from tests.support.ledgers import make_ledger
from tests.support.workspaces import git, make_git_repo, make_workspace, write_files

INTENTS = ".orchestration/active_intents.yaml"
IGNORE = ".orchestration/.gitignore"
GENERATED = ".orchestration/trace/** linguist-generated"


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
    assert GENERATED in (tmp_path / ".gitattributes").read_text()
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


@pytest.mark.parametrize("agent", AGENTS)
def test_what_is_left_to_do_for_an_agent_is_said_last(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agent: str
) -> None:
    """Each time, and not after its hooks were taken out. For all of a user's projects no folder has to be trusted."""
    monkeypatch.setenv("HOME", str(tmp_path))
    root = make_workspace(tmp_path / "w")
    here = ("--agent", agent, "--root", root)
    for _ in range(2):
        last = cli("init", *here).lines[-1]
        assert last.startswith("Next: ") and (agent in ("cline", "opencode") or "trust" in last)
    assert "Next: " not in cli("init", *here, "--remove").out
    if agent in USER_SETTINGS:
        last = cli("init", *here, "--user").lines[-1]
        assert last.startswith("Next: ") and ("trust" in last) == (agent == "codex")


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
    ignored = after[IGNORE].splitlines()
    assert {b".state/", b"agent_trace.jsonl", b"intent_map.md", b"spatial_map.json", b"AGENT.md"} < set(ignored)
    assert after[".gitattributes"].startswith(b"*.png binary\r\n#")
    assert after[".gitattributes"].count(b"\r\n") == after[".gitattributes"].count(b"\n") == 3


@pytest.mark.parametrize("line", [f"{GENERATED}\n", f"/{GENERATED} -text", f"# x\n  {GENERATED}   \n"])
def test_a_line_that_says_it_already_is_found(cli: Cli, tmp_path: Path, line: str) -> None:
    """Also where git can't be asked, the same line is not written twice."""
    write_files(tmp_path, {".gitattributes": line})
    assert outcomes(cli, "--root", tmp_path)[".gitattributes"] == "kept"


def test_git_is_asked_what_it_would_do(cli: Cli, tmp_path: Path) -> None:
    """A pattern further up that does the same is enough: nothing is added."""
    repository = make_git_repo(
        tmp_path / "w", {".gitattributes": "**/trace/*.jsonl linguist-generated\n", "service/a.txt": "a"}
    )
    assert outcomes(cli, "--root", repository / "service")[".gitattributes"] == "kept"
    assert not (repository / "service" / ".gitattributes").exists()


def test_in_a_folder_of_a_repository_git_really_knows_it(cli: Cli, tmp_path: Path) -> None:
    """A root below the repository's top gets the lines where git finds them."""
    repository = make_git_repo(tmp_path / "w", {"my service/a.txt": "a"})
    root = repository / "my service"
    outcomes(cli, "--root", root)
    assert git(root, "check-attr", "linguist-generated", "--", ".orchestration/trace/x.jsonl").endswith(": set")
    for name in (".state/x", "agent_trace.jsonl", "intent_map.md", "AGENT.md"):
        assert git(root, "check-ignore", f".orchestration/{name}") == f".orchestration/{name}"


def test_a_policy_keeps_the_derived_files_in_git(cli: Cli, tmp_path: Path) -> None:
    """Whether it is set before `init` or after it."""
    outcomes(cli, "--root", tmp_path)
    write_files(tmp_path, {".orchestration/policy.yaml": "commit_derived: true\n"})
    assert outcomes(cli, "--root", tmp_path)[IGNORE] == "extended"
    assert set(tree(tmp_path)[IGNORE].splitlines()) >= {b".state/", b"agent_trace.jsonl"}
    assert b"intent_map.md" not in tree(tmp_path)[IGNORE]
    assert outcomes(cli, "--root", tmp_path)[IGNORE] == "kept"


OLD = ".orchestration/agent_trace.jsonl"


def old_repository(folder: Path) -> Path:
    """A repository from before there were segments: git tracks its ledger and its maps."""
    ledger = make_ledger(make_git_repo(folder, {"a.txt": "a", INTENTS: "active_intents: []\n"}))
    for name in "abc":
        ledger.append({"id": name}, durable=False)
    root = folder.resolve()
    for name in ("trace", ".state"):
        shutil.rmtree(root / ".orchestration" / name)
    (root / IGNORE).unlink()
    write_files(root, {".orchestration/intent_map.md": "# Intent Map\n", ".orchestration/AGENT.md": "My own notes.\n"})
    git(root, "add", "-fA")
    git(root, "commit", "-qm", "Old")
    return root


def ids(root: Path) -> list[str]:
    return [record["id"] for record in Clone(root).ledger.oldest_first()]


def test_an_older_repository_is_moved_over_once(cli: Cli, tmp_path: Path) -> None:
    """Its records become a segment; git lets go of the ledger and the map, not of what people wrote."""
    root = old_repository(tmp_path / "w")
    before = (root / OLD).read_bytes()
    steps = outcomes(cli, "--root", root)
    (segment,) = (root / ".orchestration" / "trace").iterdir()
    assert segment.read_bytes() == (root / OLD).read_bytes() == before
    assert (steps[OLD], steps[f".orchestration/trace/{segment.name}"]) == ("removed", "created")
    tracked = git(root, "ls-files", ".orchestration").splitlines()
    assert ".orchestration/AGENT.md" in tracked
    assert not {OLD, ".orchestration/intent_map.md"} & set(tracked)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Moved over")
    assert set(outcomes(cli, "--root", root).values()) == {"kept"}
    git(root, "clone", "-q", ".", str(tmp_path / "clone"))
    assert ids(root) == ids(tmp_path / "clone") == ["a", "b", "c"]
    assert cli("trace", "verify", "--root", root).code == 0


def test_an_older_repository_is_read_as_it_is(tmp_path: Path) -> None:
    """And a new record goes to a segment, without a lost or doubled one."""
    clone = Clone(old_repository(tmp_path / "w"))
    assert (clone.ids(), clone.problems()) == (["a", "b", "c"], [])
    clone.add("d")
    assert (clone.ids(), clone.problems(), len(clone.names())) == (["a", "b", "c", "d"], [], 1)
    clone.commit()
    clone.add("e")
    assert (clone.ids(), clone.problems()) == (["a", "b", "c", "d", "e"], [])


@pytest.mark.parametrize("goes_on", [False, True])
def test_two_branches_that_moved_over_merge_without_doubles(cli: Cli, tmp_path: Path, goes_on: bool) -> None:
    """Also where one of them had gone on in the old file: what both have counts once."""
    root = old_repository(tmp_path / "w")
    git(root, "clone", "-q", ".", str(tmp_path / "clone"))
    here, there = Clone(root), Clone(tmp_path / "clone")
    if goes_on:
        there.add("d")
        there.commit()
    for clone in (here, there):
        outcomes(cli, "--root", clone.root)
        clone.add("e" if clone is here else "f")
        clone.commit()
    here.git("pull", "-q", "--no-rebase", "--no-edit", str(there.top), "main")
    assert sorted(here.ids()) == ["a", "b", "c", *("d" if goes_on else ""), "e", "f"]
    assert here.problems() == []


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
