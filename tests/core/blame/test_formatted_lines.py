"""Whose the lines of a formatted content are, where the older text is known by hashes alone."""

from __future__ import annotations

from intentls.core.blame.formatted_lines import formatted_version, with_hashes
from intentls.core.blame.line_owners import BlameHistory, blame
from intentls.core.blame.version_graph import AuthoredRange, FileVersion, LineOwners, VersionGraph
from intentls.core.hashing import content_hash, hash_of
from intentls.core.ledger.line_range import LineRange
from intentls.core.text.line_hashes import bare_lines, join_hashes, line_hash
from intentls.core.text.lines import diff


def owners(parts: list[tuple[str, str]], after: str) -> list[str | None]:
    """By line of `after`, its owner, where each of `parts` (owner, line) stood in the content before."""
    before = "".join(f"{line}\n" for _, line in parts).encode()
    claims = tuple(
        AuthoredRange(owner, LineRange(number, number, content_hash(line.encode()), join_hashes([line.encode()])))
        for number, (owner, line) in enumerate(parts, start=1)
    )
    first = FileVersion(None, content_hash(before), diff(None, before), claims)
    content = after.encode()
    older = VersionGraph([[first]]).build([(0, 0)])[0, 0]
    then = formatted_version(older, bare_lines(content), (0, 0), content_hash(content))
    return blame(BlameHistory(VersionGraph([[first, then]])), content).owners


def test_lines_keep_their_owners_through_a_formatter() -> None:
    """Changed one by one; broken up; joined; and a blank line between two of one owner."""
    parts = [("Ada", "import os"), ("Ada", "x=1"), ("Ben", "y=[1,2]"), ("Ben", "z = 3")]
    assert owners(parts, "import os\n\nx = 1\ny = [1,2]\nz = 3\n") == ["Ada", None, None, None, "Ben"]
    assert owners(parts, "import os\nx = 1\ny = [1, 2]\nz = 3\n") == ["Ada", "Ada", "Ben", "Ben"]
    assert owners(parts, "import os\nx=1\ny = [\n1,\n2]\nz = 3\n") == ["Ada", "Ada", "Ben", "Ben", "Ben", "Ben"]
    assert owners(parts, "import os\n\n\nx=1\n\ny=[1,2]\nz = 3\n")[:5] == ["Ada", "Ada", "Ada", "Ada", None]
    assert owners([("Ada", "f("), ("Ada", "1)"), ("Ben", "g()")], "f(1)\ng()\n") == ["Ada", "Ben"]
    assert owners([("Ada", ""), ("Ada", "g()")], "g()\n") == ["Ada"]


def test_a_version_that_is_known_in_part_gives_no_more_than_that() -> None:
    """Behind its last known line there may be more."""
    older = LineOwners([(None, None, None), ("Ada", line_hash(b"x=1"), None)], is_whole=False)
    version = formatted_version(older, [b"first", b"x = 1", b"rest"], (0, 0), hash_of(b"") or "")
    assert version.origins == ()
    assert with_hashes(older, []) is older
    whole = with_hashes(older, [line_hash(b"first"), None, line_hash(b"rest")])
    assert whole.is_whole
    assert whole.lines == [(None, line_hash(b"first"), None), older.lines[1], (None, line_hash(b"rest"), None)]
    (origin,) = formatted_version(whole, [b"first", b"x = 1", b"rest"], (0, 0), "").origins
    assert (origin.start_line, origin.end_line, origin.old_start_line, origin.old_end_line) == (2, 2, 2, 2)
