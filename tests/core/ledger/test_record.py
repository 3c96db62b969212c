"""Records: their shape is the contract's, and whatever is in them they are valid Agent Trace."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from intentls.core.gate.refusal import Override, ScopeValidation
from intentls.core.ledger.definition_origin import DefinitionOrigin
from intentls.core.ledger.line_range import LineRange, Origin
from intentls.core.ledger.record import (
    AWAY,
    Attestation,
    ClassSource,
    Contributor,
    ContributorType,
    Conversation,
    FileChange,
    Record,
    Vcs,
    quote,
)
from intentls.core.ledger.record_json import LessonJson
from intentls.core.mutation.classes import Change, MutationClass
from intentls.core.text.lines import Hunk

SCHEMA = json.loads((Path(__file__).parents[2] / "data" / "agent-trace-0.1.0.schema.json").read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA, format_checker=Draft202012Validator.FORMAT_CHECKER)
HASH = "sha256:" + "a" * 64
AI = Contributor(ContributorType.AI, "anthropic/claude-opus-4-5-20251101")
HUMAN = Contributor(ContributorType.HUMAN)


def a_file(**changes: Any) -> FileChange:
    conversation = Conversation("s 1", AI, (LineRange(1, 50, HASH),), "INT-001")
    values: dict[str, Any] = {
        "path": "src/a.py",
        "change": Change.ADD,
        "pre_hash": None,
        "post_hash": HASH,
        "conversations": (conversation,),
    }
    return FileChange(**(values | changes))


def a_record(**changes: Any) -> Record:
    values: dict[str, Any] = {
        "id": "123e4567-e89b-42d3-a456-426614174000",
        "timestamp": "2026-02-18T18:30:00.000Z",
        "tool_version": "0.1.0",
        "session_id": "s 1",
        "tool_name": "write_to_file",
        "mutation_class": MutationClass.INTENT_EVOLUTION,
        "mutation_class_source": ClassSource.DECLARED,
        "scope_validation": ScopeValidation.PASS,
        "success": True,
        "files": (a_file(),),
        "intent_id": "INT-001",
        "vcs": Vcs("f" * 40),
    }
    return Record(**(values | changes))


def test_a_record_is_exactly_what_the_contract_shows() -> None:
    """Every key and value of the contract's example, in its order."""
    assert json.dumps(a_record().to_json()) == json.dumps(
        {
            "version": "0.1.0",
            "id": "123e4567-e89b-42d3-a456-426614174000",
            "timestamp": "2026-02-18T18:30:00.000Z",
            "vcs": {"type": "git", "revision": "f" * 40, "revision_id": "f" * 40},
            "tool": {"name": "intentls", "version": "0.1.0"},
            "intent_id": "INT-001",
            "session_id": "s 1",
            "tool_name": "write_to_file",
            "mutation_class": "INTENT_EVOLUTION",
            "mutation_class_source": "declared",
            "scope_validation": "PASS",
            "success": True,
            "files": [
                {
                    "path": "src/a.py",
                    "relative_path": "src/a.py",
                    "change": "add",
                    "pre_hash": None,
                    "post_hash": HASH,
                    "conversations": [
                        {
                            "url": "urn:intentls:session:s%201",
                            "contributor": {
                                "type": "ai",
                                "entity_type": "AI",
                                "model_id": "anthropic/claude-opus-4-5-20251101",
                                "model_identifier": "anthropic/claude-opus-4-5-20251101",
                            },
                            "ranges": [{"start_line": 1, "end_line": 50, "content_hash": HASH}],
                            "related": [{"type": "specification", "value": "INT-001", "url": "urn:intent:INT-001"}],
                        }
                    ],
                }
            ],
        }
    )


