"""The corpus is what its rules say: pinned, split by repository, drawn by names alone, labelled by hand."""

from __future__ import annotations

import hashlib
import io
import tarfile
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from accuracy.corpus import OWN, fits, is_source, lottery
from accuracy.labels import read_labels
from accuracy.releases import Package, Release

from accuracy import releases

LABELS = read_labels()
VERSIONS = ("1.2.3", "1.2.4")


def test_there_are_enough_labels_and_enough_of_the_rare_ones() -> None:
    """At least 300 changes, 60 of them refactors or documentation of code."""
    rare = [one for one in LABELS if one.mutation_class in ("AST_REFACTOR", "DOCUMENTATION")]
    code = [one for one in rare if one.change.language not in ("prose", "settings")]
    assert len(LABELS) >= 300
    assert len(code) >= 60
    assert {one.mutation_class for one in LABELS} <= {
        *("DOCUMENTATION", "AST_REFACTOR", "CONFIGURATION", "INTENT_EVOLUTION"),
    }
    assert all(one.why and "\n" not in one.why for one in LABELS)


def test_each_label_is_of_consecutive_pinned_releases() -> None:
    """No label names what can't be fetched, or is given twice."""
    known = {
        (f"{one.index}:{one.name}", before.version, after.version)
        for one in releases.packages()
        for before, after in one.pairs()
    }
    assert {one.change.step for one in LABELS if one.change.package != OWN} <= known
    assert max(Counter((*one.change.step, one.change.path) for one in LABELS).values()) == 1


def test_a_repository_is_in_one_half_only() -> None:
    """What the classifier may be tuned on says nothing of what it is judged by."""
    halves = defaultdict(set)
    for one in LABELS:
        halves[one.change.repository].add(one.change.split)
    assert all(len(splits) == 1 for splits in halves.values())
    assert set().union(*halves.values()) == {"dev", "held-out"}


def test_the_halves_are_drawn_by_the_names_of_the_repositories() -> None:
    """Of each language by turns, in the order of a hash: nobody chose."""
    by_language = defaultdict(list)
    for one in releases.packages():
        by_language[one.language].append(one)
    for group in by_language.values():
        group.sort(key=lambda one: hashlib.sha256(f"split:{one.repository}".encode()).hexdigest())
        assert [one.split for one in group] == [("dev", "held-out")[number % 2] for number in range(len(group))]


@pytest.mark.parametrize(
    ("path", "is_taken"),
    [
        ("src/a.py", True),
        ("lib/router/index.js", True),
        ("dist/a.js", False),
        ("src/a.min.js", False),
        ("src/a.d.ts", False),
        ("docs/a.rst", True),
        ("src/a.svg", False),
    ],
)
def test_what_was_built_from_sources_is_not_taken(path: str, is_taken: bool) -> None:
    """Only what a person wrote is somebody's edit."""
    assert is_source(path) is is_taken


@pytest.mark.parametrize(
    ("before", "after", "is_taken"),
    [
        (b"a = 1\n", b"a = 2\n", True),
        (b"a = 1\n", None, False),
        (b"version = '1.2.3'\n", b"version = '1.2.4'\n", False),
        (b"a\0\n", b"b\n", False),
        (b"\xff\n", b"b\n", False),
        (b"", b"line\n" * 61, False),
        (b"", b"line\n" * 60, True),
    ],
)
def test_what_may_be_drawn(before: bytes, after: bytes | None, is_taken: bool) -> None:
    """Texts that stand on both sides, with up to 60 changed lines that are more than the version."""
    assert fits(before, after, VERSIONS) is is_taken


def test_the_drawing_depends_on_names_alone() -> None:
    """The same names give the same ticket, on any machine."""
    assert lottery("a", "b") == lottery("a", "b") != lottery("ab")


def test_an_archive_that_is_not_the_pinned_one_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And a right one is read without its own top folder."""
    monkeypatch.setattr(releases, "CACHE", tmp_path)
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as tar:
        member = tarfile.TarInfo("town-1.0/src/a.py")
        member.size = 4
        tar.addfile(member, io.BytesIO(b"a=1\n"))
    held = tmp_path / "archives" / "pypi" / "town" / "1.0" / "town-1.0.tar.gz"
    held.parent.mkdir(parents=True)
    held.write_bytes(data.getvalue())
    right = Release("1.0", held.name, hashlib.sha256(data.getvalue()).hexdigest())
    package = Package("pypi", "town", "a/town", "python", "dev", (right,))
    assert releases.files(releases.fetch(package, right)) == {"src/a.py": b"a=1\n"}
    with pytest.raises(ValueError, match="not the pinned one"):
        releases.fetch(package, Release("1.0", held.name, "0" * 64))
