"""`intentls check --base`, `--staged`, `--worktree`: what people and programs get to read, and every way to ask."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from intentls.core.branch.findings import BranchCode
from intentls.engine.intents import intents_edit
from intentls.engine.wire.branch_report import RULES
from tests.faces.cli.conftest import Cli
from tests.support.agent_edits import Agent
from tests.support.markdown import Page, code
from tests.support.random_branches import INTENTS_FILE, Branch
from tests.support.workspaces import commit_all, git, intents_yaml, make_git_repo, write_files

ODD = "docs/a,b:c%\u00e9 d.md"


@pytest.fixture
def branch(branch: Branch, cli: Cli) -> Branch:
    """A branch, with the command line standing in it."""
    cli.cd(branch.root)
    return branch


def test_a_clean_branch_says_so_in_every_format(branch: Branch, cli: Cli) -> None:
    """Nothing to say is said, and the exit code is 0."""
    branch.writes()
    branch.commit()
    told = cli("check", "--base", "main")
    assert (told.code, told.err) == (0, "")
    assert re.fullmatch(r"Clean: 3 changed files since [0-9a-f]{12}\.\n", told.out)
    assert cli("check", "--base", "main", "--json").json["clean"] is True
    assert cli("check", "--base", "main", "--format", "sarif").json["runs"][0]["results"] == []
    github = cli("check", "--base", "main", "--format", "github")
    assert (github.code, github.out) == (0, "")


def test_findings_are_told_by_file_with_their_lines(branch: Branch, cli: Cli) -> None:
    """People see a heading a file, the code, the lines and a sentence; the last line counts."""
    branch.hand_edit_after_record()
    branch.put(ODD, "# By hand\n")
    branch.commit()
    told = cli("check", "--base", "main")
    assert told.code == 1
    assert told.lines[0] == ODD
    assert told.lines[1] == "  error  UNCOVERED_CHANGE  line 1"
    assert told.lines[3:5] == [branch.planted[0][1], "  error  CONTENT_MISMATCH  line 2"]
    assert re.fullmatch(r"2 errors in 4 changed files since [0-9a-f]{12}\.", told.lines[-1])


def test_programs_get_one_json_document(branch: Branch, cli: Cli) -> None:
    """Every key that docs/reference/branch-check.md describes, and nothing else on stdout."""
    branch.out_of_scope()
    branch.commit()
    told = cli("check", "--base", "main", "--json")
    (found,) = told.json["findings"]
    record = branch.records()[-1]
    assert (told.code, told.json["errors"], told.json["warnings"], told.json["roots"]) == (1, 1, 0, ["."])
    assert found == {
        "code": "SCOPE_VIOLATION",
        "level": "error",
        "path": branch.planted[0][1],
        "lines": [{"start_line": 1, "end_line": 1}],
        "message": "Changed under INT-001, whose scope does not have it.",
        "intent_id": "INT-001",
        "record_ids": [record["id"]],
    }
    assert cli("check", "--base", "main", "--format", "json").json == told.json


def test_github_shows_each_finding_beside_its_lines(branch: Branch, cli: Cli) -> None:
    """What a workflow command would take for its own syntax is escaped."""
    branch.put(ODD, "# By hand\n")
    branch.commit()
    told = cli("check", "--base", "main", "--format", "github")
    place = "file=docs/a%2Cb%3Ac%25\u00e9 d.md,line=1,endLine=1,title=UNCOVERED_CHANGE"
    assert told.code == 1
    assert told.lines == [f"::error {place}::Added, and no record of this branch tells of it."]


def test_sarif_is_what_the_standard_says(branch: Branch, cli: Cli) -> None:
    """Version, one run, a rule for every code, places with URIs and lines: what SARIF 2.1.0 requires of a log."""
    branch.hand_edit_after_record()
    branch.put(ODD, "# By hand\n")
    branch.hand_delete()
    branch.commit()
    log = cli("check", "--base", "main", "--format", "sarif").json
    assert set(log) == {"$schema", "version", "runs"}
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [*(code.value for code in BranchCode), "ATTESTED"]
    assert list(RULES) == list(BranchCode)
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["invocations"][0]["executionSuccessful"] is True
    assert len(run["results"]) == 3
    for result in run["results"]:
        _check_result(result, rules)
    uris = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]]
    assert "docs/a%2Cb%3Ac%25%C3%A9%20d.md" in uris


def _check_result(result: dict[str, Any], rules: list[dict[str, Any]]) -> None:
    known = {"ruleId", "ruleIndex", "level", "message", "locations", "relatedLocations"}
    assert set(result) == known | {"partialFingerprints", "properties"}
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert result["level"] in ("error", "warning")
    assert isinstance(result["message"]["text"], str)
    assert all(isinstance(value, str) for value in result["partialFingerprints"].values())
    (location,) = result["locations"]
    for each in (location, *result["relatedLocations"]):
        place = each["physicalLocation"]
        assert set(place) <= {"artifactLocation", "region"}
        assert place["artifactLocation"]["uriBaseId"] == "%SRCROOT%"
        assert re.fullmatch(r"[A-Za-z0-9._~/%-]+", place["artifactLocation"]["uri"])
        region = place.get("region", {"startLine": 1, "endLine": 1})
        assert 1 <= region["startLine"] <= region["endLine"]
    assert [each["id"] for each in result["relatedLocations"]] == list(range(1, 1 + len(result["relatedLocations"])))


def test_some_codes_may_be_warnings_only(branch: Branch, cli: Cli) -> None:
    """`--warn` is for a team that has to get there first; a code that there is not is a mistake."""
    branch.policy_loosened()
    branch.commit()
    assert cli("check", "--base", "main").code == 1
    told = cli("check", "--base", "main", "--warn", "policy-loosened")
    assert told.code == 0
    assert told.lines[-1].startswith("1 warning in 1 changed file since ")
    wrong = cli("check", "--base", "main", "--warn", "WEATHER")
    assert (wrong.code, "UNCOVERED_CHANGE" in wrong.err) == (2, True)


def test_under_an_advisory_policy_findings_are_warnings(branch: Branch, cli: Cli) -> None:
    """But no branch can make its own policy advisory."""
    branch.policy_loosened()
    branch.hand_add()
    branch.commit()
    assert cli("check", "--base", "main").code == 1
    git(branch.root, "switch", "--quiet", "--create", "later")
    branch.put("src/by_hand.py", "x = 1\n")
    branch.commit()
    told = cli("check", "--base", "work")
    assert (told.code, told.lines[1]) == (0, "  warning  UNCOVERED_CHANGE  line 1")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "Say what to judge"),
        (("--base", "main", "src/a.py"), "Give either PATHs"),
        (("--base", "main", "--intent", "INT-001"), "Give either PATHs"),
        (("--staged", "--worktree"), "Give either --staged or --worktree"),
        (("--staged", "--head", "main"), "--head names a commit"),
        (("src/a.py", "--format", "sarif"), "go with --base"),
        (("--base", "main", "--json", "--format", "sarif"), "Give either --json"),
        (("--base", "nowhere"), "git knows no commit 'nowhere' here. `git fetch origin nowhere` may bring it."),
        (("--base=--help",), "git knows no commit"),
        (("--base", "alone"), "have no commit in common"),
    ],
)
def test_what_can_not_be_judged_is_said_in_one_sentence(
    branch: Branch, cli: Cli, arguments: tuple[str, ...], says: str
) -> None:
    """Wrong usage and bases that git does not know end with 2."""
    git(branch.root, "branch", "alone", git(branch.root, "commit-tree", "-m", "Alone", "HEAD^{tree}"))
    told = cli("check", *arguments)
    assert (told.code, told.out) == (2, "")
    assert says in told.err
    assert told.err.count("\n") == 1


def test_a_shallow_clone_is_told_to_fetch_more(branch: Branch, cli: Cli, tmp_path: Path) -> None:
    """Without the commit where the two part there is nothing to compare with."""
    branch.writes()
    branch.commit()
    branch.main_goes_on()
    git(tmp_path, "clone", "--quiet", "--depth=1", "--no-single-branch", branch.root.as_uri(), "shallow")
    cli.cd(tmp_path / "shallow")
    told = cli("check", "--base", "origin/main")
    assert told.code == 2
    assert "`git fetch --unshallow`" in told.err


def test_outside_git_and_without_governance(tmp_path: Path, cli: Cli) -> None:
    """Without git nobody knows what changed; without a root there is nothing to judge by."""
    cli.cd(tmp_path)
    told = cli("check", "--base", "main")
    assert (told.code, "is in no git work tree" in told.err) == (2, True)
    cli.cd(make_git_repo(tmp_path / "plain", {"a.txt": "a\n"}))
    told = cli("check", "--base", "HEAD")
    assert (told.code, told.out) == (0, "")
    assert "Nothing governs this repository" in told.err


def test_what_is_staged_is_judged_with_the_ledger_that_is_staged(branch: Branch, cli: Cli) -> None:
    """A record that is not staged would be missing from the commit."""
    branch.done(branch.agent().write("src/new.py", "x = 1\n"))
    git(branch.root, "add", "src/new.py")
    told = cli("check", "--staged")
    assert told.code == 1
    assert told.err == (
        "intentls: The ledger in .orchestration has records that are not staged: `git add .orchestration` may help.\n"
    )
    git(branch.root, "add", ".orchestration")
    assert cli("check", "--staged").code == 0
    branch.put("src/part3.py", "by = 'hand'\n")
    assert cli("check", "--staged").code == 0
    told = cli("check", "--worktree")
    assert (told.code, told.lines[0]) == (1, "src/part3.py")
    git(branch.root, "rm", "--quiet", "--cached", "src/part3.py")
    (branch.root / "src/part2.py").unlink()
    assert {found["path"] for found in cli("check", "--worktree", "--json").json["findings"]} == {
        "src/part2.py",
        "src/part3.py",
    }


def test_a_merge_under_way_is_judged_by_what_it_adds(branch: Branch, cli: Cli) -> None:
    """What the other side did was judged there, even where nothing is on record of it."""
    branch.writes()
    branch.commit()
    git(branch.root, "switch", "--quiet", "main")
    branch.put("src/part3.py", "legacy = True\n")
    branch.commit()
    git(branch.root, "switch", "--quiet", "work")
    git(branch.root, "merge", "--quiet", "--no-commit", "--no-ff", "main")
    assert cli("check", "--staged").code == 0
    branch.put("src/part2.py", "by = 'hand'\n")
    git(branch.root, "add", "--all")
    assert [found["path"] for found in cli("check", "--staged", "--json").json["findings"]] == ["src/part2.py"]


def test_two_clean_branches_stay_clean_when_they_are_merged(branch: Branch, cli: Cli) -> None:
    """Both ledgers' lines are there, in one order or the other, and both sides' changes of one file."""
    branch.done(branch.agent().edit("src/part0.py", "part0_line5 = 5\n", "part0_line5 = 'five'\n"))
    branch.commit()
    git(branch.root, "switch", "--quiet", "--create", "other", "main")
    branch.done(branch.agent(session="two").edit("src/part0.py", "part0_line25 = 25\n", "part0_line25 = 'many'\n"))
    branch.done(branch.agent(session="two").write("src/other.py", "x = 1\n"))
    branch.commit()
    git(branch.root, "merge", "--quiet", "--no-edit", "work")
    told = cli("check", "--base", "main")
    assert (told.code, told.out.startswith("Clean:")) == (0, True), told.out
    assert cli("check", "--base", "work").code == 0
    assert cli("trace", "verify").code == 0


def test_each_root_is_judged_by_its_own_intents(tmp_path: Path, cli: Cli) -> None:
    """Roots need not lie at the top; what lies in none is nobody's business; `--root` picks one."""
    intents = intents_yaml({"INT-001": ["src/**"]})
    folder = make_git_repo(
        tmp_path / "repo",
        {
            "one/.orchestration/active_intents.yaml": intents,
            "two/.orchestration/active_intents.yaml": intents,
            "two/src/a.py": "a = 1\n",
            "readme.txt": "free\n",
        },
    )
    git(folder, "switch", "--quiet", "--create", "work")
    Agent(folder / "one", "s").select("INT-001").write("src/a.py", "a = 1\n")
    write_files(folder, {"two/src/a.py": "a = 2\n", "readme.txt": "changed\n"})
    commit_all(folder, "Both")
    cli.cd(folder / "one")
    told = cli("check", "--base", "main", "--json").json
    assert (told["roots"], [found["path"] for found in told["findings"]]) == (["one", "two"], ["two/src/a.py"])
    assert cli("check", "--base", "main", "--root", ".").code == 0
    assert cli("check", "--base", "main", "--root", "../two").code == 1


