"""The GitHub Action, its steps run for real: the check, the report, and one comment at a forge that is only a fake."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from intentls.engine.wire.report.markdown import MARKER
from tests.support.composite_action import PROJECT, ActionRun
from tests.support.fake_forge import BOT, EVE, FakeForge, fake_forge
from tests.support.random_branches import Branch
from tests.support.workspaces import git

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="the runner of these tests is a POSIX shell's"),
    pytest.mark.usefixtures("intentls_on_path"),
]


@pytest.fixture
def forge() -> Iterator[FakeForge]:
    with fake_forge() as running:
        yield running


def run(branch: Branch, temp: Path, forge: FakeForge | None = None, **contexts: str) -> ActionRun:
    """The action on a pull request; `contexts` with `__` for a dot."""
    temp.mkdir(exist_ok=True)
    known = {
        "steps.python.outputs.python-path": sys.executable,
        "steps.install.outputs.program": "intentls",
        "runner.temp": str(temp),
        "github.token": "secret",
        "github.event.pull_request.base.sha": git(branch.root, "rev-parse", "main"),
        "github.event.pull_request.number": "7",
    }
    environment = {"GITHUB_REPOSITORY": "team/project", "GITHUB_API_URL": forge.url if forge else "http://127.0.0.1:9"}
    wanted = {name.replace("__", "."): value for name, value in contexts.items()}
    return ActionRun(branch.root, temp, {**known, **wanted}, environment).run()


def test_a_pull_request_has_one_comment_whatever_happens_to_it(
    branch: Branch, forge: FakeForge, tmp_path: Path
) -> None:
    """Made once, edited in place when the report changes; the summary and the page are there each time."""
    branch.writes()
    branch.commit()
    first = run(branch, tmp_path / "one", forge)
    assert (first.failed, len(forge.comments)) == (False, 1)
    assert forge.comments[0]["body"].startswith(f"{MARKER}\n### intentls: Clean\n")
    assert first.summary.startswith("### intentls: Clean\n")
    (upload,) = first.used.values()
    assert Path(upload["path"]).read_text("utf-8").startswith("<!doctype html>")
    assert upload["name"] == "intentls-report"
    assert [request.split()[0] for request in forge.requests] == ["GET", "GET", "POST"]
    branch.hand_add()
    branch.commit()
    second = run(branch, tmp_path / "two", forge)
    assert second.ran["intentls check"].returncode == 1
    assert second.ran["intentls report"].returncode == second.ran["Keep one comment"].returncode == 0
    assert [comment["body"].splitlines()[1] for comment in forge.comments] == ["### intentls: 1 error"]
    assert forge.requests[-1] == "PATCH /repos/team/project/issues/comments/1"
    assert forge.tokens == {"Bearer secret"}


def test_one_run_of_the_program_judges_and_reports(branch: Branch, forge: FakeForge, tmp_path: Path) -> None:
    """The page, the comment, the summary and the log for code scanning are those of separate runs, byte for byte."""
    branch.hand_add()
    branch.commit()
    counting = tmp_path / "counting"
    counting.write_text(f'#!/bin/sh\necho $1 >> {tmp_path}/calls\nexec {sys.executable} -m intentls "$@"\n')
    counting.chmod(0o755)
    done = run(branch, tmp_path / "one", forge, steps__install__outputs__program=str(counting))
    assert (tmp_path / "calls").read_text() == "check\n"
    folder, base = tmp_path / "one" / "intentls-report", git(branch.root, "rev-parse", "main")
    for name, arguments in {
        "report.html": ("report", "--format", "html"),
        "comment.md": ("report", "--format", "markdown"),
        "summary.md": ("report", "--format", "summary"),
        "check.sarif": ("check", "--format", "sarif"),
    }.items():
        alone = subprocess.run(
            [counting, *arguments, "--base", base], cwd=branch.root, capture_output=True, check=False
        )
        assert (folder / name).read_bytes() == alone.stdout, name
    assert done.summary == (folder / "summary.md").read_text("utf-8")


def test_the_base_is_the_pull_requests_or_said_outright(branch: Branch, tmp_path: Path) -> None:
    """Without one, nothing is judged; codes may be warnings; a push has no comment."""
    branch.hand_add()
    branch.commit()
    push = {"github__event__pull_request__base__sha": "", "github__event__pull_request__number": ""}
    told = run(branch, tmp_path / "one", **push, github__event__before=git(branch.root, "rev-parse", "main"))
    assert told.ran["intentls check"].stdout.startswith(f"::error file={branch.planted[0][1]},")
    assert told.failed
    assert "Keep one comment" not in told.ran
    assert told.summary != ""
    lenient = {"inputs__base": "main", "inputs__warn": "UNCOVERED_CHANGE CONTENT_MISMATCH"}
    named = run(branch, tmp_path / "two", inputs__report="false", **lenient, **push)
    assert (named.failed, list(named.ran)) == (False, ["What to compare with", "intentls check"])
    nothing = run(branch, tmp_path / "three", **push, github__event__before="0" * 40)
    assert (nothing.failed, list(nothing.ran), nothing.summary) == (False, ["What to compare with"], "")
    assert "::notice title=intentls::Nothing to compare with" in nothing.log


def test_a_base_that_is_a_command_is_none(branch: Branch, tmp_path: Path) -> None:
    """Whatever a branch is called, the shell does not run it, and it sets no other output."""
    name = f"$(touch {tmp_path}/ran); touch {tmp_path}/ran\nfolder=/etc"
    run(branch, tmp_path / "one", inputs__base=name)
    assert not (tmp_path / "ran").exists()


def test_a_fork_gets_the_summary_alone(branch: Branch, forge: FakeForge, tmp_path: Path) -> None:
    """With a token that may only read: a notice, the summary and the page, and no failure."""
    forge.refuses = {"POST": 403}
    branch.writes()
    branch.commit()
    done = run(branch, tmp_path / "one", forge)
    assert (done.failed, forge.comments, len(done.used)) == (False, [], 1)
    assert done.summary.startswith("### intentls: Clean\n")
    assert "::notice title=intentls::The token may not comment" in done.log


def test_no_comment_is_kept_where_none_is_wanted(branch: Branch, forge: FakeForge, tmp_path: Path) -> None:
    """Neither by the action's input nor without a pull request."""
    made = {"inputs__base": "", "github__event__pull_request__base__sha": "", "steps__report__outputs__folder": "x"}
    assert "Keep one comment" in run(branch, tmp_path / "one", forge, **made).ran
    for more in ({"inputs__comment": "false"}, {"github__event__pull_request__number": ""}):
        assert "Keep one comment" not in run(branch, tmp_path / "one", forge, **made, **more).ran
    assert forge.requests == []


