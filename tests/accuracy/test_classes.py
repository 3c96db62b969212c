"""The measuring itself, on a corpus of three changes: without network, in a moment."""

from __future__ import annotations

import pytest
from accuracy.classes import misses, predict, report
from accuracy.corpus import FileChange, Step
from accuracy.labels import Label

from accuracy import baseline

pytest.importorskip("tree_sitter")

BEFORE = {
    "town/city.py": b"def parse(text):\n    return text.strip()\n",
    "town/use.py": b"from town.city import parse\n\nprint(parse('a'))\n",
    "town/other.py": b"limit = 3\n",
}
AFTER = {
    "town/city.py": b"def parse_city(text):\n    return text.strip()\n",
    "town/use.py": b"from town.city import parse_city\n\nprint(parse_city('a'))\n",
    "town/other.py": b"limit = 4  # was 3\n",
}


def label(path: str, mutation_class: str, split: str = "dev") -> Label:
    return Label(FileChange("a/town", "pypi:town", "1", "2", path, split), mutation_class, False, "because")


LABELS = [
    label("town/city.py", "AST_REFACTOR"),
    label("town/use.py", "AST_REFACTOR"),
    label("town/other.py", "DOCUMENTATION", "held-out"),  # a wrong one, to be seen
]


def test_each_change_is_judged_alone_and_with_its_step() -> None:
    """A rename that other files take part in is a refactor only where they are seen."""
    heard: list[str] = []
    found = predict(LABELS, lambda _: Step(BEFORE, AFTER), heard.append)
    assert [(one.alone, one.together) for one in found[1:]] == [
        ("INTENT_EVOLUTION", "AST_REFACTOR"),
        ("INTENT_EVOLUTION", "INTENT_EVOLUTION"),
    ]
    assert heard == ["1/1 pypi:town 2"]
    result = report(found)
    assert result["splits"]["dev"]["set"]["code"]["recall"]["AST_REFACTOR"]["hits"] == 2
    assert result["splits"]["held-out"]["set"]["code"]["recall"]["DOCUMENTATION"]["hits"] == 0
    assert result["cost"]["python"]["changes"] == 3


def test_what_went_wrong_on_the_held_out_half_is_only_shown_when_asked_for() -> None:
    """The results name the misses of the development half; of the other they have numbers."""
    found = predict(LABELS, lambda _: Step(BEFORE, AFTER), lambda _: None)
    assert report(found)["dev_misses"] == []
    assert "town/other.py" in misses(found, "held-out")
    assert misses(found, "dev") == ""


@pytest.mark.parametrize(
    ("language", "before", "after", "expected"),
    [
        ("python", "a = 1  # one\n", "a = 1\n", "DOCUMENTATION"),
        ("python", "a = '# one'\n", "a = '# two'\n", "AST_REFACTOR"),
        ("go", "a := 1 // one\n", "/* two */ a := 1\n", "DOCUMENTATION"),
        ("go", "total := first + second + third\n", "total := first + second + fourth\n", "AST_REFACTOR"),
        ("prose", "a", "b", "DOCUMENTATION"),
        ("settings", "a", "b", "CONFIGURATION"),
    ],
)
def test_the_baseline_goes_by_tokens(language: str, before: str, after: str, expected: str) -> None:
    """It sees comments, and takes a small change of behaviour for a refactor: that is why it is only a baseline."""
    assert baseline.classify(language, baseline.similarity(language, before, after), 0.8) == expected


def test_the_baseline_is_tuned_to_get_most_right() -> None:
    """So that it is not made to look worse than it is."""
    cases = [("python", 0.7, "AST_REFACTOR"), ("python", 0.6, "INTENT_EVOLUTION"), ("python", 0.3, "INTENT_EVOLUTION")]
    assert baseline.tuned(cases) == 0.7