def test_what_a_branch_begins_to_govern_is_judged_from_then_on(tmp_path: Path, cli: Cli) -> None:
    """The first branch with intents can't have records of what was before them."""
    folder = make_git_repo(tmp_path / "repo", {"src/a.py": "a = 1\n"})
    git(folder, "switch", "--quiet", "--create", "work")
    write_files(
        folder, {".orchestration/active_intents.yaml": intents_yaml({"INT-001": ["src/**"]}), "src/b.py": "b\n"}
    )
    commit_all(folder, "Begin")
    cli.cd(folder)
    told = cli("check", "--base", "main")
    assert (told.code, "was set up on this branch" in told.err) == (0, True)
    write_files(folder, {"src/c.py": "c\n"})
    commit_all(folder, "By hand")
    assert cli("check", "--base", "HEAD~1").code == 1


def test_a_root_that_goes_or_breaks_is_a_finding(branch: Branch, cli: Cli) -> None:
    """Deleting the intents, or the whole folder, does not switch the check off."""
    shutil.rmtree(branch.root / ".orchestration")
    branch.commit()
    assert [f["code"] for f in cli("check", "--base", "main", "--json").json["findings"]] == ["ROOT_CHANGED"]
    git(branch.root, "reset", "--quiet", "--hard", "main")
    git(branch.root, "rm", "--quiet", ".orchestration/active_intents.yaml")
    branch.commit()
    assert [f["code"] for f in cli("check", "--base", "main", "--json").json["findings"]] == ["CONFIGURATION_INVALID"]
    git(branch.root, "reset", "--quiet", "--hard", "main")
    branch.put(".orchestration/active_intents.yaml", "active_intents: [\n")
    branch.commit()
    (found,) = cli("check", "--base", "main", "--json").json["findings"]
    assert (found["code"], bool(found["lines"])) == ("CONFIGURATION_INVALID", True)


