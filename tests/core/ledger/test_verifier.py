"""Verification: an untouched ledger has no problems, and each kind of damage is found where it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.core.ledger.hash_chain import NewestLine, line_hash, link
from intentls.core.ledger.integrity_problems import MAX_PROBLEMS, IntegrityProblem, ProblemKind
from intentls.core.ledger.verifier import Verifier


def chain(writer: str, count: int, text: str = "x") -> list[bytes]:
    """The lines of one writer."""
    lines: list[bytes] = []
    for seq in range(1, count + 1):
        lines.append(grow(writer, lines[-1] if lines else None, seq, f"{text}{seq}"))
    return lines


def grow(writer: str, before: bytes | None, seq: int, id_: str) -> bytes:
    return link({"id": id_}, writer, seq, None if before is None else line_hash(before))


def newest(lines: Sequence[bytes], writer: str = "a") -> dict[str, NewestLine]:
    return {writer: NewestLine(len(lines), line_hash(lines[-1]), f"id of {writer}")}


def verify(
    lines: Sequence[bytes], known: Mapping[str, NewestLine] | None = None, **more: object
) -> list[tuple[int, str]]:
    return [(problem.line, problem.kind.value) for problem in problems(lines, known, **more)]


def problems(
    lines: Sequence[bytes], known: Mapping[str, NewestLine] | None = None, **more: object
) -> tuple[IntegrityProblem, ...]:
    verifier = Verifier()
    for number, line in enumerate(lines, start=1):
        verifier.feed(number, line + b"\n")
    if verifier.needs_second_look:
        for number, line in enumerate(lines, start=1):
            verifier.look_again(number, line + b"\n")
    return verifier.finish(known or {}, **more)  # type: ignore[arg-type]


def edited(line: bytes) -> bytes:
    return line.replace(b'"id":"', b'"id":"forged ')


@st.composite
def ledgers(draw: st.DrawFn) -> list[bytes]:
    """Several writers' lines, each in its order, mixed as merges and processes mix them."""
    queues = [chain(name, draw(st.integers(1, 8))) for name in "abc"[: draw(st.integers(1, 3))]]
    lines = []
    while any(queues):
        lines.append(draw(st.sampled_from([queue for queue in queues if queue])).pop(0))
    return lines


def writer_of(line: bytes) -> bytes:
    return line[line.index(b'"writer":') :][:12]


@given(ledgers())
def test_however_writers_mix_an_untouched_ledger_has_no_problems(lines: list[bytes]) -> None:
    """Merged branches interleave; every chain still holds."""
    assert verify(lines) == []


@given(ledgers(), st.data())
def test_an_edited_line_is_named(lines: list[bytes], data: st.DataObject) -> None:
    """By its successor, or by what this machine knows it wrote last."""
    index = data.draw(st.integers(0, len(lines) - 1))
    known = {}
    for line in lines:
        name = writer_of(line)[10:11].decode()
        same = [other for other in lines if writer_of(other) == writer_of(line)]
        known |= newest(same, name)
    lines[index] = edited(lines[index])
    assert verify(lines, known) == [(index + 1, "edited")]


@given(ledgers(), st.data())
def test_a_removed_line_is_missed_before_its_writers_next_one(lines: list[bytes], data: st.DataObject) -> None:
    """A writer's last line leaves no gap: see the test of the cut tail."""
    index = data.draw(st.integers(0, len(lines) - 1))
    gone = lines.pop(index)
    behind = [at for at, line in enumerate(lines) if at >= index and writer_of(line) == writer_of(gone)]
    assert verify(lines) == ([(behind[0] + 1, "removed")] if behind else [])


@given(ledgers(), st.data())
def test_a_line_that_comes_again_is_a_duplicate(lines: list[bytes], data: st.DataObject) -> None:
    """Wherever the copy stands behind its original."""
    index = data.draw(st.integers(0, len(lines) - 1))
    at = data.draw(st.integers(index + 1, len(lines)))
    lines.insert(at, lines[index])
    assert verify(lines) == [(at + 1, "duplicated")]


@given(ledgers(), st.data())
def test_a_line_that_moved_down_is_out_of_order(lines: list[bytes], data: st.DataObject) -> None:
    """Behind a later line of its writer; among other writers' lines it may stand anywhere."""
    index = data.draw(st.integers(0, len(lines) - 1))
    moved = lines.pop(index)
    at = data.draw(st.integers(index, len(lines)))
    passed = any(writer_of(line) == writer_of(moved) for line in lines[index:at])
    lines.insert(at, moved)
    assert verify(lines) == ([(at + 1, "reordered")] if passed else [])


@given(ledgers(), st.data())
def test_several_lines_in_any_order_are_never_taken_for_edited_or_removed(
    lines: list[bytes], data: st.DataObject
) -> None:
    """All are there and unchanged: only their order is wrong."""
    shuffled = data.draw(st.permutations(lines))
    assert {kind for _, kind in verify(shuffled)} <= {"reordered"}


@given(ledgers(), st.data())
def test_a_torn_line_is_named_and_its_number_missed(lines: list[bytes], data: st.DataObject) -> None:
    """What was cut off from a line can't be known, so its number is gone with it."""
    index = data.draw(st.integers(0, len(lines) - 1))
    torn = lines[index]
    lines[index] = torn[: data.draw(st.integers(1, len(torn) - 1))]
    behind = [at for at, line in enumerate(lines) if at > index and writer_of(line) == writer_of(torn)]
    assert verify(lines) == [(index + 1, "torn"), *([(behind[0] + 1, "removed")] if behind else [])]


