"""Which classes a change set settles, and what a record that says so means to a reader."""

from __future__ import annotations

from typing import Any

import pytest

from intentls.core.ledger.record_json import FileJson
from intentls.core.ledger.settlement import (
    SETTLE,
    SettledClass,
    all_superseded,
    change_set_digest,
    digest_of,
    is_provisional,
    settled_classes,
    steps_between,
    superseded_by,
    with_settled_class,
)
from intentls.core.mutation.classes import MutationClass
from intentls.core.mutation.file_class import FileClass
from intentls.core.syntax.canonicalize import TOO_LARGE

EVOLUTION, REFACTOR = MutationClass.INTENT_EVOLUTION, MutationClass.AST_REFACTOR
Step = tuple[dict[str, Any], FileJson]


def record(id_: str, *paths: str, name: str = "INTENT_EVOLUTION", source: str = "inferred") -> dict[str, Any]:
    files = [{"path": path} for path in paths]
    return {"id": id_, "success": True, "mutation_class": name, "mutation_class_source": source, "files": files}


def steps(*records: dict[str, Any]) -> list[Step]:
    return [(one, file) for one in records for file in one["files"]]


def verdict(path: str, name: MutationClass, *reasons: str) -> FileClass:
    return FileClass(path, name, reasons or ("why",))


def classes(*records: dict[str, Any], known: dict[str, str] | None = None, **names: MutationClass) -> dict[str, str]:
    """By record; `names` are the verdicts by path."""
    verdicts = {path: verdict(path, name) for path, name in names.items()}
    return {one.record_id: one.mutation_class for one in settled_classes(steps(*records), verdicts, known or {})}


def test_the_example_of_the_module_is_what_it_says() -> None:
    found = settled_classes(
        steps(record("1", "a"), record("2", "b")), {"a": verdict("a", REFACTOR, "r"), "b": verdict("b", REFACTOR)}, {}
    )
    assert found[0].to_json() == {"id": "1", "mutation_class": "AST_REFACTOR", "reasons": ["a: r"]}
    assert found[1] == SettledClass("2", "AST_REFACTOR", ("b: why",))


def test_a_record_has_the_class_of_the_file_that_needs_the_closest_look() -> None:
    assert classes(record("1", "a", "b", name="AST_REFACTOR"), a=REFACTOR, b=EVOLUTION) == {"1": "INTENT_EVOLUTION"}
    assert classes(record("1", "a", "b"), a=REFACTOR, b=MutationClass.DOCUMENTATION) == {"1": "AST_REFACTOR"}


def test_a_record_is_settled_only_if_each_of_its_files_was_judged() -> None:
    assert classes(record("1", "a", "b"), a=REFACTOR) == {}
    assert classes(record("1", "a"), a=MutationClass.FILE_CREATION) == {}
    large = {"a": FileClass("a", EVOLUTION, (TOO_LARGE,))}
    assert settled_classes(steps(record("1", "a", name="AST_REFACTOR")), large, {}) == ()


def test_what_is_settled_so_already_is_not_settled_again() -> None:
    assert classes(record("1", "a"), a=EVOLUTION) == {}
    assert classes(record("1", "a"), a=REFACTOR, known={"1": "AST_REFACTOR"}) == {}
    assert classes(record("1", "a"), a=EVOLUTION, known={"1": "AST_REFACTOR"}) == {"1": "INTENT_EVOLUTION"}


@pytest.mark.parametrize(
    "other",
    [
        record("1", "a", source="declared"),
        record("1", "a", name="FILE_CREATION"),
        record("1", "a") | {"success": False},
        record("1", "a") | {"imported": True},
        record("1", "a") | {"id": 7},
    ],
)
def test_no_other_class_is_provisional(other: dict[str, Any]) -> None:
    """What was declared stays; the rest says nothing that other files could change."""
    assert classes(other, a=REFACTOR) == {}
    assert is_provisional(record("1", "a"))


def test_the_steps_of_a_change_lead_from_its_first_content_to_its_last() -> None:
    """In the example of the function; what came later is no part of it."""
    chain: list[Step] = [({"id": old + new}, {"pre_hash": old, "post_hash": new}) for old, new in ("cd", "bc", "ab")]
    assert [step[0]["id"] for step in steps_between(chain, "a", "c")] == ["bc", "ab"]
    assert steps_between(chain, "x", "c") == steps_between(chain, "a", "x") == []
    assert [step[0]["id"] for step in steps_between(chain, "c", "d")] == ["cd"]


def test_a_change_set_is_named_by_its_contents_in_any_order() -> None:
    one, two = ("a", None, "sha256:1"), ("b", "sha256:2", None)
    assert change_set_digest([one, two]) == change_set_digest([two, one])
    assert len({change_set_digest(rows) for rows in ([one], [two], [one, two], [("a", "sha256:1", None)])}) == 4


def test_the_newest_record_that_supersedes_decides_and_odd_ones_say_nothing() -> None:
    def settles(name: object, **more: object) -> dict[str, Any]:
        pairs = [{"id": "1", "mutation_class": name}, {"id": 2}, "odd"]
        return {"tool_name": SETTLE, "success": True, "supersedes": pairs, **more}

    assert all_superseded([settles("AST_REFACTOR"), settles("DOCUMENTATION")]) == {"1": "AST_REFACTOR"}
    for odd in (settles("NONE"), settles(None), settles("AST_REFACTOR", success=False), {"tool_name": "edit_file"}):
        assert superseded_by(odd) == {}
    assert digest_of(settles("AST_REFACTOR", change_set={"digest": "sha256:1"})) == "sha256:1"
    assert digest_of(settles("AST_REFACTOR", change_set="odd")) is None
    assert digest_of({"change_set": {"digest": "sha256:1"}}) is None


def test_a_record_is_shown_with_its_settled_class_and_the_provisional_one_beside_it() -> None:
    own = record("1", "a")
    assert with_settled_class(own, None) is with_settled_class(own, "INTENT_EVOLUTION") is own
    shown = with_settled_class(own, "AST_REFACTOR")
    assert (shown["mutation_class"], shown["mutation_class_provisional"]) == ("AST_REFACTOR", "INTENT_EVOLUTION")
    assert own["mutation_class"] == "INTENT_EVOLUTION"
