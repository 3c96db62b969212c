"""Whose each line is, from records and content alone."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from intentls.core.blame.line_owners import BlameHistory, SearchedFile, blame
from intentls.core.blame.version_graph import MAX_LINES, AuthoredRange, FileVersion, VersionGraph
from intentls.core.hashing import hash_of
from intentls.core.ledger.line_range import LineRange, Origin, changed_ranges
from intentls.core.ledger.record_json import is_imported
from intentls.core.text.line_hashes import bare_lines, join_hashes, line_hash
from intentls.core.text.lines import Hunk, diff


def version(owner: str, before: bytes | None, after: bytes, *, hunks: bool = True) -> FileVersion[str]:
    claims = tuple(AuthoredRange(owner, where) for where in changed_ranges(before, after))
    return FileVersion(hash_of(before), hash_of(after), diff(before, after) if hunks else None, claims)


def hashed_version(owner: str, before: bytes | None, after: bytes) -> FileVersion[str]:
    """With the hashes of its lines, as the engine makes one."""
    bare = version(owner, before, after)
    lines = bare_lines(after)
    claims = tuple(
        replace(
            claim,
            where=replace(
                claim.where, line_hashes=join_hashes(lines[claim.where.start_line - 1 : claim.where.end_line])
            ),
        )
        for claim in bare.claims
    )
    return replace(bare, claims=claims)


def owners_of(
    versions: list[FileVersion[str]], content: bytes, imported: tuple[AuthoredRange[str], ...] = ()
) -> list[str | None]:
    """By line of a content, whose file has these versions."""
    return blame(BlameHistory(VersionGraph([versions]), imported), content).owners


def test_a_later_edit_takes_its_lines_and_leaves_the_rest() -> None:
    """Lines stay with their author while others insert above and change beside them."""
    versions = [version("a", None, b"1\n2\n3\n"), version("b", b"1\n2\n3\n", b"0\n1\nTWO\n3\n")]
    assert owners_of(versions, b"0\n1\nTWO\n3\n") == ["b", "a", "b", "a"]


def test_the_example_of_the_module_is_what_it_says() -> None:
    """An unrecorded edit of one line leaves the others their owners."""
    first, then = b"one()\ntwo()\nthree()\nfour()\nfive()\n", b"one()\nTWO()\nthree()\nfour()\nfive()\n"
    versions = [hashed_version("Ada", None, first), hashed_version("Ben", first, then)]
    assert owners_of(versions, then.replace(b"four", b"new")) == ["Ada", "Ben", "Ada", None, "Ada"]


def test_lines_that_another_file_lost_are_their_writers() -> None:
    """A line that is in both files is a copy; common lines come along with those that were lost."""
    lost = b"parse_forecast()\n}\nread_forecast()\nshow_forecast()\n"
    graph = VersionGraph([[], [hashed_version("a", None, b"start()\n" + lost)]])
    history = BlameHistory(graph, searched_files=(SearchedFile(1, {line_hash(b"}"), line_hash(b"show_forecast()")}),))
    assert blame(history, lost).owners == ["a", "a", "a", None]
    other = history.graph.with_file([hashed_version("b", None, lost)])
    taken_once = BlameHistory(other, searched_files=(SearchedFile(1, frozenset()), SearchedFile(2, frozenset())))
    assert blame(taken_once, lost).owners == ["a", "a", "a", "a"]
    copied = replace(history, searched_files=(SearchedFile(1, set(map(line_hash, lost.splitlines()))),))
    assert blame(copied, lost).owners == [None] * 4
    assert blame(copied, b"unseen\n" + lost + b"more\n").owners == [None] * 6


def test_one_line_that_another_file_lost_is_nobodys() -> None:
    """One of two that the other file still has proves nothing with it, nor does one that has its owner."""
    lost = b"parse_forecast()\nread_forecast()\n"
    graph = VersionGraph([[], [hashed_version("a", None, b"start()\n" + lost)]])
    history = BlameHistory(graph, searched_files=(SearchedFile(1, frozenset()),))
    assert blame(history, lost).owners == ["a", "a"]
    assert blame(history, b"new_here()\nread_forecast()\nmore_here()\n").owners == [None] * 3
    copied = replace(history, searched_files=(SearchedFile(1, {line_hash(b"read_forecast()")}),))
    assert blame(copied, lost).owners == [None, None]
    both = VersionGraph([[], [hashed_version("a", None, lost + b"go_on()\nshow_forecast()\nhide_forecast()\n")]])
    content = lost + b"new()\ngo_on()\nmore()\nshow_forecast()\nhide_forecast()\n"
    alone = blame(replace(history, graph=both), content).owners
    assert alone == ["a", "a", None, None, None, "a", "a"], "a short line alone"
    own = replace(history, graph=VersionGraph([[hashed_version("b", None, lost[:17])], graph.files[1]]))
    assert blame(own, lost).owners == ["b", None]


def test_an_earlier_answer_saves_work_and_changes_nothing() -> None:
    """What was added to the history is looked at alone; if anything else changed, all is computed again."""
    lost = b"parse_forecast()\nshow_forecast()\n"
    history = BlameHistory(VersionGraph([[hashed_version("a", None, b"start_here()\n")]]))
    content = b"start_here()\n" + lost
    first = blame(history, content)
    assert first.owners == ["a", None, None]
    more = replace(
        history,
        graph=history.graph.with_file([hashed_version("b", None, lost)]),
        searched_files=(SearchedFile(1, frozenset()),),
    )
    assert blame(more, content, first).owners == blame(more, content).owners == ["a", "b", "b"]
    assert first.owners == ["a", None, None]
    other = replace(more, graph=more.graph.with_versions({(0, 0): hashed_version("c", None, b"start_here()\n")}))
    assert blame(other, content, blame(more, content)).owners == ["c", "b", "b"]


def test_lines_from_before_the_first_record_are_nobodys() -> None:
    """What was there before anybody recorded anything is not guessed at."""
    versions = [version("a", b"old\n", b"old\nnew\n")]
    assert owners_of(versions, b"old\nnew\n") == [None, "a"]


def test_after_an_unrecorded_change_whole_blocks_are_found_again() -> None:
    """A block that still stands somewhere keeps its author; a broken one is nobody's."""
    versions = [version("a", None, b"1\n2\n"), version("b", b"1\n2\n", b"1\n2\nx\ny\n")]
    assert owners_of(versions, b"moved\nx\ny\n1\nCHANGED\n") == [None, "b", "b", None, None]


