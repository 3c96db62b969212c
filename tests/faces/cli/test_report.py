"""`intentls report`: which report, in which form, where to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from intentls.engine.wire.report.markdown import MARKER
from tests.faces.cli.conftest import Cli
from tests.support.random_branches import Branch
from tests.support.reported_branches import approved_write, refused_write
from tests.support.workspaces import git

pytestmark = pytest.mark.skipif(os.name == "nt", reason="branches of these tests have mode bits and links")


@pytest.fixture
def worked(branch: Branch, cli: Cli) -> Branch:
    """A branch with a little of everything, and the command line in it."""
    branch.writes()
    refused_write(branch)
    approved_write(branch)
    branch.commit()
    cli.cd(branch.root)
    return branch


def test_each_form_goes_to_stdout(worked: Branch, cli: Cli) -> None:
    """A page, a comment with its marker, a summary without one; the page where nothing is named."""
    page = cli("report", "--base", "main", "--format", "html")
    comment = cli("report", "--base", "main", "--format", "markdown")
    summary = cli("report", "--base", "main", "--format", "summary")
    assert [page.code, comment.code, summary.code] == [0, 0, 0]
    assert page.out.startswith("<!doctype html>")
    assert comment.out.startswith(f"{MARKER}\n### intentls: Clean\n")
    assert summary.out.startswith("### intentls: Clean\n")
    assert cli("report", "--base", "main").out == page.out


def test_a_report_goes_to_a_file(worked: Branch, cli: Cli, tmp_path: Path) -> None:
    """The same bytes as on stdout, and a sentence about it on stderr."""
    target = tmp_path / "report.html"
    done = cli("report", "--base", "main", "-o", target)
    assert (done.code, done.out, done.err) == (0, "", f"intentls: The report is in {target}.\n")
    assert target.read_text("utf-8") == cli("report", "--base", "main").out


def test_the_document_has_everything(worked: Branch, cli: Cli) -> None:
    """One JSON document, also into a file."""
    document = cli("report", "--base", "main", "--json").json
    assert (document["status"], document["verdict"], document["percent"]) == ("ok", "clean", 100)
    assert [attempt["code"] for attempt in document["outside"]] == ["SCOPE_VIOLATION"]
    assert document["approvers"] == ["Ben"]
    assert document["subject"]["base"] == git(worked.root, "rev-parse", "main")


def test_findings_do_not_fail_a_report(worked: Branch, cli: Cli) -> None:
    """`check` is what fails; a job must be able to keep the report."""
    worked.hand_add()
    worked.commit()
    done = cli("report", "--base", "main", "--format", "markdown")
    assert done.code == 0
    assert "### intentls: 1 error\n" in done.out


def test_an_intents_whole_life(worked: Branch, cli: Cli) -> None:
    """All of its records, also those that the base has; the lines of it that stand; no verdict."""
    document = cli("report", "--intent", "INT-001", "--json").json
    assert (document["verdict"], document["subject"]["kind"]) == ("unjudged", "intent")
    ((build),) = document["intents"]
    assert build["changes"] == 5  # three of the founder's, and two of this branch
    assert build["lines"] == sum(file["lines"] for file in document["files"]) > 3
    assert [attempt["code"] for attempt in document["outside"]] == ["SCOPE_VIOLATION"]
    assert "### intentls: IN_PROGRESS\n" in cli("report", "--intent", "INT-001", "--format", "markdown").out


def test_an_intent_without_work_has_a_report(worked: Branch, cli: Cli) -> None:
    """It is declared, and that is all; one that is neither declared nor on record is unknown."""
    document = cli("report", "--intent", "INT-002", "--json").json
    assert ([one["changes"] for one in document["intents"]], document["lines"], document["records"]) == ([0], 0, 0)
    assert "### intentls: PLANNED\n" in cli("report", "--intent", "INT-002", "--format", "markdown").out
    unknown = cli("report", "--intent", "INT-999")
    assert (unknown.code, "INT-999 is not declared" in unknown.err) == (2, True)


def test_an_intents_deleted_and_binary_files_are_in_its_life(worked: Branch, cli: Cli) -> None:
    """They have no lines; a file that is a folder today is gone, too."""
    worked.done(worked.agent().write("src/gone.py", "gone = 1\n"))
    worked.done(worked.agent().delete("src/gone.py"))
    worked.done(worked.agent().write("src/folder", "x = 1\n"))
    (worked.root / "src/folder").unlink()
    (worked.root / "src/folder").mkdir()
    worked.shells_binary()
    files = {file["path"]: file for file in cli("report", "--intent", "INT-001", "--json").json["files"]}
    assert [files[path]["change"] for path in ("src/gone.py", "src/folder")] == ["delete", "delete"]
    (binary,) = [file for path, file in files.items() if path.endswith(".bin")]
    assert (binary["lines"], binary["change"]) == (0, "add")


def test_since_takes_a_time_or_a_commit(worked: Branch, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """A time means the last commit before it; a tag means itself. Both are the same report but for the name."""
    git(worked.root, "tag", "v1")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2040-01-02T12:00:00Z")
    worked.writes()
    worked.commit()
    by_time = cli("report", "--since", "2040-01-01", "--json").json
    by_tag = cli("report", "--since", "v1", "--json").json
    assert by_time.pop("subject") | {"name": "v1"} == by_tag.pop("subject")
    assert by_time == by_tag
    assert len(by_time["files"]) == 1
    early = cli("report", "--since", "1999-01-01")
    assert (early.code, "No commit of HEAD is older than 1999-01-01" in early.err) == (2, True)
    assert cli("report", "--since", "no-such-tag").code == 2
    for head in ("nothing", "--all"):
        assert cli("report", "--since", "7d", f"--head={head}").code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--base", "main", "--intent", "INT-001"),
        ("--intent", "INT-001", "--head", "main"),
        ("--base", "main", "--json", "--format", "html"),
    ],
)
def test_wrong_usage_is_one_sentence(worked: Branch, cli: Cli, arguments: tuple[str, ...]) -> None:
    """Exit code 2, and where the right one is explained."""
    done = cli("report", *arguments)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
