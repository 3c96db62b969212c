"""Patterns that hang other matchers decide as fast as a plain one: measured as ratios, in one server, interleaved."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.session import Session, session
from tests.support.workspaces import intents_yaml, make_workspace

PATTERNS = {
    "globstars": "**/a/" * 12 + "b",
    "stars": "*a" * 16 + "b",
    "stars between globstars": "**/*a*/" * 8 + "b",
    "questions": "*?" * 60 + "b",
    "braces": "{a,aa,aaa}" * 6 + "*b",
    "classes": "*[a-b]*[!c]" * 20 + "b",
}
# As near to matching as a path can come, so that a matcher that tries again has most to try.
PATHS = ["/".join(["a"] * 100), "a" * 250, "/".join(["aa" * 20] * 40), "a/" * 60 + "a" * 200, "/".join(["ab"] * 100)]
ROUNDS = 15
ALLOWED = 4.0  # times the plain pattern's time; a matcher that backtracks needs millions of times


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    scopes = {"plain": ["z/**"], **{name.replace(" ", "-"): [glob] for name, glob in PATTERNS.items()}}
    root: Path = make_workspace(tmp_path_factory.mktemp("globs") / "w", intents_yaml(scopes), policy="hitl: deny\n")
    with session(root) as started:
        for intent_id in scopes:
            answer = started.do("selectActiveIntent", intent_id=intent_id, session_id=intent_id)
            assert answer["status"] == "ok", answer
        yield started


def _decide(server: Session, session_id: str) -> float:
    """Seconds for a decision on all paths together, as the client sees it."""
    started = time.perf_counter()
    answer = server.do("checkEdit", paths=PATHS, session_id=session_id)
    assert answer["code"] == "SCOPE_VIOLATION", answer
    return time.perf_counter() - started


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pathological_pattern_costs_what_a_plain_one_does(server: Session, name: str) -> None:
    """The median of paired decisions is within a small factor, whatever the machine does meanwhile."""
    bad = name.replace(" ", "-")
    for each in ("plain", bad):
        _decide(server, each)  # patterns are compiled when first asked
    ratios = [_decide(server, bad) / _decide(server, "plain") for _ in range(ROUNDS)]
    assert statistics.median(ratios) < ALLOWED, ratios


def test_patterns_that_would_not_end_are_refused_when_the_file_is_read(tmp_path: Path) -> None:
    """Sixteen million alternatives never reach the matcher: the gate closes and the sentence says what to write."""
    root = make_workspace(tmp_path / "w", intents_yaml({"INT-001": ["{a,b}" * 24]}))
    with session(root) as server:
        answer = server.do("checkEdit", path="a")
        assert answer["code"] == "HOOK_ERROR"
        assert "stand for more than 1,000 alternatives; write `*`, or several globs" in answer["error"]
