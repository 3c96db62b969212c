"""`intentls sign`, and the hook that signs."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from intentls.core.ledger.signatures.allowed_signers import parse_allowed_signers
from intentls.core.ledger.signatures.ssh_keys import is_right
from intentls.core.ledger.signatures.ssh_signature import parse_armour
from intentls.core.ledger.signatures.statement import NAMESPACE, SignedStatement
from intentls.store.clock import now
from tests.support.random_branches import TRACE
from tests.support.signing import SignedBranch, make_key, needs_ssh_keygen, run_cli
from tests.support.workspaces import git

pytestmark = [needs_ssh_keygen, pytest.mark.usefixtures("intentls_on_path")]
_POSIX = pytest.mark.skipif(os.name == "nt", reason="the hooks and the agent of tests are POSIX's")


def commit(signed: SignedBranch, path: str = "src/new.py") -> str:
    """A record and its file, committed as a user does: what git's hooks said."""
    signed.branch.done(signed.branch.agent().write(path, "value = 1\n"))
    git(signed.root, "add", path)
    result = subprocess.run(
        ["git", "commit", "--message", "Work"], cwd=signed.root, capture_output=True, text=True, check=True
    )
    return result.stderr


@pytest.fixture
def hooked(signed: SignedBranch) -> SignedBranch:
    """With git's hooks."""
    assert run_cli("init", "--git-hooks", "--root", str(signed.root)) == 0
    return signed


