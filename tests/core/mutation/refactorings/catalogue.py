"""Well-known refactorings by language, as the Markdown files beside this one have them, and what linters mend in
`linters`.

A file has three parts: what is proven, what is a refactoring and not proven (a sentence says why), and what only looks
like one. A case is a heading and two pieces of code, before and after: the body of a function `run(a, b, items)`,
and what stands beside that function after a line `// beside`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

from msgspec import Struct

PROVEN, UNPROVEN, SOMETHING_ELSE = "Proven", "Not proven", "Something else"

_CASE = re.compile(
    r"^## ([^\n]+)\n+((?:(?!```|#)[^\n]+\n+)*)```\w+\n(.*?)```\n+```\w+\n(.*?)```$", re.MULTILINE | re.DOTALL
)
_BESIDE = re.compile(r"^(?://|#) beside\n", re.MULTILINE)
_PARTS = re.compile(rf"^# ({PROVEN}|{UNPROVEN}|{SOMETHING_ELSE})\n", re.MULTILINE)

# By language the path of the file, and what stands around the body and around what is beside it.
_AROUND = {
    "python": ("shop.py", "import os\n\n\ndef run(a, b, items):\n", "\n\n", ""),
    "javascript": ("shop.js", 'import fs from "fs";\n\nexport function run(a, b, items) {\n', "}\n", ""),
    "java": (
        "Shop.java",
        "package p;\n\npublic class Shop {\npublic int run(int a, int b, String[] items) {\n",
        "}\n",
        "}\n",
    ),
    "go": ("shop.go", "package p\n\nfunc Run(a int, b int, items []string) int {\n", "}\n", ""),
    "rust": ("src/lib.rs", "pub fn run(a: i32, b: i32, items: &[String]) -> i32 {\n", "}\n", ""),
    "c": (
        "shop.c",
        "#include <stdio.h>\n\nint send(int);\nint log(int);\nint get(int);\nint next(int);\n\n"
        "int run(int a, int b, char **items)\n{\n",
        "}\n",
        "",
    ),
}
_FOLDERS = (Path(__file__).parent, Path(__file__).parent / "linters")
OTHERS = {"Cargo.toml": '[package]\nname = "shop"\nedition = "2021"\n'}
LANGUAGES = tuple(_AROUND)


class Case(Struct, frozen=True):
    """One change of one file. `why`: what the catalogue says of it."""

    language: str
    name: str
    why: str
    path: str
    before: str
    after: str

    @property
    def head(self) -> str:
        """What stands before the body of the function."""
        return _AROUND[self.language][1]

    @property
    def suffix(self) -> str:
        """What its file's name ends with, without the dot."""
        return self.path.rpartition(".")[2]


def cases(part: str) -> Iterator[Case]:
    """The cases of all languages in one part of the catalogue."""
    for language, text in _texts():
        pieces = _PARTS.split(text)
        for name, body in zip(pieces[1::2], pieces[2::2], strict=True):
            for found in _CASE.finditer(body) if name == part else ():
                path, *_ = _AROUND[language]
                title, why, before, after = found.groups()
                yield Case(language, title, why.strip(), path, _file(language, before), _file(language, after))


def headings() -> int:
    """How many headings of cases the files have: as many as cases are read."""
    return sum(text.count("\n## ") for _, text in _texts())


def _texts() -> Iterator[tuple[str, str]]:
    for folder in _FOLDERS:
        for language in LANGUAGES:
            yield language, (folder / f"{language}.md").read_text(encoding="utf-8")


def _file(language: str, snippet: str) -> str:
    _, begin, end, last = _AROUND[language]
    body, *beside = _BESIDE.split(snippet)
    return begin + indent(body, "    ") + end + "".join(beside) + last
