"""The repository that the branches of tests start from, and a branch of it: fixtures for every test, by conftest.py."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.support.random_branches import Branch, make_origin
from tests.support.signing import SignedBranch


@pytest.fixture(scope="session")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository that every branch starts from; tests change copies of it."""
    return make_origin(tmp_path_factory.mktemp("origin") / "repo")


@pytest.fixture
def branch(origin: Path, tmp_path: Path) -> Branch:
    """A branch of it, with the ledger in one tracked file."""
    return Branch.of(origin, tmp_path / "repo", 1)


@pytest.fixture
def intentls_on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`intentls` is on the PATH, as it is for a user: git's hooks find it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "intentls"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m intentls "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture(scope="session")
def signed_origin(origin: Path, tmp_path_factory: pytest.TempPathFactory) -> SignedBranch:
    """A branch whose base asks for signatures; tests change copies of it."""
    folder = tmp_path_factory.mktemp("signed")
    return SignedBranch.of(Branch.of(origin, folder / "repo", 1), folder / "keys")


@pytest.fixture
def signed(signed_origin: SignedBranch, tmp_path: Path) -> SignedBranch:
    """A copy of it."""
    return signed_origin.copied(tmp_path / "repo")