def test_an_archived_ledger_is_still_the_ledger(branch: Branch, cli: Cli) -> None:
    """Moving its older part is no rewriting; losing the archive is."""
    branch.writes()
    assert cli("trace", "archive", "--keep", "0").code == 0
    branch.commit()
    assert cli("check", "--base", "main").code == 0
    git(branch.root, "rm", "--quiet", "-r", ".orchestration/trace")
    branch.commit()
    found = cli("check", "--base", "main", "--json").json["findings"]
    assert "LEDGER_REWRITTEN" in {each["code"] for each in found}


def test_line_ends_of_a_checkout_are_no_change(branch: Branch, cli: Cli) -> None:
    """A record has the file as it was on the disk; git may keep it with other line ends."""
    branch.put(".gitattributes", branch.read(".gitattributes") + "*.bat text eol=crlf\n")
    branch.commit()
    git(branch.root, "branch", "--force", "main", "HEAD")
    branch.done(branch.agent().write("src/run.bat", "one\r\ntwo\r\n"))
    branch.commit()
    assert git(branch.root, "cat-file", "-s", "HEAD:src/run.bat") == "8"
    assert cli("check", "--base", "main").code == 0


def test_records_may_come_before_the_commit_of_their_files(branch: Branch, cli: Cli) -> None:
    """A ledger may have reached the base with records of files that were not committed then; they count once."""
    branch.done(branch.agent().edit("src/part3.py", "part3_line1 = 1\n", "part3_line1 = 'one'\n"))
    git(branch.root, "add", ".orchestration")
    git(branch.root, "commit", "--quiet", "--message", "Only the ledger")
    git(branch.root, "branch", "--force", "main", "HEAD")
    branch.commit("The file")
    assert cli("check", "--base", "main").code == 0
    git(branch.root, "branch", "--force", "main", "HEAD")
    old = branch.read("src/part3.py")
    branch.done(branch.agent().edit("src/part3.py", "part3_line1 = 'one'\n", "part3_line1 = 1\n"))
    branch.commit("Taken back")
    git(branch.root, "branch", "--force", "main", "HEAD")
    branch.put("src/part3.py", old)
    branch.commit("Put back by hand")
    assert cli("check", "--base", "main").code == 1


