"""Who may sign: `.orchestration/allowed_signers`, in the format of ssh-keygen(1), ALLOWED SIGNERS.

    ada@example.com ssh-ed25519 AAAA...
    "ada@example.com,Ada Lovelace" namespaces="git,segment@intentls",valid-before="20270101Z" ssh-ed25519 AAAA...

A line that can't be read allows nothing. Two things differ from ssh-keygen: lines with `cert-authority` allow nothing,
and times without a `Z` are in UTC too, so that a list says the same on every machine.
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from collections.abc import Iterator
from datetime import UTC, datetime
from fnmatch import fnmatchcase

from msgspec import Struct

from intentls.late_pattern import late_pattern

_LINE = late_pattern(
    r"""(?:"(?P<quoted>[^"]+)"|(?P<plain>[^\s"]+)) [ \t]+
        (?:(?P<options>(?!(?:ssh|sk|ecdsa)-) (?:[^\s"]|"(?:[^"\\]|\\.)*")+) [ \t]+)?
        (?P<kind>(?:ssh|sk|ecdsa)-[^\s]+) [ \t]+ (?P<key>[A-Za-z0-9+/=]+) (?:[ \t].*)?""",
    re.VERBOSE,
)
_OPTION = late_pattern(r'(?P<name>[A-Za-z-]+)(?:="(?P<value>(?:[^"\\]|\\.)*)")?(?:,|$)')
_MOMENT = late_pattern(r"([0-9]{8})(?:([0-9]{4})([0-9]{2})?)?Z?")


class AllowedSigner(Struct, frozen=True):
    """One line: a public key, as SSH packs it, and whom it stands for.

    `namespaces` are patterns, None for all. The key counts from `after` to `before`, both included.
    """

    names: tuple[str, ...]
    key: bytes
    namespaces: tuple[str, ...] | None = None
    after: datetime | None = None
    before: datetime | None = None

    def counts(self, namespace: str, moment: datetime) -> bool:
        """Whether the key may sign in this namespace at that moment."""
        if self.namespaces is not None and not _is_in(namespace, self.namespaces):
            return False
        return (self.after is None or self.after <= moment) and (self.before is None or moment <= self.before)


class AllowedSigners(Struct, frozen=True):
    """The list. `unreadable` are the numbers (from 1) of lines that can't be read."""

    signers: tuple[AllowedSigner, ...] = ()
    unreadable: tuple[int, ...] = ()

    def names(self, key: bytes, namespace: str, moment: datetime) -> tuple[str, ...]:
        """Whom a signature by this key stands for, in the order of the list; none if it may not sign."""
        lines = [line for line in self.signers if line.key == key and line.counts(namespace, moment)]
        return tuple(dict.fromkeys(name for line in lines for name in line.names))

    def has(self, key: bytes) -> bool:
        """Whether the key is listed at all, be it for something else or for another time."""
        return any(line.key == key for line in self.signers)

    def beyond(self, *others: AllowedSigners) -> tuple[AllowedSigner, ...]:
        """The lines that none of the others has."""
        return tuple(line for line in self.signers if not any(line in other.signers for other in others))


def parse_allowed_signers(data: bytes) -> AllowedSigners:
    """Read the file's content. Never raises; see `unreadable`."""
    signers, unreadable = [], []
    for number, line in enumerate(data.decode("utf-8", "surrogateescape").split("\n"), start=1):
        text = line.strip()
        if text and not text.startswith("#"):
            signer = _signer(text)
            if signer is None:
                unreadable.append(number)
            else:
                signers.append(signer)
    return AllowedSigners(tuple(signers), tuple(unreadable))


def parse_public_key(text: str) -> bytes | None:
    """The key of a line of a `.pub` file (`ssh-ed25519 AAAA... comment`), as SSH packs it; None if there is none."""
    words = text.split()
    return _key(words[0], words[1]) if len(words) > 1 else None


def _signer(text: str) -> AllowedSigner | None:
    match = _LINE.fullmatch(text)
    if match is None:
        return None
    key = _key(match["kind"], match["key"])
    names = tuple(name for item in (match["quoted"] or match["plain"]).split(",") if (name := item.strip()))
    try:
        options = dict(_options(match["options"] or ""))
        after, before = (_moment(options.pop(name, None)) for name in ("valid-after", "valid-before"))
    except ValueError:
        return None
    namespaces = options.pop("namespaces", None)
    # A name that is excluded can't be told from the others here, and an option that is not known may forbid something.
    if key is None or options or not names or any(name.startswith("!") for name in names):
        return None
    return AllowedSigner(names, key, None if namespaces is None else tuple(namespaces.split(",")), after, before)


def _key(kind: str, text: str) -> bytes | None:
    try:
        key = b64decode(text, validate=True)
    except (ValueError, binascii.Error):
        return None
    name = kind.encode("utf-8", "surrogateescape")
    return key if key.startswith(len(name).to_bytes(4, "big") + name) else None


def _options(text: str) -> Iterator[tuple[str, str]]:
    """Each option with its value. Raises ValueError for one that can't be read, or comes twice."""
    end, seen = 0, set[str]()
    while end < len(text):
        match = _OPTION.match(text, end)
        if match is None or (name := match["name"].lower()) in seen:
            raise ValueError(text)
        seen.add(name)
        yield name, re.sub(r"\\(.)", r"\1", match["value"] or "")
        end = match.end()


def _moment(text: str | None) -> datetime | None:
    """`20270101`, `202701011200` or `20270101120000`, with or without a `Z`. Raises ValueError."""
    if text is None:
        return None
    match = _MOMENT.fullmatch(text)
    if match is None:
        raise ValueError(text)
    digits = match[1] + (match[2] or "0000") + (match[3] or "00")
    return datetime.strptime(digits, "%Y%m%d%H%M%S").replace(tzinfo=UTC)


def _is_in(name: str, patterns: tuple[str, ...]) -> bool:
    """Whether a pattern has the name, and none that begins with `!` does."""
    if any(fnmatchcase(name, pattern[1:]) for pattern in patterns if pattern.startswith("!")):
        return False
    return any(fnmatchcase(name, pattern) for pattern in patterns if not pattern.startswith("!"))
