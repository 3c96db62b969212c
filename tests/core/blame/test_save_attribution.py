"""Whose the changed lines are when several hands edited one document between two saves."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from intentls.core.blame.save_attribution import Attribution, AuthoredText, AuthoredVersion, attribute
from intentls.core.ledger.line_range import changed_ranges

BEFORE = b"1\n2\n3\n4\n"


def lines(result: Attribution[str]) -> dict[str, list[tuple[int, int]]]:
    return {author: [(r.start_line, r.end_line) for r in ranges] for author, ranges in result.ranges.items()}


def test_the_example_of_the_module_is_what_it_says() -> None:
    """Two authors between two saves."""
    steps = [AuthoredText("Ada", b"a\nB\nc\nd\ne\n"), AuthoredText("Ben", b"a\nB\nc\nD\nE\ne\n")]
    assert lines(attribute(b"a\nb\nc\nd\ne\n", steps)) == {"Ada": [(2, 2)], "Ben": [(4, 5)]}
    undone = [AuthoredText("Ada", b"a\nX\nb\n"), AuthoredText("Ben", b"a\nb\n"), AuthoredText("Cy", b"a\nb\nc\n")]
    again = AuthoredText("Ben", b"a\nX\nb\nc\n", by_hand=True)
    assert lines(attribute(b"a\nb\n", [*undone, again])) == {"Ada": [(2, 2)], "Cy": [(4, 4)]}


def test_each_hand_gets_the_lines_it_wrote() -> None:
    """Lines keep their author when others edit above and below them."""
    steps = [AuthoredText("ai", b"1\n2\nTHREE\n4\n"), AuthoredText("human", b"zero\n1\n2\nTHREE\n4\nfive\n")]
    assert lines(attribute(BEFORE, steps)) == {"human": [(1, 1), (6, 6)], "ai": [(4, 4)]}


def test_who_was_overwritten_has_no_part() -> None:
    """A line that somebody else rewrote is theirs."""
    steps = [AuthoredText("ai", b"1\nai\n3\n4\n"), AuthoredText("human", b"1\nhuman\n3\n4\n")]
    assert lines(attribute(BEFORE, steps)) == {"human": [(2, 2)]}


def test_who_only_deleted_appears_without_lines() -> None:
    """A deletion leaves no lines, but somebody did it."""
    assert lines(attribute(BEFORE, [AuthoredText("ai", b"1\n4\n")])) == {"ai": []}


def test_a_change_that_was_taken_back_is_nobodys() -> None:
    """What is again as it was before is no change."""
    steps = [AuthoredText("ai", b"1\n2\nX\n4\n"), AuthoredText("human", BEFORE)]
    assert lines(attribute(BEFORE, steps)) == {}


def test_a_line_that_two_diffs_place_differently_goes_to_the_last_hand() -> None:
    """Where the steps can't say who wrote a changed line, whoever saved it did."""
    steps = [AuthoredText("ai", b"a\nb\n"), AuthoredText("human", b"a\nb\na\n")]
    found = attribute(b"b\na\n", steps).ranges
    assert {n for who in found for r in found[who] for n in range(r.start_line, r.end_line + 1)} == {
        n for r in changed_ranges(b"b\na\n", b"a\nb\na\n") for n in range(r.start_line, r.end_line + 1)
    }


def test_lines_that_are_removed_and_put_back_are_no_deletion() -> None:
    """Whose deletion was undone has no part; who removed what is gone has one."""
    steps = [AuthoredText("ai", b"1\n4\n"), AuthoredText("human", BEFORE, by_hand=True)]
    steps.append(AuthoredText("human", BEFORE + b"5\n", by_hand=True))
    assert lines(attribute(BEFORE, steps)) == {"human": [(5, 5)]}
    steps = [AuthoredText("ai", b"1\n4\n"), AuthoredText("human", b"1\n2\n4\n", by_hand=True)]
    assert lines(attribute(BEFORE, steps)) == {"ai": []}


def test_a_save_knows_what_earlier_saves_held() -> None:
    """An edit that was saved, undone, saved and done again is its author's; the same line elsewhere is not."""
    after = b"1\nX\nY\n2\n3\n4\n"
    written = attribute(BEFORE, [AuthoredText("ai", after)])
    undone = attribute(after, [AuthoredText("human", BEFORE, by_hand=True)], written.versions)
    assert lines(undone) == {"human": []}
    again = [AuthoredText("human", after, by_hand=True)]
    assert lines(attribute(BEFORE, again, undone.versions)) == {"ai": [(2, 3)]}
    in_part = [AuthoredText("human", b"1\nmine\nY\n2\n3\n4\n", by_hand=True)]
    assert lines(attribute(BEFORE, in_part, undone.versions)) == {"human": [(2, 2)], "ai": [(3, 3)]}
    elsewhere = [AuthoredText("human", b"1\n2\n3\nX\n4\n", by_hand=True)]
    assert lines(attribute(BEFORE, elsewhere, undone.versions)) == {"human": [(4, 4)]}
    formatted = [AuthoredText("human", b"1\nX\n Y\n2\n3\n4\n", by_hand=True)]
    assert lines(attribute(BEFORE, formatted, undone.versions)) == {"ai": [(2, 3)]}
    first = attribute(BEFORE, [AuthoredText("ai", b"X\n" + BEFORE)])
    undone = attribute(b"X\n" + BEFORE, [AuthoredText("human", BEFORE, by_hand=True)], first.versions)
    again = [AuthoredText("human", b"X\n" + BEFORE, by_hand=True)]
    assert lines(attribute(BEFORE, again, undone.versions)) == {"ai": [(1, 1)]}


