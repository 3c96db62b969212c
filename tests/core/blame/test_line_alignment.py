"""Lines that no record's content has any more: found again by their hashes, with care."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from intentls.core.blame.line_alignment import HashedText, Kinship, align
from intentls.core.blame.moved_lines import FileLines, formatted, moved
from intentls.core.blame.version_graph import LineOwners, Ownership
from intentls.core.hashing import hash_of
from intentls.core.text.line_hashes import bare_lines, is_unlikely_twice, line_hash
from intentls.core.text.lines import diff
from tests.core.blame.test_line_owners import owners_of
from tests.core.blame.test_version_graph import version


def image(*rows: tuple[str | None, str]) -> LineOwners[str]:
    """Lines with their owners; a line without one is unknown."""
    return LineOwners(
        [(owner, None if owner is None else line_hash(line.encode()), None) for owner, line in rows], True
    )


def aligned(found: LineOwners[str], *lines: str) -> list[str | None]:
    return compared(found, *lines, kinship=Kinship.LATEST)


def compared(found: LineOwners[str], *lines: str, kinship: Kinship = Kinship.OTHER) -> list[str | None]:
    """By a version of another file, unless it is said to be another one."""
    owned: Ownership[str] = Ownership.unknown(len(lines))
    bare = bare_lines("\n".join(lines).encode())
    align(HashedText.of(bare), found, owned, [int(is_unlikely_twice(line)) for line in bare], kinship)
    return owned.owners


def test_lines_around_an_unseen_change_keep_their_owners() -> None:
    """With the brackets and blank lines among them; what was changed is nobody's."""
    found = image(("a", "alpha()"), ("a", "}"), ("b", ""), ("b", "beta()"), ("c", "gamma()"), ("c", "}"))
    assert aligned(found, "alpha()", "}", "", "beta()", "unseen()", "}") == ["a", "a", "b", "b", None, None]


def test_the_example_of_the_module_is_what_it_says() -> None:
    """Of two brackets of different people, either may be the one that is left: then it has no owner."""
    found = image(("Ada", "alpha()"), ("Ada", "}"), ("Ben", "beta()"), ("Ben", "more()"), ("Cleo", "}"))
    content = ("alpha()", "}", "unseen()", "more()", "}")
    assert aligned(found, *content) == ["Ada", "Ada", None, "Ben", "Cleo"]
    found = image(("Ada", "alpha()"), ("Ada", "}"), ("Ben", "}"), ("Ben", "beta()"))
    assert aligned(found, "alpha()", "}", "unseen()") == ["Ada", None, None]
    found = image(("Ada", "open_the_db()"), ("Ada", "fill_the_table()"), ("Ada", "close_the_db()"))
    content = ("fill_the_table()", "close_the_db()", "unseen_before()", "open_the_db()")
    for kinship in Kinship:
        assert compared(found, *content, kinship=kinship) == ["Ada", "Ada", None, None]


def test_one_equal_line_in_another_place_proves_nothing() -> None:
    """However long it is; and short lines, imports, comments and a line twice prove nothing with it."""
    telling, second = "connect_to_the_database(memory)", "create_all_the_tables(now)"
    stays = [f"this_one_stays({number})" for number in range(4)]
    for beside in ("}", "import database", "# the database", telling):
        found = image(("a", telling), ("a", beside), *(("b", row) for row in stays))
        assert compared(found, "new_here()", telling, beside, "more()") == [None] * 4
        assert aligned(found, *stays, telling, beside)[4:] == [None] * 2
    found = image(("a", telling), ("a", "}"), ("c", second), *(("b", row) for row in stays))
    assert compared(found, "new_here()", telling, "}", second, "more()") == [None, "a", "a", "c", None]
    assert aligned(found, *stays, telling, "}", second)[4:] == ["a", "a", "c"]
    assert compared(found, second, "new_here()", telling) == [None] * 3, "they did not stand side by side"


def test_between_two_proven_blocks_a_line_alone_is_in_its_place() -> None:
    """As in a renamed file that was edited; above the first block and below the last it may be anybody's."""
    rows = [f"statement_number({number})" for number in range(8)]
    found = image(*(("a", row) for row in rows))
    content = [rows[0], "new", *rows[1:3], "new", rows[3], "new", *rows[4:6], "new", rows[7]]
    expected = [None, None, "a", "a", None, "a", None, "a", "a", None, None]
    assert compared(found, *content) == expected
    whole = ["a" if row != "new" else None for row in content]
    assert compared(found, *content, kinship=Kinship.RENAMED) == whole, "half of a file that is gone"
    assert compared(found, rows[0], "new", rows[2], "new", rows[4], kinship=Kinship.RENAMED) == [None] * 5
    assert aligned(found, *content) == [None if row == "new" else "a" for row in content]


