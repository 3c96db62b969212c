"""What a person is asked, in one sentence: who wants to do what, and why it was refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

from intentls.core.gate.refusal import Code
from intentls.core.gate.tool_class import SHELL
from intentls.core.mutation.classes import Change
from intentls.late_pattern import late_pattern

if TYPE_CHECKING:
    from intentls.core.gate.refusal import Refusal
    from intentls.core.intents.intent import Intent
    from intentls.engine.actions.request import PlannedEdit

_MAX_NAMES = 3
_MARKDOWN = late_pattern(r"([\\`*_\[\]<>&~#|])")
_VERBS = {Change.ADD: "create", Change.MODIFY: "change", Change.DELETE: "delete", Change.RENAME: "rename"}
_TOOL_VERBS = {"delete_file": "delete", "rename_file": "rename"}

# What a refusal tells the agent to do next; a person who is asked has other choices.
_ADVICE_TO_AGENTS = (
    "Request scope expansion.",
    "Re-read the file with read_file and try again.",
    "Read it with read_file, or pass expected_content_hash.",
    "Select an open intent.",
)


class Subject(Struct, frozen=True):
    """What a question is about. `who` is the model or the agent's program, "" where neither is known.

    `paths` are those of the action, `edits` what it would make of them as far as that is known, and `absent` those of
    them where no file is yet. `reason` is what the agent gives as its reason. `by_person`: the person who is asked
    does it.
    """

    refusal: Refusal
    tool_name: str
    who: str = ""
    intent_id: str | None = None
    intent: Intent | None = None
    paths: tuple[str, ...] = ()
    edits: tuple[PlannedEdit, ...] = ()
    reason: str = ""
    absent: frozenset[str] = frozenset()
    by_person: bool = False

    @property
    def text(self) -> str:
        """The sentence as plain text.

        Example: `claude-opus-4-5 wants to create docs/design.md, outside INT-001 (src/**).`
        """
        return _sentence(self, str, str)

    @property
    def markdown(self) -> str:
        """The same as Markdown, with names in bold."""
        return _sentence(self, lambda name: f"**{escaped(name)}**", escaped)

    @property
    def message(self) -> str:
        """The sentence, and the agent's reason."""
        return f"{self.text} The reason given: {self.reason}" if self.reason else self.text


_Style = Callable[[str], str]


def _sentence(subject: Subject, bold: _Style, plain: _Style) -> str:
    who = bold(subject.who) if subject.who else "An agent"
    if subject.tool_name == "request_scope_expansion":
        target = plain(subject.intent_id or "the intent") + _scope(subject, plain)
        return f"{who} wants to add {_names(subject.refusal.paths, bold)} to the scope of {target}."
    if subject.tool_name == "select_active_intent":
        if subject.by_person:
            return f"{plain(_reason(subject))} Select it all the same?"
        return f"{who} wants to select {bold(subject.intent_id or 'an intent')}. {plain(_reason(subject))}"
    if subject.tool_name == "set_status":
        return f"{who} wants to set the status of {bold(subject.intent_id or 'an intent')}. {plain(_reason(subject))}"
    return f"{who} wants to {_deed(subject, bold)}{_because(subject, plain)}"


def _deed(subject: Subject, bold: _Style) -> str:
    """`create a.md`, `change a.md and delete b.md`, `run a command`."""
    concerned = set(subject.refusal.paths)
    by_verb: dict[str, list[str]] = {}
    edits = [edit for edit in subject.edits if not concerned or {edit.path, edit.old_path} & concerned]
    if not edits:
        paths = subject.refusal.paths or subject.paths
        if subject.tool_name == SHELL and not paths:
            return "run a command"
        if not paths:
            return f"use {bold(subject.tool_name)}"
        verb = _TOOL_VERBS.get(subject.tool_name)
        if verb is not None:
            return f"{verb} {_names(paths, bold)}"
        for path in paths:
            by_verb.setdefault("create" if path in subject.absent else "change", []).append(path)
    for edit in edits:
        name = f"{edit.old_path} to {edit.path}" if edit.change is Change.RENAME and edit.old_path else edit.path
        by_verb.setdefault(_VERBS[edit.change], []).append(name)
    return " and ".join(f"{verb} {_names(names, bold)}" for verb, names in by_verb.items())


def _because(subject: Subject, plain: _Style) -> str:
    intent_id = plain(subject.intent_id or "")
    match subject.refusal.code:
        case Code.SCOPE_VIOLATION if subject.intent is not None and _is_outside(subject.intent, subject):
            return f", outside {intent_id}{_scope(subject, plain)}."
        case Code.INTENT_REQUIRED:
            return ". The agent has not chosen an intent."
        case Code.INTENT_CLOSED if subject.intent is not None:
            return f" under {intent_id}, which is {subject.intent.status}."
        case Code.INTENT_IGNORED:
            return f" under {intent_id}, which .intentignore takes out of use."
        case Code.INTENTIGNORE_PATH_BLOCKED:
            return ", which .intentignore puts off limits."
        case Code.STALE_CONTEXT:
            return ", which has changed since the agent read it."
        case Code.BASE_HASH_REQUIRED:
            return ", which the agent has not read."
    return f". {plain(_reason(subject))}"


def _is_outside(intent: Intent, subject: Subject) -> bool:
    return not all(intent.scope.contains(path) for path in subject.refusal.paths)


def _scope(subject: Subject, plain: _Style) -> str:
    """` (src/**, tests/**)`, or nothing where the intent has no scope."""
    globs = subject.intent.scope.patterns if subject.intent is not None else ()
    return f" ({_list(globs, plain)})" if globs else ""


def _reason(subject: Subject) -> str:
    reason = subject.refusal.error
    for advice in _ADVICE_TO_AGENTS:
        reason = reason.removesuffix(advice).rstrip()
    return reason.partition("Violation: ")[2] or reason


def _names(names: Iterable[str], style: _Style) -> str:
    """`a`, `a and b`, `a, b, c and 4 more`."""
    shown = list(names)
    more = len(shown) - _MAX_NAMES
    if more > 1:
        return f"{', '.join(map(style, shown[:_MAX_NAMES]))} and {more} more"
    *first, last = map(style, shown)
    return f"{', '.join(first)} and {last}" if first else last


def _list(names: Iterable[str], style: _Style) -> str:
    shown = list(names)
    return ", ".join([*map(style, shown[:_MAX_NAMES]), *(["…"] if len(shown) > _MAX_NAMES else [])])


def escaped(text: str) -> str:
    """The text on one line, so that Markdown shows each of its characters."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))
