"""A ledger of several files: bridges say what went into archives, and every chain is followed through all of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.core.hashing import content_hash
from intentls.core.ledger import verifier as verifier_module
from intentls.core.ledger.archive_marker import KEY, TOOL_NAME, ArchiveMarker, MarkerBuilder, is_marker, read_marker
from intentls.core.ledger.hash_chain import NewestLine, line_hash, link, parse
from intentls.core.ledger.integrity_problems import IntegrityProblem
from intentls.core.ledger.verifier import Verifier

Lines = list[bytes]


@dataclass
class Writer:
    """Grows one chain, over however many files."""

    name: str = "a"
    seq: int = 0
    last: str | None = None

    def write(self, id_: str = "", **more: Any) -> bytes:
        self.seq += 1
        line = link({"id": id_ or f"{self.name}{self.seq}", **more}, self.name, self.seq, self.last)
        self.last = line_hash(line)
        return line

    def lines(self, count: int) -> Lines:
        return [self.write() for _ in range(count)]

    def bridge(self, archive: Archive) -> bytes:
        return self.write(tool_name=TOOL_NAME, **{KEY: archive.bridge().to_json()})

    @property
    def newest(self) -> dict[str, NewestLine]:
        return {self.name: NewestLine(self.seq, self.last or "", "id")}


@dataclass
class Archive:
    name: str
    lines: Lines
    trouble: str = ""
    claimed: Lines = field(default_factory=list)  # what its bridge was made of, if that is something else

    @property
    def content_hash(self) -> str | None:
        return None if self.trouble else content_hash(b"".join(line + b"\n" for line in self.lines))

    def bridge(self) -> ArchiveMarker:
        survey = MarkerBuilder()
        for line in self.claimed or self.lines:
            survey.feed(line + b"\n")
        hash_ = content_hash(b"".join(line + b"\n" for line in self.claimed or self.lines))
        return survey.marker(self.name, hash_, "ada")


def verify(
    archives: Sequence[Archive],
    live: Lines,
    known: Mapping[str, NewestLine] | None = None,
    elsewhere: Callable[[str], bool] = lambda _: False,
) -> tuple[int, tuple[IntegrityProblem, ...]]:
    """How many records there are, and what is wrong."""
    verifier = Verifier()
    for archive in archives:
        verifier.begin(archive.name)
        for number, line in enumerate(archive.lines, start=1):
            verifier.feed(number, line + b"\n")
        verifier.end(archive.name, archive.content_hash, archive.trouble)
    verifier.begin(None)
    for number, line in enumerate(live, start=1):
        verifier.feed(number, line + b"\n")
    verifier.end(None)
    if verifier.needs_second_look:
        for name, lines in [*((archive.name, archive.lines) for archive in archives), (None, live)]:
            verifier.begin(name)
            for number, line in enumerate(lines, start=1):
                verifier.look_again(number, line + b"\n")
    return verifier.records, verifier.finish(known or {}, elsewhere)


def problems(*arguments: Any, **more: Any) -> list[tuple[str, str]]:
    return [(problem.place, problem.kind.value) for problem in verify(*arguments, **more)[1]]


def edited(line: bytes) -> bytes:
    return line.replace(b'"id":"', b'"id":"forged ')


# --- bridges


def test_a_bridge_says_what_it_was_made_of() -> None:
    """And reads back as it was written."""
    writer, other = Writer("a"), Writer("b")
    lines = [writer.write(), other.write(), b"", writer.write(), b'{"torn', b'{"id":"foreign"}']
    bridge = Archive("0001-x.jsonl.gz", lines).bridge()
    assert (bridge.records, bridge.bytes) == (3, sum(len(line) + 1 for line in lines))
    assert (bridge.first, bridge.last) == (line_hash(lines[0]), line_hash(lines[3]))
    assert {name: (cut.seq, cut.line_hash) for name, cut in bridge.writers.items()} == {
        "a": (2, writer.last),
        "b": (1, other.last),
    }
    line = writer.bridge(Archive("0001-x.jsonl.gz", lines))
    assert read_marker(line) == bridge
    assert (parse(line) or {})[KEY]["by"] == "ada"


def test_a_writers_cut_is_its_highest_number() -> None:
    """After a merge its older lines may come again behind it."""
    writer = Writer()
    lines = writer.lines(3)
    assert Archive("x", [*lines, *lines[:2]]).bridge().writers["a"].seq == 3


@pytest.mark.parametrize(
    "value", [None, 5, {}, {"file": "x"}, {"file": 1, "content_hash": "", "bytes": 1, "records": 1}, b"\xff"]
)
def test_what_only_looks_like_a_bridge_is_none(value: object) -> None:
    """Nobody trips over it."""
    if isinstance(value, bytes):
        line = b'{"tool_name":"trace_archive","archive":{"file":"' + value + b'"}}'
    else:
        line = json.dumps({"tool_name": TOOL_NAME, KEY: value}, separators=(",", ":")).encode()
    assert is_marker(line)
    assert read_marker(line) is None
    assert read_marker(b'{"id":"x"}') is None


# --- a ledger of several files that is whole


@st.composite
def archived(draw: st.DrawFn) -> tuple[list[Archive], Lines, list[Writer]]:
    """Several writers' lines, archived some times in between."""
    writers = [Writer(name) for name in "abc"[: draw(st.integers(1, 3))]]
    archives: list[Archive] = []
    live: Lines = []
    for _ in range(draw(st.integers(1, 3))):
        live += [draw(st.sampled_from(writers)).write() for _ in range(draw(st.integers(1, 8)))]
        cut = draw(st.integers(0, len(live)))
        if cut:
            archives.append(Archive(f"{len(archives)}.jsonl.gz", live[:cut]))
            live = [*live[cut:], draw(st.sampled_from(writers)).bridge(archives[-1])]
    return archives, live, writers