def test_a_report_that_cannot_be_made_fails_nothing(branch: Branch, forge: FakeForge, tmp_path: Path) -> None:
    """The check says what is wrong; the report is a warning."""
    done = run(branch, tmp_path / "one", forge, inputs__base="no-such-branch")
    assert (done.ran["intentls check"].returncode, done.ran["intentls report"].returncode) == (2, 0)
    assert "::warning title=intentls::The report could not be made." in done.log
    assert forge.requests == []


# -- the comment alone


def keep_comment() -> Any:
    """The program of the last step, as a module."""
    spec = importlib.util.spec_from_file_location("keep_comment", PROJECT / ".github" / "keep_comment.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def keep(forge: FakeForge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Keep a comment with a text; what the job's log gets."""
    module = keep_comment()
    body = tmp_path / "comment.md"
    known = {"TOKEN": "secret", "PULL_REQUEST": "7", "BODY": str(body), "GITHUB_REPOSITORY": "team/project"}
    for name, value in {**known, "GITHUB_API_URL": forge.url}.items():
        monkeypatch.setenv(name, value)

    def call(text: str) -> str:
        body.write_text(f"{MARKER}\n{text}\n", "utf-8")
        module.main()
        return capsys.readouterr().out

    return call


def test_another_persons_comment_with_the_marker_is_left_alone(forge: FakeForge, keep: Any) -> None:
    """Its writer could say later that all is well, in our name."""
    forge.say(f"{MARKER}\nAll is well, says Eve.", EVE)
    forge.say(f"Eve quotes: {MARKER}", BOT)
    assert keep("Ours") == ""
    assert [comment["body"] for comment in forge.comments][2:] == [f"{MARKER}\nOurs\n"]
    keep("Ours again")
    assert len(forge.comments) == 3
    assert forge.comments[0]["body"].endswith("says Eve.")


def test_a_persons_token_finds_the_persons_comment(forge: FakeForge, keep: Any) -> None:
    """And no bot's."""
    forge.user = {"login": "ada", "type": "User"}
    forge.say(f"{MARKER}\nA bot's", BOT)
    keep("First")
    keep("Second")
    assert [comment["body"] for comment in forge.comments] == [f"{MARKER}\nA bot's", f"{MARKER}\nSecond\n"]


def test_a_comment_is_found_among_hundreds_and_one_too_many_goes(forge: FakeForge, keep: Any) -> None:
    """On the third page; two jobs that began at once left two."""
    for number in range(230):
        forge.say(f"comment {number}", EVE)
    forge.say(f"{MARKER}\r\nOld\r\n", BOT)
    forge.say(f"{MARKER}\nOlder", BOT)
    keep("Old")
    assert len(forge.comments) == 231
    assert not any(request.startswith(("PATCH", "POST")) for request in forge.requests)
    keep("New")
    assert (len(forge.comments), forge.comments[-1]["body"]) == (231, f"{MARKER}\nNew\n")


def test_without_a_token_nothing_is_asked(forge: FakeForge, keep: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A notice that says where the report is."""
    monkeypatch.setenv("TOKEN", "")
    assert keep("Ours").startswith("::notice title=intentls::There is no token")
    assert forge.requests == []


@pytest.mark.parametrize(("status", "level"), [(500, "warning"), (429, "warning"), (302, "warning"), (404, "notice")])
def test_trouble_at_the_forge_fails_no_job(forge: FakeForge, keep: Any, status: int, level: str) -> None:
    """It is said on one line; a redirect is not followed, which would take the token elsewhere."""
    forge.refuses = {"POST": status}
    said = keep("Ours")
    assert said.startswith(f"::{level} title=intentls::")
    assert said.count("\n") == 1
    assert not any("elsewhere" in request for request in forge.requests)


def test_a_forge_that_is_not_there_fails_no_job(keep: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A warning."""
    monkeypatch.setenv("GITHUB_API_URL", "http://127.0.0.1:9")
    assert keep("Ours") == "::warning title=intentls::The comment could not be written: URLError.\n"


def test_the_marker_is_the_reports() -> None:
    """Both programs mean the same line."""
    assert keep_comment().MARKER == MARKER
