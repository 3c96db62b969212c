"""Whose each line was after each record: images, built along what each record says it changed."""

from __future__ import annotations

import random
from typing import Any

import pytest

from intentls.core.blame.version_graph import (
    MAX_LINES,
    AuthoredRange,
    FileVersion,
    KeptOwners,
    LineOwners,
    VersionGraph,
    next_owners,
)
from intentls.core.hashing import hash_of
from intentls.core.ledger.line_range import LineRange, Origin, changed_ranges
from intentls.core.text.line_hashes import bare_lines, join_hashes, line_hash
from intentls.core.text.lines import Hunk, diff


def version(
    owner: str,
    before: bytes | None,
    after: bytes | None,
    *origins: Origin,
    others: dict[str, tuple[int, int]] | None = None,
) -> FileVersion[str]:
    """A record as the engine makes one, with the hashes of its lines."""
    lines = bare_lines(after or b"")
    claims = tuple(
        AuthoredRange(
            owner,
            LineRange(r.start_line, r.end_line, r.content_hash, join_hashes(lines[r.start_line - 1 : r.end_line])),
        )
        for r in changed_ranges(before, after)
    )
    return FileVersion(hash_of(before), hash_of(after), diff(before, after), claims, origins, others or {})


def owners(image: LineOwners[str]) -> list[str | None]:
    return [owner for owner, _, _ in image.lines]


def last(*lineages: list[FileVersion[str]]) -> list[str | None]:
    """The owners after the last version of the first lineage."""
    node = (0, len(lineages[0]) - 1)
    return owners(VersionGraph(lineages).build((node,))[node])


def test_two_branches_have_an_image_each() -> None:
    """Records of two branches, one after the other in a merged ledger, do not disturb each other."""
    base, ours, theirs = b"1\n2\n", b"1\nours\n2\n", b"1\n2\ntheirs\n"
    versions = [version("a", None, base), version("b", base, ours), version("c", base, theirs)]
    images = VersionGraph([versions])
    assert images.tips(0) == [(0, 2), (0, 1)]
    built = images.build([(0, 1), (0, 2)])
    assert [owners(built[0, place]) for place in (1, 2)] == [["a", "b", "a"], ["a", "a", "c"]]
    assert images.find(0, hash_of(ours)) == (0, 1)
    assert images.find(0, None) is images.find(0, "sha256:none") is None


def test_the_example_of_the_module_is_what_it_says() -> None:
    """Five lines by one person; another one moves a line and rewrites one."""
    before, after = b"one\ntwo\nthree\nfour\nfive\n", b"two\none\nTHREE\nfour\nfive\n"
    changing = version("Ben", before, after, Origin(1, 1, 2, 2))
    assert changing.hunks == (Hunk(0, 0, 1, 1), Hunk(2, 2, 3, 1))
    assert last([version("Ada", None, before), changing]) == ["Ada", "Ada", "Ben", "Ada", "Ada"]


def test_another_graph_shares_the_files_that_are_the_same() -> None:
    """So that it is known what an answer need not be computed for again."""
    one, two = version("a", None, b"1\n"), version("b", b"gap\n", b"2\n")
    graph = VersionGraph([[one], [two]])
    assert list(graph.gaps()) == [((1, 0), hash_of(b"gap\n"))]
    more = graph.with_file([one])
    assert more.continues(graph)
    assert not graph.continues(more)
    changed = more.with_versions({(1, 0): one, (1, 1): two})
    assert changed.files == ((one,), (one, two), (one,))
    assert not changed.continues(more)
    assert changed.continues(VersionGraph([changed.files[0]]))


def test_the_same_content_twice_is_the_later_ones() -> None:
    """Who took a change back wrote the lines that are there again."""
    versions = [version("a", None, b"1\n2\n"), version("b", b"1\n2\n", b"1\n"), version("c", b"1\n", b"1\n2\n")]
    assert last([*versions, version("d", b"1\n2\n", b"0\n1\n2\n")]) == ["d", "a", "c"]


def test_what_a_record_does_not_tell_is_unknown() -> None:
    """A gap leaves as many unknown lines as the hunks reach, and perhaps more behind them."""
    gap = version("b", b"1\n2\n3\n4\n", b"1\nx\n3\n4\n")
    images = VersionGraph([[version("a", None, b"1\n"), gap]])
    assert images.is_gap((0, 1))
    assert not images.is_gap((0, 0))
    image = images.build([(0, 1)])[0, 1]
    assert (owners(image), image.is_whole) == ([None, "b"], False)
    found = image.ownership(4)
    assert found is not None
    assert found.owners == [None, "b", None, None]
    assert image.ownership(1) is None
    after = version("c", b"1\nx\n3\n4\n", b"1\nx\n3\n4\nend\n")
    assert last([gap, after]) == [None, "b", None, None, "c"]


