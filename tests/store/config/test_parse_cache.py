"""What a hook remembers of the declared files is what their parsers say, or it is not believed."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from intentls.core.diagnostic import Severity
from intentls.core.gate.policy import Policy, PolicyFile
from intentls.core.patterns.protected_paths import INTENTS_FILE, INTENTS_FOLDER
from intentls.store.config.declared_files import DeclaredFiles
from intentls.store.config.declared_intents import DeclaredIntents
from intentls.store.config.intents_file import IntentsFile
from intentls.store.config.intents_parser import parse_intents
from intentls.store.config.policy_parser import parse_policy
from intentls.store.fs import own_file
from intentls.store.fs.state_directory import sweep_state
from intentls.store.layout import Layout
from tests.support.patience import PATIENCE_S

INTENTS = """\
active_intents:
  - id: INT-001
    name: Build it
    status: IN_PROGRESS
    owned_scope: ["src/**", "!src/gen/**"]
    constraints:
      - for people
      - forbid_import: requests
      - forbid_pattern: eval(
      - max_changed_lines: 40
      - requires_change_in: tests/**
      - ast_grep: {language: python, pattern: "print($A)"}
    acceptance_criteria: [it works, {run: make test}]
    agent: builder
  - id: INT-002
    description: |
      two
      lines \U0001f40d
    owned_scope: ["docs/{a,b}/*.md"]
"""
POLICY = """\
mode: advise
leases: enforce
lease_ttl_s: 60
require_base: true
protected: ["deploy/**"]
context: {max_tokens: 900, recent_changes: 3}
run: {mode: staged, max_changes: 9}
linters:
  - {name: ruff, files: ["**/*.py"], command: [ruff, check, "{file}"], format: text}
"""


class Declared:
    """A root with declared files, and how often its intents were really parsed."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.layout = Layout(root)
        self.layout.state.mkdir(parents=True)
        self.parsed = 0
        monkeypatch.setattr("intentls.store.config.intents_parser.parse_intents", self._parse)

    def reader(self, *, trust_cache: bool = True) -> DeclaredFiles:
        """That of a new process."""
        return DeclaredFiles(self.layout, trust_cache=trust_cache)

    @property
    def kept(self) -> Path:
        """Where what is known of the intents lies."""
        return self.layout.known / "intents.json"

    def write(self, data: bytes) -> None:
        """Declare intents."""
        self.layout.intents.write_bytes(data)

    def read(self) -> IntentsFile:
        """What a new process sees."""
        return self.reader().intents(self.layout.intents.read_bytes())

    def policy(self, data: bytes) -> PolicyFile:
        """What a new process sees of the policy."""
        self.layout.policy.write_bytes(data)
        return self.reader().policy(data)

    def _parse(self, data: bytes | None, path: str = INTENTS_FILE) -> IntentsFile:
        self.parsed += 1
        return parse_intents(data, path)


@pytest.fixture
def declared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Declared:
    """A root without declared files."""
    return Declared(tmp_path, monkeypatch)


def as_read(file: IntentsFile) -> tuple[object, ...]:
    """All that can be asked of a file."""
    intents, spans = dict(file.intents), dict(file.spans)
    return (intents, list(file.intents), file.diagnostics, file.content_hash, spans, file.text, file.bom)


@pytest.mark.parametrize("data", [INTENTS.encode(), b"\xef\xbb\xbf" + INTENTS.encode(), b"active_intents: []\n"])
def test_what_is_known_is_what_was_parsed(declared: Declared, data: bytes) -> None:
    """Intents, spans, text, order: a process that parsed nothing gives the same answers."""
    declared.write(data)
    declared.read()
    found, parsed = declared.read(), declared.parsed
    assert parsed == 1
    assert found.valid and len(found.intents) == len(dict(found.intents))
    assert as_read(found) == as_read(parse_intents(data))
    assert found.intents.get("INT-404") is None and "INT-404" not in found.spans


def test_generated_files_are_known_as_they_are_parsed(declared: Declared) -> None:
    """Whatever the file, sound or not: the first reading, the second and the parser agree."""
    generated = random.Random(7)
    pieces = [line for line in INTENTS.splitlines(keepends=True)[1:] if not line.startswith("  - ")]
    for number in range(60):
        chosen = [piece for piece in pieces if generated.random() < 0.8]
        text = f"active_intents:\n  - id: N-{number}\n{''.join(chosen)}"
        declared.write(text.encode())
        wanted = as_read(parse_intents(text.encode()))
        assert as_read(declared.read()) == wanted == as_read(declared.read())


@pytest.mark.parametrize("fault", ["    status: NONSENSE\n", "    owned_scope: ['/abs']\n", "  - id: A\n"])
def test_a_file_with_an_error_is_parsed_each_time(declared: Declared, fault: str) -> None:
    """The gate is closed then, and whoever mends the file is told of each fault as it is now."""
    declared.write(f"active_intents:\n  - id: A\n{fault}".encode())
    assert declared.read().diagnostics == declared.read().diagnostics != ()
    assert declared.parsed == 2 and not declared.kept.exists()


def test_hints_and_warnings_are_known_too(declared: Declared) -> None:
    """A key that nothing reads, an intent without a scope: the file is sound, and its diagnostics stay."""
    declared.write(b"active_intents:\n  - id: A\n    stauts: TODO\n")
    first, second = declared.read(), declared.read()
    assert first.diagnostics == second.diagnostics and {diagnostic.severity for diagnostic in second.diagnostics} == {
        *(Severity.HINT, Severity.WARNING)
    }
    assert declared.parsed == 1 and second.valid


def test_a_policy_is_known_as_it_was_parsed(declared: Declared, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every key, with its type; without a file it is the default."""
    wanted = parse_policy(POLICY.encode())
    assert declared.policy(POLICY.encode()) == wanted
    monkeypatch.setattr("intentls.store.config.policy_parser.parse_policy", None)  # nothing is parsed any more
    found = declared.reader().policy(POLICY.encode())
    assert found == wanted
    for name in Policy.__struct_fields__:
        assert type(getattr(found.policy, name)) is type(getattr(wanted.policy, name)), name
    assert declared.reader().policy(None) == parse_policy(None)


def test_a_policy_with_a_fault_is_not_kept(declared: Declared) -> None:
    """Its diagnostics would be lost."""
    assert declared.policy(b"mode: nonsense\n").diagnostics != ()
    assert not declared.layout.known.exists()


def _flip(kept: Path) -> None:
    """Still JSON, still of the right shape: only the checksum tells."""
    data = kept.read_bytes()
    assert b"src/**" in data
    kept.write_bytes(data.replace(b"src/**", b"rrc/**"))


def _forge(kept: Path) -> None:
    """Sound in itself, but made for another file: as a clone would bring it along."""
    key, packed = json.loads(kept.read_bytes().partition(b"\n")[2])
    body = json.dumps([[*key[:-1], key[-1] + 1], packed]).replace("src/**", "**/**").encode()
    kept.write_bytes(own_file._checksum(body) + b"\n" + body)


def _link(kept: Path) -> None:
    kept.rename(kept.with_name("elsewhere"))
    kept.symlink_to("elsewhere")


TROUBLE: dict[str, Callable[[Path], object]] = {
    "a flipped bit": _flip,
    "cut short": lambda kept: os.truncate(kept, 70),
    "empty": lambda kept: os.truncate(kept, 0),
    "no JSON": lambda kept: kept.write_bytes(own_file._checksum(b"{") + b"\n{"),
    "nothing in it": lambda kept: kept.write_bytes(own_file._checksum(b"[1]") + b"\n[1]"),
    "another shape": lambda kept: kept.write_bytes(own_file._checksum(b"7") + b"\n7"),
    "forged elsewhere": _forge,
    "others may write it": lambda kept: kept.chmod(0o666),
    "a link": _link,
    "a folder": lambda kept: (kept.unlink(), kept.mkdir()),
    "gone": lambda kept: kept.unlink(),
}


@pytest.mark.parametrize("trouble", TROUBLE)
@pytest.mark.skipif(os.name == "nt", reason="links and permission bits")
def test_what_can_not_be_believed_is_parsed(declared: Declared, trouble: str) -> None:
    """Damage, forgery, loose permissions: the file itself is read, and the answer is right."""
    declared.write(INTENTS.encode())
    declared.read()
    TROUBLE[trouble](declared.kept)
    assert as_read(declared.read()) == as_read(parse_intents(INTENTS.encode()))
    assert declared.parsed == 2


def test_a_process_that_records_keeps_the_parse_for_others_and_trusts_none(declared: Declared) -> None:
    """What goes into the ledger rests on the file itself, whatever is known of it; and a forged one is put right."""
    declared.write(INTENTS.encode())
    data = INTENTS.encode()
    declared.read()
    body = declared.kept.read_bytes().partition(b"\n")[2].replace(b"src/**", b"**/**")
    declared.kept.write_bytes(own_file._checksum(body) + b"\n" + body)
    assert declared.read().intents["INT-001"].scope.patterns[0] == "**/**"
    found = declared.reader(trust_cache=False).intents(data)
    assert found.intents["INT-001"].scope.patterns[0] == "src/**"
    assert declared.read().intents["INT-001"].scope.patterns[0] == "src/**"
    assert declared.parsed == 2


def test_only_its_owner_may_look_at_it(declared: Declared) -> None:
    """It says what the declared files say, which others may not be meant to read."""
    declared.write(INTENTS.encode())
    declared.read()
    assert os.name == "nt" or declared.kept.stat().st_mode & 0o777 == 0o600


def test_another_file_of_the_same_content_is_parsed(declared: Declared) -> None:
    """A stamp that nobody can choose ties it to this very file: a clone or a copy brings nothing along."""
    declared.write(INTENTS.encode())
    declared.read()
    copy = declared.layout.intents.with_suffix(".copy")
    copy.write_bytes(INTENTS.encode())
    found = declared.layout.intents.stat()
    os.utime(copy, ns=(found.st_atime_ns, found.st_mtime_ns))
    copy.replace(declared.layout.intents)
    declared.read()
    assert declared.parsed == 2


def test_a_file_that_was_touched_is_parsed(declared: Declared) -> None:
    """Its time of change belongs to the stamp: an inode's number alone may come again."""
    declared.write(INTENTS.encode())
    declared.read()
    os.utime(declared.layout.intents, ns=(1, 1))
    declared.read()
    assert declared.parsed == 2


def test_a_change_is_seen_even_with_the_old_times(declared: Declared) -> None:
    """The bytes decide: an edit of the same length with its times set back is an edit."""
    declared.write(INTENTS.encode())
    declared.read()
    before = declared.layout.intents.stat()
    declared.write(INTENTS.replace("src/**", "lib/**").encode())
    os.utime(declared.layout.intents, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert declared.read().intents["INT-001"].scope.patterns[0] == "lib/**"


@pytest.mark.parametrize("what", ["intentls.__version__", "sys.version"])
def test_another_version_parses_for_itself(declared: Declared, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """A newer intentls or Python may read the same bytes otherwise."""
    declared.write(INTENTS.encode())
    declared.read()
    monkeypatch.setattr(what, "99")
    declared.read()
    assert declared.parsed == 2


@pytest.mark.skipif(os.name == "nt", reason="links")
def test_nothing_is_known_of_a_link_or_of_a_missing_file(declared: Declared) -> None:
    """Where the bytes came from can't be told, so they are parsed."""
    declared.layout.intents.symlink_to("elsewhere")
    (declared.layout.orchestration / "elsewhere").write_text(INTENTS)
    assert declared.read().intents.keys() == declared.read().intents.keys()
    assert declared.reader().intents(None).intents == {}
    declared.layout.intents.unlink()
    assert declared.reader().intents(INTENTS.encode()).valid
    assert declared.parsed == 4 and not declared.kept.exists()


@pytest.mark.skipif(os.name == "nt", reason="links")
def test_a_disk_that_refuses_only_costs_time(declared: Declared) -> None:
    """Where nothing can be kept the answer is the same."""
    declared.layout.known.symlink_to("nowhere/at/all")
    declared.write(INTENTS.encode())
    assert declared.read().valid and declared.read().valid
    assert declared.parsed == 2


KILLED_WRITER = """
import os, signal, sys
from pathlib import Path
from intentls.store.config.declared_files import DeclaredFiles
from intentls.store.layout import Layout

replace = Path.replace

def die(self, target):
    if Path(target).name == "intents.json":
        os.kill(os.getpid(), signal.SIGKILL)
    return replace(self, target)

Path.replace = die
layout = Layout(Path(sys.argv[1]))
DeclaredFiles(layout, trust_cache=True).intents(layout.intents.read_bytes())
"""


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_what_a_killed_writer_of_the_cache_left_is_swept_at_the_next_start(declared: Declared) -> None:
    """It is killed between the writing and the renaming; a cache that was kept before stays as it is."""
    declared.write(INTENTS.encode())
    declared.read()
    kept = declared.kept.read_bytes()
    os.utime(declared.layout.intents, ns=(1, 1))
    command = [sys.executable, "-c", KILLED_WRITER, str(declared.layout.root)]
    assert subprocess.run(command, timeout=PATIENCE_S).returncode == -signal.SIGKILL
    assert len(list(declared.layout.known.glob(".intents.json.*.tmp"))) == 1
    sweep_state(declared.layout)
    assert [path.name for path in declared.layout.known.iterdir()] == ["intents.json"]
    assert declared.kept.read_bytes() == kept


def test_nothing_else_is_shared_with_a_process_that_stays(declared: Declared) -> None:
    """Replacing a value of a file that is known gives a file like any other."""
    declared.write(INTENTS.encode())
    declared.read()
    assert replace(declared.read(), text="").text == ""


def folder(declared: Declared, texts: dict[str, str], *, trust_cache: bool = True) -> DeclaredIntents:
    """What a new process sees of the list and of these files of single intents."""
    declared.layout.intents_folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (declared.layout.intents_folder / name).write_text(text)
    contents = {f"{INTENTS_FOLDER}/{name}": text.encode() for name, text in texts.items()}
    return declared.reader(trust_cache=trust_cache).all_intents(declared.layout.intents.read_bytes(), contents)


def test_files_of_single_intents_are_known_as_they_were_parsed(
    declared: Declared, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hook parses none of them; intents, their files and their places are the same."""
    declared.write(INTENTS.encode())
    texts = {"a.yaml": "id: A\nbranch: b\nowned_scope: [a/**]\n", "b.yaml": "id: B\nstauts: x\nowned_scope: [b/**]\n"}
    first = folder(declared, texts, trust_cache=False)
    monkeypatch.setattr("intentls.store.config.intents_folder.parse_folder", None)
    contents = {f"{INTENTS_FOLDER}/{name}": text.encode() for name, text in texts.items()}
    second = declared.reader().all_intents(INTENTS.encode(), contents)
    assert dict(second.intents) == dict(first.intents) and second.intents["A"].branch == "b"
    assert second.paths == first.paths and second.content_hash == first.content_hash
    assert list(second.diagnostics()) == list(first.diagnostics()) != []
    assert second.spans("B") == first.spans("B")
    assert [intent.id for intent in second.intents.candidates(["b/x"])] == ["B"]  # type: ignore[attr-defined]


def test_another_list_is_judged_with_the_files_again(declared: Declared) -> None:
    """An id that it takes from a file is an error, though the file is as it was."""
    texts = {"a.yaml": "id: A\nowned_scope: [a/**]\n"}
    declared.write(INTENTS.encode())
    assert folder(declared, texts).valid
    declared.write(INTENTS.replace("INT-002", "A").encode())
    found = declared.reader().all_intents(
        declared.layout.intents.read_bytes(), {f"{INTENTS_FOLDER}/a.yaml": texts["a.yaml"].encode()}
    )
    assert found.first_error is not None and found.first_error[1].code == "duplicate-id"
