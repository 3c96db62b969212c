"""The address of a database: what it says, what is added to it, and how it is shown without its secret."""

from __future__ import annotations

import hashlib
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

SCHEMES = ("postgresql", "postgres")

_LOCAL = frozenset({"", "localhost", "127.0.0.1", "::1"})
_HIDDEN = "***"


class InvalidAddress(ValueError):
    """An address that names no PostgreSQL database. The message never has the address: it may hold a secret."""


def has_password(address: str) -> bool:
    """Whether a password stands in the address itself. Raises InvalidAddress."""
    return bool(_secrets(address))


def shown(address: str) -> str:
    """The address for people: scheme, host, port and database. Neither user nor password nor options.

    Example: `postgresql://ann:secret@db.example:5433/work?sslmode=require` is `postgresql://db.example:5433/work`.
    """
    try:
        parts = _split(address)
    except InvalidAddress:
        return "(no address of a database)"
    return f"{SCHEMES[0]}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def without_secret(text: str, address: str) -> str:
    """A database's message without what is secret in the address, in any of its spellings."""
    try:
        secrets = _secrets(address)
    except InvalidAddress:
        secrets = set()
    for secret in sorted({address, *secrets, *map(quote, secrets), *map(unquote, secrets)}, key=len, reverse=True):
        text = text.replace(secret, _HIDDEN)
    return text


def with_tls(address: str) -> str:
    """The address with `sslmode=verify-full` where its host is another machine and it says nothing of TLS itself.

    Raises InvalidAddress. Example: `postgresql://db.example/work` gets `?sslmode=verify-full&sslrootcert=system`.
    """
    parts = _split(address)
    options = parse_qsl(parts.query, keep_blank_values=True)
    names = {name for name, _ in options}
    hosts = [value for name, value in options if name in ("host", "hostaddr")] or _hosts(parts.netloc)
    is_local = all(host in _LOCAL or host.startswith("/") for value in hosts for host in value.split(","))
    if is_local or "sslmode" in names:
        return address
    options.append(("sslmode", "verify-full"))
    if "sslrootcert" not in names:
        options.append(("sslrootcert", "system"))
    return urlunsplit(parts._replace(query=urlencode(options, quote_via=quote)))


def digest(address: str) -> str:
    """What tells two addresses apart and tells nothing of them."""
    return hashlib.sha256(b"intentls coordination " + address.encode("utf-8", "surrogateescape")).hexdigest()


def _split(address: str) -> SplitResult:
    try:
        parts = urlsplit(address)
        parts.username, parts.password  # noqa: B018  they are parsed when they are asked for
    except ValueError:
        raise InvalidAddress("it is no address: write postgresql://HOST/DATABASE") from None
    if parts.scheme not in SCHEMES or "://" not in address:
        raise InvalidAddress("it is no address of a database: write postgresql://HOST/DATABASE")
    # PostgreSQL's own library would end the password elsewhere, and take the rest of it for a host that it names.
    if parts.netloc.count("@") > 1 or "@" in parts.path + parts.query or parts.fragment:
        raise InvalidAddress("it is no address: write @ / ? # in a name or a password as %40 %2F %3F %23")
    return parts


def _hosts(netloc: str) -> list[str]:
    """The hosts of an authority, without ports. Example: `ann@a:1,[::1]:2` is a and ::1."""
    hosts = []
    for host in netloc.rpartition("@")[2].split(","):
        name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
        hosts.append(unquote(name).lower())
    return hosts


def _secrets(address: str) -> set[str]:
    parts = _split(address)
    named = {value for name, value in parse_qsl(parts.query) if name in ("password", "sslpassword")}
    return {secret for secret in (*named, parts.password) if secret}
