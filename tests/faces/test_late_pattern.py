"""Regular expressions that are compiled when they are needed: each is one, and says what a compiled one says."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

import intentls
from intentls.late_pattern import LatePattern, late_pattern

PACKAGE = Path(intentls.__file__).parent


def test_a_late_pattern_is_compiled_once_by_its_first_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """And then answers as the compiled one does, of texts and of bytes."""
    compiled: list[object] = []
    compile_ = re.compile

    def watched(source: str | bytes, flags: int = 0) -> re.Pattern[str] | re.Pattern[bytes]:
        compiled.append(source)
        return compile_(source, flags)

    monkeypatch.setattr(re, "compile", watched)
    word, number = late_pattern("W(?P<rest>[a-z]+)", re.IGNORECASE), late_pattern(rb"[0-9]+")
    assert compiled == []
    for text in ("word", "WORD", "no"):
        found = word.fullmatch(text)
        assert (found and found["rest"]) == {"word": "ord", "WORD": "ORD"}.get(text)
    assert [number.sub(b"n", b"1 and 22"), number.sub(b"n", b"3")] == [b"n and n", b"n"]
    assert compiled == ["W(?P<rest>[a-z]+)", rb"[0-9]+"]


def test_every_late_pattern_is_a_regular_expression() -> None:
    """A mistake in one would show with a user's first use of it."""
    names = sorted(
        path.relative_to(PACKAGE).with_suffix("").as_posix().replace("/", ".")
        for path in PACKAGE.rglob("*.py")
        if b"= late_pattern(" in path.read_bytes()
    )
    patterns = [
        value
        for name in names
        for value in vars(importlib.import_module(f"intentls.{name}")).values()
        if isinstance(value, LatePattern)
    ]
    assert len(patterns) > 100
    assert all(re.compile(value.pattern, value.flags).pattern == value.pattern for value in patterns)
