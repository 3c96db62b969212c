"""A release is published only under the version that its files declare, with the notes of that version."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import intentls

ROOT = Path(__file__).parent.parent


def release_notes(tag: str) -> subprocess.CompletedProcess[str]:
    """What the release workflow runs first."""
    command = [sys.executable, ".github/release_notes.py", tag]
    return subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)


def test_the_tag_of_this_version_gets_its_part_of_the_changelog() -> None:
    """The notes are the lines between the version's heading and the next one."""
    outcome = release_notes(f"v{intentls.__version__}")
    assert outcome.returncode == 0, outcome.stderr
    assert outcome.stdout.startswith("### ")
    assert "\n## " not in outcome.stdout
    assert outcome.stdout.strip() in (ROOT / "CHANGELOG.md").read_text("utf-8")


@pytest.mark.parametrize("tag", ["v99.0.0", intentls.__version__, f"v{intentls.__version__}.post1"])
def test_a_tag_of_another_version_is_refused(tag: str) -> None:
    """The file that declares another version is named, and nothing is printed as notes."""
    outcome = release_notes(tag)
    assert outcome.returncode == 1
    assert outcome.stdout == ""
    assert "server/intentls/__init__.py" in outcome.stderr
