"""active_intents.yaml: what it may say, and what is reported where."""

from __future__ import annotations

import gc
import time

import pytest

from intentls.core.diagnostic import Diagnostic, Severity, Span
from intentls.core.hashing import content_hash
from intentls.core.intents.intent import Intent, Status
from intentls.core.intents.scope import Scope
from intentls.store.config.intents_parser import IntentsFile, parse_intents
from intentls.store.yaml.nodes import MAX_PROBLEMS
from intentls.store.yaml.schema import load_schema
from tests.support.cost_growth import assert_linear

HEAD = "active_intents:\n"
CONTRACT = """\
active_intents:
  - id: INT-001                  # required, unique, no white space
    name: Build Weather API
    status: IN_PROGRESS          # open
    description: |
      free text
    owned_scope: ["src/api/**", "tests/api/*.py", "!src/api/generated/**"]
    constraints: ["Must not use external auth providers"]
    acceptance_criteria: ["Unit tests in tests/api pass"]
    agent: builder
    created_at: 2026-02-18T10:00:00Z
    updated_at: 2026-02-18T10:00:00Z
    started_at: 2026-02-18T10:00:00Z
"""


def parse(text: str) -> IntentsFile:
    """The file, read."""
    return parse_intents(text.encode())


def entry(body: str) -> IntentsFile:
    """A file with one intent INT-1 in scope `a`, followed by the lines of `body`."""
    scope = "" if "owned_scope" in body else '    owned_scope: ["a"]\n'
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return parse(f"{HEAD}  - id: INT-1\n{scope}{lines}")


def only(file: IntentsFile) -> Diagnostic:
    """The one diagnostic of a file."""
    (diagnostic,) = file.diagnostics
    return diagnostic


def covered(file: IntentsFile, span: Span) -> str:
    """The text that a span covers (one line)."""
    assert span.start_line == span.end_line
    return file.text.split("\n")[span.start_line][span.start_column : span.end_column]


class TestGoodFiles:
    def test_the_contracts_example_is_read(self) -> None:
        """Every key of the documented example arrives; unquoted dates are fine."""
        file = parse(CONTRACT)
        assert file.diagnostics == ()
        assert file.valid
        assert dict(file.intents) == {
            "INT-001": Intent(
                id="INT-001",
                name="Build Weather API",
                status=Status.IN_PROGRESS,
                description="free text",
                scope=Scope.parse(["src/api/**", "tests/api/*.py", "!src/api/generated/**"]),
                constraints=("Must not use external auth providers",),
                acceptance_criteria=("Unit tests in tests/api pass",),
                agent="builder",
            )
        }
        assert file.content_hash == content_hash(CONTRACT.encode())

    def test_every_part_has_its_place(self) -> None:
        """Id, scope, each glob and the status can be pointed at."""
        file = parse(CONTRACT)
        spans = file.spans["INT-001"]
        assert covered(file, spans.id) == "INT-001"
        assert spans.status is not None
        assert covered(file, spans.status) == "IN_PROGRESS"
        assert spans.scope is not None
        assert covered(file, spans.scope).startswith('["src/api/**"')
        assert [covered(file, span) for span in spans.globs] == [
            '"src/api/**"',
            '"tests/api/*.py"',
            '"!src/api/generated/**"',
        ]
        assert spans.whole == Span(1, 4, 12, 36)

    @pytest.mark.parametrize(
        "text",
        [None, "", "# nothing yet\n", "---\n", "active_intents:\n", "active_intents: []\n", "{}", "null"],
    )
    def test_a_file_without_intents_is_valid(self, text: str | None) -> None:
        """Missing, empty or with an empty list: no intents and no diagnostics."""
        file = parse_intents(None if text is None else text.encode())
        assert file.valid
        assert not file.intents
        assert not file.diagnostics

    def test_the_order_is_the_files(self) -> None:
        """Intents are listed as they are written."""
        file = parse(HEAD + "".join(f"- {{id: {name}, owned_scope: [a]}}\n" for name in ("b", "c", "a")))
        assert list(file.intents) == ["b", "c", "a"]

    @pytest.mark.parametrize("status", list(Status))
    def test_every_status_is_known(self, status: Status) -> None:
        """All statuses of the contract, in the schema as in the program."""
        assert entry(f"status: {status}").intents["INT-1"].status is status
        enum = load_schema("active_intents").definition["$defs"]["intent"]["properties"]["status"]["enum"]
        assert enum == [*Status, None]

    @pytest.mark.parametrize("body", ["", "status:", "status: ~"])
    def test_a_missing_status_is_pending(self, body: str) -> None:
        """Left out or left empty."""
        assert entry(body).intents["INT-1"].status is Status.PENDING

    def test_keys_may_be_left_empty(self) -> None:
        """A template with empty values is valid."""
        names = ("name", "status", "description", "constraints", "acceptance_criteria", "agent", "created_at")
        file = entry("".join(f"{name}:\n" for name in names))
        assert file.diagnostics == ()
        assert file.intents["INT-1"] == Intent("INT-1", scope=Scope.parse(["a"]))

    def test_globs_may_be_shared_by_an_alias(self) -> None:
        """A list written once may be used twice."""
        text = HEAD + "- {id: A, owned_scope: &s [src/**]}\n- {id: B, owned_scope: *s}\n"
        file = parse(text)
        assert file.intents["B"].scope == file.intents["A"].scope
        assert file.spans["B"].scope == Span(2, 23, 2, 25)
        assert file.spans["B"].globs == file.spans["A"].globs

    def test_a_byte_order_mark_survives(self) -> None:
        """It is no part of the text, and is written back."""
        file = parse_intents(b"\xef\xbb\xbfactive_intents: []\n")
        assert file.text == "active_intents: []\n"
        assert file.encode("x") == b"\xef\xbb\xbfx"


