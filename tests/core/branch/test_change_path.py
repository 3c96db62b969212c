"""Does a ledger explain a content: by chains of hashes, through merges and rebases."""

from __future__ import annotations

from intentls.core.branch import change_path
from intentls.core.branch.change_path import (
    ContentChange,
    FileAttributes,
    FileContent,
    FileEvidence,
    RecordRef,
    explain,
    find_path,
    possible_hashes,
    uncovered_steps,
)
from intentls.core.hashing import content_hash, hash_of


def of_file(content: bytes | None, path: str = "a.py") -> FileContent:
    return FileContent(path, hash_of(content))


def step(before: bytes | None, after: bytes | None, record: int = 0, *, violating: bool = False) -> ContentChange:
    return ContentChange(of_file(before), of_file(after), RecordRef("branch", record), violating)


def one(content: bytes | None) -> frozenset[FileContent]:
    return frozenset((of_file(content),))


A, B, C, D = b"a\n", b"b\n", b"c\n", b"d\n"


def test_a_chain_of_records_leads_from_the_old_content_to_the_new() -> None:
    """Step by step; and where nothing leads, there is no trail."""
    steps = [step(A, B, 0), step(B, C, 1), step(C, C, 2), step(D, A, 3)]
    assert find_path(steps, one(A), one(C)) == (steps[0], steps[1])
    assert find_path(steps, one(A), one(D)) is None
    assert find_path(steps, one(A), one(A)) == ()
    assert find_path([step(A, B), step(B, A)], one(A), one(D)) is None


def test_faulty_records_are_walked_around() -> None:
    """A mistake that was put right again is no part of the trail; without another way it is."""
    bad, back, good = step(A, B, 0, violating=True), step(B, A, 1), step(A, C, 2)
    assert find_path([bad, back, good], one(A), one(C)) == (good,)
    assert find_path([bad, step(B, C, 3)], one(A), one(C)) == (bad, step(B, C, 3))
    direct = step(A, C, 4, violating=True)
    around = [step(A, B, 5), step(B, D, 6), step(D, C, 7)]
    assert find_path([direct, *around], one(A), one(C)) == tuple(around)


def test_a_better_way_to_a_content_replaces_a_worse_one() -> None:
    """However late it is found: two faults are worse than one, and no content is gone through twice."""
    end, between = b"end\n", b"between\n"
    worse = [step(A, B, 0, violating=True), step(B, C, 1, violating=True)]
    better = [step(A, D, 2), step(D, between, 3, violating=True), step(between, C, 4), step(C, end, 5, violating=True)]
    assert find_path([*worse, *better], one(A), one(end)) == tuple(better)


def test_a_content_is_known_by_every_spelling_that_git_may_give_it() -> None:
    """Other line ends, unless an attribute keeps them; of no file there is one spelling only."""
    assert possible_hashes(None) == {None}
    assert possible_hashes(b"\0\n") == {content_hash(b"\0\n")}
    assert possible_hashes(b"a") == {content_hash(b"a")}
    assert possible_hashes(b"a\r\nb\n") == {content_hash(each) for each in (b"a\r\nb\n", b"a\nb\n", b"a\r\nb\r\n")}
    assert possible_hashes(b"a\n", FileAttributes(keeps_line_ends=True)) == {content_hash(b"a\n")}


def pointer(oid: str, size: str = "12", version: str = "https://git-lfs.github.com/spec/v1", more: str = "") -> bytes:
    return f"version {version}\n{more}oid sha256:{oid}\nsize {size}\n".encode()


def test_a_pointer_stands_for_a_large_file_only_where_an_attribute_says_so() -> None:
    """In its exact form, and with a size that can be: only the empty file has none."""
    large, empty, lfs = "7" * 64, content_hash(b"").removeprefix("sha256:"), FileAttributes(is_lfs=True)
    assert f"sha256:{large}" in possible_hashes(pointer(large), lfs)
    assert f"sha256:{empty}" in possible_hashes(pointer(empty, "0"), lfs)
    assert f"sha256:{large}" not in possible_hashes(pointer(large))
    for text in (
        pointer(large, "0"),
        pointer(large, "012"),
        pointer(large, version="https://example.invalid/spec/v1"),
        pointer(large, more="ext-0-a sha256:1\n"),
        pointer(large) + b"\n",
    ):
        assert f"sha256:{large}" not in possible_hashes(text, lfs)
    assert f"sha256:{empty}" not in possible_hashes(pointer(empty, "5"), lfs)


