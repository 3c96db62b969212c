"""policy.yaml: every key, good and bad."""

from __future__ import annotations

from typing import Any

import pytest

from intentls.core.diagnostic import Severity, Span
from intentls.core.gate.policy import ContextPolicy, OnInvalid, Policy, PolicyFile, RunMode, RunPolicy
from intentls.core.patterns.glob import Glob
from intentls.store.config.policy_parser import parse_policy
from intentls.store.yaml.schema import load_schema

DEFAULTS = """\
mode: enforce            # enforce | advise (never block, record and warn)
hitl: ask                # ask | deny
hitl_timeout_s: 120
on_invalid: block        # block | allow
on_trace_failure: warn   # warn | block
require_base: false
empty_scope: allow       # allow | deny
protected: []
trace_on_save: true
context: {max_tokens: 4000, recent_changes: 20}
linters:
  - {name: ruff, files: ["**/*.py"], command: [ruff, check, --output-format, sarif, "{file}"], format: sarif}
leases: advise
lease_ttl_s: 600
"""
GOOD: list[tuple[str, str, Any]] = [
    ("mode", "advise", "advise"),
    ("hitl", "deny", "deny"),
    ("hitl", "'deny'", "deny"),
    ("hitl_timeout_s", "1", 1),
    ("hitl_timeout_s", "86400", 86400),
    ("on_invalid", "allow", OnInvalid.ALLOW),
    ("on_trace_failure", "block", "block"),
    ("require_base", "true", True),
    ("require_base", "True", True),
    ("empty_scope", "deny", "deny"),
    ("protected", "[]", ()),
    ("protected", '["a/**", b]', (Glob("a/**"), Glob("b"))),
    ("trace_on_save", "false", False),
    ("leases", "enforce", "enforce"),
    ("lease_ttl_s", "5", 5),
    ("context", "{max_tokens: 100}", ContextPolicy(100, 20)),
    ("context", "{recent_changes: 0}", ContextPolicy(4000, 0)),
    ("context", "{}", ContextPolicy()),
    ("linters", "[]", ()),
    ("run", "{max_changes: 5}", RunPolicy(max_changes=5)),
    ("run", "{mode: strict, writable: [a]}", RunPolicy(RunMode.STRICT, writable=("a",))),
]
BAD: list[tuple[str, str, str, str]] = [
    ("mode", "Enforce", "bad-value", "enforce, advise"),
    ("mode", "[advise]", "wrong-type", "text"),
    ("hitl", "off", "wrong-type", '"off"'),
    ("hitl", "allow", "bad-value", "ask, deny"),
    ("hitl_timeout_s", "0", "bad-value", "at least 1"),
    ("hitl_timeout_s", "-5", "bad-value", "at least 1"),
    ("hitl_timeout_s", "86401", "bad-value", "at most 86400"),
    ("hitl_timeout_s", "'120'", "wrong-type", "without quotes"),
    ("hitl_timeout_s", "1.5", "wrong-type", "whole number"),
    ("hitl_timeout_s", "120.0", "wrong-type", "whole number"),
    ("hitl_timeout_s", "0120", "wrong-type", "whole number"),
    ("hitl_timeout_s", "true", "wrong-type", "whole number"),
    ("hitl_timeout_s", "9" * 5000, "wrong-type", "whole number"),
    ("on_invalid", "permit", "bad-value", "block, allow"),
    ("on_trace_failure", "allow", "bad-value", "warn, block"),
    ("require_base", "yes", "wrong-type", "true or false"),
    ("require_base", "1", "wrong-type", "true or false"),
    ("require_base", "'true'", "wrong-type", "without quotes"),
    ("empty_scope", "block", "bad-value", "allow, deny"),
    ("protected", "a/**", "wrong-type", "a list"),
    ("trace_on_save", "On", "wrong-type", "true or false"),
    ("leases", "block", "bad-value", "advise, enforce"),
    ("lease_ttl_s", "0", "bad-value", "at least 1"),
    ("lease_ttl_s", "700000", "bad-value", "at most 604800"),
    ("context", "4000", "wrong-type", "a mapping"),
    ("linters", "ruff", "wrong-type", "a list"),
    ("linters", "{name: ruff}", "wrong-type", "a list"),
]