class TestErrors:
    def test_a_duplicate_id_is_shown_at_the_second(self) -> None:
        """At the second id's value; the message names the line of the first."""
        file = parse(HEAD + "- {id: A, owned_scope: [a]}\n- owned_scope: [b]\n  id: 'A'\n")
        diagnostic = only(file)
        assert (diagnostic.code, diagnostic.span) == ("duplicate-id", Span(3, 6, 3, 9))
        assert "line 2" in diagnostic.message
        assert not file.valid
        assert file.intents["A"].scope == Scope.parse(["a"])

    def test_a_duplicate_key_is_shown_at_the_second(self) -> None:
        """And the intent can't be used."""
        file = entry("name: x\nname: y")
        assert (only(file).code, only(file).span) == ("duplicate-key", Span(4, 4, 4, 8))
        assert not file.intents
        assert "INT-1" in file.spans

    @pytest.mark.parametrize("written", ["007", "12", "1.5", "1e3", "on", "No", "true", "0x1f", "12:30"])
    def test_an_id_that_yaml_does_not_read_as_text_must_be_quoted(self, written: str) -> None:
        """The message says how to write it."""
        file = parse(f"{HEAD}- id: {written}\n")
        diagnostic = only(file)
        assert diagnostic.code == "wrong-type"
        assert covered(file, diagnostic.span) == written
        assert f'"{written}"' in diagnostic.message
        assert parse(f'{HEAD}- {{id: "{written}", owned_scope: [a]}}\n').diagnostics == ()

    @pytest.mark.parametrize("written", ["INT 1", "''", '"a\\tb"', '"a\\u00a0b"', '"a\\u0000"', '" a"'])
    def test_an_id_has_no_white_space_and_is_not_empty(self, written: str) -> None:
        """Nor control characters, which no list or log could show."""
        file = parse(f"{HEAD}- id: {written}\n  owned_scope: [a]\n")
        assert only(file).code == "bad-value"
        assert covered(file, only(file).span) == written

    def test_a_missing_id_is_shown_at_the_entrys_first_key(self) -> None:
        """There is no better place."""
        file = parse(HEAD + "- name: x\n  owned_scope: [a]\n- {}\n")
        assert [(f.code, f.span) for f in file.diagnostics] == [
            ("missing-key", Span(1, 2, 1, 6)),
            ("missing-key", Span(3, 2, 3, 4)),
        ]

    def test_an_unknown_status_lists_the_known_ones(self) -> None:
        """Statuses are case-sensitive."""
        file = entry("status: in_progress")
        diagnostic = only(file)
        assert diagnostic.code == "bad-value"
        assert covered(file, diagnostic.span) == "in_progress"
        assert "IN_PROGRESS" in diagnostic.message
        assert "None" not in diagnostic.message
        assert not file.intents

    @pytest.mark.parametrize(
        ("body", "place", "advice"),
        [
            ("name: 5", "5", '"5"'),
            ("name: [a]", "[a]", "must be text"),
            ("description: yes", "yes", "true or false"),
            ("description: {a: b}", "{a: b}", "': '"),
            ("status: 5", "5", '"5"'),
            ("status: [DONE]", "[DONE]", "must be text"),
            ("owned_scope: src/**", "src/**", 'Write a list: ["src/**"]'),
            ("owned_scope: {a: b}", "{a: b}", "must be a list"),
            ("owned_scope: [5]", "5", '"5"'),
            ("owned_scope: [[a]]", "[a]", "item 1 of `owned_scope`"),
            ("owned_scope:\n- a\n-", "-", "item 2 of `owned_scope`"),
            ("constraints: no secrets", "no secrets", 'Write a list: ["no secrets"]'),
            ("constraints: [a, {b: c}]", "{b: c}", "': '"),
            ("constraints:\n- Must: not", "Must: not", "': '"),
            ("acceptance_criteria: pass", "pass", "Write a list"),
            ('acceptance_criteria:\n- {runs: "pytest"}', '{runs: "pytest"}', "can have run"),
            ("acceptance_criteria: [[a]]", "[a]", "must be text, not a list"),
            ("constraints: [{forbid_import: 5}]", "5", '"5"'),
            ("constraints: [{ast_grep: x}]", "x", "must be a mapping, not text"),
            ("agent: true", "true", '"true"'),
            ("created_at: 20260218", "20260218", '"20260218"'),
            ("updated_at: []", "[]", "must be text, not a list"),
            ("started_at: 1.5", "1.5", '"1.5"'),
        ],
    )
    def test_a_wrong_type_is_shown_at_the_value(self, body: str, place: str, advice: str) -> None:
        """With what to write instead."""
        file = entry(body)
        diagnostic = only(file)
        assert (diagnostic.code, diagnostic.severity) == ("wrong-type", Severity.ERROR)
        assert covered(file, diagnostic.span) == place
        assert advice in diagnostic.message
        assert not file.valid
        assert not file.intents

    @pytest.mark.parametrize(
        ("body", "place", "advice"),
        [
            ("constraints: [{}]", "{}", "must not be empty"),
            (
                "constraints: [{forbid_import: a, forbid_pattern: b}]",
                "{forbid_import: a, forbid_pattern: b}",
                "1 key only",
            ),
            ("constraints: [{forbid_import: a b}]", "a b", "white space"),
            ('constraints: [{forbid_pattern: "a\\nb"}]', '"a\\nb"', "one line"),
            ("constraints: [{max_changed_lines: 0}]", "0", "at least 1"),
            ("constraints: [{ast_grep: {language: cobol, pattern: x}}]", "cobol", "python"),
            ("acceptance_criteria: [{run: ' '}]", "' '", "must not be blank"),
        ],
    )
    def test_a_rule_that_makes_no_sense_is_shown_at_the_value(self, body: str, place: str, advice: str) -> None:
        """A rule that could never be checked must not look like one that holds."""
        file = entry(body)
        diagnostic = only(file)
        assert (diagnostic.code, covered(file, diagnostic.span)) == ("bad-value", place)
        assert advice in diagnostic.message
        assert not file.valid

    def test_scopes_that_are_too_much_together_are_shown_at_the_heaviest(self) -> None:
        """Each of them is within its bounds, but a refusal would have to compile them all."""
        stars = [f"'**/*a*a*a*b{number}'" for number in range(1000)]
        entries = [f"  - id: I-{row}\n    owned_scope: [{', '.join(stars[: 100 + row])}]\n" for row in range(90)]
        file = parse(HEAD + "".join(entries))
        diagnostic = only(file)
        assert (diagnostic.code, diagnostic.severity) == ("slow-scopes", Severity.ERROR)
        assert diagnostic.span.start_line == 2 * 90  # the last one's owned_scope, which is the longest
        assert "that of I-89 most. Write fewer patterns" in diagnostic.message
        assert not file.valid
        assert parse(HEAD + "".join(entries[:40])).valid

    def test_braces_that_are_too_much_together_are_shown_where_they_begin_to_be(self) -> None:
        """A short file must not take minutes to read: after that place no pattern is read."""
        scopes = ["[" + ", ".join(f"'d{row}/{{1..1000}}-{n}'" for n in range(10)) + "]" for row in range(200)]
        started = time.process_time()
        file = parse(HEAD + "".join(f"  - id: I-{row}\n    owned_scope: {scope}\n" for row, scope in enumerate(scopes)))
        assert time.process_time() - started < 40
        diagnostic = only(file)
        assert (diagnostic.code, diagnostic.span.start_line) == ("too-many-patterns", 2 + 2 * 10)
        assert not file.valid

    def test_a_rules_glob_is_judged_like_any_other(self) -> None:
        """At its rule, with the reason that the glob gives."""
        file = entry("constraints: [{requires_change_in: ../x}, {requires_change_in: 'tests/**'}]")
        assert (only(file).code, covered(file, only(file).span)) == ("bad-glob", "{requires_change_in: ../x}")
        assert not file.intents

    @pytest.mark.parametrize(
        ("text", "span"),
        [
            ("- id: A\n", Span(0, 0, 0, 7)),
            ("just text", Span(0, 0, 0, 9)),
            ("active_intents: 5", Span(0, 16, 0, 17)),
            ("active_intents: {a: b}", Span(0, 16, 0, 22)),
            ("active_intents:\n- INT-1\n", Span(1, 2, 1, 7)),
            ("active_intents:\n-\n- {id: A, owned_scope: [a]}\n", Span(1, 0, 1, 1)),
            ("active_intents:\n- id:\n", Span(1, 2, 1, 4)),
        ],
    )
    def test_a_wrong_shape_is_shown_where_it_stands(self, text: str, span: Span) -> None:
        """The file is a mapping with a list of mappings; what is empty is shown at its key or dash."""
        assert (only(parse(text)).code, only(parse(text)).span) == ("wrong-type", span)

    @pytest.mark.parametrize("glob", ["/etc/**", "../x", "a/../b", "./a", "+(a)", "[[:alpha:]]", "", "a/"])
    def test_a_bad_glob_is_shown_at_itself(self, glob: str) -> None:
        """Only the bad pattern is marked, with the reason that the glob gives."""
        file = entry(f"owned_scope: ['ok/**', '{glob}', '!fine']")
        diagnostic = only(file)
        assert diagnostic.code == "bad-glob"
        assert covered(file, diagnostic.span) == f"'{glob}'"
        assert not file.intents

    def test_every_bad_glob_is_shown(self) -> None:
        """Not only the first."""
        assert [f.code for f in entry("owned_scope: [/a, b, '!../c']").diagnostics] == ["bad-glob"] * 2

    def test_very_many_bad_globs_are_cut_off(self) -> None:
        """Long before anybody would read them all."""
        assert len(entry(f"owned_scope: [{', '.join(['/a'] * 50_000)}]").diagnostics) == MAX_PROBLEMS

    def test_the_cost_of_bad_globs_grows_with_their_number(self) -> None:
        """Not with its square."""
        assert_linear(lambda number: entry(f"owned_scope: [{', '.join(['/a'] * number)}]"), 2_000)

    def test_one_bad_intent_leaves_the_others_readable(self) -> None:
        """The file is invalid, but lists and hovers still work."""
        file = parse(HEAD + "- {id: A, owned_scope: [/x]}\n- {id: B, owned_scope: [a]}\n- {id: C, name: 5}\n")
        assert not file.valid
        assert list(file.intents) == ["B"]
        assert list(file.spans) == ["A", "B", "C"]

    def test_several_problems_are_in_the_files_order(self) -> None:
        """Whatever found them."""
        file = entry("owned_scope: [/x]\nname: 5\nname: y\nnamee: z")
        assert [f.code for f in file.diagnostics] == ["bad-glob", "wrong-type", "duplicate-key", "unknown-key"]

    @pytest.mark.parametrize(
        ("data", "code"),
        [
            (b"active_intents: [", "yaml-syntax"),
            (b"\xff", "not-utf8"),
            (b" " * (4 * 1024 * 1024 + 1), "too-large"),
            (b"a: &a [*a]", "alias-bomb"),
            (b"a: !!python/name:os.system x", "unsupported-yaml"),
        ],
    )
    def test_an_unreadable_file_is_invalid_without_intents(self, data: bytes, code: str) -> None:
        """Nothing crashes."""
        file = parse_intents(data)
        assert not file.valid
        assert not file.intents
        assert code in [diagnostic.code for diagnostic in file.diagnostics]

    def test_an_exclusion_without_quotes_is_one_finding(self) -> None:
        """YAML reads `!src` as a tag; the message says to quote it, and no second one follows."""
        diagnostic = only(entry("owned_scope:\n- a\n- !src/**"))
        assert diagnostic.code == "unsupported-yaml"
        assert "quotes" in diagnostic.message