def test_a_whole_image_has_the_lines_it_has() -> None:
    """A content with another number of lines is another content."""
    image = VersionGraph([[version("a", None, b"1\n")]]).build([(0, 0)])[0, 0]
    assert image.ownership(2) is None
    assert image.is_whole


def test_a_record_without_hunks_has_its_ranges_and_nothing_else() -> None:
    """Where they are is known, what is around them is not."""
    bare = FileVersion("sha256:x", "sha256:y", None, (AuthoredRange("a", LineRange(3, 4, "sha256:z")),))
    assert last([bare]) == [None, None, "a", "a"]


def test_lines_that_moved_stay_their_writers() -> None:
    """Whoever moves a line, in a file or between two files, does not become its author."""
    before, after = b"first\nsecond\n", b"second\nfirst\n"
    moving = version("b", before, after, Origin(1, 1, 2, 2))
    assert last([version("a", None, before), moving]) == ["a", "a"]
    other = [version("c", None, b"x\nfar\n"), version("b", b"x\nfar\n", b"x\n")]
    taking = version("b", before, b"first\nsecond\nfar\n", Origin(3, 3, 2, 2, "other"), others={"other": (1, 0)})
    assert last([version("a", None, before), taking], other) == ["a", "a", "c"]


def test_lines_from_a_place_that_nobody_recorded_are_nobodys() -> None:
    """Whoever moved them has not written them; what they were called before is remembered."""
    moving = version("b", b"x\nold\nend\nof\n", b"old\nx\nend\nof\n", Origin(1, 1, 2, 2))
    taking = version("b", b"x\n", b"x\nfar\n", Origin(2, 2, 7, 7, "unknown"))
    assert last([moving])[0] is None
    assert last([version("a", None, b"x\n"), taking]) == ["a", None]
    telling = Origin(1, 2, 1, 3, old_line_hashes="--------" + join_hashes([b"was", b"more"]))
    image = VersionGraph([[version("b", b"1\nwas\nmore\n", b"now\nthen\n", telling)]]).build([(0, 0)])[0, 0]
    assert [root for _, _, root in image.lines] == [line_hash(b"was")] * 2
    formatted = version(
        "b", b"old\nx\nend\nof\n", b"old ;\nx\nend\nof\n", Origin(1, 1, 1, 1, old_line_hashes=join_hashes([b"old"]))
    )
    image = VersionGraph([[moving, formatted]]).build([(0, 1)])[0, 1]
    assert image.lines[0] == (None, line_hash(b"old ;"), line_hash(b"old"))


def test_a_line_made_of_several_is_whoevers_most_of_them_are() -> None:
    """A formatter that joins lines does not become the author of what it joined."""
    before = b"call(\none\ntwo\n)\n"
    versions = [version("a", None, b"call(\n)\n"), version("b", b"call(\n)\n", b"call(\none\n)\n")]
    versions += [version("a", b"call(\none\n)\n", before), version("f", before, b"call(one two)\n", Origin(1, 1, 1, 4))]
    assert last(versions) == ["a"]


def test_origins_outside_the_content_say_nothing() -> None:
    """A record that contradicts itself does not decide whose a line is."""
    assert last([version("a", None, b"1\n", Origin(2, 9, 1, 1))]) == ["a"]
    assert last([version("a", None, b"1\n", Origin(1, 1, 1, 10**12))]) == [None]


def test_a_version_that_contradicts_itself_has_no_image() -> None:
    """What builds on it knows its own lines only."""
    forged = FileVersion(None, "sha256:f", (Hunk(5, 1, 1, 1),), ())
    after = FileVersion("sha256:f", "sha256:g", (Hunk(1, 0, 2, 1),), (AuthoredRange("b", LineRange(2, 2, "sha256:z")),))
    far = FileVersion(None, "sha256:h", None, (AuthoredRange("b", LineRange(1, MAX_LINES + 1, "sha256:z")),))
    assert VersionGraph([[forged, far]]).build([(0, 0), (0, 1)]) == {}
    assert last([forged, after]) == [None, "b"]


def test_a_ledger_that_goes_in_circles_ends() -> None:
    """Only a forged one can; nothing is decided by it."""
    one = version("a", b"1\n", b"2\n", Origin(1, 1, 1, 1, "other"), others={"other": (1, 0)})
    two = version("b", b"2\n", b"3\n", Origin(1, 1, 1, 1, "other"), others={"other": (0, 0)})
    images = VersionGraph([[one], [two]])
    assert images.depends_on((0, 0), (1, 0))
    assert owners(images.build([(0, 0)])[0, 0]) == [None]


def test_a_version_may_build_on_another_files() -> None:
    """A file that was renamed unseen goes on where it was."""
    moved: FileVersion[str] = FileVersion(hash_of(b"1\n"), hash_of(b"1\n"), (), (), base=(1, 0))
    images = VersionGraph([[moved], [version("a", None, b"1\n")]])
    assert images.base((0, 0)) == (1, 0)
    assert owners(images.build([(0, 0)])[0, 0]) == ["a"]


