"""Prints what CHANGELOG.md says of the version that a tag names; fails if the tag names another version.

    python3 .github/release_notes.py v0.2.0

The version stands in the Python package, from which the VS Code extension takes it, and heads a section of the
changelog. A tag that differs would publish files under another name than its own.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def version() -> str:
    """The version that the package declares; the extension is packed under the same one."""
    package = (ROOT / "server/intentls/__init__.py").read_text("utf-8")
    return re.findall(r'^__version__ = "(.+)"$', package, flags=re.MULTILINE)[0]


def notes(changelog: str, version: str) -> str:
    """The text below `## [VERSION] - DATE`, up to the next section; empty if there is no such section.

    "# Changelog / ## [Unreleased] / ## [0.2.0] - 2026-11-22 / - New. / ## [0.1.0] - ..." has "- New." for 0.2.0.
    """
    heading = rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d\n"
    section = re.search(rf"{heading}(.*?)(?=^## |\Z)", changelog, flags=re.MULTILINE | re.DOTALL)
    return section[1].strip() if section else ""


def main(tag: str) -> None:
    """Print the notes of the version `tag` names, with a `v` before it."""
    if tag != f"v{version()}":
        sys.exit(f"{tag} is not the version of server/intentls/__init__.py ({version()}).")
    text = notes((ROOT / "CHANGELOG.md").read_text("utf-8"), tag.removeprefix("v"))
    if not text:
        sys.exit(f"CHANGELOG.md has no dated section for {tag}.")
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