class TestHintsAndWarnings:
    def test_an_unknown_key_is_a_hint_with_a_suggestion(self) -> None:
        """A slip of the pen is named; the file stays valid."""
        file = entry("acceptance_criterias: []")
        diagnostic = only(file)
        assert (diagnostic.code, diagnostic.severity) == ("unknown-key", Severity.HINT)
        assert covered(file, diagnostic.span) == "acceptance_criterias"
        assert diagnostic.data == {"key": "acceptance_criterias", "suggestion": "acceptance_criteria"}
        assert file.valid
        assert "INT-1" in file.intents

    def test_any_other_key_is_kept(self) -> None:
        """At the top level as well."""
        file = parse(HEAD + "- {id: A, owned_scope: [a], zzz: {q: [1]}}\nvqx: 1\n")
        assert [(f.code, f.data) for f in file.diagnostics] == [
            ("unknown-key", {"key": "zzz"}),
            ("unknown-key", {"key": "vqx"}),
        ]
        assert file.valid

    @pytest.mark.parametrize(
        ("body", "place"),
        [
            ("", "A"),
            ("\n  owned_scope:", "owned_scope"),
            ("\n  owned_scope: ~", "~"),
            ("\n  owned_scope: []", "[]"),
        ],
    )
    def test_an_empty_scope_is_warned_about(self, body: str, place: str) -> None:
        """An open intent for the whole workspace is allowed, but hardly meant."""
        file = parse(f"{HEAD}- id: A{body}\n")
        diagnostic = only(file)
        assert (diagnostic.code, diagnostic.severity) == ("empty-scope", Severity.WARNING)
        assert covered(file, diagnostic.span) == place
        assert file.valid
        assert file.intents["A"].scope.is_whole_workspace

    def test_exclusions_alone_are_warned_about(self) -> None:
        """Nothing is in such a scope."""
        file = entry("owned_scope: ['!a', '!b']")
        assert only(file).code == "empty-scope"
        assert "nothing is in its scope" in only(file).message

    def test_a_closed_intent_may_have_an_empty_scope(self) -> None:
        """It admits no edits anyway."""
        assert parse(HEAD + "- {id: A, status: DONE}\n").diagnostics == ()