def test_optional_keys_stand_before_the_files() -> None:
    """A refusal's and an override's keys have their place, so that a line is read from left to right."""
    record = a_record(
        mutation_class_inferred=MutationClass.BUG_FIX,
        success=False,
        error="Scope Violation",
        error_type="SCOPE_VIOLATION",
        code="SCOPE_VIOLATION",
        overrides=(Override("ada", "Approve", "SCOPE_VIOLATION"),),
        reason="because",
    ).to_json()
    assert list(record)[8:] == [
        *("mutation_class", "mutation_class_source", "mutation_class_inferred", "scope_validation", "success"),
        *("error", "error_type", "code", "override", "reason", "files"),
    ]
    assert record["override"] == {"by": "ada", "action": "Approve", "code": "SCOPE_VIOLATION"}
    assert record["mutation_class_inferred"] == "BUG_FIX"


def test_of_several_overrides_the_last_is_the_override_and_all_are_kept() -> None:
    """An action may need more than one yes."""
    first, last = Override("ada", "Approve", "INTENT_CLOSED"), Override("bob", "Expand scope", "SCOPE_VIOLATION")
    record = a_record(overrides=(first, last)).to_json()
    assert record["override"] == last.to_json()
    assert record["overrides"] == [first.to_json(), last.to_json()]


def test_outside_every_intent_a_record_is_untracked_and_related_to_nothing() -> None:
    """`UNTRACKED` is no intent, so nothing refers to it."""
    file = a_file(conversations=(Conversation("s", HUMAN),))
    record = a_record(intent_id=None, files=(file,)).to_json()
    assert record["intent_id"] == "UNTRACKED"
    assert record["files"][0]["conversations"][0]["related"] == []


def test_there_is_no_vcs_outside_version_control_and_a_null_id_before_the_first_commit() -> None:
    """The schema wants a revision wherever there is a vcs."""
    assert "vcs" not in a_record(vcs=None).to_json()
    assert a_record(vcs=Vcs(None)).to_json()["vcs"] == {"type": "git", "revision": "0" * 40, "revision_id": None}


def test_a_model_that_is_not_known_is_not_mentioned() -> None:
    """Neither None nor an empty name makes a model key."""
    assert Contributor(ContributorType.AI).to_json() == {"type": "ai", "entity_type": "AI"}
    assert Contributor(ContributorType.AI, "").to_json() == {"type": "ai", "entity_type": "AI"}


def test_an_attestation_names_who_vouches_and_who_wrote() -> None:
    """The commit is left out where there was none."""
    attestation = Attestation("Ada", "a fix", "Ben")
    assert a_record(attestation=attestation).to_json()["attestation"] == {
        "by": "Ada",
        "reason": "a fix",
        "author": "Ben",
    }
    committed = a_record(attestation=Attestation("Ada", "a fix", "Ben", "f" * 40)).to_json()
    assert committed["attestation"]["commit"] == "f" * 40
    shown = Contributor(ContributorType.HUMAN, name="Ben", attested_by="Ada").to_json()
    assert shown == {"type": "human", "entity_type": "HUMAN", "name": "Ben", "attested_by": "Ada"}


def test_a_model_name_that_is_too_long_for_the_schema_is_whole_in_the_dialects_key() -> None:
    """`model_id` holds 250 characters at most."""
    shown = Contributor(ContributorType.AI, "m" * 300).to_json()
    assert (shown["model_id"], shown["model_identifier"]) == ("m" * 250, "m" * 300)


@pytest.mark.parametrize(
    ("types", "mixed"),
    [
        (["human"], False),
        (["ai", "ai"], False),
        (["ai", "unknown"], False),
        (["ai", "human"], True),
        (["mixed"], True),
        ([], False),
    ],
)
def test_a_file_that_both_people_and_models_changed_is_mixed(types: list[str], mixed: bool) -> None:
    """Two models are not mixed, and an unknown hand proves nothing."""
    file = a_file(conversations=tuple(Conversation("s", Contributor(ContributorType(t))) for t in types))
    assert file.to_json().get("contributor") == ({"type": "mixed", "entity_type": "MIXED"} if mixed else None)


