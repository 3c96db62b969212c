"""Real SSH keys, and a branch of a repository whose team signs its ledger."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from intentls.core.ledger.hash_chain import line_hash, link
from intentls.faces.cli import main
from tests.support.random_branches import TRACE, Branch
from tests.support.workspaces import git

SIGNERS = ".orchestration/allowed_signers"
POLICY = ".orchestration/policy.yaml"
needs_ssh_keygen = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="OpenSSH makes the signatures")


@dataclass(frozen=True)
class Key:
    """A key pair; `file` is the private key."""

    file: Path

    @property
    def public(self) -> str:
        """Kind and key, without a comment."""
        return " ".join(self.file.with_suffix(".pub").read_text("utf-8").split()[:2])

    def sign(self, message: bytes, namespace: str = "segment@intentls") -> bytes:
        """As `ssh-keygen` itself signs."""
        arguments = ["ssh-keygen", "-q", "-Y", "sign", "-f", str(self.file), "-n", namespace]
        return subprocess.run(arguments, input=message, capture_output=True, check=True).stdout


def make_key(folder: Path, name: str, kind: str = "ed25519") -> Key:
    """A new key without a passphrase."""
    folder.mkdir(exist_ok=True)
    file = folder / name
    subprocess.run(["ssh-keygen", "-q", "-t", kind, "-N", "", "-C", name, "-f", str(file)], check=True)
    return Key(file)


def run_cli(*arguments: str) -> int:
    """The exit code of `intentls`."""
    return main._code(list(arguments))


@dataclass
class SignedBranch:
    """A branch whose base asks for signatures; `ada` and `ben` may sign, and the job `ci`. `mallory` may not."""

    branch: Branch
    ada: Key
    ben: Key
    ci: Key
    mallory: Key
    begun: tuple[str, ...] = ()
    """The files of signatures that the base has."""

    @classmethod
    def of(cls, branch: Branch, folder: Path, policy: str = "signatures: require\n") -> SignedBranch:
        """On `main` the ledger is a folder of segments, and policy and list are committed; the branch begins there."""
        keys = [make_key(folder, name) for name in ("ada", "ben", "ci", "mallory")]
        made = cls(branch, *keys)
        root = branch.root
        git(root, "config", "user.name", "Ada")
        git(root, "config", "gpg.format", "ssh")
        git(root, "config", "user.signingkey", str(made.ada.file))
        git(root, "switch", "--quiet", "main")
        run_cli("init", "--root", str(root))
        branch.put(
            ".orchestration/.gitignore", ".state/\nagent_trace.jsonl\nintent_map.md\nspatial_map.json\nAGENT.md\n"
        )
        branch.put(SIGNERS, made.signers())
        branch.put(POLICY, branch.read(POLICY) + policy)
        branch.commit("The ledger is signed")
        made.sign()
        made.begun = tuple(made.signatures())
        branch.commit("What was before")
        git(root, "switch", "--quiet", "-C", "work")
        return made

    @classmethod
    def asking(cls, signed: SignedBranch, policy: str) -> SignedBranch:
        """The same, where the base's policy has these lines instead."""
        root, branch = signed.root, signed.branch
        git(root, "switch", "--quiet", "main")
        branch.put(POLICY, branch.read(POLICY).replace("signatures: require\n", policy))
        branch.commit("Another policy")
        git(root, "switch", "--quiet", "-C", "work")
        return signed

    def copied(self, folder: Path) -> SignedBranch:
        """The same in another folder; the keys are shared."""
        branch = Branch.of_copy(self.root, folder)
        return SignedBranch(branch, self.ada, self.ben, self.ci, self.mallory, self.begun)

    @property
    def root(self) -> Path:
        """The work tree."""
        return self.branch.root

    def signers(self) -> str:
        """The list: each with an address and, for approvals, a name."""
        lines = [f'"{name.lower()}@example.com,{name}" {key.public}\n' for name, key in self._team()]
        return "".join(lines)

    def _team(self) -> Iterable[tuple[str, Key]]:
        return (("Ada", self.ada), ("Ben", self.ben), ("CI", self.ci))

    def sign(self, *arguments: str, key: Key | None = None) -> int:
        """`intentls sign`; its exit code."""
        own = [] if key is None else ["--key", str(key.file)]
        return run_cli("sign", "--root", str(self.root), *own, *arguments)

    def work(self, records: int = 1) -> str:
        """Records of a new file, committed; the name of their segment."""
        before = set(self.segments())
        for number in range(records):
            path = self.branch.fresh()
            self.branch.done(self.branch.agent().write(path, f"value = {number}\n"))
        self.branch.commit()
        (name,) = set(self.segments()) - before
        return name

    def signed_work(self, records: int = 1) -> str:
        """The same, signed by Ada and committed."""
        name = self.work(records)
        assert self.sign() == 0
        self.branch.commit("Signed")
        return name

    def segments(self) -> list[str]:
        """Their names."""
        return sorted(file.name for file in (self.root / TRACE).glob("*.jsonl"))

    def signatures(self) -> list[str]:
        """The names of the files of signatures that the branch has added."""
        names = sorted(file.name for file in (self.root / TRACE).iterdir() if ".sig" in file.name)
        return [name for name in names if name not in self.begun]

    def file(self, name: str) -> Path:
        """A file of the ledger."""
        return self.root / TRACE / name

    def put(self, name: str, content: bytes) -> None:
        """Change a file of the ledger, and commit it."""
        self.file(name).write_bytes(content)
        self.branch.commit("Forged")

    def codes(self, base: str = "main") -> set[str]:
        """What the check finds."""
        return {finding.code.value for finding in self.branch.judge(base).findings}


def rechained(content: bytes, change: Callable[[int, dict[str, object]], None]) -> bytes:
    """A segment with other records in a chain that fits: `change` gets the number of each record, and the record."""
    lines: list[bytes] = []
    prev: str | None = None
    for number, line in enumerate(content.splitlines()):
        record = json.loads(line)
        chain = record.pop("chain")
        change(number, record)
        lines.append(link(record, chain["writer"], chain["seq"], prev if lines else chain["prev"]))
        prev = line_hash(lines[-1])
    return b"".join(line + b"\n" for line in lines)
