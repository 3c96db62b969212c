"""What people write in `.orchestration/` and what an editor shows of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

import yaml

from intentls.core.diagnostic import Diagnostic, Severity
from intentls.core.errors import ConfigurationError, InvalidGlob
from intentls.core.gate.policy import ContextPolicy, LinterPolicy, Policy
from intentls.core.intents.intent import Status
from intentls.core.intents.intentignore import IgnoreRules
from intentls.core.intents.scope import Scope
from intentls.store.config import intents_edit
from intentls.store.config.intents_parser import IntentsFile, parse_intents
from intentls.store.config.policy_parser import parse_policy
from intentls.store.yaml.document import MAX_BYTES
from tests.fuzz.bounded import bounded

PATHS = ("src/api/weather.py", "a", "src", "docs/a b/\u00fc.md", ".env", "x" * 200, "a/" * 60 + "b", "caf\udce9.txt")


def intents(data: bytes) -> None:
    """active_intents.yaml: any bytes give a file and diagnostics; what is valid says what any YAML reader says."""
    with bounded("reading the intents"):
        file = parse_intents(data)
    _check_diagnostics(file.diagnostics, file.text)
    if not file.valid:
        return
    _check_against_yaml(file)
    for intent in file.intents.values():
        for path in PATHS:
            assert intent.scope.contains(path) in (True, False)


def intents_edits(data: bytes) -> None:
    """Edits of any valid intents file change what they are meant to change, or say that they can't."""
    file = parse_intents(data)
    if not file.valid:
        return
    for intent_id in list(file.intents)[:2]:
        with bounded("editing the intents"):
            _check_edit(file, lambda: intents_edit.set_status(file, intent_id, Status.BLOCKED))  # noqa: B023
            _check_edit(file, lambda: intents_edit.add_globs(file, intent_id, ["new/**"]))  # noqa: B023
    if "INT-NEW" not in file.intents:
        _check_edit(file, lambda: intents_edit.add_intent(file, "INT-NEW", "A new one", ["new/**"]))


def policy(data: bytes) -> None:
    """policy.yaml: any bytes give a whole policy; a value is as written or, with a diagnostic, its default."""
    with bounded("reading the policy"):
        found = parse_policy(data)
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    _check_diagnostics(found.diagnostics, "" if len(data) > MAX_BYTES else text)
    _check_types(found.policy)
    if any(diagnostic.severity is Severity.ERROR for diagnostic in found.diagnostics):
        return
    said = _safe_load(text)
    if said is None:
        return
    for name in Policy.__struct_fields__:
        if name not in said:
            assert getattr(found.policy, name) == getattr(Policy(), name), name
        elif name == "protected":
            assert [glob.pattern for glob in found.policy.protected] == said[name]
        elif name not in ("context", "linters"):
            assert getattr(found.policy, name) == said[name], name


def intentignore(data: bytes) -> None:
    """.intentignore: any bytes give rules, and every path an answer."""
    text = data.decode("utf-8", errors="surrogateescape")
    with bounded("reading the rules"):
        rules = IgnoreRules.parse([text])
    with bounded("asking the rules"):
        answers = [rules.excludes_path(path + end) for path in PATHS for end in ("", "/")]
    assert set(answers) <= {True, False}
    assert all(rules.excludes_intent(intent_id) for intent_id in rules.intents)
    # Nothing below an ignored folder can be taken back in.
    if rules.excludes_path("src/"):
        assert rules.excludes_path("src/api/weather.py")


def globs(patterns: Iterable[str], paths: Iterable[str]) -> None:
    """Scope patterns: each is refused with advice or used, and the scope says what its patterns say."""
    usable = []
    for pattern in patterns:
        with bounded("reading a pattern"):
            try:
                usable.append((pattern, Scope.parse([pattern])))
            except InvalidGlob as refusal:
                assert refusal.reason and len(str(refusal)) < 1000
    scope = Scope.parse([pattern for pattern, _ in usable])
    for path in paths:
        with bounded("matching"):
            answer = scope.contains(path)
        included = [one.included[0].matches(path) for _, one in usable if one.included]
        excluded = [one.excluded[0].matches(path) for _, one in usable if one.excluded]
        expected = (any(included) if usable else Scope().contains(path)) and not any(excluded)
        assert answer == expected, (path, scope.patterns)
        if answer:
            assert not path.startswith("/") and ".." not in path.split("/"), path


def _check_diagnostics(diagnostics: tuple[Diagnostic, ...], text: str) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for diagnostic in diagnostics:
        span = diagnostic.span
        start, end = (span.start_line, span.start_column), (span.end_line, span.end_column)
        assert (0, 0) <= start <= end, diagnostic
        for line, column in (start, end):
            assert line < len(lines) and 0 <= column <= len(lines[line]), (diagnostic, len(lines))
        assert diagnostic.code and diagnostic.message and len(diagnostic.message) < 2000, diagnostic


def _check_against_yaml(file: IntentsFile) -> None:
    """PyYAML's own reading has the same intents with the same scopes: none was lost, none widened."""
    document = _safe_load(file.text)
    if document is None:
        return
    entries = (document.get("active_intents") or []) if isinstance(document, dict) else []
    assert [entry["id"] for entry in entries] == list(file.intents)
    for entry, intent in zip(entries, file.intents.values(), strict=True):
        assert tuple(entry.get("owned_scope") or ()) == intent.scope.patterns
        assert (entry.get("status") or "PENDING") == intent.status


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """PyYAML's own loader, but a plain date is text, as the schemas want it."""

    yaml_implicit_resolvers: ClassVar[dict[Any, Any]] = {
        first: [(tag, regex) for tag, regex in resolvers if tag != "tag:yaml.org,2002:timestamp"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


def _safe_load(text: str) -> Any:
    """What PyYAML reads; None where it departs from YAML: an anchor given again, a `!` for a text, a lone `<<`."""
    try:
        if any(getattr(event, "tag", None) == "!" for event in yaml.parse(text, _Loader)):
            return None
        return yaml.load(text, _Loader)
    except (yaml.composer.ComposerError, yaml.constructor.ConstructorError):
        return None


def _check_edit(file: IntentsFile, make: Any) -> None:
    try:
        edit = make()
    except ConfigurationError:
        return
    after = parse_intents(file.encode(intents_edit.apply(file.text, edit)))
    assert after.valid and set(file.intents) <= set(after.intents)
    changed = [one for one in file.intents if file.intents[one] != after.intents[one]]
    assert len(changed) <= 1, changed


def _check_types(policy: Policy) -> None:
    for name in Policy.__struct_fields__:
        value = getattr(policy, name)
        assert type(value) is type(getattr(Policy(), name)), name
    for part in ContextPolicy.__struct_fields__:
        assert type(getattr(policy.context, part)) is int
    for linter in policy.linters:
        assert isinstance(linter, LinterPolicy) and linter.command and linter.format in ("sarif", "json", "text")
        assert all(isinstance(part, str) for part in linter.command)
        assert linter.handles("src/a.py") in (True, False)
