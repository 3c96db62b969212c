"""Several files of intents, parsed together: what they declare, and what is wrong with them as a whole."""

from __future__ import annotations

import pytest

from intentls.core.diagnostic import Severity
from intentls.core.intents.intent import Intent, Status
from intentls.core.intents.scope import Scope
from intentls.core.patterns.protected_paths import INTENTS_FILE, INTENTS_FOLDER
from intentls.store.config import intents_folder
from intentls.store.config.conflict_markers import conflict_spans
from intentls.store.config.declared_files import parse_all_intents
from intentls.store.config.declared_intents import DeclaredIntents
from intentls.store.config.intents_edit import add_globs, apply, set_status
from intentls.store.config.intents_parser import parse_intents
from intentls.store.config.new_intent_file import write_intent

ONE = f"{INTENTS_FOLDER}/one.yaml"
TWO = f"{INTENTS_FOLDER}/two.yaml"
LIST = "active_intents:\n  - id: A\n    owned_scope: [a/**]\n"

LAYOUT = """\
# why: the weather
id: B   # keep
status: IN_PROGRESS # go
owned_scope:
  # the code
  - src/**
unknown: kept
"""


def declared(**texts: str) -> DeclaredIntents:
    """What the list and the two files declare together."""
    names = {"listed": INTENTS_FILE, "one": ONE, "two": TWO}
    return parse_all_intents({names[name]: text.encode() for name, text in texts.items()})


def codes(found: DeclaredIntents) -> list[tuple[str, str, int, int]]:
    """The errors: file, code, line and column from 0."""
    return [
        (path, one.code, one.span.start_line, one.span.start_column)
        for path, one in found.diagnostics()
        if one.severity is Severity.ERROR
    ]


def test_the_list_comes_first_and_then_the_files_by_name() -> None:
    """Both count; each intent knows its file."""
    found = declared(listed=LIST, one="id: C\nowned_scope: [c/**]\n", two=LAYOUT)
    assert list(found.intents) == ["A", "C", "B"]
    assert found.paths == {"A": INTENTS_FILE, "C": ONE, "B": TWO}
    assert [intent.id for intent in found.intents.candidates(["src/x"])] == ["B"]
    assert found.valid and found.spans("B") is not None and found.spans("Z") is None


def test_an_id_in_two_files_is_an_error_at_both_places() -> None:
    """Each names the other, also where the list is one of them."""
    found = declared(listed=LIST, one="name: x\nid: A\n", two="id: B\n")
    assert codes(found) == [(INTENTS_FILE, "duplicate-id", 1, 8), (ONE, "duplicate-id", 1, 4)]
    assert not found.valid
    related = [place.path for path in (INTENTS_FILE, ONE) for one in found.of(path) for place in one.related]
    assert related == [ONE, INTENTS_FILE]


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("name: x\n", "missing-key", 0, 0),
        ("id: A B\n", "bad-value", 0, 4),
        ("- id: A\n", "wrong-type", 0, 0),
        ("id: A\nstatus: NEVER\n", "bad-value", 1, 8),
        ("id: A\nowned_scope:\n  - /etc\n", "bad-glob", 2, 4),
        ("id: A\nid: B\n", "duplicate-key", 1, 0),
        ("id: [\n", "yaml-syntax", 1, 0),
    ],
)
def test_the_file_of_one_intent_is_judged_as_an_item_of_the_list_is(
    text: str, code: str, line: int, column: int
) -> None:
    """At exact places; and it declares nothing then."""
    found = declared(one=text)
    assert (ONE, code, line, column) in codes(found)
    assert dict(found.intents) == {}


@pytest.mark.parametrize("text", ["", "# to do\n", "null\n"])
def test_an_empty_file_is_a_warning(text: str) -> None:
    """Somebody has just made it."""
    found = declared(listed=LIST, one=text)
    assert found.valid and [one.code for one in found.of(ONE)] == ["empty-file"]


def test_unknown_keys_are_hinted_at() -> None:
    """They are kept, as in the list."""
    assert [one.code for one in declared(two=LAYOUT).of(TWO)] == ["unknown-key"]


