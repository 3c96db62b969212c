"""Is a signature made with its key? For the kinds of keys that git signs with, hardware keys included.

The arithmetic is the library's; here stands how SSH packs keys and signatures (RFC 4253, 5656, 8332, 8709, OpenSSH's
PROTOCOL.u2f). `ssh-keygen -Y verify` answers the same, and a test holds that.
"""

from __future__ import annotations

from hashlib import sha256

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256, SHA384, SHA512, HashAlgorithm

from intentls.core.ledger.signatures.ssh_signature import SshSignature, Unpacking

_HARDWARE = b"sk-"
_VENDOR = b"@openssh.com"
_ED25519, _RSA, _ECDSA = b"ssh-ed25519", b"ssh-rsa", b"ecdsa-sha2-"
_MIN_RSA_BITS = 2048
_RSA_HASHES: dict[bytes, HashAlgorithm] = {b"rsa-sha2-256": SHA256(), b"rsa-sha2-512": SHA512()}
_CURVES: dict[bytes, tuple[ec.EllipticCurve, HashAlgorithm]] = {
    b"nistp256": (ec.SECP256R1(), SHA256()),
    b"nistp384": (ec.SECP384R1(), SHA384()),
    b"nistp521": (ec.SECP521R1(), SHA512()),
}


def is_right(signature: SshSignature, message: bytes) -> bool:
    """Whether the owner of the signature's key signed `message`. False too for kinds of keys that are not known."""
    try:
        _check(Unpacking(signature.key), Unpacking(signature.signature), signature.preimage(message))
    except (ValueError, InvalidSignature, UnsupportedAlgorithm):
        return False
    return True


def _check(key: Unpacking, made: Unpacking, message: bytes) -> None:
    """Raises ValueError or InvalidSignature unless it is right."""
    name = key.string()
    algorithm, value = made.string(), made.string()
    hardware = name.startswith(_HARDWARE) and name.endswith(_VENDOR)
    kind = name.removeprefix(_HARDWARE).removesuffix(_VENDOR) if hardware else name
    public = [key.string() for _ in range(1 if kind == _ED25519 else 2)]
    if hardware:  # the key itself signs what it was asked for, by whom, whether it was touched, and a counter
        application, touch = key.string(), made.take(5)
        message = sha256(application).digest() + touch + sha256(message).digest()
    key.end()
    made.end()
    if kind == _RSA:
        _check_rsa(algorithm, public, value, message)
    elif algorithm != name:
        raise ValueError("it is made by another algorithm than the key's")
    elif kind == _ED25519:
        Ed25519PublicKey.from_public_bytes(public[0]).verify(value, message)
    else:
        _check_ecdsa(kind, public, Unpacking(value), message)


def _check_rsa(algorithm: bytes, public: list[bytes], value: bytes, message: bytes) -> None:
    exponent, modulus = (int.from_bytes(number, "big") for number in public)
    if algorithm not in _RSA_HASHES or modulus.bit_length() < _MIN_RSA_BITS:
        raise ValueError("it is too weak")
    key = rsa.RSAPublicNumbers(exponent, modulus).public_key()
    key.verify(value, message, padding.PKCS1v15(), _RSA_HASHES[algorithm])


def _check_ecdsa(kind: bytes, public: list[bytes], value: Unpacking, message: bytes) -> None:
    curve, point = public
    if kind != _ECDSA + curve or curve not in _CURVES:
        raise ValueError("no such curve is known")
    r, s = (int.from_bytes(value.string(), "big") for _ in range(2))
    value.end()
    group, hash_ = _CURVES[curve]
    key = ec.EllipticCurvePublicKey.from_encoded_point(group, point)
    key.verify(encode_dss_signature(r, s), message, ec.ECDSA(hash_))
