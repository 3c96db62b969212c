"""What one would build without trees: tokens of the changed lines, compared as bags. Beside our figures for scale."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable

_TOKEN = re.compile(r"\w+|[^\w\s]")
_STRING = r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
_COMMENTS = {
    "python": re.compile(r"(\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?''')|(#[^\n]*)|(" + _STRING + ")"),
    "": re.compile(r"(/\*[\s\S]*?\*/)|(//[^\n]*)|(" + _STRING + r"|`(?:\\.|[^`\\])*`)"),
}
THRESHOLDS = tuple(number / 100 for number in range(50, 100, 5))


def similarity(language: str, before: str, after: str) -> float:
    """1 where the code without comments and white space is the same; else how alike the changed lines are, from 0."""
    old, new = _bare(language, before), _bare(language, after)
    if _tokens(old) == _tokens(new):
        return 1.0
    removed, added = Counter[str](), Counter[str]()
    for line in difflib.unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm=""):
        if line[:3] not in ("---", "+++"):
            {"-": removed, "+": added}.get(line[0], Counter[str]()).update(_tokens(line[1:]))
    total = removed.total() + added.total()
    return 2 * (removed & added).total() / total if total else 0.0


def classify(language: str, likeness: float, threshold: float) -> str:
    """The class by likeness: what is equal is documentation, what is alike a refactor."""
    if language in ("prose", "settings"):
        return "DOCUMENTATION" if language == "prose" else "CONFIGURATION"
    if likeness == 1.0:
        return "DOCUMENTATION"
    return "AST_REFACTOR" if likeness >= threshold else "INTENT_EVOLUTION"


def tuned(cases: Iterable[tuple[str, float, str]]) -> float:
    """The threshold that gets most of (language, likeness, label) right; the highest of several."""
    known = list(cases)

    def right(threshold: float) -> int:
        return sum(classify(language, likeness, threshold) == label for language, likeness, label in known)

    return max(THRESHOLDS, key=lambda threshold: (right(threshold), threshold))


def _bare(language: str, text: str) -> str:
    pattern = _COMMENTS["python" if language == "python" else ""]
    return pattern.sub(lambda found: found[3] or " ", text)


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text)
