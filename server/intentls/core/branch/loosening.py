"""What a branch made less strict: keys of the policy, constraints and criteria of intents, lines of .intentignore.

Each function names one loosened rule after the other, so that a reviewer reads what was really given up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import asdict, replace

from intentls.core.gate.policy import DEFAULT, LinterPolicy, Policy, RunPolicy
from intentls.core.intents.intent import Intent
from intentls.core.intents.intentignore import IgnoreRules
from intentls.core.patterns.glob import Glob

# From lax to strict. A key that is not named here, and is not harmless, counts as weaker whenever it differs.
_STRICTNESS: dict[str, tuple[object, ...]] = {
    "mode": ("advise", "enforce"),
    "hitl": ("ask", "deny"),
    "on_invalid": ("allow", "block"),
    "on_trace_failure": ("warn", "block"),
    "require_base": (False, True),
    "empty_scope": ("allow", "deny"),
    "trace_on_save": (False, True),
    "shell": ("record", "revert", "deny"),
    "mutation_check": ("record", "warn", "block"),
    "leases": ("advise", "enforce"),
    "identity": ("none", "email", "name"),
    "attest": ("allow", "review", "deny"),
    "signatures": ("off", "warn", "require"),
    "signed_approvals": (False, True),
    "question_excerpts": (True, False),
}
_LARGER_IS_STRICTER = frozenset({"lease_ttl_s"})
_FEWER_IS_STRICTER = frozenset({"attest_authors", "safe_tools"})
# How long a question waits, how much an agent gets to read, whether git has what is derived.
_HARMLESS = frozenset(
    {"hitl_timeout_s", "context", "commit_derived", "default_intent", "close_intents", "closed_files"}
)


class IgnoreLoosening(Struct, frozen=True):
    """A rule of an ignore file that holds less. `file` is its number among the files, `line` (from 1) its new place."""

    file: int
    line: int | None
    message: str


def policy_loosenings(base: Policy, head: Policy) -> Iterator[str]:
    """A sentence for each key that is less strict at the head, and for each linter that is new, altered or gone."""
    for key in Policy.__struct_fields__:
        old, new = getattr(base, key), getattr(head, key)
        if key == "linters":
            yield from _linter_changes(old, new)
        elif key not in _HARMLESS and old != new and _is_weaker(key, old, new):
            yield f"{key} was {_shown(old)} and is {_shown(new)}: the gate is less strict than at the base."


def _is_weaker(key: str, old: object, new: object) -> bool:
    if key == "coordination":  # another database is another's word for who holds what
        return old != DEFAULT.coordination
    if isinstance(old, RunPolicy) and isinstance(new, RunPolicy):
        return replace(old, max_changes=new.max_changes) != new  # how many files may change is no rule
    if key in _LARGER_IS_STRICTER and isinstance(old, int) and isinstance(new, int):
        return new < old
    if isinstance(old, tuple) and isinstance(new, tuple):
        return not (set(new) <= set(old) if key in _FEWER_IS_STRICTER else set(old) <= set(new))
    order = _STRICTNESS.get(key, ())
    return not {old, new} <= set(order) or order.index(new) < order.index(old)


def _linter_changes(old: Sequence[LinterPolicy], new: Sequence[LinterPolicy]) -> Iterator[str]:
    added = [linter for linter in new if linter not in old]
    for linter in added:
        files = ", ".join(glob.pattern for glob in linter.files)
        yield f"linters: {linter.name} now runs `{' '.join(linter.command)}` on {files}, which the base does not."
    for linter in old:
        if linter not in new and linter.name not in {other.name for other in added}:
            yield f"linters: {linter.name} is gone, so what it finds is no longer learned."


def _shown(value: object) -> str:
    if isinstance(value, RunPolicy):
        return ", ".join(f"{name}: {_shown(part)}" for name, part in asdict(value).items())
    if isinstance(value, tuple):
        return f"[{', '.join(item.pattern if isinstance(item, Glob) else str(item) for item in value)}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def dropped_rules(base: Intent, head: Intent) -> Iterator[str]:
    """A sentence for each constraint and each acceptance criterion of an intent that the head has no more.

    One that was reworded counts as gone: whether it still asks for the same is for a person to say.
    """
    for name, old, new in (
        ("constraint", base.constraints, head.constraints),
        ("acceptance criterion", base.acceptance_criteria, head.acceptance_criteria),
    ):
        for rule in dict.fromkeys(old):
            if rule not in new:
                yield f"{base.id} no longer has the {name} {str(rule)!r}."


def ignore_loosenings(old: Sequence[str], new: Sequence[str]) -> Iterator[IgnoreLoosening]:
    """What the texts of the ignore files, merged in order, no longer put off limits.

    The last rule that matches a path decides, so of a rule that stands there twice only the last place counts, and a
    `!rule` that moved behind another rule takes back what that one put off limits:

        `!a.log`, `*.log`   ->   `*.log`, `!a.log`      a.log is no longer off limits
    """
    before, after = _rules(old), _rules(new)
    for rule, (file, _) in before.items():
        if rule not in after and not rule.startswith("!"):
            yield IgnoreLoosening(file, None, f"{rule!r} is gone: what it put off limits no longer is.")
    places_before, places_after = ({rule: place for place, rule in enumerate(rules)} for rules in (before, after))
    for rule, (file, line) in after.items():
        if not rule.startswith("!"):
            continue
        if rule not in before:
            yield IgnoreLoosening(file, line, f"{rule!r} takes something back that was off limits.")
            continue
        for other in (other for other in before if other in after and not other.startswith(("!", "intent: "))):
            if places_before[rule] < places_before[other] and places_after[other] < places_after[rule]:
                message = f"{rule!r} now comes after {other!r}, so it takes back what that puts off limits."
                yield IgnoreLoosening(file, line, message)
                break


def _rules(texts: Sequence[str]) -> dict[str, tuple[int, int]]:
    """The rules in the order of their last places, each with the number of its file and its line (from 1) there."""
    rules: dict[str, tuple[int, int]] = {}
    for file, text in enumerate(texts):
        for line, content in enumerate(text.split("\n"), start=1):
            parsed = IgnoreRules.parse((content,))
            for rule in (*(f"intent: {intent_id}" for intent_id in parsed.intents), *parsed.lines):
                if rule.strip():
                    rules.pop(rule, None)
                    rules[rule] = (file, line)
    return rules