def known_of(writers: Sequence[Writer]) -> dict[str, NewestLine]:
    return {writer.name: writer.newest[writer.name] for writer in writers if writer.seq}


@given(archived())
def test_an_archived_ledger_verifies_from_its_first_record_on(
    ledger: tuple[list[Archive], Lines, list[Writer]],
) -> None:
    """However often it was archived, and wherever it was cut."""
    archives, live, writers = ledger
    assert verify(archives, live, known_of(writers)) == (sum(writer.seq for writer in writers), ())


@given(archived(), st.data())
def test_lines_that_come_again_in_a_later_file_are_counted_once(
    ledger: tuple[list[Archive], Lines, list[Writer]], data: st.DataObject
) -> None:
    """A branch that was not archived brings any of them back, before or behind the bridge."""
    archives, live, writers = ledger
    earlier = list(dict.fromkeys(line for archive in archives for line in archive.lines))
    back = [line for line in earlier if data.draw(st.booleans())]
    at = data.draw(st.integers(0, len(live)))
    found = verify(archives, [*live[:at], *back, *live[at:]], known_of(writers))
    assert found == (sum(writer.seq for writer in writers), ())


def test_archives_that_overlap_are_no_damage() -> None:
    """Two branches archived the same lines and more of their own."""
    common, ours, theirs = Writer("a"), Writer("b"), Writer("c")
    base = common.lines(5)
    first = Archive("1-a.gz", [*base, *common.lines(3), *ours.lines(2)])
    second = Archive("1-b.gz", [*base, *theirs.lines(4)])
    live = [common.bridge(first), theirs.bridge(second)]
    assert verify([first, second], live)[1] == ()
    assert verify([second, first], live)[1] == ()


def test_without_any_lines_nothing_is_wrong() -> None:
    """An empty ledger, or one that is all archived."""
    writer = Writer()
    archive = Archive("1.gz", writer.lines(2))
    assert verify([], [])[1] == ()
    assert problems([archive], []) == []
    assert problems([archive], [], writer.newest) == []


