"""SSH signatures, as `ssh-keygen -Y sign` makes them (OpenSSH's PROTOCOL.sshsig): reading one.

    "SSHSIG", version, public key, namespace, reserved, hash algorithm, signature     in base64 between two marks

What is signed is not the message but `preimage`: the namespace and the message's hash. So a signature for another
purpose (a commit's has the namespace `git`) is never one for this.
"""

from __future__ import annotations

import binascii
import hashlib
import re
from base64 import b64decode, b64encode

from msgspec import Struct

from intentls.late_pattern import late_pattern

BEGIN = b"-----BEGIN SSH SIGNATURE-----\n"
END = b"-----END SSH SIGNATURE-----\n"

_MAGIC = b"SSHSIG"
_VERSION = b"\0\0\0\1"
_HASHES = {b"sha256": hashlib.sha256, b"sha512": hashlib.sha512}
_ARMOUR = late_pattern(re.escape(BEGIN) + rb"((?:[A-Za-z0-9+/=]+\n)+)" + re.escape(END))


class SshSignature(Struct, frozen=True):
    """`key` is the public key, `signature` what its algorithm made, both as SSH packs them."""

    key: bytes
    namespace: bytes
    hash_name: bytes
    signature: bytes

    @property
    def fingerprint(self) -> str:
        """The key as `ssh-keygen -l` shows it."""
        return fingerprint(self.key)

    def preimage(self, message: bytes) -> bytes:
        """What the key's owner has signed if this is a signature of `message`."""
        digest = _HASHES[self.hash_name](message).digest()
        return _MAGIC + b"".join(map(packed, (self.namespace, b"", self.hash_name, digest)))


class Unpacking:
    """Takes SSH's length-prefixed strings from `data`. Raises ValueError where there is less than it says."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def string(self) -> bytes:
        """The next string."""
        return self.take(int.from_bytes(self.take(4), "big"))

    def take(self, length: int) -> bytes:
        """The next bytes."""
        taken, self._data = self._data[:length], self._data[length:]
        if len(taken) < length:
            raise ValueError("it ends too early")
        return taken

    def end(self) -> None:
        """Refuse what is left."""
        if self._data:
            raise ValueError("it goes on where it should end")


def packed(data: bytes) -> bytes:
    """A string as SSH packs it: `b"ab"` is `00 00 00 02 61 62`."""
    return len(data).to_bytes(4, "big") + data


def fingerprint(key: bytes) -> str:
    """A public key as `ssh-keygen -l` shows it: `SHA256:` and 43 characters."""
    return "SHA256:" + b64encode(hashlib.sha256(key).digest()).decode("ascii").rstrip("=")


def parse_armour(text: bytes) -> SshSignature | None:
    """The signature between the two marks; None if it is none, or of a kind that is not known."""
    match = _ARMOUR.fullmatch(text)
    if match is None:
        return None
    try:
        rest = Unpacking(b64decode(match[1].replace(b"\n", b""), validate=True))
        if rest.take(6) != _MAGIC or rest.take(4) != _VERSION:
            return None
        key, namespace, reserved, hash_name, signature = (rest.string() for _ in range(5))
        rest.end()
    except (ValueError, binascii.Error):
        return None
    return SshSignature(key, namespace, hash_name, signature) if not reserved and hash_name in _HASHES else None


def rewrapped(armour: bytes, width: int) -> bytes:
    """The same signature in lines of another width; what is none stays as it is.

    Git takes a file that was added for the renamed one that was removed if half of their stretches are the same, and
    signatures of one key begin alike. In lines of different widths they are unlike.
    """
    match = _ARMOUR.fullmatch(armour)
    if match is None:
        return armour
    text = match[1].replace(b"\n", b"")
    lines = [text[start : start + width] for start in range(0, len(text), width)]
    return BEGIN + b"".join(line + b"\n" for line in lines) + END