def test_an_earlier_version_of_the_file_needs_a_proof_unless_half_of_it_is_there() -> None:
    """An edit that is undone unseen gives the line back in its place; a line alone proves nothing."""
    rows = [f"statement_number({number})" for number in range(4)]
    found = image(*(("a", row) for row in rows))
    assert compared(found, rows[0], "new", rows[2], "new", kinship=Kinship.EARLIER) == ["a", None, "a", None]
    assert compared(found, "new", rows[2], "new", kinship=Kinship.EARLIER) == [None, None, None]
    assert compared(found, "new", *rows[2:], "new", kinship=Kinship.EARLIER) == [None, "a", "a", None]
    assert compared(image(("a", rows[0])), "new", rows[0], kinship=Kinship.EARLIER) == [None, None]


def test_a_block_that_moved_unseen_keeps_its_owners() -> None:
    """A telling line finds its place, and what stands around it comes along."""
    moved, stays = ("alpha_begins()", "}", "beta_begins()"), ("stay_1", "stay_2", "stay_3", "stay_4")
    found = image(*(("a", row) for row in moved), *(("b", row) for row in stays))
    assert aligned(found, *stays, "new", *moved, "x") == ["b"] * 4 + [None, "a", "a", "a", None]
    assert aligned(found, *stays, "", "}", "beta_begins()", "alpha_begins()")[4:] == [None] * 4


def test_a_line_that_stands_everywhere_proves_nothing() -> None:
    """Alone, without any telling line beside it."""
    found = image(("a", "}"), ("a", ""), ("a", "else:"))
    assert aligned(found, "}", "", "else:") == [None] * 3


def test_equal_lines_of_several_people_need_context() -> None:
    """Which of them stayed can't be told, so it is nobody's; between two telling lines it can."""
    found = image(("a", "alpha()"), ("a", "again()"), ("b", "again()"), ("b", "beta()"))
    assert aligned(found, "alpha()", "again()", "new()") == ["a", None, None]
    assert aligned(found, "new()", "again()", "beta()") == [None, None, "b"]
    assert aligned(found, "again()") == [None]
    assert aligned(found, "alpha()", "again()", "again()", "beta()", "new()") == ["a", "a", "b", "b", None]


def test_equal_lines_of_one_person_are_that_persons() -> None:
    """As many of them as there were."""
    found = image(("a", "again()"), ("a", "again()"))
    assert aligned(found, "again()", "x") == ["a", None]
    assert aligned(found, "again()", "x", "again()", "again()") != ["a"] * 4


def test_an_edge_is_sure_where_nothing_beside_it_is_the_same() -> None:
    """A bracket at the end of what stayed belongs to it, though others have brackets, too."""
    found = image(("a", "alpha()"), ("a", "}"), ("b", "beta()"), ("b", "other()"), ("b", "more()"), ("b", "}"))
    assert aligned(found, "alpha()", "}", "unseen()", "more()", "}") == ["a", "a", None, "b", "b"]
    found = image(("b", "}"), ("b", "gone()"), ("a", "}"), ("a", "alpha()"))
    assert aligned(found, "}", "alpha()") == [None, "a"]
    found = image(("b", "{"), ("b", "gone()"), ("b", "}"), ("c", "gone_too()"), ("a", "{"), ("a", "alpha()"))
    assert aligned(found, "{", "alpha()") == [None, "a"]


def test_an_image_without_any_of_the_lines_says_nothing() -> None:
    """Nor does one of which nothing is known."""
    assert aligned(image(("a", "alpha()")), "beta()") == [None]
    assert aligned(image((None, "alpha()")), "alpha()") == [None]


BASE = b"def alpha():\n    return first\n\n\ndef beta():\n    return second\n"


def test_other_line_ends_change_no_author() -> None:
    """An unrecorded conversion to CRLF leaves every line its author, the blank ones, too."""
    versions = [version("a", None, BASE[:30]), version("b", BASE[:30], BASE)]
    assert owners_of(versions, BASE.replace(b"\n", b"\r\n")) == owners_of(versions, BASE)