# --- what is wrong, and where


def test_damage_in_an_archive_is_named_by_its_file_and_line() -> None:
    """As in the live file; and its bridge disagrees with it."""
    writer = Writer()
    lines = writer.lines(6)
    archive = Archive("1.gz", [*lines[:2], edited(lines[2]), lines[3]], claimed=lines[:4])
    live = [*lines[4:], writer.bridge(archive)]
    assert problems([archive], live) == [("line 3 of 1.gz", "edited"), ("line 3", "archive-damaged")]
    archive.lines = [lines[0], lines[1], lines[3]]
    assert problems([archive], live) == [("line 3 of 1.gz", "removed"), ("line 3", "archive-damaged")]
    archive.lines = [*lines[:3], lines[2], lines[3]]
    assert problems([archive], live) == [("line 4 of 1.gz", "duplicated"), ("line 3", "archive-damaged")]
    archive.lines = [*lines[:4], b""]
    assert problems([archive], live) == [("line 3", "archive-damaged")]


def test_a_missing_archive_is_not_taken_for_removed_lines() -> None:
    """Its bridge says what is missing."""
    writer, other = Writer(), Writer("b")
    archive = Archive("1.gz", [*writer.lines(3), *other.lines(2)])
    live = [*writer.lines(2), *other.lines(1), writer.bridge(archive)]
    records, (problem,) = verify([], live, writer.newest | other.newest)
    assert (records, problem.line, problem.kind, problem.archive) == (4, 4, "archive-missing", None)
    assert problem.message == "The archive 1.gz is not there, which holds 5 records. Restore it."


def test_a_writer_that_is_wholly_in_a_missing_archive_is_not_cut() -> None:
    """This machine knows what it wrote, and the bridge where it is."""
    writer, other = Writer(), Writer("b")
    archive = Archive("1.gz", [*writer.lines(3), *other.lines(2)])
    live = [writer.bridge(archive)]
    assert problems([], live, writer.newest | other.newest) == [("line 1", "archive-missing")]
    other.lines(2)
    assert problems([], live, other.newest) == [("line 1", "archive-missing"), ("line 1", "cut")]


def test_lines_behind_a_missing_archive_must_go_on_from_its_cut() -> None:
    """Somebody who hides an edit by removing the archive is found out."""
    writer = Writer()
    lines = writer.lines(6)
    archive = Archive("1.gz", lines[:3], claimed=[*lines[:2], edited(lines[2])])
    live = [*lines[3:], writer.bridge(archive)]
    assert problems([], live) == [("line 4", "archive-missing"), ("line 4", "edited")]


def test_more_than_a_missing_archive_held_is_removed() -> None:
    """The bridge explains only what was before the cut."""
    writer = Writer()
    lines = writer.lines(6)
    archive = Archive("1.gz", lines[:3])
    live = [*lines[4:], writer.bridge(archive)]
    (removed, missing) = verify([], live)[1]
    assert (removed.kind, removed.line) == ("removed", 1)
    assert removed.message == "Record 4 of writer a is missing before this line."
    assert (missing.kind, missing.line) == ("archive-missing", 3)


def test_each_missing_archive_is_named_and_no_other() -> None:
    """Of three, whichever are gone."""
    writer = Writer()
    first = Archive("1.gz", writer.lines(3))
    second = Archive("2.gz", [*writer.lines(2), writer.bridge(first), *writer.lines(1)])
    third = Archive("3.gz", [writer.bridge(second), *writer.lines(2)])
    live = [writer.bridge(third), *writer.lines(1)]
    assert problems([first, second, third], live) == []
    assert problems([second, third], live) == [("line 3 of 2.gz", "archive-missing")]
    assert problems([first, third], live) == [("line 1 of 3.gz", "archive-missing")]
    assert problems([third], live) == [("line 1 of 3.gz", "archive-missing")]  # the next verification knows more
    assert problems([first], live) == [("line 1", "archive-missing")]