def test_hunks_and_the_old_path_are_there_where_they_say_something() -> None:
    """A rename names where the file came from; its hunks are lists of four numbers."""
    file = a_file(change=Change.RENAME, old_path="src/b.py", hunks=(Hunk(1, 2, 3, 4),)).to_json()
    assert (file["old_path"], file["hunks"], file["change"]) == ("src/b.py", [0, 2, 4], "rename")
    assert not {"old_path", "hunks"} & a_file().to_json().keys()


def test_hashes_of_lines_and_where_they_came_from_are_there_where_they_are_known() -> None:
    """Both are more than Agent Trace asks for, and break no reader of it."""
    ranges = (LineRange(1, 1, HASH, "AAAAAAAA"), LineRange(3, 3, HASH))
    moved = Origin(1, 1, 7, 7, "src/b.py")
    file = a_file(conversations=(Conversation("s", AI, ranges, "I"),), origins=(moved,))
    told = file.to_json()
    assert told["line_hashes"] == ["AAAAAAAA", None]
    assert [list(where) for where in told["conversations"][0]["ranges"]] == [
        ["start_line", "end_line", "content_hash"]
    ] * 2
    assert told["origins"] == [
        {"start_line": 1, "end_line": 1, "old_start_line": 7, "old_end_line": 7, "path": "src/b.py"}
    ]
    assert not {"origins", "line_hashes", "removed_line_hashes"} & a_file().to_json().keys()
    assert "form" not in a_file().to_json() and a_file(form="key").to_json()["form"] == "key"
    assert a_file(removed_line_hashes="BBBBBBBB").to_json()["removed_line_hashes"] == "BBBBBBBB"
    VALIDATOR.validate(a_record(files=(file,)).to_json())


def test_definitions_are_there_where_they_are_known() -> None:
    """By name; this too is valid Agent Trace."""
    file = a_file(conversations=(Conversation("s", AI, (), "I", ("City", "City.parse")), Conversation("t", AI)))
    named, unnamed = file.to_json()["conversations"]
    assert named["symbols"] == ["City", "City.parse"]
    assert "symbols" not in unnamed
    VALIDATOR.validate(a_record(files=(file,)).to_json())


def test_a_deletion_keeps_whose_it_was() -> None:
    """No ranges, but a conversation."""
    file = a_file(change=Change.DELETE, post_hash=None, conversations=(Conversation("s", AI, (), "I"),))
    (conversation,) = file.to_json()["conversations"]
    assert (conversation["ranges"], conversation["contributor"]["type"]) == ([], "ai")
    VALIDATOR.validate(a_record(files=(file,)).to_json())


@pytest.mark.parametrize("id_", ["", "x", "123E4567-E89B-42D3-A456-426614174000", "123e4567e89b42d3a456426614174000"])
def test_an_id_that_is_no_uuid_is_refused(id_: str) -> None:
    """The schema's format is checked where the record is made, not when somebody reads it."""
    with pytest.raises(ValueError, match="uuid4"):
        a_record(id=id_)


@pytest.mark.parametrize(
    "timestamp", ["", "2026-02-18", "2026-02-18T18:30:00", "2026-02-18T18:30:00+01:00", "2026-02-31T18:30:00Z"]
)
def test_a_timestamp_that_is_no_moment_in_utc_is_refused(timestamp: str) -> None:
    """Neither local times nor a 31st of February get into the ledger."""
    with pytest.raises(ValueError, match=r"UTC|day is out of range"):
        a_record(timestamp=timestamp)


def test_quoting_leaves_only_what_may_stand_in_a_urn() -> None:
    """Everything else is percent-encoded UTF-8, half a surrogate pair too."""
    assert quote("Az09-._~") == "Az09-._~"
    assert quote("a/b ü%\ud800") == "a%2Fb%20%C3%BC%25%ED%A0%80"


