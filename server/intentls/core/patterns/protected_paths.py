"""Which paths are protected (`.git`, `.orchestration`, agents' settings), and which text can't name a file."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from intentls.core.errors import InvalidPath
from intentls.late_pattern import late_pattern

MAX_PATH_BYTES = 4096
MAX_NAME_BYTES = 255

INTENTS_FILE = ".orchestration/active_intents.yaml"
INTENTS_FOLDER = ".orchestration/intents"
IGNORE_FILE = ".intentignore"
POLICY_FILE = ".orchestration/policy.yaml"
SIGNERS_FILE = ".orchestration/allowed_signers"
LEDGER_FILE = ".orchestration/agent_trace.jsonl"
_PROTECTED = frozenset({".git", ".orchestration"})

# What NTFS and FAT call the two in 8.3 form: the stem cut short, or two letters and a hash.
_SHORT_NAME = late_pattern(r"(?:git?|or(?:c|ch|che|ches)?|(?:gi|or)[0-9a-f]{4})~[0-9]+")

# Code points that HFS+, or ext4 and f2fs with case folding, leave out when they compare names
# (Unicode's Default_Ignorable_Code_Point).
_IGNORABLE = late_pattern(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)

_SEPARATORS = late_pattern(r"[/\\]")

# Where agents keep what makes them call the gate, and which tools they have: names below any directory.
# Each is a file, or a directory with all that is in it; `*` is any text without a separator.
_AGENT_SETTINGS = (
    (".claude", "settings*.json"),
    (".clinerules", "hooks"),
    (".codex",),
    (".cursor", "hooks.json"),
    (".cursor", "mcp.json"),
    (".gemini", "settings.json"),
    (".github", "hooks"),
    (".mcp.json",),
    (".opencode", "plugin"),
    (".opencode", "plugins"),
    (".vscode", "mcp.json"),
    ("opencode.json",),
    ("opencode.jsonc",),
)
AGENT_SETTINGS_NAMES = tuple(dict.fromkeys(names[0] for names in _AGENT_SETTINGS))
"""The names of files and directories that agents look for in a root."""
_WINDOWS_DEVICE = late_pattern(r"(?:con|prn|aux|nul|con(?:in|out)\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?:[ .].*)?")


def is_protected(rel_posix: str) -> bool:
    """Whether a root-relative path lies in, or is, a `.git` or `.orchestration` at any depth.

    A spelling counts that any file system would take for one of the two, whatever the platform: another
    case, trailing dots and spaces, an NTFS stream (`.git::$INDEX_ALLOCATION`), an 8.3 short name (`git~1`),
    ignorable code points, a backslash as the separator. The files of intents are protected as well; only a scope
    that names one opens it (see `is_intents_file`).
    """
    return any(_is_protected_name(name) for name in _SEPARATORS.split(rel_posix))


def is_agent_settings(rel_posix: str) -> bool:
    """Whether a root-relative path is an agent's own settings of hooks and tools, at any depth.

    Who can write these can take the gate out of an agent's way. Spellings count as for `is_protected`.

    Example: `.claude/settings.local.json`, `app/.CODEX/hooks.json` and `.clinerules/hooks/PreToolUse` are such
    settings; `.claude/CLAUDE.md`, `.cursor/rules/style.mdc` and `mcp.json` are ordinary files.
    """
    return (
        _settings_regex().search("/" + "/".join(_bare_name(name) for name in _SEPARATORS.split(rel_posix))) is not None
    )


def is_intents_file(rel: str) -> bool:
    """Whether a root-relative path, spelled exactly, is a file that declares intents: the list, or one of its own."""
    return rel == INTENTS_FILE or is_single_intent_file(rel)


def is_single_intent_file(rel: str) -> bool:
    """Whether a root-relative path, spelled exactly, is the file of one intent.

    Example: `.orchestration/intents/INT-007.yaml` is one; `.orchestration/intents/old/INT-007.yaml` is none.
    """
    folder, _, name = rel.rpartition("/")
    return folder == INTENTS_FOLDER and is_intent_name(name)


def is_intent_name(name: str) -> bool:
    """Whether a file of this name in the folder of intents declares one.

    Files that editors keep beside the real one don't: `.INT-007.yaml.swp`, `.#INT-007.yaml`, `INT-007.yaml~`.
    """
    return name.endswith(".yaml") and not name.startswith(".") and name.isprintable()


def is_declared_file(rel: str) -> bool:
    """Whether a root-relative path, spelled exactly, is one that people declare and that a scope may open."""
    return rel == IGNORE_FILE or is_intents_file(rel)


def check_name(path: str) -> None:
    """Refuse text that can't name a file on any file system.

    Raises InvalidPath for the empty string, a NUL, half a surrogate pair, more than 4,096 bytes in all or
    more than 255 bytes between two separators (UTF-8).
    """
    if not path:
        raise InvalidPath(path, "is empty: give the path of a file")
    if "\0" in path:
        raise InvalidPath(path, "has a NUL byte in it, which no file name can have")
    try:
        length = len(path.encode())
    except UnicodeEncodeError:
        raise InvalidPath(path, "is no valid Unicode: it has half a surrogate pair") from None
    if length > MAX_PATH_BYTES:
        raise InvalidPath(path, f"is too long: {length} bytes, and {MAX_PATH_BYTES} are possible")
    if length <= MAX_NAME_BYTES:
        return
    longest = max(len(name.encode()) for name in _SEPARATORS.split(path))
    if longest > MAX_NAME_BYTES:
        raise InvalidPath(path, f"has a name of {longest} bytes in it, and {MAX_NAME_BYTES} are possible")


def check_windows_name(rel: str) -> None:
    """Refuse what Windows takes for something else than the file it names.

    `rel` is a path without a drive. Raises InvalidPath for streams (`a.py:x` writes into `a.py`), devices
    (`NUL`, `com1.txt`) and names that end in a dot or a space (Windows drops them).
    """
    for name in _SEPARATORS.split(rel):
        if ":" in name:
            raise InvalidPath(rel, "has a colon in it, which names a stream of another file on Windows")
        if _WINDOWS_DEVICE.fullmatch(name.lower()):
            raise InvalidPath(rel, f"names the Windows device {name}: choose another name")
        if name not in (".", "..") and name != name.rstrip(" ."):
            raise InvalidPath(rel, "has a name in it that ends in a dot or a space, which Windows drops")


def _bare_name(name: str) -> str:
    """A name as the most forgiving file system compares it: `.Git. ` and `.git::$DATA` are both `.git`."""
    if name.isascii():
        folded = name.lower()
    else:
        # upper() first: it also joins the letters that only some case tables take for `i`, `s` or `st`.
        plain = unicodedata.normalize("NFD", _IGNORABLE.sub("", name))
        folded = plain.upper().casefold()
    return folded.partition(":")[0].rstrip(" .")


def _is_protected_name(name: str) -> bool:
    bare = _bare_name(name)
    return bare in _PROTECTED or _SHORT_NAME.fullmatch(bare) is not None


def _settings_pattern(name: str) -> str:
    """A regular expression for a name of `_AGENT_SETTINGS`, and for what NTFS and FAT may call it in 8.3 form.

    Example: `.mcp.json` is also `mcp~1.jso`, and `settings*.json` is also `settin~2.jso` or `se3f1a~1.jso`.
    """
    stem, _, ending = name.lstrip(".").partition(".")
    letters = stem.rstrip("*")
    extension = re.escape(f".{ending[:3]}") if ending else ""
    short = rf"(?:{letters[:6]}|{letters[:2]}[0-9a-f]{{4}})~[0-9]+{extension}"
    return rf"(?:{re.escape(name).replace(re.escape('*'), '[^/]*')}|{short})"


@cache  # few processes ask, and it takes as long to compile as some modules to load
def _settings_regex() -> re.Pattern[str]:
    return re.compile("|".join("/" + "/".join(map(_settings_pattern, names)) + "(?:/|$)" for names in _AGENT_SETTINGS))
