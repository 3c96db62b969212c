"""Which key git signs with, as its configuration says. Of what the configuration names, nothing is run.

user.signingkey = ~/.ssh/id_ed25519.pub              a file: a public key (the agent signs) or a private one
user.signingkey = key::ssh-ed25519 AAAA...           a public key itself: the agent signs
"""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct

from intentls.core.errors import ConfigurationError
from intentls.store.git.command import ask_git

_LITERAL = "key::"
_SETTINGS = r"^(user\.signingkey|gpg\.format|intentls\.sign)$"
_YES, _NO = frozenset({"true", "yes", "on", "1", ""}), frozenset({"false", "no", "off", "0"})


class SigningKey(Struct, frozen=True):
    """A file that holds a key, or else the public key itself."""

    file: Path | None
    public: str = ""

    @property
    def shown(self) -> str:
        """What people read."""
        return str(self.file) if self.file is not None else f"{self.public[:24]}..."


class SigningSettings(Struct, frozen=True):
    """What git's configuration says of signing. `is_wanted` is `intentls.sign`, None where it does not say.

    `key` is None where there is none, and `reason` then says why, and what to do.
    """

    is_wanted: bool | None
    key: SigningKey | None
    reason: str = ""


def key_at(path: Path) -> SigningKey:
    """The key in a file. Raises ConfigurationError if there is no such file."""
    if not path.is_file():
        raise ConfigurationError(f"{path} is no file with an SSH key.")
    return SigningKey(path)


def signing_settings(root: Path) -> SigningSettings:
    """What counts in the repository that `root` lies in: its own configuration, the user's, the system's."""
    output = ask_git(root, "config", "-z", "--includes", "--get-regexp", _SETTINGS) or b""
    values = dict(_entry(item) for item in os.fsdecode(output).split("\0")[:-1])
    answer = values.get("intentls.sign", "-").lower()
    wanted = True if answer in _YES else False if answer in _NO else None
    value = values.get("user.signingkey", "")
    if values.get("gpg.format") != "ssh":
        advice = "`git config gpg.format ssh` and `git config user.signingkey FILE` name a key, and so does --key FILE."
        return SigningSettings(wanted, None, f"git signs with no SSH key here. {advice}")
    if value.startswith((_LITERAL, "ssh-")):
        return SigningSettings(wanted, SigningKey(None, value.removeprefix(_LITERAL)))
    if not value:
        advice = "`git config user.signingkey FILE` names one, and so does --key FILE."
        return SigningSettings(wanted, None, f"git knows no key to sign with. {advice}")
    file = Path(root, os.path.expanduser(value))  # noqa: PTH111  (a Path would raise where there is no home)
    if not file.is_file():
        return SigningSettings(wanted, None, f"user.signingkey is {value}, and there is no such file.")
    return SigningSettings(wanted, SigningKey(file))


def _entry(item: str) -> tuple[str, str]:
    key, _, value = item.partition("\n")
    return key.lower(), value