def test_the_page_has_every_code_and_every_key(branch: Branch, cli: Cli) -> None:
    """docs/reference/branch-check.md describes each finding, and each key of the JSON."""
    page = Page.read(Path(__file__).parents[3] / "docs" / "reference" / "branch-check.md")
    codes = [code(row[0])[0] for row in page.section("Findings").rows("code", "what is wrong")]
    assert codes == [each.value for each in BranchCode]
    rows = page.section("Formats").rows("key", "what it is")
    told = cli("check", "--base", "main", "--json").json
    assert {name for row in rows for name in code(row[0])} == set(told) - {"status"}


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ('      - "!src/generated/**"\n', "", "src/generated/new.py"),
        ('      - "src/**"\n', '      - "src/**"\n      - "cellar/**"\n', "cellar/new.py"),
        ('      - "src/**"\n      - "!src/generated/**"\n', "      []\n", "anywhere/new.py"),
    ],
)
def test_rules_that_were_loosened_for_a_moment_help_nobody(
    branch: Branch, cli: Cli, old: str, new: str, path: str
) -> None:
    """Not even where the same intent's scope was expanded with a reason as well."""
    text = branch.read(INTENTS_FILE)
    branch.put(INTENTS_FILE, text.replace(old, new))
    branch.done(branch.agent().write(path, "x = 1\n"))
    branch.commit("For a moment")
    branch.put(INTENTS_FILE, text)
    branch.expands()
    branch.commit()
    found = cli("check", "--base", "main", "--json").json["findings"]
    assert [(each["code"], each["path"]) for each in found] == [("SCOPE_VIOLATION", path)]