@given(ledgers())
def test_every_byte_can_be_lost_without_a_crash(lines: list[bytes]) -> None:
    """Verification reads what damage left."""
    for line in lines:
        for cut in (0, 1, len(line) // 2):
            verify([line[cut:], line[:cut]])


def test_the_cut_tail_shows_on_the_machine_that_wrote_it() -> None:
    """Its newest number is known there; the message says which are missing."""
    lines = chain("a", 5)
    (problem,) = problems(lines[:3], newest(lines))
    assert (problem.line, problem.kind) == (3, "cut")
    assert "records 4 to 5 of writer a" in problem.message
    assert verify([], newest(lines)) == [(0, "cut")]
    assert verify(chain("b", 2), newest(lines)) == [(2, "cut")]


def test_a_tail_that_is_kept_elsewhere_is_not_cut() -> None:
    """On another branch the newest records are not in the file; git knows them."""
    lines, asked = chain("a", 5), []

    def elsewhere(record_id: str) -> bool:
        asked.append(record_id)
        return True

    assert verify(lines[:3], newest(lines), elsewhere=elsewhere) == []
    assert asked == ["id of a"]


def test_what_was_written_after_the_last_note_is_no_problem() -> None:
    """A crash between an append and its note leaves the note behind."""
    lines = chain("a", 5)
    assert verify(lines, newest(lines[:3])) == []


def test_the_last_line_is_checked_where_it_was_written() -> None:
    """Elsewhere nobody can know what it was."""
    lines = chain("a", 3)
    known = newest(lines)
    lines[2] = edited(lines[2])
    assert verify(lines, known) == [(3, "edited")]
    assert verify(lines) == []


def test_the_same_number_with_other_content_is_a_fork() -> None:
    """Two copies of a workspace wrote on: both tails hang together, so nothing is called edited."""
    common = chain("a", 2)
    ours = [grow("a", common[-1], 3, "ours")]
    ours.append(grow("a", ours[-1], 4, "ours, too"))
    theirs = [grow("a", common[-1], 3, "theirs")]
    theirs.append(grow("a", theirs[-1], 4, "theirs, too"))
    theirs.append(grow("a", theirs[-1], 5, "theirs, at last"))
    merged = [*common, *ours, *theirs]
    assert verify(merged) == [(5, "forked"), (6, "forked")]
    assert verify(merged, newest([*common, *ours])) == [(5, "forked"), (6, "forked")]
    mixed = [*common, ours[0], theirs[0], theirs[1], ours[1], theirs[2]]
    assert verify(mixed) == [(4, "forked"), (6, "forked")]
    assert verify([*common, ours[0], theirs[0]], newest([*common, theirs[0]])) == [(4, "forked")]


def test_a_record_that_is_in_no_chain_is_foreign_but_counts() -> None:
    """Another program wrote it, or somebody took its place away."""
    verifier = Verifier()
    for number, line in enumerate([b'{"id":"x"}', *chain("a", 2)], start=1):
        verifier.feed(number, line)
    assert [(p.line, p.kind.value) for p in verifier.finish({})] == [(1, "foreign")]
    assert verifier.records == 3


def test_blank_lines_hurt_nobody() -> None:
    """An editor or a merge may add one; nothing is lost by it."""
    first, second = chain("a", 2)
    assert verify([b"", first, b"  ", second, b""]) == []


def test_carriage_returns_hurt_nobody() -> None:
    """A checkout on Windows adds them to every line."""
    assert verify([line + b"\r" for line in chain("a", 3)]) == []


def test_a_writers_first_record_cites_none() -> None:
    """Whoever cuts the beginning off and renumbers is found out."""
    lines = [grow("a", b"something", 1, "x"), *chain("b", 2)]
    assert verify(lines) == [(1, "edited")]
    late = [*chain("b", 2)[1:], grow("b", b"something", 1, "x")]
    assert verify(late) == [(2, "edited"), (2, "edited"), (2, "reordered")]


def test_a_missing_beginning_is_missed() -> None:
    """The first line that is there tells how many should stand before it."""
    (problem,) = problems(chain("a", 4)[2:])
    assert (problem.line, problem.kind) == (1, "removed")
    assert problem.message == "Each of records 1 to 2 of writer a is missing before this line."


def test_lines_that_return_into_a_gap_are_checked_on_both_sides() -> None:
    """Out of order and edited are two things."""
    lines = chain("a", 6)
    assert verify([*lines[:2], lines[5], lines[3], lines[2], lines[4]]) == [
        *((4, "reordered"), (5, "reordered"), (6, "reordered"))
    ]
    assert verify([*lines[:2], lines[5], edited(lines[3]), lines[2], lines[4]]) == [
        *((4, "edited"), (4, "reordered"), (5, "reordered"), (6, "reordered"))
    ]
    assert verify([lines[0], lines[3], lines[1]]) == [(2, "removed"), (3, "reordered")]
    assert verify([lines[0], lines[3], lines[2]]) == [(3, "removed"), (3, "reordered")]
    assert verify([lines[2], lines[0]]) == [(1, "removed"), (2, "reordered")]


def test_a_number_that_comes_three_times_is_told_twice() -> None:
    """Each copy is compared with the first."""
    line = chain("a", 1)[0]
    assert verify([line, line, edited(line)]) == [(2, "duplicated"), (3, "forked")]


def test_the_list_of_problems_ends_somewhere() -> None:
    """A file that is wrong throughout must not fill the memory, nor the answer."""
    assert len(problems([b"torn"] * (MAX_PROBLEMS + 10))) == MAX_PROBLEMS
    lines = chain("a", MAX_PROBLEMS + 10)
    assert len(problems([*lines, *lines])) == MAX_PROBLEMS


@pytest.mark.parametrize("kind", ProblemKind)
def test_every_kind_of_problem_has_a_name_of_its_own(kind: ProblemKind) -> None:
    """They go to clients as they are."""
    assert kind.value == kind.name.lower().replace("_", "-")