def parse(text: str) -> PolicyFile:
    """The policy, read."""
    return parse_policy(text.encode())


def test_the_documented_defaults_are_the_defaults() -> None:
    """The contract's example, nothing at all, and no file mean the same."""
    assert parse(DEFAULTS) == PolicyFile(Policy())
    assert parse("") == parse("# none\n") == parse_policy(None) == PolicyFile(Policy())


def test_the_schema_and_the_program_know_the_same_keys_and_defaults() -> None:
    """One source for editors and for the gate."""
    properties = load_schema("policy").definition["properties"]
    assert set(properties) == set(Policy.__struct_fields__)
    linters = properties["linters"]["default"]
    text = "".join(
        f"{key}: {str(value['default']).lower()}\n"
        for key, value in properties.items()
        if value["type"] != "array" and value["type"] != "object"
    )
    assert parse(text) == PolicyFile(Policy())
    assert Policy().context == ContextPolicy(**properties["context"]["default"])
    (ruff,) = Policy().linters
    assert [glob.pattern for glob in ruff.files] == linters[0]["files"]
    assert (ruff.name, list(ruff.command), ruff.format) == (
        linters[0]["name"],
        linters[0]["command"],
        linters[0]["format"],
    )


def test_the_schema_explains_every_key() -> None:
    """Editors show these texts."""
    for schema in load_schema("policy").definition["properties"].values():
        assert schema["title"]
        assert schema["description"]
        assert "default" in schema
        assert schema["examples"]


@pytest.mark.parametrize(("key", "written", "value"), GOOD)
def test_a_good_value_holds(key: str, written: str, value: Any) -> None:
    """And changes nothing else."""
    file = parse(f"{key}: {written}\n")
    assert file.diagnostics == ()
    assert file.policy == Policy(**{key: value})
    assert type(getattr(file.policy, key)) is type(getattr(Policy(), key))


@pytest.mark.parametrize(("key", "written", "code", "advice"), BAD)
def test_a_bad_value_is_shown_and_the_default_holds(key: str, written: str, code: str, advice: str) -> None:
    """The diagnostic covers the value; the other keys of the file still count."""
    other = "hitl: deny\n" if key != "hitl" else "mode: advise\n"
    file = parse(f"{other}{key}: {written} # c\n")
    (diagnostic,) = file.diagnostics
    start = len(key) + 2
    assert (diagnostic.code, diagnostic.severity) == (code, Severity.ERROR)
    assert diagnostic.span == Span(1, start, 1, start + len(written))
    assert advice in diagnostic.message
    assert file.policy == parse(other).policy


def test_an_empty_value_is_shown_at_its_key() -> None:
    """There is nothing else to show."""
    (diagnostic,) = parse("mode:\n").diagnostics
    assert (diagnostic.code, diagnostic.span) == ("wrong-type", Span(0, 0, 0, 4))


@pytest.mark.parametrize(
    ("written", "place", "policy"),
    [
        ("{max_tokens: 5, recent_changes: 7}", "5", ContextPolicy(4000, 7)),
        ("{max_tokens: 500, recent_changes: many}", "many", ContextPolicy(500, 20)),
        ("{recent_changes: -1}", "-1", ContextPolicy()),
    ],
)
def test_each_part_of_the_context_has_its_own_default(written: str, place: str, policy: ContextPolicy) -> None:
    """A bad part does not take the good one with it."""
    file = parse(f"context: {written}")
    (diagnostic,) = file.diagnostics
    start = 9 + written.index(place)
    assert diagnostic.span == Span(0, start, 0, start + len(place))
    assert file.policy == Policy(context=policy)


def test_linters_are_read() -> None:
    """In order; the format is text unless said otherwise."""
    file = parse(
        "linters:\n- name: shellcheck\n  files: ['**/*.sh', bin/*]\n  command: [shellcheck, '{file}']\n"
        "- {name: eslint, files: [web/**/*.ts], command: [npx, eslint], format: json}\n"
    )
    assert file.diagnostics == ()
    first, second = file.policy.linters
    assert (first.name, first.command, first.format) == ("shellcheck", ("shellcheck", "{file}"), "text")
    assert second.format == "json"
    assert first.handles("a/b.sh")
    assert first.handles("bin/x")
    assert not first.handles("bin/x/y")


