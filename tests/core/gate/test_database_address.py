"""The address of a database: what it says, what is added to it, and how it is shown."""

from __future__ import annotations

import pytest

from intentls.core.gate import database_address
from intentls.core.gate.database_address import InvalidAddress, digest, has_password, shown, with_tls, without_secret

SECRET = "postgresql://ann:s%40cret@db.example:5433/work?sslmode=require&sslpassword=key+word"


def test_the_shown_address_has_neither_user_nor_password_nor_options() -> None:
    """Only where the database is."""
    assert shown(SECRET) == "postgresql://db.example:5433/work"
    assert shown("postgres://h/d") == "postgresql://h/d"
    assert shown("postgresql:///d?host=/run/secret") == "postgresql:///d"
    assert shown("http://ann:secret@h/d") == "(no address of a database)"


@pytest.mark.parametrize("spelling", ["s%40cret", "s@cret", "key word", "key%20word", SECRET])
def test_a_message_shows_no_secret_in_any_spelling(spelling: str) -> None:
    """As in the address, and as the database was told it."""
    message = without_secret(f'can\'t connect with "{spelling}" now', SECRET)
    assert message == 'can\'t connect with "***" now'


def test_a_message_about_no_address_shows_none_of_it() -> None:
    """What can't be read may be all secret."""
    assert without_secret("no postgresql://[", "postgresql://[") == "no ***"


@pytest.mark.parametrize("address", ["postgresql://h/d", "postgresql:///d?host=/run/p", "postgres://ann@h/d"])
def test_an_address_without_password_has_none(address: str) -> None:
    """A user's name is no secret."""
    assert not has_password(address)


@pytest.mark.parametrize("address", ["postgresql://a:p@h/d", "postgresql://h/d?password=p", SECRET])
def test_a_password_is_seen_wherever_it_stands(address: str) -> None:
    """Before the host or among the options."""
    assert has_password(address)


@pytest.mark.parametrize(
    "address", ["", "files", "h/d", "mysql://h/d", "postgresql:/d", "postgresql://[", "host=h password=p"]
)
def test_what_is_no_address_is_refused_without_being_shown(address: str) -> None:
    """The message could end in a log."""
    with pytest.raises(InvalidAddress) as refused:
        has_password(address)
    assert "password" not in str(refused.value)


@pytest.mark.parametrize("mark", "@/?#")
def test_a_password_with_an_unwritten_mark_is_no_part_of_an_address(mark: str) -> None:
    """What reads it next would take another part of it for the host, and show the rest."""
    address = f"postgresql://ann:12{mark}secret@db.example/work"
    with pytest.raises(InvalidAddress, match="%40") as refused:
        with_tls(address)
    assert "secret" not in str(refused.value) + shown(address) + without_secret(f"no {address}", address)
    assert has_password(f"postgresql://ann:12%{ord(mark):X}secret@db.example/work")


@pytest.mark.parametrize(
    ("address", "added"),
    [
        ("postgresql://db.example/d", "?sslmode=verify-full&sslrootcert=system"),
        ("postgresql://10.0.0.1/d", "?sslmode=verify-full&sslrootcert=system"),
        ("postgresql://localhost,db.example/d", "?sslmode=verify-full&sslrootcert=system"),
        ("postgresql://h/d?sslrootcert=ca.pem", "&sslmode=verify-full"),
        ("postgresql://h/d?sslmode=require", ""),
        ("postgresql://localhost:5433/d", ""),
        ("postgresql://ann@[::1]:5433/d", ""),
        ("postgresql:///d", ""),
        ("postgresql:///d?host=/run/postgresql", ""),
        ("postgresql://127.0.0.1/d", ""),
    ],
)
def test_another_machine_is_asked_over_tls_unless_the_address_says_otherwise(address: str, added: str) -> None:
    """With a certificate that is verified."""
    assert with_tls(address) == address + added


def test_a_host_among_the_options_decides_as_any_other() -> None:
    """It goes before the one of the address."""
    assert "sslmode=verify-full" in with_tls("postgresql://localhost/d?host=db.example")
    assert "sslmode=verify-full" in with_tls("postgresql:///d?hostaddr=10.0.0.1")


def test_a_digest_tells_addresses_apart_and_is_no_address() -> None:
    """It goes over a socket and into files."""
    assert digest(SECRET) != digest("postgresql://h/d")
    assert database_address.SCHEMES[0] not in digest(SECRET)