def test_a_deleted_file_leaves_its_last_content_a_head() -> None:
    """A file that comes back has its authors."""
    versions = [version("a", None, b"1\n"), version("b", b"1\n", None)]
    assert VersionGraph([versions]).tips(0) == [(0, 0)]


def test_images_of_random_branches_are_those_of_a_model() -> None:
    """Each branch's image is what replaying that branch alone gives, however the records are interleaved."""
    chance = random.Random(11)
    for _ in range(30):
        branches: list[list[tuple[str, str]]] = [[]]
        versions: list[FileVersion[str]] = []
        ends: dict[int, int] = {}
        for number in range(14):
            at = chance.randrange(len(branches))
            rows = list(branches[at])
            before = "".join(line for line, _ in rows).encode() if at in ends else None
            if rows and chance.random() < 0.3:
                rows.pop(chance.randrange(len(rows)))
            rows.insert(chance.randrange(len(rows) + 1), (f"line {number}\n", f"o{number}"))
            versions.append(version(f"o{number}", before, "".join(line for line, _ in rows).encode()))
            if at in ends and chance.random() < 0.4:
                branches.append(rows)
                ends[len(branches) - 1] = number
            else:
                branches[at] = rows
                ends[at] = number
        built = VersionGraph([versions]).build({(0, place) for place in ends.values()})
        for at, place in ends.items():
            assert owners(built[0, place]) == [owner for _, owner in branches[at]]


def test_a_version_whose_base_is_kept_is_built_alone() -> None:
    """The graph of the next day has one version more; the owners are those of a graph that kept nothing."""
    kept: KeptOwners[str] = KeptOwners()
    first = version("a", None, b"1\n2\n")
    second = version("b", b"1\n2\n", b"1\ntwo\n")
    third = version("c", b"1\ntwo\n", b"1\ntwo\n3\n")
    VersionGraph([[first, second]], kept).build([(0, 1)])
    graph = VersionGraph([], kept).with_file([first, second, third])
    assert graph._build_order([(0, 2)], kept.of(graph.files[0])) == [(0, 2)]
    assert graph.build([(0, 2)]) == VersionGraph([[first, second, third]]).build([(0, 2)])
    assert owners(graph.build([(0, 2)])[0, 2]) == ["a", "b", "c"]
    assert graph.build([(0, 0), (0, 1)]) == VersionGraph([[first, second]]).build([(0, 0), (0, 1)])


def test_kept_owners_are_of_the_same_versions_alone() -> None:
    """A history that changed, or became shorter, is built anew; another file's versions are not kept."""
    kept: KeptOwners[str] = KeptOwners()
    first, second = version("a", None, b"1\n2\n"), version("b", b"1\n2\n", b"1\ntwo\n")
    other = version("c", None, b"1\n2\n")
    assert kept.of([first]) == {}
    VersionGraph([[first, second]], kept).build([(0, 1)])
    assert kept.of([first]) == {} == kept.of([other, second])
    assert owners(VersionGraph([[other, second]], kept).build([(0, 1)])[0, 1]) == ["c", "b"]
    VersionGraph([[first], [other]], kept).build([(1, 0)])
    assert list(kept.of([other, second])) == [(0, 1)]


# --- the next owners of kept ones


def version_with(hunks: tuple[Hunk, ...] | None, *claims: AuthoredRange[str], **more: Any) -> FileVersion[str]:
    return FileVersion("before", "after", hunks, claims, **more)


def claimed(owner: str, start: int, end: int) -> AuthoredRange[str]:
    return AuthoredRange(owner, LineRange(start, end, "sha256:x"))


def test_the_next_owners_are_the_old_ones_with_the_claimed_lines() -> None:
    """The worked example: one line was replaced by two. What a hunk adds and no claim names has no owner."""
    before = ["Ada", "Ada", "Ada"]
    hunks = (Hunk(2, 1, 2, 2),)
    assert next_owners(before, version_with(hunks, claimed("Ben", 2, 3))) == ["Ada", "Ben", "Ben", "Ada"]
    assert next_owners(before, version_with(hunks, claimed("Ben", 3, 3))) == ["Ada", None, "Ben", "Ada"]
    assert next_owners(before, version_with(())) == before


@pytest.mark.parametrize(
    "version",
    [
        version_with(None),
        version_with((), origins=(Origin(1, 1, 2, 2),)),
        version_with((), base=(0, 0)),
        version_with((Hunk(4, 1, 4, 1),)),
        version_with((), claimed("Ben", 4, 4)),
    ],
    ids=["no hunks", "moved lines", "inferred", "hunks of another content", "a claim behind the end"],
)
def test_where_a_record_does_not_tell_the_next_owners_there_are_none(version: FileVersion[str]) -> None:
    """Then the whole history is asked."""
    assert next_owners(["Ada", "Ada", "Ada"], version) is None
