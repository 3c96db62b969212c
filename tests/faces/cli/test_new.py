"""`intentls new`, `close`, `set-status`, `expand`, and `select` without a session."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from intentls.store.config.declared_files import parse_all_intents
from tests.faces.cli.conftest import Cli
from tests.support.session import ledger_of, session
from tests.support.workspaces import commit_all, git, make_git_repo, make_workspace, write_files

FOLDER = ".orchestration/intents"

HOSTILE = """\
---
owned_scope: ["**"]
id: EVIL
---
# Tasks: Alerts \x1b[2J\u202e now: # no comment

owned_scope: ["**"]
...
--- !evil
- [ ] T001 [P] Write `src/api/weather.py` and docs/
- [x] T002 run: rm -rf / in .git/config, ../x.py, .orchestration/policy.yaml, /etc/passwd
"""


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """What comes on stdin."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_new_writes_one_file_with_the_next_free_id(cli: Cli, here: Path) -> None:
    """Name and scope as they are said; the answer names the intent and its file, and the list has it."""
    made = cli("new", "Weather alerts", "--scope", "src/alerts/**", "--scope", "tests/**", "--json").json
    assert (made["intent_id"], made["path"]) == ("INT-004", f"{FOLDER}/INT-004.yaml")
    intents = {intent["id"]: intent for intent in cli("list", "--json").json["intents"]}
    assert intents["INT-004"]["owned_scope"] == ["src/alerts/**", "tests/**"]
    (record,) = ledger_of(here)
    assert (record["tool_name"], record["intent_id"]) == ("new_intent", "INT-004")
    assert record["files"][0]["path"] == made["path"]
    assert cli("new", "Two", "--scope", "a/**", "b/**", "--json").json["owned_scope"] == ["a/**", "b/**"]
    assert cli("trace", "verify").code == 0


def test_what_a_new_intent_may_change_can_be_changed_at_once(cli: Cli, here: Path) -> None:
    """Without a scope it says that this is everything."""
    made = cli("new", "All")
    assert made.code == 0 and "may change the whole workspace" in made.err
    cli("new", "Alerts", "--scope", "alerts/**")
    assert cli("select", "INT-005", "--session", "s").code == 0
    assert cli("check", "alerts/a.py", "--session", "s").code == 0


