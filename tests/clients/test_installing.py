"""What a test of a real client does where the client can't be had."""

from __future__ import annotations

import pytest

from tests.clients import installing


@pytest.fixture
def not_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr("os.geteuid", lambda: 1000, raising=False)  # Windows has none
    monkeypatch.setattr(installing, "_is_installed", lambda package: package == "here")


def test_what_is_here_is_not_installed_again(not_root: None) -> None:
    """Nobody needs to be root for what stands there already."""
    assert installing.ensure_debian(["here"]) is None


def test_who_may_not_install_is_told_what_to_install(not_root: None) -> None:
    """The sentence names what is missing, and only that."""
    reason = installing.ensure_debian(["here", "missing"])
    assert reason is not None and reason.endswith("apt-get install missing")


def test_a_missing_client_is_skipped_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """At somebody's desk a client that is not there is no failure."""
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no such editor"):
        installing.skip_or_fail("no such editor")


def test_under_ci_nothing_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A build that tried nothing must not look like one that passed."""
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="no such editor"):
        installing.skip_or_fail("no such editor")