def test_a_gap_between_records_is_bridged_by_content() -> None:
    """A record that builds on content nobody recorded starts the search by content."""
    versions = [version("a", None, b"1\n2\n"), version("b", b"other\n", b"other\nz\n")]
    assert owners_of(versions, b"other\nz\n") == [None, "b"]
    assert owners_of([version("a", None, b"1\n", hunks=False)], b"1\n") == ["a"]


def test_a_record_that_does_not_know_what_it_changed_takes_no_line_from_its_author() -> None:
    """The lines that stood there before are found by what they are; the others are nobody's."""
    old, new = b"first_line()\nsecond_line()\n", b"first_line()\nadded_line()\nsecond_line()\n"
    for before in (hash_of(old), None):
        blind: FileVersion[str] = FileVersion(before, hash_of(new), None, ())
        assert owners_of([hashed_version("a", None, old), blind], new) == ["a", None, "a"], before


def test_the_nearest_of_several_equal_blocks_is_taken_once() -> None:
    """Of equal blocks the one nearest to the recorded place is the author's, and only one of them."""
    versions = [version("a", b"x\n" * 3, b"x\n" * 3 + b"same\n")]
    assert owners_of(versions, b"same\n" + b"q\n" * 3 + b"same\n") == [None, None, None, None, "a"]


def test_a_newer_claim_comes_before_an_older_one() -> None:
    """Where two claims fit the same lines, the newer record has them."""
    versions = [version("a", None, b"x\n"), version("b", b"gap\n", b"gap\nx\n"), version("c", b"gap\n", b"g2\n")]
    assert owners_of(versions, b"x\nq\n") == ["b", None]


def test_records_that_contradict_their_own_hashes_prove_nothing() -> None:
    """Hunks or ranges outside the text are not followed."""
    whole = LineRange(1, 9, "sha256:" + "0" * 64)
    bad_claim = FileVersion(None, hash_of(b"x\n"), (Hunk(0, 0, 1, 1),), (AuthoredRange("a", whole),))
    assert owners_of([bad_claim], b"x\n") == [None]
    bad_hunk = FileVersion(hash_of(b"x\n"), hash_of(b"y\n"), (Hunk(5, 3, 1, 1),), ())
    assert owners_of([version("a", None, b"x\n"), bad_hunk], b"y\n") == [None]