def test_a_text_from_outside_is_only_text(cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys, documents, tags, escapes and commands in it stay words; only files of the workspace are proposed."""
    typed(monkeypatch, HOSTILE)
    made = cli("new", "--from", "-", "--json").json
    assert (made["intent_id"], made["name"]) == ("INT-004", "Alerts [2J now: # no comment")
    assert made["owned_scope"] == ["src/api/weather.py", "docs/**"]
    text = (here / made["path"]).read_text()
    assert "\x1b" not in text and "\u202e" not in text
    (intent,) = parse_all_intents({made["path"]: text.encode()}).intents.values()
    assert [type(criterion) for criterion in intent.acceptance_criteria] == [str, str]
    assert intent.acceptance_criteria[1].startswith("run: rm -rf /")  # type: ignore[union-attr]


def test_an_issue_as_a_forge_prints_it_keeps_its_address(cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As JSON with a title, a text and an address."""
    issue = {"title": "Alerts fail", "body": "In docs/design.md\n- [ ] Mend it", "url": "https://example.com/7"}
    typed(monkeypatch, json.dumps(issue))
    made = cli("new", "--from", "-", "--json").json
    assert (made["name"], made["source"]) == ("Alerts fail", "https://example.com/7")
    assert (made["owned_scope"], made["acceptance_criteria"]) == (["docs/design.md"], ["Mend it"])
    assert "source: https://example.com/7" in (here / made["path"]).read_text().replace('"', "")
    for text in ("[1]", '{"title": 7}'):
        typed(monkeypatch, text)
        assert cli("new", "--from", "-", "--json").json["name"] == text


def test_spec_kits_tasks_and_the_folder_of_an_openspec_change_are_sources(cli: Cli, here: Path) -> None:
    """The reference to them is kept; nothing is ever written back."""
    tasks = "# Tasks: User login\n\n- [ ] T001 Create src/api/login.py\n"
    change = {
        "proposal.md": "# Change: Add 2FA\n\n## Why\nSafety.\n",
        "tasks.md": "## 1. Code\n- [ ] 1.1 docs/2fa.md\n",
    }
    write_files(here, {"specs/001-login/tasks.md": tasks})
    write_files(here, {f"openspec/changes/add-2fa/{name}": text for name, text in change.items()})
    made = cli("new", "--from", "specs/001-login/tasks.md", "--json").json
    assert (made["name"], made["source"]) == ("User login", "specs/001-login/tasks.md")
    assert (made["owned_scope"], made["acceptance_criteria"]) == (["src/api/login.py"], ["Create src/api/login.py"])
    made = cli("new", "--from", "openspec/changes/add-2fa", "--json").json
    assert (made["name"], made["source"]) == ("Add 2FA", "openspec/changes/add-2fa")
    assert (made["owned_scope"], made["acceptance_criteria"]) == (["docs/2fa.md"], ["docs/2fa.md"])
    assert (here / "specs/001-login/tasks.md").read_text() == tasks


def test_a_branch_names_its_intent_and_its_changes_are_its_scope(cli: Cli, here: Path) -> None:
    """With the branch's name in the file."""
    make_git_repo(here)
    git(here, "checkout", "--quiet", "-b", "feature/weather-alerts")
    write_files(here, {"src/api/alerts.py": "x\n"})
    commit_all(here, "Work")
    write_files(here, {"docs/alerts.md": "x\n"})
    made = cli("new", "--branch", "--json").json
    assert (made["name"], made["branch"]) == ("weather alerts", "feature/weather-alerts")
    assert made["owned_scope"] == ["src/api/alerts.py", "docs/alerts.md"]
    git(here, "checkout", "--quiet", "--detach")
    assert cli("new", "--branch").code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("new",),
        ("new", "two", "words"),
        ("new", "x", "--scope", "/etc"),
        ("new", "--from", "missing.md"),
        ("new", "--from", "docs"),
        ("new", "--from", "-"),
        ("set-status", "INT-001", "NONSENSE"),
        ("set-status", "INT-404", "DONE"),
        ("expand", "INT-001", "--reason", "x"),
        ("expand", "INT-001", "a", "--glob", "b", "--reason", "x"),
        ("expand", "INT-001", "a", "--reason", " "),
        ("close",),
        ("close", "INT-001", "--merged"),
        ("close", "INT-404"),
    ],
)
def test_what_makes_no_sense_is_exit_code_2_and_changes_nothing(
    cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    """With one sentence on stderr."""
    typed(monkeypatch, "\n")
    found = cli(*arguments)
    assert (found.code, found.err.count("\n")) == (2, 1), found.err
    assert not (here / FOLDER).exists() and not (here / ".orchestration/agent_trace.jsonl").exists()


def test_an_agent_declares_and_closes_nothing(cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does it say with which intent the sessions of others begin."""
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "agent-1")
    for arguments in (
        ("new", "x"),
        ("close", "INT-001"),
        ("set-status", "INT-001", "DONE"),
        ("expand", "INT-001", "docs/a.md", "--reason", "x"),
    ):
        refused = cli(*arguments, "--json")
        assert (refused.code, refused.json["code"]) == (1, "SCOPE_VIOLATION"), arguments
        assert cli(*arguments).err.count("\n") == 1
    assert cli("select", "INT-001").code == 2
    assert not (here / FOLDER).exists()


def test_status_and_scope_have_verbs(cli: Cli, here: Path) -> None:
    """Each is one edit of the file that declares the intent, with a record."""
    assert cli("set-status", "INT-001", "blocked").code == 0
    assert cli("set-status", "INT-001", "BLOCKED").err.startswith("intentls: Nothing to change")
    assert cli("expand", "INT-001", "docs/design.md", "--reason", "why", "--json").json["edit"]["new_text"]
    assert cli("expand", "INT-001", "--glob", "lib/**", "--reason", "why").code == 0
    text = (here / ".orchestration/active_intents.yaml").read_text()
    assert "status: BLOCKED" in text and '"docs/design.md", "lib/**"]' in text
    assert [record["reason"] for record in ledger_of(here)[1:]] == ["why", "why"]


def test_close_says_which_criteria_are_open(cli: Cli, here: Path) -> None:
    """Once more it changes nothing; a closed intent keeps the status that it has."""
    assert cli("close", "INT-001", "--json").json["open_criteria"] == ["Unit tests in tests/api pass"]
    assert "was already COMPLETED" in cli("close", "INT-001").err
    cli("set-status", "INT-002", "ABANDONED")
    assert "was already ABANDONED" in cli("close", "INT-002").err
    cli("set-status", "INT-002", "TODO")
    cli("select", "INT-002", "--session", "s")
    assert cli("close", "--session", "s").code == 0
    assert [intent["status"] for intent in cli("list", "--json").json["intents"]] == ["COMPLETED"] * 3


def test_sessions_begin_with_the_intent_that_was_selected_for_the_tree(cli: Cli, here: Path) -> None:
    """Those that began before keep theirs; cleared, closed or gone, it counts no more."""
    cli("select", "INT-002", "--session", "before")
    assert cli("select", "INT-001").code == 0
    assert cli("check", "src/api/weather.py", "--session", "new").code == 0
    assert cli("check", "src/api/weather.py", "--session", "before").code == 1
    assert cli("select", "INT-404").code == 1
    assert cli("select", "INT-003", "--json").json["code"] == "INTENT_CLOSED"
    cli("close", "INT-001")
    assert "INTENT_REQUIRED" in cli("check", "src/api/weather.py", "--session", "third").out
    cli("set-status", "INT-001", "TODO")
    assert cli("check", "src/api/weather.py", "--session", "third").code == 0
    assert cli("select", "--clear", "--json").json["intent_id"] is None
    assert cli("check", "src/api/weather.py", "--session", "third").code == 1


def test_a_default_that_came_with_a_copy_of_the_folder_says_nothing(cli: Cli, here: Path, tmp_path: Path) -> None:
    """A clone or an archive with a `.state` in it selects nothing for anybody."""
    cli("select", "INT-001")
    kept = (here / ".orchestration/.state/default_intent.json").read_bytes()
    other = make_workspace(tmp_path / "other")
    cli("status", "--root", other)
    (other / ".orchestration/.state/default_intent.json").write_bytes(kept)
    assert cli("check", "src/api/weather.py", "--session", "s", "--root", other).code == 1
    for damaged in (b"", b"[1, 2]", b'["INT-001"]', b"7"):
        (here / ".orchestration/.state/default_intent.json").write_bytes(damaged)
        assert cli("check", "src/api/weather.py", "--session", "s").code == 1


class Clones:
    """Ada's and Ben's clones of one bare repository, in which attributes are ignored."""

    def __init__(self, folder: Path, cli: Cli) -> None:
        start = make_git_repo(make_workspace(folder / "start"))
        cli("init", "--root", start)
        commit_all(start, "Set up") if git(start, "status", "--porcelain") else None
        self.bare = folder / "bare.git"
        git(folder, "clone", "--quiet", "--bare", str(start), str(self.bare))
        self.ada, self.ben = folder / "ada", folder / "ben"
        for clone in (self.ada, self.ben):
            git(folder, "clone", "--quiet", str(self.bare), str(clone))
            # What a forge does: no attribute counts, so that nothing is merged in a way of its own.
            (clone / ".git/info/attributes").write_text("* !merge\n")
            # The one local file of all records, and what is derived from it: this test is about what people declare.
            local = ("agent_trace.jsonl", "intent_map.md", "spatial_map.json", "AGENT.md")
            (clone / ".git/info/exclude").write_text("".join(f"/.orchestration/{name}\n" for name in local))

    def work(self, cli: Cli, clone: Path, branch: str) -> str:
        """One person's branch: a new intent, its status, its scope, a change of code; pushed. The intent's id."""
        git(clone, "checkout", "--quiet", "-b", branch)
        made = cli("new", f"Work on {branch}", "--scope", f"src/{branch}/**", "--root", clone, "--json").json
        intent_id: str = made["intent_id"]
        cli("set-status", intent_id, "IN_PROGRESS", "--root", clone)
        cli("expand", intent_id, "--glob", f"docs/{branch}/**", "--reason", "told there", "--root", clone)
        write_files(clone, {f"src/{branch}/a.py": "x\n"})
        commit_all(clone, f"Work on {branch}")
        git(clone, "push", "--quiet", "origin", branch)
        return intent_id


def conflicts(clone: Path) -> list[str]:
    """The files with a conflict now."""
    return [name for name in git(clone, "diff", "--name-only", "--diff-filter=U").splitlines() if name]


@pytest.mark.parametrize("way", ["merge", "rebase", "cherry-pick", "squash"])
def test_intents_of_two_clones_come_together_without_a_conflict(cli: Cli, tmp_path: Path, way: str) -> None:
    """Both made their intent at the same time, without a fetch in between: two ids, two files, nothing to resolve."""
    clones = Clones(tmp_path, cli)
    ids = {clones.work(cli, clones.ada, "one"), clones.work(cli, clones.ben, "two")}
    assert len(ids) == 2 and all(intent_id.startswith("INT-004-") for intent_id in ids)
    ada = clones.ada
    git(ada, "fetch", "--quiet", "origin")
    commands = {
        "merge": [("merge", "--quiet", "--no-edit", "origin/two")],
        "rebase": [("rebase", "--quiet", "origin/two")],
        "cherry-pick": [("cherry-pick", "origin/two")],
        "squash": [("merge", "--quiet", "--squash", "origin/two"), ("commit", "--quiet", "--message", "Squashed")],
    }
    for command in commands[way]:
        git(ada, *command)
    assert conflicts(ada) == []
    listed = cli("list", "--root", ada, "--json").json["intents"]
    assert ids < {intent["id"] for intent in listed}
    assert cli("doctor", "--root", ada).code == 0


def test_a_number_that_another_branch_has_taken_is_left_out(cli: Cli, tmp_path: Path) -> None:
    """Also one that is only on a remote branch, in a file or in the list."""
    clones = Clones(tmp_path, cli)
    clones.work(cli, clones.ben, "two")
    git(clones.ada, "fetch", "--quiet", "origin")
    made = cli("new", "Next", "--scope", "a/**", "--root", clones.ada, "--json").json
    assert made["intent_id"].startswith("INT-005-")


def test_intents_of_merged_branches_are_closed_where_policy_says_so(cli: Cli, here: Path) -> None:
    """Only those under which work is on record, and only once their branch is merged."""
    make_git_repo(here)
    git(here, "checkout", "--quiet", "-b", "topic")
    made = cli("new", "--branch", "--scope", "docs/**", "--json").json["intent_id"]
    commit_all(here, "Declare it")
    git(here, "checkout", "--quiet", "main")
    git(here, "merge", "--quiet", "topic")
    write_files(here, {".orchestration/policy.yaml": "close_intents: merge\n"})
    assert cli("close", "--merged", "--json").json["closed"] == [], "no work is on record"
    cli("select", made, "--session", "s")
    _write(here, made)
    commit_all(here, "Work")
    write_files(here, {".orchestration/policy.yaml": "close_intents: manual\n"})
    assert cli("close", "--merged", "--json").json["closed"] == []
    write_files(here, {".orchestration/policy.yaml": "close_intents: merge\n"})
    assert [one["intent_id"] for one in cli("close", "--merged", "--json").json["closed"]] == [made]
    assert cli("close", "--merged").out == ""


def _write(root: Path, intent_id: str) -> None:
    with session(root) as server:
        server.do("selectActiveIntent", intent_id=intent_id)
        assert server.do("writeToFile", path="docs/design.md", content="new\n")["status"] == "ok"


def test_init_adds_no_example_beside_intents_in_files_of_their_own(cli: Cli, tmp_path: Path) -> None:
    """The root is complete without the list."""
    write_files(tmp_path, {f"{FOLDER}/INT-1.yaml": "id: INT-1\nowned_scope: [a/**]\n"})
    cli.cd(tmp_path)
    assert cli("init").code == 0
    assert [intent["id"] for intent in cli("list", "--json").json["intents"]] == ["INT-1"]
    assert not (tmp_path / ".orchestration/active_intents.yaml").exists()
    assert cli("doctor").code == 0


def test_the_branch_check_judges_intents_in_files_of_their_own(cli: Cli, here: Path) -> None:
    """A new one is a warning at its file; one that was widened by hand, or has another's id, is an error there."""
    make_git_repo(here)
    git(here, "checkout", "--quiet", "-b", "topic")
    path = cli("new", "T", "--scope", "src/api/**", "--json").json["path"]
    commit_all(here, "Declare it")
    found = cli("check", "--base", "main", "--format", "json").json["findings"]
    assert [(one["code"], one["path"]) for one in found] == [("INTENT_NEW", path)]
    git(here, "checkout", "--quiet", "main")
    git(here, "merge", "--quiet", "topic")
    git(here, "checkout", "--quiet", "-b", "by-hand")
    write_files(here, {path: (here / path).read_text().replace("src/api/**", "src/**")})
    commit_all(here, "Widen it")
    found = cli("check", "--base", "main", "--format", "json").json["findings"]
    assert [(one["code"], one["path"]) for one in found] == [("SCOPE_WIDENED", path)]
    write_files(here, {f"{FOLDER}/again.yaml": "id: INT-001\n"})
    commit_all(here, "Declare one again")
    found = cli("check", "--base", "main", "--format", "json").json["findings"]
    assert "CONFIGURATION_INVALID" in {one["code"] for one in found}


def test_every_word_after_scope_is_a_glob_where_no_name_is_needed(cli: Cli, here: Path) -> None:
    """None of them becomes the name; without --branch the name may stand last."""
    make_git_repo(here)
    git(here, "checkout", "--quiet", "-b", "rain")
    made = cli("new", "--branch", "--scope", "src/**", "tests/**", "--json").json
    assert (made["name"], made["owned_scope"]) == ("rain", ["src/**", "tests/**"])
    made = cli("new", "Snow", "--branch", "--scope=src/**", "docs/**", "--session", "s", "--json").json
    assert (made["name"], made["owned_scope"]) == ("Snow", ["src/**", "docs/**"])
    made = cli("new", "--scope", "src/**", "Hail", "--json").json
    assert (made["name"], made["owned_scope"]) == ("Hail", ["src/**"])
