"""The list of who may sign, in OpenSSH's format."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from intentls.core.ledger.signatures.allowed_signers import AllowedSigners, parse_allowed_signers, parse_public_key
from intentls.core.ledger.signatures.statement import NAMESPACE
from tests.core.ledger.signatures.made import ed25519

KEY = ed25519()
OTHER = ed25519()
NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)


def names(text: str, namespace: str = NAMESPACE, moment: datetime = NOON) -> tuple[str, ...]:
    return parse_allowed_signers(text.encode()).names(KEY.public, namespace, moment)


def test_a_line_names_whom_a_key_stands_for() -> None:
    assert names(f"# a comment\n\n  ada@example.com {KEY.line} Ada's laptop\n") == ("ada@example.com",)
    assert names(f'"ada@example.com,Ada Lovelace" {KEY.line}') == ("ada@example.com", "Ada Lovelace")
    assert names(f"ada {OTHER.line}\n") == ()


def test_a_key_on_several_lines_stands_for_all_of_them() -> None:
    assert names(f"ada {KEY.line}\nada,admin {KEY.line}\n") == ("ada", "admin")


@pytest.mark.parametrize(
    ("option", "counts"),
    [
        (f'namespaces="{NAMESPACE}"', True),
        ('namespaces="git,segment@*"', True),
        ('namespaces="git"', False),
        ('namespaces="*,!segment@*"', False),
        ('valid-after="20261123"', True),
        ('valid-after="20261124Z"', False),
        ('valid-before="202611231200Z"', True),
        ('valid-before="20261123115959"', False),
        ('VALID-AFTER="20200101",valid-before="20300101Z",namespaces="*"', True),
    ],
)
def test_the_options_limit_a_line(option: str, counts: bool) -> None:
    assert names(f"ada {option} {KEY.line}") == (("ada",) if counts else ())


@pytest.mark.parametrize(
    "line",
    [
        "ada",
        "ada KIND",
        "ada KIND TEXT!",
        "ada KIND A",
        "ada ssh-rsa TEXT",
        "ada cert-authority KIND TEXT",
        "ada tomorrow KIND TEXT",
        'ada valid-before="soon" KIND TEXT',
        'ada valid-before="20261399" KIND TEXT',
        'ada valid-before="20260101",valid-before="20300101" KIND TEXT',
        'ada namespaces="a"namespaces="b" KIND TEXT',
        "ada namespaces=a KIND TEXT",
        "*,!ben KIND TEXT",
        ", KIND TEXT",
    ],
)
def test_a_line_that_can_not_be_read_allows_nothing_and_is_named(line: str) -> None:
    kind, text = KEY.line.split()
    signers = parse_allowed_signers(f"# first\n{line.replace('KIND', kind).replace('TEXT', text)}\n".encode())
    assert (signers.signers, signers.unreadable) == ((), (2,))


def test_bytes_that_are_no_text_are_read_without_harm() -> None:
    signers = parse_allowed_signers(b"\xff\xfe " + KEY.line.encode() + b"\n\xff ssh-\xff AAAA\n")
    assert (len(signers.signers), signers.unreadable) == (1, (2,))


def test_lines_that_only_one_list_has_are_found() -> None:
    old, new = (
        parse_allowed_signers(text.encode()) for text in (f"ada {KEY.line}", f"ada {KEY.line}\nben {OTHER.line}")
    )
    assert [line.names for line in new.beyond(old)] == [("ben",)]
    assert new.beyond(old, new) == ()
    assert new.has(OTHER.public)
    assert not AllowedSigners().has(OTHER.public)


def test_a_public_key_is_read_from_its_file() -> None:
    assert parse_public_key(f"{KEY.line} comment\n") == KEY.public
    assert parse_public_key("ssh-ed25519") is None
    assert parse_public_key("ssh-ed25519 AAAA") is None
