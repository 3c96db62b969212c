"""The part of CONTRIBUTING.md's style that a machine can hold, and that the site has every page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.markdown import Page

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
INTERNALS = sorted([DOCS / "architecture.md", *(DOCS / "internals").glob("*.md")])
PAGES = sorted({*ROOT.glob("*.md"), *DOCS.rglob("*.md"), ROOT / "client-vscode" / "README.md"})
MAX_WIDTH = 159
MAX_ENTRIES = 20

# Words that hide the subject or belong to another century, and words that the vocabulary has replaced.
BANNED = re.compile(
    r"\b(?:nobody|somebody|anybody|whoever|whatever is|anew|for ever|(?:is|are) told|goes by the|whose each|unseen to|"
    r"takes? (?:it|them) for|pre-hooks?|check(?:s|ed|ing)? (?:an? |the |one )?(?:intents? )?out|checkout|"
    r"tak(?:e|es|en|ing) (?:an |the )?intents? up|hand(?:s|ed)? (?:[\w']+ )*back|"
    r"(?:ten|eleven|twelve|thirteen|\d+) (?:checks|small checks))\b",
    re.IGNORECASE,
)
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_GENERATED = re.compile(r"^<!-- (?:made by|measured).*?^<!-- end.*?-->$", re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"^(?: {4}|\t).*$", re.MULTILINE)
_CODE = re.compile(r"`[^`]*`")
_IMAGE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)")
_TEST = re.compile(r"`[^`]*?\b(test_\w+)`")
_TEST_FILE = re.compile(r"`((?:[\w/]+/)?test_\w+\.py)[:`]")
_MODULE = re.compile(r"`((?:core|store|engine|faces)/[\w/]+(?:\.py|/))`")


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def written(page: Page) -> str:
    """The text that people wrote, line for line: examples and generated tables are blank."""
    text = page.text
    for pattern in (_FENCED, _GENERATED):
        text = pattern.sub(_blank, text)
    return text


def banned(text: str) -> list[str]:
    """Each line with a banned word, outside of code and examples."""
    for pattern in (_INDENTED, _CODE):
        text = pattern.sub(_blank, text)
    return [line.strip() for line in text.splitlines() if BANNED.search(line)]


@pytest.mark.parametrize("path", PAGES, ids=_name)
def test_lines_are_short(path: Path) -> None:
    """A line of text or of a table has fewer than 160 characters. Examples show real output, as long as it is."""
    lines = enumerate(written(Page.read(path)).splitlines(), start=1)
    assert [number for number, line in lines if len(line.rstrip()) > MAX_WIDTH] == []


@pytest.mark.parametrize("path", PAGES, ids=_name)
def test_pages_are_in_plain_english(path: Path) -> None:
    """No page uses a banned word."""
    assert banned(written(Page.read(path))) == []


@pytest.mark.parametrize(
    "line",
    [
        "Nobody is asked.",
        "The agent is told the code.",
        "An agent checks an intent out.",
        "Check one intent out.",
        "It is checked out for a session.",
        "Hand the session's intent back.",
        "Take an intent up.",
        "twelve checks",
        "The file is made anew.",
    ],
)
def test_banned_words_are_found(line: str) -> None:
    """The pattern finds the sentences that it is for."""
    assert banned(line) == [line]


@pytest.mark.parametrize("line", ["`git checkout FILE`", "The checks of the gate", "    nobody in an example"])
def test_code_may_say_anything(line: str) -> None:
    """Code spans and indented examples are the program's words."""
    assert banned(line) == []


def test_no_folder_is_crowded() -> None:
    """A folder of the documentation shows at most 20 entries."""
    folders = [DOCS, *(path for path in DOCS.rglob("*") if path.is_dir())]
    sizes = {_name(folder): len(list(folder.iterdir())) for folder in folders}
    assert {name: size for name, size in sizes.items() if size > MAX_ENTRIES} == {}


@pytest.mark.parametrize("path", PAGES, ids=_name)
def test_every_picture_is_there(path: Path) -> None:
    """An image of a page is a file of this repository."""
    pictures = [target for target in _IMAGE.findall(Page.read(path).prose) if ":" not in target]
    assert [target for target in pictures if not (path.parent / target).is_file()] == []


def _pages_of(nav: list[Any]) -> Iterator[str]:
    for item in nav:
        for target in item.values():
            yield from [target] if isinstance(target, str) else _pages_of(target)


def test_the_site_shows_every_page() -> None:
    """The navigation of mkdocs.yml has each page of docs/ once, and no other."""
    nav = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))["nav"]
    assert sorted(_pages_of(nav)) == sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))


def test_the_index_links_to_every_page() -> None:
    """docs/index.md leads to each page."""
    linked = {target.partition("#")[0] for target in Page.read(DOCS / "index.md").links}
    assert {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")} - {"index.md"} == linked


def test_the_tests_that_pages_name_exist() -> None:
    """Each test file and each test function that a page names is in the tests."""
    pages = [path for path in INTERNALS if path.stem != "accuracy"]  # that one names files of other projects
    text = "\n".join(path.read_text("utf-8") for path in pages)
    files = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.py")}
    named_files, functions = set(_TEST_FILE.findall(text)), set(_TEST.findall(text))
    assert len(named_files) > 25 and len(functions) > 25
    assert sorted(name for name in named_files if not any(f"/{path}".endswith(f"/{name}") for path in files)) == []
    source = "\n".join(files.values())
    assert sorted(name for name in functions if f"def {name}(" not in source) == []


def test_the_modules_that_pages_name_exist() -> None:
    """A path such as `store/git/command.py` is a file of the server."""
    named = {name for path in INTERNALS for name in _MODULE.findall(path.read_text("utf-8"))}
    assert len(named) > 15
    assert sorted(name for name in named if not (ROOT / "server" / "intentls" / name).exists()) == []
