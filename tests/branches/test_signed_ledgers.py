"""What else happens to signatures: `trace verify`, archives, reverts, and what `doctor` says of them."""

from __future__ import annotations

import json

import pytest

from tests.support.signing import SIGNERS, SignedBranch, needs_ssh_keygen, rechained, run_cli
from tests.support.workspaces import git

pytestmark = needs_ssh_keygen


class TestVerify:
    def verify(self, signed: SignedBranch, capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
        capsys.readouterr()
        run_cli("trace", "verify", "--json", "--root", str(signed.root), *arguments)
        answer: dict[str, object] = json.loads(capsys.readouterr().out)
        return answer

    def test_it_says_how_much_is_signed_and_by_whom(
        self, signed: SignedBranch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        signed.signed_work()
        signed.work()
        answer = self.verify(signed, capsys)
        coverage = {"signed": 2, "segments": 3, "signers": {"ada@example.com": 2}}
        assert (answer["ok"], answer["signatures"]) == (True, [coverage])
        assert run_cli("trace", "verify", "--root", str(signed.root)) == 0
        assert "signed  2 of 3 segments, by ada@example.com (2)" in capsys.readouterr().out

    def test_a_ledger_without_signatures_is_answered_as_ever(
        self, signed: SignedBranch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for name in signed.begun:
            signed.file(name).unlink()
        assert self.verify(signed, capsys).keys() == {"status", "ok", "records", "problems"}

    def test_a_forgery_is_a_problem_of_its_own_kind(
        self, signed: SignedBranch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        name = signed.signed_work(2)
        text, content = signed.file(f"{name}.sig").read_bytes(), signed.file(name).read_bytes()

        def change(number: int, record: dict[str, object]) -> None:
            record["session_id"] = f"other-{number}"

        signed.file(name).write_bytes(rechained(content, change))
        assert "segment-rebuilt" in self.kinds(signed, capsys)
        signed.file(name).write_bytes(content)
        signed.file(f"{name}.sig").write_bytes(text.replace(b"AAAA", b"AAAB", 1))
        assert self.kinds(signed, capsys) == ["signature-damaged"]
        signed.file(f"{name}.sig").write_bytes(text)
        assert self.kinds(signed, capsys) == []

    def kinds(self, signed: SignedBranch, capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
        problems = self.verify(signed, capsys, *arguments)["problems"]
        assert isinstance(problems, list)
        return [problem["kind"] for problem in problems]

    def test_the_list_is_that_of_head_or_of_a_base(
        self, signed: SignedBranch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        signed.branch.declare(SIGNERS, f"mallory {signed.mallory.public}\n{signed.signers()}")
        signed.work()
        signed.sign(key=signed.mallory)
        assert self.kinds(signed, capsys) == []
        assert self.kinds(signed, capsys, "--base", "main") == ["signer-not-allowed"]

    def test_a_key_that_ended_still_counts_for_what_it_signed_before(
        self, signed: SignedBranch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        signed.signed_work()
        lines = signed.signers().replace("ssh-ed25519", 'valid-before="20990101Z" ssh-ed25519', 1)
        signed.branch.declare(SIGNERS, lines)
        assert self.kinds(signed, capsys) == []
        signed.branch.declare(SIGNERS, lines.replace("20990101Z", "20010101Z"))
        assert self.kinds(signed, capsys) == ["signer-not-allowed"] * 2

    def test_without_a_list_each_key_stands_for_itself(
        self, signed: SignedBranch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (signed.root / SIGNERS).unlink()
        signed.branch.commit("No list")
        signed.work()
        signed.sign(key=signed.mallory)
        answer = self.verify(signed, capsys)
        assert answer["ok"] is True
        assert str(answer["signatures"]).count("SHA256:") == 2

    def test_line_ends_of_a_checkout_do_not_matter(
        self, signed: SignedBranch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        name = signed.signed_work(2)
        for file in (name, f"{name}.sig"):
            signed.file(file).write_bytes(signed.file(file).read_bytes().replace(b"\n", b"\r\n"))
        assert self.kinds(signed, capsys) == []


class TestArchives:
    def pack(self, signed: SignedBranch, keep: int = 0) -> None:
        assert run_cli("trace", "archive", "--keep", str(keep), "--root", str(signed.root)) == 0

    def test_signatures_of_packed_segments_go_into_one_file_and_count(
        self, signed: SignedBranch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for _ in range(3):
            signed.signed_work(2)
        self.pack(signed)
        assert [name[:7] for name in signed.signatures()] == ["packed-"]
        assert run_cli("trace", "verify", "--root", str(signed.root)) == 0
        signed.branch.commit("Packed")
        signed.sign()
        signed.branch.commit("Signed")
        assert signed.codes() == set()

    def test_records_that_nobody_signed_are_named_in_an_archive_too(self, signed: SignedBranch) -> None:
        signed.signed_work()
        signed.work()
        self.pack(signed)
        signed.branch.commit("Packed")
        signed.sign()
        signed.branch.commit("Signed")
        (finding,) = signed.branch.judge().findings
        assert (finding.code, finding.path.endswith((".zst", ".gz")), "1 record " in finding.message) == (
            "UNSIGNED_RECORDS",
            True,
            True,
        )

    def test_packing_what_the_base_has_asks_for_nothing(self, signed: SignedBranch) -> None:
        signed.work()
        signed.signed_work()
        git(signed.root, "branch", "--force", "main", "HEAD")
        self.pack(signed)
        signed.branch.commit("Packed")
        signed.sign()
        signed.branch.commit("Signed")
        assert signed.codes() == set()

    def test_a_packed_signature_that_is_lost_is_named(self, signed: SignedBranch) -> None:
        signed.signed_work()
        git(signed.root, "branch", "--force", "main", "HEAD")
        self.pack(signed)
        for name in signed.signatures():
            signed.file(name).unlink()
        signed.branch.commit("Packed")
        signed.sign()
        signed.branch.commit("Signed")
        assert signed.codes() == {"SIGNATURE_REMOVED"}

    def test_two_branches_that_pack_merge_without_a_conflict(self, signed: SignedBranch) -> None:
        """One packs more than the other."""
        for _ in range(3):
            signed.signed_work()
        git(signed.root, "branch", "--force", "main", "HEAD")
        git(signed.root, "switch", "--quiet", "-c", "other")
        self.pack(signed, keep=2)
        signed.branch.commit("Packed some")
        git(signed.root, "switch", "--quiet", "work")
        self.pack(signed)
        signed.branch.commit("Packed all")
        git(signed.root, "merge", "--quiet", "--no-edit", "other")
        signed.sign()
        signed.branch.commit("Signed")
        assert signed.codes() == set()
        assert run_cli("trace", "verify", "--root", str(signed.root)) == 0

    def test_a_forged_archive_is_named(self, signed: SignedBranch, capsys: pytest.CaptureFixture[str]) -> None:
        """Records that Ada signed, altered and packed under her signature."""
        name = signed.signed_work(2)

        def change(number: int, record: dict[str, object]) -> None:
            record["session_id"] = f"other-{number}"

        text = signed.file(f"{name}.sig").read_bytes()
        signed.file(f"{name}.sig").unlink()
        signed.file(name).write_bytes(rechained(signed.file(name).read_bytes(), change))
        (signed.root / ".orchestration/agent_trace.jsonl").unlink()
        for state in (signed.root / ".orchestration/.state").glob("*head*"):
            state.unlink()
        run_cli("trace", "archive", "--keep", "0", "--root", str(signed.root))
        signed.file(f"{name}.sig").write_bytes(text)
        signed.branch.commit("Packed")
        assert "SEGMENT_REBUILT" in signed.codes()


def test_restore_brings_the_signature_back(signed: SignedBranch) -> None:
    """A revert took both out."""
    name = signed.work()
    base = git(signed.root, "rev-parse", "HEAD")
    assert signed.sign() == 0
    signed.branch.commit("Signed")
    git(signed.root, "branch", "--force", "main", "HEAD")
    git(signed.root, "revert", "--no-edit", "HEAD", base)
    assert signed.signatures() == []
    assert run_cli("trace", "restore", "--root", str(signed.root)) == 0
    assert signed.signatures() == [f"{name}.sig"]
    signed.branch.commit("Restored")
    assert not {code for code in signed.codes() if code.startswith(("SIGN", "SEG", "UNS", "LEDGER"))}


class TestDoctor:
    def lines(self, signed: SignedBranch, capsys: pytest.CaptureFixture[str]) -> dict[str, list[str]]:
        capsys.readouterr()
        run_cli("doctor", "--json", "--root", str(signed.root))
        checks = json.loads(capsys.readouterr().out)["checks"]
        lines: dict[str, list[str]] = {}
        for check in checks:
            if check["name"] == "signing":
                lines.setdefault(check["level"], []).append(check["message"])
        return lines

    def test_it_says_that_signing_works(self, signed: SignedBranch, capsys: pytest.CaptureFixture[str]) -> None:
        lines = self.lines(signed, capsys)
        assert lines.keys() == {"ok"}
        version, key, names = lines["ok"]
        assert ("OpenSSH" in version, "signs with SHA256:" in key, names) == (
            True,
            True,
            "it counts as ada@example.com, Ada",
        )

    def test_it_names_what_is_missing(
        self, signed: SignedBranch, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
        git(signed.root, "config", "user.signingkey", f"key::{signed.mallory.public}")
        (signed.root / SIGNERS).write_text("what is this\n", "utf-8")
        unreadable, agent, stranger = self.lines(signed, capsys)["warning"]
        assert "line 1, can't be read" in unreadable
        assert "no SSH agent holds the key" in agent
        assert "does not allow this key" in stranger
        git(signed.root, "config", "--unset", "user.signingkey")
        (signed.root / SIGNERS).unlink()
        missing, nothing = self.lines(signed, capsys)["warning"]
        assert "there is no .orchestration/allowed_signers" in missing
        assert "nothing can be signed here: git knows no key" in nothing

    def test_it_says_nothing_where_nobody_signs(self, signed: SignedBranch, capsys: pytest.CaptureFixture[str]) -> None:
        SignedBranch.asking(signed, "")
        (signed.root / SIGNERS).unlink()
        assert self.lines(signed, capsys) == {}