def test_a_model_of_random_edits_agrees_line_by_line() -> None:
    """With unique lines, an independent model that carries authors along says the same of every line."""
    chance = random.Random(7)
    for _ in range(40):
        rows: list[tuple[str, str]] = []
        versions: list[FileVersion[str]] = []
        count = 0
        for step in range(12):
            before = "".join(text for text, _ in rows).encode() if step else None
            who = chance.choice("abc")
            for _ in range(chance.randrange(1, 4)):
                place = chance.randrange(len(rows) + 1)
                if rows and chance.random() < 0.4:
                    rows.pop(place % len(rows))
                else:
                    count += 1
                    rows.insert(place, (f"line {count}\n", who))
            after = "".join(text for text, _ in rows).encode()
            versions.append(version(who, before, after))
        assert owners_of(versions, after) == [who for _, who in rows]


@pytest.mark.parametrize(
    "hunk",
    [
        *(Hunk(0, 1, 1, 1), Hunk(-3, 1, 1, 1), Hunk(1, -1, 1, 1), Hunk(1, 1, 1, -1), Hunk(9, 0, 1, 1)),
        *(Hunk(2, 1, 1, 1), Hunk(1, 1, 1, MAX_LINES), Hunk(0, 0, 1, 10**30)),
    ],
)
def test_hunks_that_no_file_can_have_prove_nothing(hunk: Hunk) -> None:
    """A forged record takes neither memory nor the answer for other lines; its blocks are still looked for."""
    hash_ = hash_of(b"1\n")
    assert owners_of([version("a", None, b"1\n"), FileVersion(hash_, hash_, (hunk,), ())], b"1\n") == ["a"]


def test_hunks_that_overlap_prove_nothing() -> None:
    """They come in order, each after the one before."""
    hash_, twice = hash_of(b"1\n2\n"), (Hunk(1, 2, 1, 2), Hunk(2, 1, 2, 1))
    assert owners_of([version("a", None, b"1\n2\n"), FileVersion(hash_, hash_, twice, ())], b"1\n2\n") == ["a", "a"]


def test_another_programs_claim_gets_only_what_is_nobodys() -> None:
    """And only where its hash fits: a line of our own record stays ours, whatever anybody else says."""
    content = b"mine\ntheirs\nnobody\n"
    ours = [version("us", b"theirs\nnobody\n", content)]
    (mine,), (theirs,) = changed_ranges(b"", b"mine\n"), changed_ranges(b"", b"theirs\n")
    forged = LineRange(3, 3, "sha256:" + "0" * 64)
    foreign = [AuthoredRange("them", where) for where in (mine, theirs, forged)]
    assert owners_of(ours, content, foreign) == ["us", "them", None]
    assert owners_of([], content, foreign) == ["them", "them", None]


def test_a_record_is_imported_if_it_says_exactly_that() -> None:
    """Nothing but the mark that `trace import` sets makes one."""
    assert is_imported({"imported": True})
    assert not any(map(is_imported, [{}, {"imported": "true"}, {"imported": 1}]))


def test_lines_that_came_from_elsewhere_above_a_claim_do_not_cut_its_lines() -> None:
    """A record may say of lines above its first claim that they were moved."""
    lines = [b"def first():", b"return compute(1)", b"def second():", b"return compute(2)"]
    before = b"\n".join(lines[:2]) + b"\n"
    after = b"\n".join(lines) + b"\n"
    where = changed_ranges(before, after)[0]
    claim = AuthoredRange("a", replace(where, line_hashes=join_hashes(lines[2:])))
    first = FileVersion(hash_of(before), hash_of(after), diff(before, after), (claim,), origins=(Origin(1, 1, 2, 2),))
    then = version("b", b"unseen\n", b"unseen\nseen by b\n")
    assert owners_of([first, then], b"unseen\nseen by b\n" + lines[3] + b"\n") == [None, "b", "a"]


def test_what_is_left_of_an_attested_block_stays_its_authors() -> None:
    """The block was broken up by a line in it: the hashes of its lines find the rest, and nothing without them."""
    lines = [b"first_value = 1", b"second_value = 2", b"third_value = 3"]
    block = b"\n".join(lines) + b"\n"
    where = changed_ranges(None, block)[0]
    content = b"unseen = 0\n" + lines[0] + b"\nadded = 9\n" + lines[2] + b"\n"
    hashed = AuthoredRange("a", replace(where, line_hashes=join_hashes(lines)))
    assert owners_of([], content, (hashed,)) == [None, "a", None, "a"]
    assert owners_of([], content, (AuthoredRange("a", where),)) == [None] * 4
    assert owners_of([], block, (hashed,)) == ["a", "a", "a"]