def test_contents_are_one_only_by_an_attribute() -> None:
    """Other line ends alone are a change, unless git itself makes them."""
    converted = FileAttributes(converts_line_ends=True)
    for attributes, path in ((FileAttributes(), None), (converted, ())):
        assert explain(FileEvidence("a", b"1\r\n", (), attributes=attributes), [b"1\n"]) == path
    assert not FileEvidence("a", None, (), attributes=converted).are_same(b"1\n", b"2\n")
    assert FileEvidence("a", None, ()).are_same(b"1\n", b"1\n")


BASE = b"1\n2\n3\n4\n5\n"
OURS = b"one\n2\n3\n4\n5\n"
THEIRS = b"1\n2\n3\n4\nfive\n"
BOTH = b"one\n2\n3\n4\nfive\n"


def test_a_rebase_is_seen_through() -> None:
    """The change was made to an old content and carried to a new one: without the new part it is what was recorded."""
    made = (step(BASE, OURS),)
    assert explain(FileEvidence("a.py", THEIRS, made, (BASE,)), (BOTH,)) == made
    assert explain(FileEvidence("a.py", THEIRS, made), (BOTH,)) is None
    assert explain(FileEvidence("a.py", THEIRS, made, (BASE,)), (b"one\n2\nthree\n4\nfive\n",)) is None


def test_a_merge_of_two_recorded_sides_is_explained() -> None:
    """Neither side is the base; each is explained by itself, and both together are the merge."""
    steps = (step(BASE, OURS, 0), step(BASE, THEIRS, 1))
    assert explain(FileEvidence("a.py", BASE, steps), (OURS, THEIRS, BOTH)) is not None
    assert explain(FileEvidence("a.py", BASE, steps), (OURS, THEIRS, BOTH.replace(b"3", b"evil"))) is None


def test_a_merge_that_drops_the_other_side_is_not() -> None:
    """What the base has must be in it: to take our side alone is a change that nobody recorded."""
    assert explain(FileEvidence("a.py", THEIRS, (step(BASE, OURS),), (BASE,)), (OURS,)) is None


def test_what_was_changed_after_a_merge_is_explained_from_the_merge_on() -> None:
    """A record builds on a content that only git made, and that is explained."""
    after = BOTH + b"6\n"
    steps = (step(BASE, OURS, 0), step(BOTH, after, 1))
    assert explain(FileEvidence("a.py", THEIRS, steps, (BASE,)), (BOTH, after)) == steps
    assert explain(FileEvidence("a.py", THEIRS, steps, (BASE,)), (after,)) is None


def test_a_file_may_have_begun_as_another() -> None:
    """A rename leads from the other file's content; a deletion leads to none."""
    steps = (ContentChange(of_file(A, "old.py"), of_file(A), RecordRef("branch", 0)), step(A, None, 1))
    assert explain(FileEvidence("a.py", None, steps, (), frozenset((steps[0].before,))), (A,)) == steps[:1]
    assert explain(FileEvidence("a.py", None, steps), (A,)) is None
    assert explain(FileEvidence("a.py", A, steps), (None,)) == steps[1:]
    assert explain(FileEvidence("a.py", A, ()), (None,)) is None
    assert explain(FileEvidence("a.py", A, steps), (A, None)) == steps[1:]


def test_a_change_of_line_ends_alone_needs_its_own_record() -> None:
    """It leads nowhere by itself, since either content may be the other in a work tree."""
    crlf = b"a\r\n"
    assert explain(FileEvidence("a.py", A, [step(A, B)]), [crlf]) is None
    changed = step(A, crlf)
    assert explain(FileEvidence("a.py", A, [changed]), [crlf]) == (changed,)


def test_what_no_record_explains_is_told_step_by_step() -> None:
    """Each with the content that the records before it left."""
    evidence = FileEvidence("a.py", A, [step(A, B, 0), step(D, b"e\n", 1), step(A, A, 2)])
    assert uncovered_steps(evidence, [C, D, b"e\n"]) == [(0, of_file(B)), (1, of_file(C))]
    assert uncovered_steps(evidence, [B, A, B, None]) == [(3, of_file(B))]
    assert uncovered_steps(FileEvidence("a.py", None, []), [A, A]) == [(0, of_file(None))]