def test_edits_keep_comments_and_layout() -> None:
    """The status and the scope of an intent in a file of its own."""
    file = parse_intents(LAYOUT.encode(), TWO)
    assert apply(LAYOUT, set_status(file, "B", Status.BLOCKED)) == LAYOUT.replace("IN_PROGRESS", "BLOCKED")
    assert apply(LAYOUT, add_globs(file, "B", ["docs/**"])) == LAYOUT.replace(
        "  - src/**\n", "  - src/**\n  - docs/**\n"
    )
    bare = parse_intents(b"id: B\n", TWO)
    assert apply(bare.text, set_status(bare, "B", Status.DONE)) == "id: B\nstatus: DONE\n"
    assert apply(bare.text, add_globs(bare, "B", ["a/**"])) == 'id: B\nowned_scope: ["a/**"]\n'


def test_files_share_the_bounds_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values, alternatives of patterns and the weight of scopes add up; what comes after is not read."""
    one, two = "id: C\nowned_scope: ['{a,b,c}/**']\n", "id: D\nowned_scope: ['{d,e,f}/**']\n"
    monkeypatch.setattr(intents_folder, "MAX_ALTERNATIVES", 5)
    assert codes(declared(one=one, two=two)) == [(TWO, "too-many-patterns", 0, 0)]
    monkeypatch.undo()
    monkeypatch.setattr(intents_folder, "MAX_NODES", 10)
    assert codes(declared(one=one, two=two)) == [(TWO, "too-large", 0, 0)]
    monkeypatch.undo()
    monkeypatch.setattr("intentls.core.intents.scope_budget.MAX_WEIGHT", 60)
    heavy = declared(one="id: C\nowned_scope: ['**/*cccccccc']\n", two="id: D\nowned_scope: ['**/*d']\n")
    assert codes(heavy) == [(ONE, "slow-scopes", 1, 13)]


def test_alias_bombs_of_many_files_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each alone is allowed; what aliases add counts as if it was written."""
    bomb = "x: &x [" + ", ".join(["1"] * 40) + "]\ny: [" + ", ".join(["*x"] * 40) + "]\n"
    monkeypatch.setattr(intents_folder, "MAX_NODES", 3_000)
    assert codes(declared(one=f"id: C\n{bomb}")) == []
    assert codes(declared(one=f"id: C\n{bomb}", two=f"id: D\n{bomb}")) == [(TWO, "too-large", 0, 0)]


CONFLICT = b"id: A\n<<<<<<< HEAD\nstatus: TODO\n=======\nstatus: DONE\n>>>>>>> topic\n"


def test_conflict_markers_are_the_only_errors_of_their_file() -> None:
    """At the markers, from the first to the last."""
    found = parse_intents(CONFLICT, ONE)
    assert [(one.code, one.span.start_line, one.span.end_line) for one in found.diagnostics] == [
        ("merge-conflict", 1, 5)
    ]
    assert dict(found.intents) == {} and not found.valid


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"a\n=======\nb\n",
        b"<<<<<<< HEAD\na\n",
        b"  <<<<<<< HEAD\n=======\n>>>>>>> x\n",
        b"<<<<<<< HEAD\n>>>>>>> x\n",
    ],
)
def test_text_that_is_no_whole_conflict_has_none(data: bytes) -> None:
    """Headings and quoted markers are text."""
    assert conflict_spans(data) == ()


def test_conflicts_with_other_line_ends_and_a_base_are_found() -> None:
    """`merge.conflictStyle diff3` shows the base in between."""
    text = b"\xef\xbb\xbf<<<<<<< HEAD\r\na\r\n||||||| base\r\nb\r\n=======\r\nc\r\n>>>>>>> x"
    assert [(span.start_line, span.end_line) for span in conflict_spans(text)] == [(0, 6)]
    assert len(conflict_spans(b"<<<<<<< a\n=======\n>>>>>>> b\n" * 200)) == 100


@pytest.mark.parametrize(
    "text",
    [
        'x"\nid: EVIL\nowned_scope: ["**"]',
        "a: b # c",
        "{run: rm}",
        "- item\n  - item\n\n...\n---\n%YAML 1.2",
        "<<<<<<< HEAD\n=======\n>>>>>>> x",
        "\ttab\\u0041 'q' \"q\" *a &b !c",
        "ends in space \n   indented",
    ],
)
def test_text_from_outside_is_written_as_text(text: str) -> None:
    """Whatever it looks like, the file says exactly that and nothing else."""
    intent = Intent(
        "A", "n", description=text.strip(), scope=Scope.parse(["a/**"]), acceptance_criteria=(text.strip(),)
    )
    found = parse_intents(write_intent(intent, {"source": text}, ONE), ONE)
    assert found.valid and list(found.intents.values()) == [intent]
    assert not [one for one in found.diagnostics if one.code == "unknown-key"]
