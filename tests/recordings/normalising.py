"""What differs between two runs of the same conversation gets a name that does not; all other bytes stay.

Replaced, and nothing else:

- UUIDs, and the ids of writers (16 hexadecimal digits or 32): `<uuid-1>`, `<uuid-2>` ... by first appearance, so that
  two different ids stay different and the same id stays the same; cut to eight digits: `<uuid-1...>`;
- the folders of the run: `<play>` (with the roots below it by their own names), `<python>`, `<environment>`;
- times of this run, each in its own notation: `<time.ms>`, `<time>`, `<minute>`, `<today>`, `<nanoseconds>`,
  and `just now` or `1 minute ago` as `<ago>`; times of another day are contents and stay;
- the hash of a line of the ledger (`chain.prev`): `<hash-of-record-3>`, the third line that any ledger got. It is
  computed here from the line's bytes, so a chain that is made in another way does not fit the recording. So is
  that of an archive's content, `<hash-of-records-1-to-2>`;
- commits that hold records, and so differ: `<commit-1>`, also where they are cut short; others have fixed ids;
- numbers of processes, the name that Python's has (`python3`), the program's and Python's version, the number of
  folders that the kernel watches, name and size of an archive, which is compressed, and how long an acceptance
  command ran;
- sizes of ledgers, and columns in them: the spaces in a line follow from all of it, its id and time too.
"""

from __future__ import annotations

import datetime
import hashlib
import re
import sys
import sysconfig
from pathlib import Path

_UUID = re.compile(r"(?<![0-9a-f])(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?:[0-9a-f]{16}){1,2})(?![0-9a-f])")
_SHORT = re.compile(r"(?<![0-9a-f-])[0-9a-f]{8}(?![0-9a-f-])")
_HASH = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
_COMMIT = re.compile(r"(?<![0-9a-f])[0-9a-f]{7,40}(?![0-9a-f])")
_DAY = r"(?P<day>\d{4}-\d\d-\d\d)"
_TIMES = (
    (re.compile(_DAY + r"T\d\d:\d\d:\d\d\.\d{3}Z"), "<time.ms>"),
    (re.compile(_DAY + r"T\d\d:\d\d:\d\d\.\d{6}(?:Z|\+00:00)"), "<time.us>"),
    (re.compile(_DAY + r"T\d\d:\d\d:\d\d(?:Z|\+00:00)"), "<time>"),
    (re.compile(_DAY + r" \d\d:\d\d:\d\d\.\d{3}000\+00:00"), "<time.ms>"),
    (re.compile(_DAY + r" \d\d:\d\d(?:Z| UTC)"), "<minute>"),
    (re.compile(r"(?<!\d)" + _DAY + r"(?![\dT])"), "<today>"),
)
_OTHERS = (
    (re.compile(r"\bjust now\b|\b[1-9] minutes? ago\b"), "<ago>"),
    (re.compile(r'("pid": ?)\d+'), r"\1<pid>"),
    (re.compile(r"\bprocess \d+\b"), "process <pid>"),
    (re.compile(r"(the agent python)[\d.]+"), r"\1"),  # named as the tests were started
    (re.compile(r'("\w*[uU]nixNano": ?")\d{19}'), r"\1<nanoseconds>"),
    (re.compile(r'("name": ?"intentls",\s*"version": ?")[^"]+'), r"\1<version>"),
    (re.compile(r'(\\"name\\": ?\\"intentls\\",\s*\\"version\\": ?\\")[^"\\]+'), r"\1<version>"),
    (re.compile(r'("serverInfo": ?\{[^}]*"version": ?")[^"]+'), r"\1<version>"),
    (re.compile(r'("semanticVersion": ?")[^"]+'), r"\1<version>"),
    (re.compile(r"(intentls, version )\S+"), r"\1<version>"),
    (re.compile(r"\d+\.\d+\.\d+ on Python \d+\.\d+\.\d+\S*"), "<version> on Python <version>"),
    (re.compile(r"git version [\w.-]+"), "git version <version>"),
    (re.compile(r'("seconds": ?)\d+(?:\.\d+)?(?:e-\d+)?'), r"\1<seconds>"),
    (re.compile(r"  \d+\.\d s(?=$|  )", re.MULTILINE), "  <seconds>"),
    (re.compile(r"up to [\d,]+ folders"), "up to <number> folders"),
    (re.compile(r"\b[0-9a-f]{12}-(\d{8})-[0-9a-f]{8}\.jsonl"), r"<writer>-\1-<random>.jsonl"),
    (re.compile(r"(\d{4})-[0-9a-f]{12}\.jsonl"), r"\1-<hash>.jsonl"),
    (re.compile(r'("(?:archive_)?bytes": ?)\d+'), r"\1<bytes>"),  # where a line has spaces, its record's id says
    (re.compile(r"(\d records(?:, | \())[\d.]+ (?:bytes|KB)"), r"\1<size>"),
    (re.compile(r'(agent_trace\.jsonl","range":\{"start":\{"line":\d+,"character":)\d+'), r"\1<column>"),
    (re.compile(r'(agent_trace\.jsonl","range":\{[^}]*\},"end":\{"line":\d+,"character":)\d+'), r"\1<column>"),
    (re.compile(r"(jsonl(?:\.zst|\.gz)? )\([\d.]+ (?:bytes|KB)\)"), r"\1(<size>)"),
)


