"""`.intentignore`: intents that are out of use and paths that are off limits.

A line `intent: INT-003` takes that intent out of use. `#` starts a comment. Every other line is a gitignore
pattern and means what git takes it for; tests/core/differential compares with `git check-ignore`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby

from intentls.core.patterns.gitignore import Rule, as_bytes, parse_rule
from intentls.core.patterns.path_regex import compile_any, to_regex

_INTENT = re.compile(r"\s*intent:\s*(\S+)\s*(?:#.*)?")


@dataclass(frozen=True)
class IgnoreRules:
    """The rules of all `.intentignore` files of a root, the later ones last. `IgnoreRules()` ignores nothing."""

    intents: frozenset[str] = frozenset()
    rules: tuple[Rule, ...] = field(default=(), repr=False)

    @classmethod
    def parse(cls, texts: Iterable[str]) -> IgnoreRules:
        """The rules in the files' contents, merged in order. Nothing is refused: a line git can't use has no effect."""
        intents: set[str] = set()
        rules: list[Rule] = []
        for line in (line for text in texts for line in _lines(text)):
            if intent := _INTENT.fullmatch(line):
                intents.add(intent[1])
            elif rule := parse_rule(line):
                rules.append(rule)
        return cls(frozenset(intents), tuple(rules))

    def excludes_intent(self, intent_id: str) -> bool:
        """Whether the intent is out of use."""
        return intent_id in self.intents

    def excludes_path(self, path: str, is_dir: bool = False) -> bool:
        """Whether `path` (root-relative, normalised) or a directory above it is ignored.

        As in git, nothing below an ignored directory can be taken back in.
        """
        if not self.rules:
            return False
        name = as_bytes(path)
        slash = name.find("/")
        while slash > 0:
            if _is_ignored(name[:slash], self._for_directories):
                return True
            slash = name.find("/", slash + 1)
        return _is_ignored(name, self._for_directories if is_dir else self._for_files)

    @cached_property
    def _for_directories(self) -> list[_Run]:
        return _runs(self.rules)

    @cached_property
    def _for_files(self) -> list[_Run]:
        rules = tuple(rule for rule in self.rules if not rule.directories_only)
        return self._for_directories if rules == self.rules else _runs(rules)


_Run = tuple[bool, re.Pattern[str]]
"""Neighbouring rules of one kind as one expression, and whether their paths are ignored."""


def _lines(text: str) -> list[str]:
    """The lines of a file as git sees them."""
    return [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]


def _runs(rules: Iterable[Rule]) -> list[_Run]:
    """The runs of `rules`, the last first, since the last rule that matches decides."""
    runs = [
        (not negated, compile_any(to_regex(row) for rule in run for row in rule.rows))
        for negated, run in groupby(rules, lambda rule: rule.negated)
    ]
    return runs[::-1]


def _is_ignored(name: str, runs: list[_Run]) -> bool:
    """Whether the entry `name` is ignored by itself, whatever stands above it."""
    return next((ignored for ignored, regex in runs if regex.match(name)), False)