def test_lines_that_an_archive_never_had_are_removed_even_if_a_bridge_speaks_of_them() -> None:
    """The archive is there and whole, so it is no excuse."""
    writer, liar = Writer(), Writer("b")
    archive = Archive("1.gz", writer.lines(3))
    forged = archive.bridge()
    writers = {**forged.writers, "c": forged.writers["a"]}
    bridge = ArchiveMarker(forged.file, forged.content_hash, 1, 1, "", "", writers)
    live = [liar.write(tool_name=TOOL_NAME, **{KEY: bridge.to_json()})]
    assert problems([archive], live) == [("line 1", "removed")]


def test_a_missing_archive_is_not_missed_where_all_its_lines_are() -> None:
    """A branch that was not archived brought them back; the bridge may even stand before them."""
    writer = Writer()
    lines = writer.lines(4)
    archive = Archive("1.gz", lines[:3])
    bridge = writer.bridge(archive)
    assert verify([], [*lines, bridge], writer.newest) == (5, ())
    assert verify([], [bridge, *lines], writer.newest)[0] == 5
    assert problems([], [bridge, *lines], writer.newest) == [("line 5", "reordered")]  # the fourth was not archived
    assert problems([archive], [bridge, *lines], writer.newest) == [("line 5", "reordered")]


def test_an_archive_that_can_not_be_read_to_its_end_is_named_with_the_reason() -> None:
    """What it held is missing with it."""
    writer = Writer()
    lines = writer.lines(6)
    archive = Archive("1.gz", lines[:2], trouble="it is cut off", claimed=lines[:4])
    live = [*lines[4:], writer.bridge(archive)]
    (problem,) = verify([archive], live)[1]
    assert (problem.archive, problem.line, problem.kind) == ("1.gz", 2, "archive-damaged")
    assert problem.message == "This archive can't be read: it is cut off"


def test_an_archive_may_be_renamed_or_compressed_anew() -> None:
    """Its content counts."""
    writer = Writer()
    archive = Archive("1.gz", writer.lines(3))
    live = [writer.bridge(archive)]
    archive.name = "old.zst"
    assert problems([archive], live) == []


def test_a_record_that_was_never_committed_before_it_was_archived_is_found_by_its_hash() -> None:
    """On the branch where its bridge is."""
    writer = Writer()
    lines = writer.lines(3)
    assert problems([], lines[:2], writer.newest) == [("line 2", "cut")]
    assert problems([], lines[:2], writer.newest, elsewhere=lambda text: text == line_hash(lines[2])) == []


# --- forks and forgeries among lines that come again


@given(st.data())
def test_a_forged_copy_of_an_archived_line_is_named(data: st.DataObject) -> None:
    """Wherever it stands among those that came back."""
    writer = Writer()
    lines = writer.lines(6)
    archive = Archive("1.gz", lines)
    bridge = writer.bridge(archive)
    first = data.draw(st.integers(0, 5))
    back = lines[first : data.draw(st.integers(first, 5)) + 1]
    at = data.draw(st.integers(0, len(back) - 1))
    back[at] = edited(back[at])
    assert problems([archive], [*back, bridge]) == [(f"line {at + 1}", "forked")]


def test_a_rewritten_end_of_an_archived_chain_is_a_fork() -> None:
    """Two copies of a workspace wrote on under one name, and one of them archived."""
    writer = Writer()
    common = writer.lines(3)
    copy = Writer("a", writer.seq, writer.last)
    ours = writer.lines(2)
    archive = Archive("1.gz", [*common, *ours])
    theirs = [copy.write("theirs"), copy.write("theirs, too"), copy.write("theirs, at last")]
    assert problems([archive], theirs) == [("line 2", "forked")]
    assert problems([archive], [*theirs[:2], theirs[2]], copy.newest) == [("line 2", "forked")]