class Normaliser:
    """Keeps the names that were given, for one conversation."""

    def __init__(self, play: Path) -> None:
        self.play = play
        self.kept: set[str] = set()  # ids that the client itself brought
        self._uuids: dict[str, str] = {}
        self._hashes: dict[str, str] = {}
        self._records: list[bytes] = []
        self._commits: dict[str, str] = {}
        today = datetime.datetime.now(datetime.UTC).date()
        self._days = {str(today + datetime.timedelta(days)) for days in (0, 1)}
        folders = {str(play): "<play>", sys.executable: "<python>", sys.prefix: "<environment>"}
        folders[sysconfig.get_path("scripts")] = "<environment>/bin"
        self._folders = sorted(folders.items(), key=lambda folder: -len(folder[0]))

    def keep(self, text: str) -> None:
        """Ids in `text` are the client's own and stay as they are."""
        self.kept.update(_UUID.findall(text))

    def commit(self, sha: str) -> None:
        """A commit that holds records, and so is another one in every run."""
        self._commits.setdefault(sha, f"<commit-{len(self._commits) + 1}>")

    def ledgers(self) -> None:
        """Number the lines that the ledgers of the run have got."""
        for ledger in sorted(self.play.rglob(".orchestration/agent_trace.jsonl")):
            for line in ledger.read_bytes().splitlines(keepends=True):
                digest = hashlib.sha256(line.removesuffix(b"\n")).hexdigest()
                if digest not in self._hashes:
                    self._records.append(line)
                    self._hashes[digest] = f"<hash-of-record-{len(self._records)}>"
                    self._add_archives()

    def _add_archives(self) -> None:
        """What an archive would hold that ends with the newest record."""
        last = len(self._records)
        for first in range(last):
            content = b"".join(self._records[first:])
            self._hashes.setdefault(hashlib.sha256(content).hexdigest(), f"<hash-of-records-{first + 1}-to-{last}>")

    def sent(self, text: str) -> str:
        """What a client sent: folders and ids named; a time in it is the script's own."""
        for folder, name in self._folders:
            text = text.replace(folder, name)
        self.ledgers()
        text = _HASH.sub(lambda match: self._hashes.get(match[0], match[0]), text)
        text = _UUID.sub(lambda match: match[0] if match[0] in self.kept else self._uuid(match[0]), text)
        text = _SHORT.sub(lambda match: self._short(match[0]), text)
        if self._commits:
            text = _COMMIT.sub(lambda match: self._commit(match[0]), text)
        return text

    def text(self, text: str) -> str:
        """What the program answered or left: every difference between two runs named."""
        text = self.sent(text)
        for pattern, name in _TIMES:
            text = pattern.sub(lambda match, name=name: name if match["day"] in self._days else match[0], text)
        for pattern, replacement in _OTHERS:
            text = pattern.sub(replacement, text)
        return text

    def _uuid(self, digits: str) -> str:
        plain = digits.replace("-", "")
        return self._uuids.setdefault(plain, f"<uuid-{len(self._uuids) + 1}>")

    def _short(self, digits: str) -> str:
        known = (f"{name[:-1]}...>" for plain, name in self._uuids.items() if plain.startswith(digits))
        return next(known, digits)

    def _commit(self, digits: str) -> str:
        return next((name for sha, name in self._commits.items() if sha.startswith(digits)), digits)
