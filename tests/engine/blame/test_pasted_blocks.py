"""Whose lines are those that one write pasted: of several blocks, from several files, of copies and of what moved."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from intentls.core.blame.version_graph import AuthoredRange, FileVersion
from intentls.core.ledger.line_range import LineRange
from intentls.core.text.line_hashes import join_hashes, line_hash
from intentls.core.text.lines import Hunk
from intentls.engine.blame.pasted_blocks import claimed, removed_lines
from tests.engine.blame.test_blame import Desk

Tagged = tuple[str, str]
"""A line, and whose it is; `?` where that is not told."""


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "w")


def _block(name: str, size: int) -> list[Tagged]:
    """A function that A wrote, with an empty line after it."""
    body = [f"    {name}_value_{number} = read_the_next({name}, {number})" for number in range(size - 2)]
    return [*((line, "A") for line in (f"def load_{name}(path):", *body, f"    return {name}_value_0")), ("", "?")]


def _text(blocks: list[list[Tagged]]) -> str:
    return "".join(f"{line}\n" for block in blocks for line, _ in block)


def _expect(desk: Desk, path: str, blocks: list[list[Tagged]]) -> None:
    wanted = [owner for block in blocks for _, owner in block]
    said = desk.owners(path)
    assert len(said) == len(wanted)
    text = "\n".join(f"{owner} {line}" for block in blocks for line, owner in block)
    assert [owner if want != "?" else "?" for owner, want in zip(said, wanted, strict=True)] == wanted, text


def _by(author: str, block: list[Tagged]) -> list[Tagged]:
    return [(line, author if owner != "?" else "?") for line, owner in block]


@pytest.mark.parametrize("is_cut_first", [False, True])
def test_each_of_many_blocks_that_one_write_pasted_stays_its_writers(desk: Desk, is_cut_first: bool) -> None:
    moved = [_block(f"city_{number}", 4 + number % 3) for number in range(14)]
    kept = [_block("kept", 4)]
    desk.write(desk.a, "src/a.py", _text(kept + moved))
    pasted = [[("import everything_that_is_new", "B"), ("", "?")], *moved]
    steps = [("src/b.py", pasted), ("src/a.py", kept)]
    for path, blocks in steps[::-1] if is_cut_first else steps:
        desk.write(desk.b, path, _text(blocks))
    _expect(desk, "src/b.py", pasted)
    _expect(desk, "src/a.py", kept)


def test_a_file_that_got_the_lines_after_the_paste_is_no_source_of_them(desk: Desk) -> None:
    """B wrote them first; A copied them, and took the copy away again."""
    block = _by("B", _block("city", 6))
    desk.write(desk.b, "src/b.py", _text([block]))
    desk.write(desk.a, "src/a.py", _text([_block("kept", 4), block]))
    desk.write(desk.a, "src/a.py", _text([_block("kept", 4)]))
    _expect(desk, "src/b.py", [block])


def test_of_lines_that_a_third_file_still_has_the_paste_is_a_copy(desk: Desk) -> None:
    block = _block("city", 6)
    desk.write(desk.a, "src/a.py", _text([_block("kept", 4), block]))
    desk.write(desk.a, "src/third.py", _text([block]))
    desk.write(desk.b, "src/b.py", _text([block]))
    desk.write(desk.b, "src/a.py", _text([_block("kept", 4)]))
    _expect(desk, "src/b.py", [_by("B", block)])


def _formatted(blocks: list[list[Tagged]]) -> list[list[Tagged]]:
    return [[(line.replace("(", "( ").replace(")", " )"), owner) for line, owner in block] for block in blocks]


@pytest.mark.parametrize("are_both", [False, True])
def test_lines_that_were_formatted_did_not_leave_their_file(desk: Desk, are_both: bool) -> None:
    """B copied a block; the file that it was copied from has it still, as a formatter wrote it."""
    block = _block("city", 6)
    desk.write(desk.a, "src/a.py", _text([_block("kept", 4), block]))
    desk.write(desk.b, "src/b.py", _text([block]))
    desk.write(desk.b, "src/a.py", _text(_formatted([_block("kept", 4), block])))
    if are_both:
        desk.write(desk.b, "src/b.py", _text(_formatted([block])))
    _expect(desk, "src/a.py", _formatted([_block("kept", 4), block]))
    _expect(desk, "src/b.py", [_by("B", block)] if not are_both else _formatted([_by("B", block)]))


@pytest.mark.parametrize("seed", range(70))
def test_blocks_that_move_and_are_copied_between_files_have_the_authors_of_a_model(desk: Desk, seed: int) -> None:
    chance = random.Random(seed)
    sources = {
        f"src/s{number}.py": [
            _block(f"s{number}_{place}", chance.randint(3, 9)) for place in range(chance.randint(2, 6))
        ]
        for number in range(3)
    }
    for path, blocks in sources.items():
        desk.write(desk.a, path, _text(blocks))
    target: list[list[Tagged]] = [_by("B", _block("own", 4))]
    left = {path: list(blocks) for path, blocks in sources.items()}
    for path, blocks in sources.items():
        for block in blocks:
            fate = chance.choice(("stays", "moves", "moves", "copied"))
            if fate == "moves":
                left[path].remove(block)
                target.append(block)
            elif fate == "copied":
                target.append(_by("B", block))
    target[1:] = chance.sample(target[1:], len(target) - 1)
    steps = [("src/target.py", target), *left.items()]
    chance.shuffle(steps)
    for path, blocks in steps:
        if path not in sources or blocks != sources[path]:
            desk.write(desk.b, path, _text(blocks))
    if chance.random() < 0.5:  # a copy of what is there now, that goes again
        desk.write(desk.a, "src/late.py", _text([_by("A", block) for block in target]))
        desk.write(desk.a, "src/late.py", _text([_block("late", 3)]))
    for place, (path, blocks) in enumerate(steps):
        if chance.random() < 0.4:
            steps[place] = path, _formatted(blocks)
            desk.write(desk.b, path, _text(_formatted(blocks)))
    for path, blocks in steps:
        _expect(desk, path, blocks)


def _claim(start: int, *lines: bytes) -> AuthoredRange[tuple[int, int]]:
    return AuthoredRange((0, 0), LineRange(start, start + len(lines) - 1, "", line_hashes=join_hashes(lines)))


def test_ranges_with_few_kept_lines_between_them_are_one_block() -> None:
    version = FileVersion[tuple[int, int]](
        None, None, (), (_claim(1, b"one"), _claim(3, b"two"), _claim(6, b"three"), _claim(9, b"four", b"five")), ()
    )
    (block,) = claimed(version)
    hashes = [line_hash(line) for line in (b"one", b"", b"two", b"", b"", b"three", b"", b"", b"four", b"five")]
    assert (block.start_line, block.hashes, block.kept) == (1, hashes, {1, 3, 4, 6, 7})
    apart = FileVersion[tuple[int, int]](None, None, (), (_claim(1, b"one", b"two"), _claim(6, b"three")), ())
    assert not [*claimed(apart)]


def test_lines_that_hunks_removed_have_those_between_them_and_none_where_more_were_kept() -> None:
    hashes = [line_hash(line) for line in (b"one", b"two", b"three")]
    hunks = (Hunk(2, 1, 2, 0), Hunk(4, 1, 3, 2), Hunk(5, 0, 6, 1), Hunk(9, 1, 9, 0))
    assert removed_lines(hunks, hashes) == (
        [2, 3, 4, 0, 9],
        [hashes[0], line_hash(b""), hashes[1], b"", hashes[2]],
    )
    assert removed_lines(hunks, hashes[:2]) is None


@pytest.mark.parametrize("paths", [("src/a.py",), ("src/b.py", "src/a.py"), ("src/a.py", "src/b.py")])
def test_a_block_that_was_formatted_between_its_paste_and_its_cut_was_moved(desk: Desk, paths: Sequence[str]) -> None:
    files = {"src/a.py": [_block("kept", 4), _block("city", 6)], "src/b.py": [_block("city", 6)]}
    desk.write(desk.a, "src/a.py", _text(files["src/a.py"]))
    desk.write(desk.b, "src/b.py", _text(files["src/b.py"]))
    for path in paths:
        files[path] = _formatted(files[path])
        desk.write(desk.b, path, _text(files[path]))
    desk.write(desk.b, "src/a.py", _text(files["src/a.py"][:1]))
    _expect(desk, "src/b.py", files["src/b.py"])