@_POSIX
class TestTheHook:
    def test_it_signs_what_the_commit_adds(self, hooked: SignedBranch) -> None:
        assert "Not signed" not in commit(hooked)
        (name,) = hooked.signatures()
        assert f"{TRACE}/{name}" in git(hooked.root, "show", "--name-only", "--format=", "HEAD")
        assert git(hooked.root, "status", "--porcelain") == ""
        assert hooked.codes() == set()

    def test_without_a_key_it_says_so_in_one_sentence_and_the_commit_is_made(self, hooked: SignedBranch) -> None:
        git(hooked.root, "config", "--unset", "user.signingkey")
        words = commit(hooked)
        assert words.count("Not signed") == 1
        assert "git config user.signingkey FILE" in words
        assert hooked.codes() == {"UNSIGNED_RECORDS"}

    def test_a_key_that_does_not_work_stops_no_commit(self, hooked: SignedBranch, tmp_path: Path) -> None:
        (tmp_path / "broken").write_text("no key\n")
        git(hooked.root, "config", "user.signingkey", str(tmp_path / "broken"))
        assert "ssh-keygen can't sign" in commit(hooked)

    def test_a_key_that_is_not_listed_stops_no_commit(self, hooked: SignedBranch) -> None:
        """A person of the list may sign as well before the branch is merged."""
        git(hooked.root, "config", "user.signingkey", str(hooked.mallory.file))
        assert "Not committed" not in commit(hooked)
        assert hooked.codes() == {"SIGNER_NOT_ALLOWED"}
        assert hooked.sign("--countersign", key=hooked.ada) == 0
        hooked.branch.commit("Countersigned")
        assert hooked.codes() == set()

    def test_the_configuration_of_git_switches_it_off(self, hooked: SignedBranch) -> None:
        git(hooked.root, "config", "intentls.sign", "false")
        assert "Not signed" not in commit(hooked)
        assert hooked.signatures() == []

    def test_the_configuration_of_git_switches_it_on(self, signed: SignedBranch) -> None:
        """Where no policy asks for it."""
        SignedBranch.asking(signed, "")
        assert run_cli("init", "--git-hooks", "--root", str(signed.root)) == 0
        commit(signed)
        assert signed.signatures() == []
        git(signed.root, "config", "intentls.sign", "true")
        commit(signed, "src/more.py")
        assert len(signed.signatures()) == 1

    def test_an_agents_commit_is_not_signed(self, hooked: SignedBranch, monkeypatch: pytest.MonkeyPatch) -> None:
        """Not with the key of the person whose machine it works on, though that key needs no passphrase."""
        monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "agent")
        assert "an agent started this" in commit(hooked)
        assert hooked.signatures() == []
        assert hooked.sign() == 2

    def test_a_commit_of_some_files_signs_as_well(self, hooked: SignedBranch) -> None:
        """`git commit FILE` has an index of its own."""
        hooked.branch.done(hooked.branch.agent().edit("src/part0.py", "part0_line3 = 3\n", "part0_line3 = 4\n"))
        git(hooked.root, "commit", "--quiet", "--message", "One file", "src/part0.py")
        assert len(hooked.signatures()) == 1
        assert git(hooked.root, "status", "--porcelain") == ""
        assert hooked.codes() == set()

    def test_an_amended_commit_has_a_right_signature(self, hooked: SignedBranch) -> None:
        commit(hooked)
        hooked.branch.done(hooked.branch.agent().write("src/more.py", "more = 1\n"))
        git(hooked.root, "add", "src")
        git(hooked.root, "commit", "--quiet", "--amend", "--no-edit")
        assert hooked.codes() == set()

    def test_a_commit_that_was_given_up_leaves_no_stale_signature(self, hooked: SignedBranch) -> None:
        """What was staged and signed is unstaged again, and the work goes on."""
        hooked.branch.done(hooked.branch.agent().write("src/new.py", "value = 1\n"))
        hooked.branch.put("notes/by_hand.txt", "by hand\n")
        git(hooked.root, "add", "src", "notes")
        assert subprocess.run(["git", "commit", "-qm", "No"], cwd=hooked.root, capture_output=True).returncode == 1
        git(hooked.root, "reset", "--quiet")
        (hooked.root / "notes/by_hand.txt").unlink()
        commit(hooked, "src/more.py")
        git(hooked.root, "add", "--all")
        git(hooked.root, "commit", "--quiet", "--message", "The rest")
        assert hooked.codes() == set()

    def test_the_first_commit_can_not_be_signed_and_says_so(
        self, signed: SignedBranch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        fresh = tmp_path / "fresh"
        fresh.mkdir()
        git(fresh, "init", "--quiet")
        for key, value in (("gpg.format", "ssh"), ("user.signingkey", str(signed.ada.file)), ("intentls.sign", "yes")):
            git(fresh, "config", key, value)
        monkeypatch.chdir(fresh)
        assert run_cli("init", "--git-hooks") == 0
        assert run_cli("new", "Work", "--scope", "**") == 0
        git(fresh, "add", ".")
        result = subprocess.run(["git", "commit", "-m", "First"], cwd=fresh, capture_output=True, text=True)
        assert (result.returncode, "the repository's first commit" in result.stderr) == (0, True)


class TestSign:
    def test_without_a_key_it_exits_with_2_and_one_sentence(
        self, signed: SignedBranch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        git(signed.root, "config", "--unset", "gpg.format")
        assert signed.sign() == 2
        assert capsys.readouterr().err.startswith("intentls: Not signed: git signs with no SSH key here.")
        assert signed.sign("--key", "nowhere") == 2
        assert "nowhere is no file with an SSH key" in capsys.readouterr().err

    def test_it_answers_in_json(self, signed: SignedBranch, capsys: pytest.CaptureFixture[str]) -> None:
        name = signed.work()
        capsys.readouterr()
        assert signed.sign("--json") == 0
        answer = json.loads(capsys.readouterr().out)
        assert answer["signed"] == [{"segment": name, "file": f"{name}.sig"}]
        assert (answer["status"], answer["already_signed"], answer["key"][:7]) == ("ok", 1, "SHA256:")

    def test_records_that_git_does_not_have_are_not_signed(self, signed: SignedBranch) -> None:
        """The segment is still open."""
        signed.branch.done(signed.branch.agent().write("src/new.py", "x = 1\n"))
        assert signed.sign() == 0
        assert signed.signatures() == []

    @_POSIX
    def test_nothing_that_gits_configuration_names_is_run(self, signed: SignedBranch, tmp_path: Path) -> None:
        trap, sprung = tmp_path / "trap", tmp_path / "sprung"
        trap.write_text(f"#!/bin/sh\ntouch {sprung}\n")
        trap.chmod(0o755)
        for key in ("gpg.program", "gpg.ssh.program", "gpg.ssh.defaultKeyCommand", "core.sshCommand"):
            git(signed.root, "config", key, str(trap))
        signed.signed_work()
        assert not sprung.exists()
        git(signed.root, "config", "--unset", "user.signingkey")
        assert signed.sign() == 2
        assert not sprung.exists()

    @_POSIX
    def test_a_key_in_an_agent_signs(self, signed: SignedBranch, agent: str, tmp_path: Path) -> None:
        """As a file with the public key, and as the key itself; the private key is nowhere else."""
        key = make_key(tmp_path / "more", "held")
        subprocess.run(["ssh-add", "-q", str(key.file)], check=True, capture_output=True)
        key.file.unlink()
        for value in (str(key.file.with_suffix(".pub")), f"key::{key.public}"):
            git(signed.root, "config", "user.signingkey", value)
            signed.work()
            assert signed.sign() == 0
        assert len(signed.signatures()) == 2

    @pytest.fixture
    def agent(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
        """An SSH agent of this test's own."""
        process = subprocess.run(["ssh-agent", "-s"], capture_output=True, text=True, check=True)
        values = dict(part.split("=", 1) for part in process.stdout.replace("\n", "").split(";") if "=" in part)
        for name in ("SSH_AUTH_SOCK", "SSH_AGENT_PID"):
            monkeypatch.setenv(name, values[name])
        yield values["SSH_AUTH_SOCK"]
        subprocess.run(["ssh-agent", "-k"], capture_output=True, check=True)


@pytest.mark.parametrize("kind", ["ed25519", "ecdsa", "rsa"])
def test_ssh_keygen_itself_agrees(tmp_path: Path, kind: str) -> None:
    """On the right message, another one, another namespace, and a key that is not listed."""
    key, other = make_key(tmp_path / "keys", kind, kind), make_key(tmp_path / "keys", "other")
    signers = tmp_path / "signers"
    signers.write_text(f'"ada@example.com,Ada L" namespaces="segment@*" {key.public}\n', "utf-8")
    listed = parse_allowed_signers(signers.read_bytes())
    for signer, namespace, message in (
        (key, NAMESPACE, b"hello\n"),
        (key, NAMESPACE, b"other\n"),
        (key, "git", b"hello\n"),
        (other, NAMESPACE, b"hello\n"),
    ):
        armour = SignedStatement.of(b"hello\n", signer.sign(b"hello\n", namespace)).armour
        (tmp_path / "sig").write_bytes(armour)
        arguments = ["-f", str(signers), "-I", "Ada L", "-n", NAMESPACE, "-s", str(tmp_path / "sig")]
        theirs = subprocess.run(["ssh-keygen", "-Y", "verify", *arguments], input=message, capture_output=True)
        signature = parse_armour(armour)
        assert signature is not None
        ours = (
            signature.namespace == NAMESPACE.encode()
            and is_right(signature, message)
            and "Ada L" in listed.names(signature.key, NAMESPACE, now())
        )
        assert ours == (theirs.returncode == 0)