def test_two_merged_branches_keep_both_their_authors() -> None:
    """A merge that no record tells of has the lines of both branches."""
    ours, theirs = b"ours here\n" + BASE, BASE + b"theirs here\n"
    versions = [version("a", None, BASE), version("b", BASE, ours), version("c", BASE, theirs)]
    assert owners_of(versions, b"ours here\n" + BASE + b"theirs here\n") == ["b", *["a"] * 6, "c"]


def test_a_line_that_comes_back_unseen_is_its_writers() -> None:
    """As after a revert: the newest record that wrote it tells whose it is."""
    versions = [version("a", None, BASE), version("b", BASE, b"other\n"), version("c", b"other\n", b"other\nlast\n")]
    assert owners_of(versions, BASE + b"last\n") == ["a"] * 6 + ["c"]
    versions.append(version("d", b"gap\n", b"gap\nmore\n"))
    assert owners_of(versions, b"gap\nmore\n" + BASE[:30]) == [None, "d", "a", "a"]
    assert owners_of(versions, b"gap\nmore\n" + BASE[:13]) == [None, "d", None], "a line alone"


def test_only_so_many_records_are_asked_for_lost_lines() -> None:
    """The newest come first; a file of any history has its answer in bounded time."""
    versions = [version("first", None, b"line number 0\n")]
    for number in range(1, 60):
        versions.append(
            version(f"o{number}", f"gone {number}\n".encode(), f"gone {number}\nline number {number}\n".encode())
        )
    content = "".join(f"line number {number}\n" for number in range(60)).encode()
    found = owners_of(versions, content + b"x\n")
    assert found[59] == "o59"
    assert found[0] is None


def test_a_formatter_seen_on_top_of_an_unseen_change_costs_no_author() -> None:
    """What the formatted lines were before is on record, so they are found in the older content."""
    before, ugly = b"alpha(1,2)\nbeta( 3 )\n", b"alpha(1,2)\nunseen = 1\nbeta( 3 )\n"
    neat = b"alpha(1, 2)\nunseen = 1\nbeta(3)\n"
    origins = formatted(FileLines("x", ugly.splitlines(), neat.splitlines(), diff(ugly, neat)))
    versions = [version("a", None, before), version("f", ugly, neat, *origins)]
    assert owners_of(versions, neat) == ["a", None, "a"]
    assert owners_of(versions, neat + b"\nunseen = 2\n") == ["a", None, "a", None, None]


def test_text_as_it_was_before_keeps_what_is_not_known() -> None:
    """Only lines that were formatted have another hash."""
    text = HashedText.of([b"one", b"two"])
    assert text.as_before([None, None]) is text
    assert text.as_before([None, line_hash(b"2")]).hashes == [line_hash(b"one"), line_hash(b"2")]


@pytest.mark.parametrize("seed", range(20))
def test_no_line_is_ever_given_to_somebody_who_did_not_write_it(seed: int) -> None:
    """A model with unique lines among trivial ones: any mixture of recorded and unseen edits, moves and branches.

    Only those may be nobody's that stand alone after what was unseen: one in five at most.
    """
    chance = random.Random(seed)
    truth: dict[str, str | None] = {}
    answers: Counter[bool] = Counter()
    heads: list[tuple[bytes | None, list[str]]] = [(None, [])]
    versions = []
    for number in range(50):
        before, rows = heads[chance.randrange(len(heads))]
        rows = list(rows)
        who = None if before is not None and chance.random() < 0.25 else f"o{number}"
        if rows and chance.random() < 0.4:
            at, count = chance.randrange(len(rows)), chance.randrange(1, 5)
            block = rows[at : at + count]
            del rows[at : at + count]
            if who is None:
                to = chance.randrange(len(rows) + 1)
                rows[to:to] = block
        for _ in range(chance.randrange(1, 4)):
            line = chance.choice(("}", "", f"line {number} {chance.random()}"))
            truth.setdefault(line, who)
            rows.insert(chance.randrange(len(rows) + 1), line)
        after = "".join(f"{row}\n" for row in rows).encode()
        if who is not None:
            sides = FileLines("x", (before or b"").splitlines(), after.splitlines(), diff(before, after))
            versions.append(version(who, before, after, *moved([sides])[0]))
        heads = [*heads[-2:], (after, rows)]
        for row, owner in zip(rows, owners_of(versions, after), strict=True):
            if len(row) > 4:
                assert owner in (truth[row], None), (row, hash_of(after))
                answers[owner == truth[row]] += 1
    assert answers[False] <= 0.2 * answers.total()