def test_the_schema_explains_every_key() -> None:
    """Editors show these texts: each key has a title, a description and an example."""
    definition = load_schema("active_intents").definition
    assert definition["title"]
    for schema in definition["$defs"]["intent"]["properties"].values():
        assert schema["title"]
        assert schema["description"]
        assert schema["examples"]


def test_the_cost_of_reading_grows_with_the_file() -> None:
    """Not faster: 1,000 intents cost about four times as much as 250."""

    def read(number: int) -> None:
        text = HEAD + "".join(
            f"- id: INT-{n}\n  name: Part {n}\n  status: TODO\n  owned_scope: [src/{n}/**, '!src/{n}/gen/**']\n"
            for n in range(number)
        )
        assert len(parse(text).intents) == number

    assert_linear(read, 250)


@pytest.mark.parametrize("enabled", [True, False])
def test_the_garbage_collector_is_left_as_it_was(enabled: bool) -> None:
    """It rests while a file is read, whatever comes of it."""
    before = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        parse("active_intents: [")
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if before else gc.disable)()


def test_rules_and_commands_are_read_beside_texts() -> None:
    """Each in its place, each readable as a text."""
    file = entry(
        "constraints: [' a text ', {forbid_import: requests}, {max_changed_lines: 200}]\n"
        "acceptance_criteria: [' good ', {run: ' pytest tests/api '}]"
    )
    (intent,) = file.intents.values()
    assert [str(each) for each in intent.constraints] == ["a text", "forbid_import: requests", "max_changed_lines: 200"]
    assert [str(each) for each in intent.acceptance_criteria] == ["good", "run: pytest tests/api"]
    assert len(intent.rules) == 2
