"""The tutorial's commands are run one after the other in a fresh folder, and print what the page shows."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.markdown import Page

PAGE = Page.read(Path(__file__).parents[2] / "docs" / "tutorial.md")
_BLOCK = re.compile(r"^```(sh|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_END = "-- end of block --"

# What differs from one run to the next: folders, times, ids, commits.
_VOLATILE = (
    (re.compile(r"\S*/intentls-tutorial/"), "<folder>/"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d(Z| UTC)"), "<time>"),
    (re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"), "<id>"),
    (re.compile(r"since [0-9a-f]{12}\."), "since <commit>."),
)


def _steps() -> list[tuple[str, str]]:
    """Each block of commands, with the output that the page shows for it: "" where it shows none."""
    blocks = _BLOCK.findall(PAGE.text)
    outputs = [text if kind == "text" else "" for kind, text in [*blocks[1:], ("sh", "")]]
    return [(text, output) for (kind, text), output in zip(blocks, outputs, strict=True) if kind == "sh"]


def _steady(output: str) -> str:
    """`output` without what differs from one run to the next."""
    for pattern, word in _VOLATILE:
        output = pattern.sub(word, output)
    return output.strip()


@pytest.mark.skipif(os.name == "nt", reason="the tutorial needs a POSIX shell")
def test_the_tutorial_shows_what_its_commands_print(tmp_path: Path) -> None:
    """One shell runs the blocks in order, in an empty folder with an empty home."""
    shell = shutil.which("bash") or shutil.which("sh")
    assert shell is not None
    steps = _steps()
    assert len(steps) > 12 and sum(bool(output) for _, output in steps) > 10
    home = tmp_path / "home"
    home.mkdir()
    programs = Path(sys.executable).parent
    done = subprocess.run(
        [shell],
        input="".join(f"{commands}\necho '{_END}'\n" for commands, _ in steps),
        cwd=tmp_path,
        env={
            "HOME": str(home),
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "LANG": "C.UTF-8",
            "INTENTLS_HOOK_DAEMON": "off",  # it would be left behind
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=300,
        check=True,
    )
    printed = done.stdout.split(_END)[:-1]
    assert [_steady(output) for output in printed] == [_steady(output) for _, output in steps]