def test_a_scope_that_was_wide_for_a_reason_covers_what_was_done_then(branch: Branch, cli: Cli) -> None:
    """Narrowing it again at the end takes nothing back; and so it is with an intent that was open for a while."""
    text = branch.read(INTENTS_FILE)
    branch.expands()
    engine = branch.agent().engine
    intents_edit.change_status(engine, "INT-003", "IN_PROGRESS", "agent-1")
    branch.done(branch.agent("INT-003", "other").write("prototype/main.py", "print('again')\n"))
    branch.commit()
    branch.put(INTENTS_FILE, text)
    branch.commit()
    told = cli("check", "--base", "main")
    assert told.code == 0, told.out


def test_a_conflict_is_resolved_on_record_from_the_base_on(branch: Branch, cli: Cli) -> None:
    """What git marks is no content to build on; the base's side of the file is."""
    branch.done(branch.agent().edit("src/part0.py", "part0_line5 = 5\n", "part0_line5 = 'ours'\n"))
    branch.commit()
    git(branch.root, "switch", "--quiet", "main")
    branch.done(branch.agent(session="two").edit("src/part0.py", "part0_line5 = 5\n", "part0_line5 = 'theirs'\n"))
    branch.commit()
    git(branch.root, "switch", "--quiet", "work")
    with pytest.raises(AssertionError, match="CONFLICT"):
        git(branch.root, "merge", "--quiet", "--no-edit", "main")
    told = cli("check", "--staged")
    assert (told.code, "src/part0.py has a conflict that is not resolved" in told.err) == (2, True)
    git(branch.root, "checkout", "--quiet", "--theirs", "src/part0.py")
    branch.done(branch.agent(session="three").edit("src/part0.py", "'theirs'", "'both'"))
    branch.commit("Merged")
    told = cli("check", "--base", "main")
    assert told.code == 0, told.out


@pytest.mark.skipif(os.name == "nt", reason="names that only POSIX has")
def test_no_name_and_no_trick_of_the_repository_hides_a_change(branch: Branch, cli: Cli) -> None:
    """Line ends and broken UTF-8 in names; objects that this clone was told to show in place of others."""
    branch.put("src/two\nlines.py", "x = 1\n")
    with open(os.fsencode(branch.root) + b"/src/\xff.py", "wb") as file:
        file.write(b"x = 1\n")
    branch.put("src/part0.py", "by = 'hand'\n")
    branch.commit()
    blobs = [git(branch.root, "rev-parse", f"{commit}:src/part0.py") for commit in ("work", "main")]
    git(branch.root, "replace", *blobs)
    found = cli("check", "--base", "main", "--json").json["findings"]
    assert [each["path"] for each in found] == ["src/part0.py", "src/two\nlines.py", "src/\udcff.py"]
    for form in ("text", "sarif", "github"):
        told = cli("check", "--base", "main", "--format", form)
        assert (told.code, told.err.count("bug")) == (1, 0)
    assert "%FF.py" in cli("check", "--base", "main", "--format", "sarif").out
    assert len(cli("check", "--base", "main", "--format", "github").lines) == 3
