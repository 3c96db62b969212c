"""SSH signatures made without OpenSSH, by every kind of key."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256, sha512

from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA1, SHA256, SHA384, SHA512, HashAlgorithm
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from intentls.core.ledger.signatures.ssh_signature import BEGIN, END, packed
from intentls.core.ledger.signatures.statement import NAMESPACE, SignedStatement

_HASHES: dict[bytes, HashAlgorithm] = {b"rsa-sha2-256": SHA256(), b"rsa-sha2-512": SHA512(), b"ssh-rsa": SHA1()}


@dataclass(frozen=True)
class MadeKey:
    """A public key as SSH packs it, and what signs the preimage: the packed signature."""

    public: bytes
    sign: Callable[[bytes], bytes]

    def armour(self, message: bytes, namespace: str = NAMESPACE, hash_name: bytes = b"sha512") -> bytes:
        """As `ssh-keygen -Y sign` writes it."""
        digest = (sha512 if hash_name == b"sha512" else sha256)(message).digest()
        preimage = b"SSHSIG" + b"".join(map(packed, (namespace.encode(), b"", hash_name, digest)))
        return armoured(self.public, namespace, hash_name, self.sign(preimage))

    def signed(self, message: bytes, namespace: str = NAMESPACE) -> SignedStatement:
        """A signed statement."""
        return SignedStatement.of(message, self.armour(message, namespace))

    @property
    def line(self) -> str:
        """As in a `.pub` file."""
        kind = self.public[4 : 4 + int.from_bytes(self.public[:4], "big")].decode()
        return f"{kind} {b64encode(self.public).decode()}"


def armoured(public: bytes, namespace: str, hash_name: bytes, made: bytes, reserved: bytes = b"") -> bytes:
    """The parts of a signature, between the two marks."""
    parts = (public, namespace.encode(), reserved, hash_name, made)
    return wrapped(b"SSHSIG\0\0\0\1" + b"".join(map(packed, parts)))


def wrapped(data: bytes) -> bytes:
    """Base64 between the two marks."""
    text = b64encode(data)
    return BEGIN + b"".join(text[start : start + 70] + b"\n" for start in range(0, len(text), 70)) + END


def mpint(number: int) -> bytes:
    """A number as SSH packs it."""
    return number.to_bytes(number.bit_length() // 8 + 1, "big")


def ed25519(*, hardware: bool = False) -> MadeKey:
    """An Ed25519 key, in a file or in a security key."""
    private = Ed25519PrivateKey.generate()
    point = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    name = b"sk-ssh-ed25519@openssh.com" if hardware else b"ssh-ed25519"
    public = packed(name) + packed(point) + (packed(b"ssh:") if hardware else b"")
    return MadeKey(public, lambda data: _made(name, private.sign, data, hardware=hardware))


def ecdsa(curve: ec.EllipticCurve, hash_: HashAlgorithm, name: str, *, hardware: bool = False) -> MadeKey:
    """A key on one of the curves, in a file or in a security key."""
    private = ec.generate_private_key(curve)
    point = private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    kind = f"ecdsa-sha2-{name}".encode()
    kind = b"sk-" + kind + b"@openssh.com" if hardware else kind
    public = packed(kind) + packed(name.encode()) + packed(point) + (packed(b"ssh:") if hardware else b"")

    def sign(data: bytes) -> bytes:
        r, s = decode_dss_signature(private.sign(data, ec.ECDSA(hash_)))
        return packed(mpint(r)) + packed(mpint(s))

    return MadeKey(public, lambda data: _made(kind, sign, data, hardware=hardware))


def rsa_key(bits: int = 2048, algorithm: bytes = b"rsa-sha2-512") -> MadeKey:
    """An RSA key."""
    private = rsa.generate_private_key(65537, bits)
    numbers = private.public_key().public_numbers()
    public = packed(b"ssh-rsa") + packed(mpint(numbers.e)) + packed(mpint(numbers.n))

    def sign(data: bytes) -> bytes:
        return private.sign(data, padding.PKCS1v15(), _HASHES[algorithm])

    return MadeKey(public, lambda data: _made(algorithm, sign, data, hardware=False))


def nist256(*, hardware: bool = False) -> MadeKey:
    """The most usual curve."""
    return ecdsa(ec.SECP256R1(), SHA256(), "nistp256", hardware=hardware)


def nist384() -> MadeKey:
    """The next one."""
    return ecdsa(ec.SECP384R1(), SHA384(), "nistp384")


def _made(name: bytes, sign: Callable[[bytes], bytes], data: bytes, *, hardware: bool) -> bytes:
    touch = b"\1\0\0\0\7" if hardware else b""
    if hardware:
        data = sha256(b"ssh:").digest() + touch + sha256(data).digest()
    return packed(name) + packed(sign(data)) + touch