def test_a_line_that_is_hardly_written_twice_needs_no_neighbour() -> None:
    """It came back from an earlier version although the lines beside it went; a short one may be another."""
    written = attribute(BEFORE, [AuthoredText("ai", b"1\nforecast(today)\nX\n2\n")])
    undone = attribute(b"1\nforecast(today)\nX\n2\n", [AuthoredText("human", BEFORE, by_hand=True)], written.versions)
    for line, author in ((b"forecast(today)", "ai"), (b"X", "human")):
        back = [AuthoredText("human", b"1\nmine\n" + line + b"\nhers\n2\n3\n4\n", by_hand=True)]
        ranges = lines(attribute(BEFORE, back, undone.versions))
        assert [who for who, parts in ranges.items() if any(a <= 3 <= b for a, b in parts)] == [author]


def test_a_line_that_was_there_before_all_known_is_of_who_put_it_back() -> None:
    """What an agent deleted, and a person put back after a save: earlier authors are blame's business."""
    deleted = attribute(BEFORE, [AuthoredText("ai", b"1\n4\n")])
    back = [AuthoredText("human", BEFORE, by_hand=True)]
    assert lines(attribute(b"1\n4\n", back, deleted.versions)) == {"human": [(2, 3)]}


def test_formatting_makes_no_author() -> None:
    """What is formatted before it is saved stays its author's; a line with another word does not."""
    written = AuthoredText("ai", BEFORE + b"call(a,'b')\nf(first, second)\nend()\nreturn 1\n")
    text = BEFORE + b'call(a, "b")\nf(\n  first,\n  second)\nend()\nreturn 2\n'
    formatted = AuthoredText("human", text, by_hand=True)
    assert lines(attribute(BEFORE, [written, formatted])) == {"ai": [(5, 9)], "human": [(10, 10)]}
    assert lines(attribute(BEFORE, [written, AuthoredText("human", text)])) == {
        "human": [(5, 8), (10, 10)],
        "ai": [(9, 9)],
    }


def test_who_moves_a_line_is_not_its_author() -> None:
    """Lines that were cut in one place and pasted in another stay their author's."""
    written = AuthoredText("ai", b"first_line\nsecond_line\n" + BEFORE)
    moved = AuthoredText("human", BEFORE + b"mine\nfirst_line\nsecond_line\n", by_hand=True)
    assert lines(attribute(BEFORE, [written, moved])) == {"human": [(5, 5)], "ai": [(6, 7)]}


def test_indentation_is_no_form_where_it_counts() -> None:
    """In Python a line that is moved into a block says something else."""
    steps = [AuthoredText("ai", BEFORE + b"x=1\n"), AuthoredText("human", BEFORE + b"  x = 1\n", by_hand=True)]
    assert lines(attribute(BEFORE, steps)) == {"ai": [(5, 5)]}
    assert lines(attribute(BEFORE, steps, is_indented=True)) == {"human": [(5, 5)]}


def test_lines_of_two_authors_that_are_joined_are_of_who_joined_them() -> None:
    """One line has one author."""
    steps = [AuthoredText("ai", b"f(a,\n"), AuthoredText("Ben", b"f(a,\nb)\n")]
    steps.append(AuthoredText("human", b"f(a, b)\n", by_hand=True))
    assert lines(attribute(b"", steps)) == {"human": [(1, 1)]}


def test_few_and_small_versions_are_remembered() -> None:
    """The newest 32, of four MiB together."""
    versions: tuple[AuthoredVersion[str], ...] = ()
    for number in range(40):
        text = b"%d\n" % number
        versions = attribute(text, [AuthoredText("ai", text + b"x\n")], versions).versions
    assert (len(versions), versions[-1].text) == (32, b"39\nx\n")
    assert attribute(BEFORE, [AuthoredText("ai", b"x" * 5_000_000)], versions).versions == ()


text = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"\n"]), max_size=8).map(b"".join)


@given(text, st.lists(st.tuples(st.sampled_from(["ai", "human", "other"]), text), min_size=1, max_size=5))
def test_every_changed_line_has_exactly_one_author(before: bytes, edits: list[tuple[str, bytes]]) -> None:
    """The authors' ranges together are exactly the lines that changed, none twice."""
    steps = [AuthoredText(who, after) for who, after in edits]
    found = attribute(before, steps).ranges
    numbers = [n for ranges in found.values() for r in ranges for n in range(r.start_line, r.end_line + 1)]
    wanted = changed_ranges(before, edits[-1][1])
    assert sorted(numbers) == [n for r in wanted for n in range(r.start_line, r.end_line + 1)]