def test_what_comes_again_may_come_once_in_a_file() -> None:
    """A second copy in the same file is a duplicate; the first is none."""
    writer = Writer()
    lines = writer.lines(3)
    archive = Archive("1.gz", lines)
    later = Archive("2.gz", [lines[1], lines[1]])
    bridge = writer.bridge(archive)
    assert problems([archive], [*lines, lines[1], bridge]) == [("line 4", "duplicated")]
    assert problems([archive], [lines[0], edited(lines[0]), bridge]) == [("line 2", "forked")]
    assert problems([archive, later], [lines[1], bridge]) == [("line 2 of 2.gz", "duplicated")]


def test_lines_that_fill_a_gap_of_an_archive_are_compared_too() -> None:
    """And a second copy of one is a duplicate."""
    writer = Writer()
    lines = writer.lines(4)
    damaged = Archive("1.gz", [lines[0], lines[3]])
    assert problems([damaged], lines) == [("line 2", "reordered"), ("line 3", "reordered")]
    assert problems([damaged], [*lines, lines[1]]) == [
        *(("line 2", "reordered"), ("line 3", "reordered"), ("line 5", "duplicated"))
    ]


@pytest.mark.parametrize("both_archived", [False, True])
def test_what_stood_behind_a_cut_may_come_twice(both_archived: bool) -> None:
    """A merge of two branches that were both archived brings it from each; without archives it is damage."""
    common, ours, theirs = Writer("a"), Writer("b"), Writer("c")
    base = common.lines(9)
    first, second = Archive("1-a.gz", base[:4]), Archive("1-b.gz", base[:6])
    archives = [first, second] if both_archived else []
    bridges = [ours.bridge(first), theirs.bridge(second)] if both_archived else [ours.write(), theirs.write()]
    live = [*(base[4:] if both_archived else base), bridges[0], *base[6:], bridges[1]]
    records, found = verify(archives, live)
    assert [(problem.line, problem.kind.value) for problem in found] == (
        [] if both_archived else [(11, "duplicated"), (12, "duplicated"), (13, "duplicated")]
    )
    assert records == (11 if both_archived else 14)
    assert verify(archives, [*base[6:], bridges[1], *base[4:], bridges[0]])[1] == () or not both_archived
    if both_archived:
        live[-2] = edited(live[-2])
        assert [(problem.line, problem.kind.value) for problem in verify(archives, live)[1]] == [(9, "forked")]
        planted = [*base[4:], bridges[0], base[7], bridges[1]]
        assert [(problem.line, problem.kind.value) for problem in verify(archives, planted)[1]] == [(7, "duplicated")]


def test_a_writer_that_began_behind_a_cut_may_come_twice() -> None:
    """From its first record on."""
    common, other, ours, theirs = (Writer(name) for name in "abcd")
    base = [*common.lines(3), *other.lines(2)]
    first, second = Archive("1-a.gz", base[:1]), Archive("1-b.gz", base[:2])
    live = [*base[1:], ours.bridge(first), *base[2:], theirs.bridge(second)]
    assert verify([first, second], live) == (7, ())


def test_too_many_rows_to_compare_are_called_duplicates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is passed over unseen, and the memory stays bounded."""
    writer = Writer()
    lines = writer.lines(9)
    archive = Archive("1.gz", lines)
    monkeypatch.setattr(verifier_module, "MAX_PROBLEMS", 2)
    assert problems([archive], [*lines[::2], writer.bridge(archive)]) == [
        ("line 3", "duplicated"),
        ("line 4", "duplicated"),
    ]
    assert problems([], [*lines, lines[1], lines[3], lines[5]])[-1] == ("line 12", "duplicated")


def test_torn_and_foreign_lines_are_looked_over_at_the_second_look() -> None:
    """They have no number that could come twice."""
    writer = Writer()
    lines = writer.lines(3)
    archive = Archive("1.gz", [b'{"id":"x"}', *lines, b"{"])
    assert problems([archive], [lines[0], writer.write()]) == [
        ("line 1 of 1.gz", "foreign"),
        ("line 5 of 1.gz", "torn"),
    ]