@pytest.mark.parametrize(
    ("entry", "code", "place"),
    [
        ("{files: [a], command: [b]}", "missing-key", "files"),
        ("{name: x, command: [b]}", "missing-key", "name"),
        ("{name: x, files: [a]}", "missing-key", "name"),
        ("{name: '', files: [a], command: [b]}", "bad-value", "''"),
        ("{name: 5, files: [a], command: [b]}", "wrong-type", "5"),
        ("{name: x, files: '**', command: [b]}", "wrong-type", "'**'"),
        ("{name: x, files: [5], command: [b]}", "wrong-type", "5"),
        ("{name: x, files: [], command: [b]}", "bad-value", "[]"),
        ("{name: x, files: [/a], command: [b]}", "bad-glob", "/a"),
        ("{name: x, files: ['!a'], command: [b]}", "bad-glob", "'!a'"),
        ("{name: x, files: [a], command: 'b c'}", "wrong-type", "'b c'"),
        ("{name: x, files: [a], command: []}", "bad-value", "[]"),
        ("{name: x, files: [a], command: [b, 100]}", "wrong-type", "100"),
        ("{name: x, files: [a], command: ['']}", "bad-value", "''"),
        ("{name: x, files: [a], command: [b], format: xml}", "bad-value", "xml"),
        ("ruff", "wrong-type", "ruff"),
    ],
)
def test_a_bad_linter_is_shown_and_the_default_linters_hold(entry: str, code: str, place: str) -> None:
    """Never half a list: nobody should believe in a linter that does not run."""
    text = f"linters: [{{name: ok, files: [q], command: [w]}}, {entry}]"
    file = parse(text)
    (diagnostic,) = file.diagnostics
    start = text.index(place, text.index("]}, ") + 4)
    assert (diagnostic.code, diagnostic.span) == (code, Span(0, start, 0, start + len(place)))
    assert file.policy == Policy()


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("mod: advise\n", "mod"),
        ("context: {tokens: 5}\n", "tokens"),
        ("linters: [{name: a, files: [b], command: [c], x: 1}]", "x"),
    ],
)
def test_an_unknown_key_is_a_hint(text: str, key: str) -> None:
    """On every level."""
    (diagnostic,) = parse(text).diagnostics
    assert (diagnostic.code, diagnostic.severity) == ("unknown-key", Severity.HINT)
    assert diagnostic.data["key"] == key


def test_a_repeated_key_means_the_default() -> None:
    """Nobody can say which of the two was meant."""
    file = parse("mode: advise\nhitl: deny\nmode: advise\n")
    (diagnostic,) = file.diagnostics
    assert (diagnostic.code, diagnostic.span) == ("duplicate-key", Span(2, 0, 2, 4))
    assert file.policy == parse("hitl: deny").policy


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"mode: [advise", "yaml-syntax"),
        (b"mode: advise\n\xff", "not-utf8"),
        (b"mode: advise\nx: &a [*a]", "alias-bomb"),
        (b"#" * (4 * 1024 * 1024 + 1), "too-large"),
        (b"- mode: advise\n", "wrong-type"),
        (b"advise", "wrong-type"),
    ],
)
def test_an_unreadable_policy_means_the_defaults(data: bytes, code: str) -> None:
    """A broken policy never makes the gate more lenient than no policy."""
    file = parse_policy(data)
    assert [diagnostic.code for diagnostic in file.diagnostics] == [code]
    assert file.policy == Policy()


def test_a_foreign_tag_spoils_only_its_key() -> None:
    """The rest of the policy counts."""
    file = parse("mode: !x advise\nhitl: deny\n")
    assert [diagnostic.code for diagnostic in file.diagnostics] == ["unsupported-yaml"]
    assert file.policy == parse("hitl: deny").policy