def test_a_step_begins_with_a_content_of_the_file_itself() -> None:
    """A rename that brought the file counts; what became of another file does not."""
    renamed = ContentChange(of_file(A, "old.py"), of_file(A), RecordRef("branch", 0))
    sources = frozenset({of_file(A, "old.py")})
    assert uncovered_steps(FileEvidence("a.py", None, [renamed], sources=sources), [B]) == [(0, of_file(A))]
    elsewhere = ContentChange(of_file(A), of_file(B, "new.py"), RecordRef("branch", 0))
    assert uncovered_steps(FileEvidence("a.py", A, [elsewhere]), [C]) == [(0, of_file(A))]


def test_a_part_of_a_change_is_explained_by_all_of_it() -> None:
    """If the target is known; and the rest of it afterwards, if nothing was taken back on the way."""
    origin, half, whole = b"1\n2\n3\n", b"one\n2\n3\n", b"one\n2\nthree\n"
    change = step(origin, whole)
    assert explain(FileEvidence("a.py", origin, [change], targets=[whole]), [half]) == (change,)
    assert explain(FileEvidence("a.py", origin, [change]), [half]) is None
    assert explain(FileEvidence("a.py", origin, [change], targets=[whole]), [b"one\n2\n3\nmore\n"]) is None
    assert explain(FileEvidence("a.py", origin, [change], targets=[b"one\n2\nTHREE\n"]), [half]) is None
    assert explain(FileEvidence("a.py", half, [change], origins=[origin]), [whole]) == (change,)
    other = b"1\n2\nthree\n"
    assert explain(FileEvidence("a.py", half, [change], origins=[origin], targets=[whole]), [other]) is None
    assert explain(FileEvidence("a.py", half, [change], origins=[origin], targets=[whole]), [None]) is None


def lines(**changed: str) -> bytes:
    """Lines 1 to 9, some of them changed: `lines(l3="three")`."""
    return "".join(f"{changed.get(f'l{number}', number)}\n" for number in range(1, 10)).encode()


FORK, MAIN, OTHER = lines(), lines(l9="nine"), lines(l9="nine", l7="seven")
WORK, MERGED = lines(l1="one"), lines(l1="one", l9="nine")
MORE, HEAD = lines(l1="one", l3="three", l9="nine"), lines(l1="one", l3="three", l7="seven", l9="nine")
SIDE = (step(FORK, WORK, 0), step(MERGED, MORE, 1))


def test_work_that_merged_main_in_between_is_explained_where_it_is_merged() -> None:
    """A change, a merge of main, another change; then all of it comes to a base that has gone on."""
    evidence = FileEvidence("a.py", OTHER, SIDE, (MAIN, FORK))
    assert explain(evidence, (WORK, MERGED, MORE, HEAD)) == SIDE
    assert explain(evidence, (WORK, MERGED, MORE, HEAD.replace(b"5", b"evil"))) is None
    assert explain(evidence, (WORK, MERGED, MORE, lines(l1="one", l3="three", l9="nine"))) is None  # without the base's
    assert explain(FileEvidence("a.py", OTHER, SIDE[1:], (MAIN, MAIN, FORK)), (WORK, MERGED, MORE, HEAD)) is None
    assert uncovered_steps(evidence, (HEAD,)) != []
    assert explain(FileEvidence("a.py", None, SIDE, (MAIN, FORK)), (WORK, MERGED, MORE, HEAD)) is None
    assert explain(FileEvidence("a.py", OTHER, (), (MAIN, FORK)), (None,)) is None


def test_two_lines_of_work_that_the_base_has_not_come_to_it_at_once() -> None:
    """One branch merged another, and both are new to the base."""
    one_, other = lines(l1="one"), lines(l5="five")
    steps = (step(FORK, one_, 0), step(FORK, other, 1))
    both, head = lines(l1="one", l5="five"), lines(l1="one", l5="five", l9="nine")
    evidence = FileEvidence("a.py", MAIN, steps, (FORK,))
    explained = explain(evidence, (one_, other, both, head))
    assert explained is not None and set(explained) == set(steps)
    assert explain(evidence, (one_, other, lines(l1="one", l5="evil"), lines(l1="one", l5="evil", l9="nine"))) is None
    assert explain(evidence, (one_, other, both, head, MAIN, head)) == explained


def test_the_search_for_lines_of_work_ends() -> None:
    """It is bounded by a count of merges."""
    evidence = FileEvidence("a.py", OTHER, SIDE, (MAIN, FORK))
    contents = (WORK, MERGED, MORE, HEAD)
    assert change_path._explain(evidence, contents, change_path._MergeWork(contents, 1)) is None