def test_the_schema_check_checks_formats() -> None:
    """A validator without its format plug-ins would wave everything through."""
    record = a_record().to_json()
    for key, bad in [("id", "x"), ("timestamp", "yesterday")]:
        assert list(VALIDATOR.iter_errors(record | {key: bad}))
    record["files"][0]["conversations"][0]["url"] = "no uri"
    assert list(VALIDATOR.iter_errors(record))


TEXTS = st.text(st.characters(), max_size=300)
CONTRIBUTORS = st.builds(Contributor, st.sampled_from(ContributorType), st.none() | TEXTS)
RANGES = st.builds(LineRange, st.integers(1, 10**6), st.integers(1, 10**6), st.just(HASH))
CONVERSATIONS = st.builds(Conversation, TEXTS, CONTRIBUTORS, st.lists(RANGES, max_size=3).map(tuple), st.none() | TEXTS)
FILES = st.builds(
    FileChange,
    TEXTS,
    st.sampled_from(Change),
    st.none() | st.just(HASH),
    st.none() | st.just(HASH),
    st.lists(CONVERSATIONS, max_size=3).map(tuple),
    st.lists(st.builds(Hunk, *[st.integers(0, 99)] * 4), max_size=2).map(tuple),
    st.none() | TEXTS,
)
RECORDS = st.builds(
    Record,
    id=st.uuids().map(str),
    timestamp=st.datetimes().map(lambda moment: moment.isoformat(timespec="milliseconds") + "Z"),
    tool_version=TEXTS,
    session_id=TEXTS,
    tool_name=TEXTS,
    mutation_class=st.sampled_from(MutationClass),
    mutation_class_source=st.sampled_from(ClassSource),
    scope_validation=st.sampled_from(ScopeValidation),
    success=st.booleans(),
    files=st.lists(FILES, max_size=3).map(tuple),
    intent_id=st.none() | TEXTS,
    vcs=st.none() | st.builds(Vcs, st.none() | st.just("f" * 64)),
    mutation_class_inferred=st.none() | st.sampled_from(MutationClass),
    error=st.none() | TEXTS,
    error_type=st.none() | TEXTS,
    code=st.none() | TEXTS,
    overrides=st.lists(st.builds(Override, TEXTS, TEXTS, TEXTS), max_size=2).map(tuple),
    reason=st.none() | TEXTS,
)


@given(RECORDS)
def test_every_record_is_valid_agent_trace(record: Record) -> None:
    """Whatever text sessions, intents and models are named with."""
    VALIDATOR.validate(record.to_json())


def test_an_override_says_what_was_approved() -> None:
    """The paths and the resulting contents where they are known; an approval of neither has no empty keys."""
    plain = Override("ada", "Approve", "INTENT_REQUIRED")
    assert plain.to_json() == {"by": "ada", "action": "Approve", "code": "INTENT_REQUIRED"}
    contents = {"docs/a": "sha256:1", "docs/b": None}
    bound = Override("ada", "Approve", "SCOPE_VIOLATION", ("docs/a",), contents, "INT-001")
    assert bound.to_json() == {
        **{"by": "ada", "action": "Approve", "code": "SCOPE_VIOLATION"},
        **{"paths": ["docs/a"], "contents": contents},
    }


def test_a_lesson_stands_in_its_record() -> None:
    """Where there is none, there is no key."""
    lesson: LessonJson = {"file": "a.py", "date": "2026-02-21", "problems": ["E501 line too long"]}
    assert a_record(lesson=lesson).to_json()["lesson"] == lesson
    assert "lesson" not in a_record().to_json()


def test_a_record_says_that_other_machines_were_not_known() -> None:
    """And nothing of it otherwise."""
    assert a_record(coordination=AWAY).to_json()["coordination"] == "away"
    assert "coordination" not in a_record().to_json()


def test_a_file_says_what_its_definitions_were_before() -> None:
    origins = (DefinitionOrigin("City.wet", 3, "City.rain", 4, 4, 6), DefinitionOrigin("snow", 9, "snow", 1, 1, 2))
    assert a_file(definition_origins=origins).to_json()["definition_origins"] == [each.to_json() for each in origins]
