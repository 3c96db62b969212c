"""Prints what CHANGELOG.md says of the version that a tag names; fails if the tag is not the version of everything.

    python3 .github/release_notes.py v0.2.0

The version stands in the Python package, in the VS Code extension and its lock file, and heads a section of the
changelog. A tag that differs from one of them would publish files under another name than its own.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def versions() -> dict[str, str]:
    """The version that each file declares, by the file's name."""
    package = (ROOT / "server/intentls/__init__.py").read_text("utf-8")
    extension = ("client-vscode/package.json", "client-vscode/package-lock.json")
    return {
        "server/intentls/__init__.py": re.findall(r'^__version__ = "(.+)"$', package, flags=re.MULTILINE)[0],
        **{name: json.loads((ROOT / name).read_text("utf-8"))["version"] for name in extension},
    }


def notes(changelog: str, version: str) -> str:
    """The text below `## [VERSION] - DATE`, up to the next section; empty if there is no such section.

    "# Changelog / ## [Unreleased] / ## [0.2.0] - 2026-11-22 / - New. / ## [0.1.0] - ..." has "- New." for 0.2.0.
    """
    heading = rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d\n"
    section = re.search(rf"{heading}(.*?)(?=^## |\Z)", changelog, flags=re.MULTILINE | re.DOTALL)
    return section[1].strip() if section else ""


def main(tag: str) -> None:
    """Print the notes of the version `tag` names, with a `v` before it."""
    others = {name: version for name, version in versions().items() if f"v{version}" != tag}
    if others:
        sys.exit(f"{tag} is not the version of {', '.join(f'{name} ({version})' for name, version in others.items())}.")
    text = notes((ROOT / "CHANGELOG.md").read_text("utf-8"), tag.removeprefix("v"))
    if not text:
        sys.exit(f"CHANGELOG.md has no dated section for {tag}.")
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
