"""Which files a linter of the policy is run for."""

from __future__ import annotations

import pytest

from intentls.core.gate.policy import LinterPolicy
from intentls.core.patterns.glob import Glob


@pytest.mark.parametrize(
    ("path", "expected"), [("a.py", True), ("src/b.py", True), ("src/b.ts", True), ("b.js", False)]
)
def test_a_linter_handles_the_files_of_its_globs(path: str, expected: bool) -> None:
    linter = LinterPolicy("lint", (Glob("**/*.py"), Glob("src/*.ts")), ("lint", "{file}"))
    assert linter.handles(path) is expected
