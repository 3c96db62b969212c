"""SSH signatures are read as OpenSSH writes them, and checked with every kind of key."""

from __future__ import annotations

from base64 import b64encode

import pytest

from intentls.core.ledger.signatures.ssh_keys import is_right
from intentls.core.ledger.signatures.ssh_signature import (
    BEGIN,
    END,
    Unpacking,
    fingerprint,
    packed,
    parse_armour,
    rewrapped,
)
from tests.core.ledger.signatures.made import MadeKey, armoured, ed25519, nist256, nist384, rsa_key, wrapped

KEYS = {
    "ed25519": ed25519,
    "ed25519 in a security key": lambda: ed25519(hardware=True),
    "nistp256": nist256,
    "nistp256 in a security key": lambda: nist256(hardware=True),
    "nistp384": nist384,
    "rsa with SHA-512": rsa_key,
    "rsa with SHA-256": lambda: rsa_key(algorithm=b"rsa-sha2-256"),
}


def right(armour: bytes, message: bytes = b"hello\n") -> bool:
    signature = parse_armour(armour)
    assert signature is not None
    return is_right(signature, message)


@pytest.mark.parametrize("kind", KEYS)
def test_a_signature_by_any_kind_of_key_is_right_for_its_message_alone(kind: str) -> None:
    key = KEYS[kind]()
    assert right(key.armour(b"hello\n"))
    assert right(key.armour(b"hello\n", hash_name=b"sha256"))
    assert not right(key.armour(b"hello\n"), b"hello")


def test_a_signature_is_for_one_namespace() -> None:
    """With another one in its place it is no more right."""
    key = ed25519()
    own = parse_armour(key.armour(b"hello\n", "git"))
    assert own is not None
    moved = armoured(own.key, "segment@intentls", own.hash_name, own.signature)
    assert not right(moved)


@pytest.mark.parametrize("key", [rsa_key(1024), rsa_key(algorithm=b"ssh-rsa")], ids=["1024 bits", "SHA-1"])
def test_a_weak_key_or_hash_is_never_right(key: MadeKey) -> None:
    assert not right(key.armour(b"hello\n"))


def test_what_does_not_fit_together_is_never_right() -> None:
    ed, curve = ed25519(), nist256()
    of_ed, of_curve = (parse_armour(key.armour(b"hello\n")) for key in (ed, curve))
    assert of_ed is not None
    assert of_curve is not None
    unknown = packed(b"ssh-dss") + packed(b"a") + packed(b"b")
    other_curve = curve.public.replace(packed(b"nistp256"), packed(b"nistp999"))
    no_curve = packed(b"ecdsa-sha2-none") + packed(b"none") + packed(b"")
    made_of_none = packed(b"ecdsa-sha2-none") + packed(packed(b"\1") + packed(b"\1"))
    for public, made in (
        (curve.public, of_ed.signature),
        (unknown, packed(b"ssh-dss") + packed(b"x")),
        (other_curve, of_curve.signature),
        (no_curve, made_of_none),
        (ed.public + b"x", of_ed.signature),
        (ed.public, of_ed.signature + b"x"),
        (ed.public[:-1], of_ed.signature),
        (b"", b""),
    ):
        assert not right(armoured(public, "segment@intentls", b"sha512", made))


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"hello",
        BEGIN + b"AAAA\n",
        BEGIN + b"A=A\n" + END,
        BEGIN + b"A\n" + END,
        wrapped(b"SSHSIX\0\0\0\1"),
        wrapped(b"SSHSIG\0\0\0\2"),
        wrapped(b"SSHSIG\0\0\0\1\0\0\0\7abc"),
        armoured(b"key", "n", b"md5", b"s"),
        armoured(b"key", "n", b"sha512", b"s", reserved=b"x"),
        wrapped(b"SSHSIG\0\0\0\1" + packed(b"") * 5 + b"x"),
    ],
)
def test_what_is_no_signature_is_none(text: bytes) -> None:
    assert parse_armour(text) is None
    assert rewrapped(b"hello", 50) == b"hello"


def test_lines_of_another_width_are_the_same_signature() -> None:
    armour = ed25519().armour(b"hello\n")
    other = rewrapped(armour, 44)
    assert {len(line) for line in other.splitlines()[1:-2]} == {44}
    assert parse_armour(other) == parse_armour(armour)


def test_a_fingerprint_is_what_ssh_keygen_shows() -> None:
    """`ssh-keygen -l` printed it."""
    key = packed(b"ssh-ed25519") + packed(bytes(range(32)))
    assert fingerprint(key) == "SHA256:ZkAslGjFiUHdGf/WUL8rQvkib4PTvQatUV0OUQSncCA"
    signature = parse_armour(armoured(key, "n", b"sha256", b"s"))
    assert signature is not None
    assert signature.fingerprint == fingerprint(key)
    assert b64encode(key)[:8] == b"AAAAC3Nz"


def test_a_string_that_ends_too_early_is_refused() -> None:
    with pytest.raises(ValueError, match="ends too early"):
        Unpacking(b"\0\0\0\5abc").string()
