"""Signed segments: each forgery is named, with real keys in real repositories; what is honest passes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from intentls.core.branch.findings import FindingLevel
from intentls.core.ledger.signatures.ssh_signature import BEGIN
from intentls.core.ledger.signatures.statement import statement_of
from intentls.engine.branch_check.check import check_branch
from intentls.engine.branch_check.comparison import ComparisonRequest
from tests.support.random_branches import TRACE
from tests.support.signing import POLICY, SIGNERS, SignedBranch, make_key, needs_ssh_keygen, rechained, run_cli
from tests.support.workspaces import git

pytestmark = needs_ssh_keygen


def say(number: int, record: dict[str, object]) -> None:
    """A false record: the first one says that another session did it."""
    if number == 0:
        record["session_id"] = "somebody-else"


def approve(signed: SignedBranch, by: str) -> str:
    """A committed record that says that `by` let it pass; its segment."""
    path = signed.branch.fresh()
    approval = {"by": by, "action": "approve", "code": "SCOPE_VIOLATION"}
    before = set(signed.segments())
    signed.branch.forge(path, "x = 1\n", override=approval)
    signed.branch.commit()
    (name,) = set(signed.segments()) - before
    return name


class TestHonest:
    def test_signed_work_is_clean_and_unsigned_work_is_named(self, signed: SignedBranch) -> None:
        name = signed.work()
        assert signed.codes() == {"UNSIGNED_RECORDS"}
        assert signed.sign() == 0
        assert signed.signatures() == [f"{name}.sig"]
        signed.branch.commit("Signed")
        assert signed.codes() == set()

    def test_a_second_run_signs_nothing_again(self, signed: SignedBranch, capsys: pytest.CaptureFixture[str]) -> None:
        signed.signed_work()
        assert signed.sign() == 0
        assert "Nothing to sign: 2 segments signed already" in capsys.readouterr().err
        assert git(signed.root, "status", "--porcelain") == ""

    @pytest.mark.parametrize("kind", ["ecdsa", "rsa"])
    def test_every_kind_of_key_counts(self, signed: SignedBranch, tmp_path: Path, kind: str) -> None:
        key = make_key(tmp_path / "more", kind, kind)
        git(signed.root, "switch", "--quiet", "main")
        signed.branch.put(SIGNERS, signed.signers() + f"eve {key.public}\n")
        signed.branch.commit("Eve joins")
        git(signed.root, "switch", "--quiet", "-C", "work")
        signed.work()
        assert signed.sign(key=key) == 0
        signed.branch.commit()
        assert signed.codes() == set()

    def test_the_policy_of_the_base_says_how_bad_it_is(self, signed: SignedBranch) -> None:
        """`warn` warns; and a branch can neither switch it off for itself nor on."""
        branch, warned = signed.branch, SignedBranch.asking(signed, "signatures: warn\n")
        warned.work()
        assert [finding.level for finding in branch.judge().findings] == [FindingLevel.WARNING]
        branch.declare(POLICY, branch.read(POLICY).replace("warn", "off"))
        assert warned.codes() == {"UNSIGNED_RECORDS", "POLICY_LOOSENED"}
        git(branch.root, "branch", "--force", "main", "main~3")  # a base that never asked
        assert "UNSIGNED_RECORDS" not in warned.codes()

    def test_before_the_commit_what_is_not_signed_is_a_warning(self, signed: SignedBranch) -> None:
        signed.branch.done(signed.branch.agent().write("src/new.py", "x = 1\n"))
        git(signed.root, "add", ".")
        (finding,) = signed.branch.judge("HEAD", staged=True).findings
        assert (finding.code, finding.level) == ("UNSIGNED_RECORDS", FindingLevel.WARNING)

    def test_a_job_countersigns_and_both_are_asked_for(self, signed: SignedBranch) -> None:
        policy = 'signatures: require\nsigned_by: ["*@example.com", "ci@*"]\n'
        branch, signed = signed.branch, SignedBranch.asking(signed, policy)
        name = signed.signed_work()
        (finding,) = branch.judge().findings
        assert (finding.code, "ci@*" in finding.message) == ("UNSIGNED_RECORDS", True)
        assert signed.sign("--countersign", "--base", "main", key=signed.ci) == 0
        branch.commit("Countersigned")
        assert signed.codes() == set()
        assert len(signed.signatures()) == 2
        assert signed.signatures()[-1] == f"{name}.sig"

    def test_two_branches_that_sign_the_same_segment_merge_without_a_conflict(self, signed: SignedBranch) -> None:
        """In the clone that wrote it, by two keys; and in one that did not."""
        signed.work()
        git(signed.root, "switch", "--quiet", "-c", "other")
        assert signed.sign() == 0
        signed.branch.commit("By Ada")
        git(signed.root, "switch", "--quiet", "work")
        assert signed.sign(key=signed.ben) == 0
        signed.branch.commit("By Ben")
        shutil.rmtree(signed.root / ".orchestration/.state")
        assert signed.sign("--countersign", "--base", "main", key=signed.ci) == 0
        signed.branch.commit("By the job")
        git(signed.root, "merge", "--quiet", "--no-edit", "other")
        assert signed.codes() == set()
        assert len(signed.signatures()) == 3

    def test_the_same_key_makes_the_same_file_on_two_branches(self, signed: SignedBranch, tmp_path: Path) -> None:
        """Also a key whose signatures are never the same twice: the other branch's file is taken."""
        key = make_key(tmp_path / "more", "changing", "ecdsa")
        name = signed.work()
        git(signed.root, "switch", "--quiet", "-c", "other")
        assert signed.sign(key=key) == 0
        signed.branch.commit("There")
        text = signed.file(f"{name}.sig").read_bytes()
        git(signed.root, "switch", "--quiet", "work")
        assert signed.sign(key=key) == 0
        assert signed.file(f"{name}.sig").read_bytes() == text

    def test_a_merge_under_way_brings_what_was_judged_where_it_was_made(self, signed: SignedBranch) -> None:
        signed.signed_work()
        git(signed.root, "switch", "--quiet", "-c", "other", "main")
        signed.work()
        git(signed.root, "switch", "--quiet", "work")
        git(signed.root, "merge", "--quiet", "--no-commit", "--no-ff", "other")
        assert "UNSIGNED_RECORDS" not in {finding.code for finding in signed.branch.judge("HEAD", staged=True).findings}


class TestForgeries:
    def test_a_false_record_in_a_pull_request(self, signed: SignedBranch) -> None:
        signed.signed_work()
        signed.branch.forge("src/new.py", "x = 1\n")
        signed.branch.commit()
        assert signed.codes() == {"UNSIGNED_RECORDS"}

    def test_a_false_record_in_a_pull_request_signed_by_a_stranger(self, signed: SignedBranch) -> None:
        signed.branch.forge("src/new.py", "x = 1\n")
        signed.branch.commit()
        assert signed.sign(key=signed.mallory) == 0
        signed.branch.commit()
        assert signed.codes() == {"SIGNER_NOT_ALLOWED"}

    def test_a_rebuilt_chain(self, signed: SignedBranch) -> None:
        """Every hash in it fits again, so nothing but the signature tells."""
        name = signed.signed_work(3)
        signed.put(name, rechained(signed.file(name).read_bytes(), say))
        assert signed.codes() == {"SEGMENT_REBUILT"}

    def test_a_truncated_tail(self, signed: SignedBranch) -> None:
        name = signed.signed_work(3)
        lines = signed.file(name).read_bytes().splitlines(keepends=True)
        signed.put(name, b"".join(lines[:-1]))
        assert "SEGMENT_TRUNCATED" in signed.codes()
        assert "LEDGER_BROKEN" not in signed.codes()

    def test_a_segment_that_is_gone_while_its_signature_stays(self, signed: SignedBranch) -> None:
        name = signed.signed_work()
        signed.file(name).unlink()
        signed.branch.commit()
        assert "SEGMENT_TRUNCATED" in signed.codes()

    def test_an_edited_approver(self, signed: SignedBranch) -> None:
        """Altered after Ada has signed."""
        name = approve(signed, "Ada")
        assert signed.sign() == 0

        def change(_: int, record: dict[str, object]) -> None:
            record["override"] = {"by": "Ben", "action": "approve", "code": "SCOPE_VIOLATION"}

        signed.put(name, rechained(signed.file(name).read_bytes(), change))
        assert signed.codes() == {"SEGMENT_REBUILT"}

    def test_an_approver_who_never_signed(self, signed: SignedBranch) -> None:
        """The author of a record may sign it, but not say in it that somebody else approved."""
        branch, signed = signed.branch, SignedBranch.asking(signed, "signatures: require\nsigned_approvals: true\n")
        name = approve(signed, "Ben")
        assert signed.sign() == 0
        branch.commit()
        (finding,) = branch.judge().findings
        assert (finding.code, finding.lines, "Ben" in finding.message) == ("APPROVAL_UNSIGNED", ((1, 1),), True)
        assert signed.sign("--countersign", key=signed.ben) == 0
        branch.commit()
        assert signed.codes() == set()
        assert len([file for file in signed.signatures() if file.startswith(name)]) == 2

    def test_an_attestation_in_somebody_elses_name(self, signed: SignedBranch) -> None:
        branch, signed = signed.branch, SignedBranch.asking(signed, "signatures: require\nsigned_approvals: true\n")
        branch.put("src/part0.py", branch.read("src/part0.py") + "by_hand = 1\n")
        branch.commit("By hand")
        git(branch.root, "config", "user.name", "Ben")
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(branch.root)
            assert run_cli("attest", "--base", "main", "--reason", "seen") == 0
        branch.commit("Attested")
        assert signed.sign() == 0
        branch.commit()
        assert signed.codes() == {"APPROVAL_UNSIGNED"}
        assert signed.sign("--countersign", key=signed.ben) == 0
        branch.commit()
        assert signed.codes() == set()

    def test_the_own_key_added_to_the_list(self, signed: SignedBranch) -> None:
        signed.branch.declare(SIGNERS, signed.signers() + f"mallory@example.com {signed.mallory.public}\n")
        name = signed.work()
        assert signed.sign(key=signed.mallory) == 0
        signed.branch.commit()
        found = {(finding.code.value, finding.path) for finding in signed.branch.judge().findings}
        assert found == {("SIGNER_ADDED", SIGNERS), ("SIGNER_ADDED", f"{TRACE}/{name}.sig")}

    def test_a_signature_of_another_repository(self, signed: SignedBranch, tmp_path: Path) -> None:
        """The same files in a repository with another first commit."""
        signed.signed_work()
        other = tmp_path / "other"
        shutil.copytree(signed.root, other, ignore=shutil.ignore_patterns(".git", ".state"))
        segments = list((other / TRACE).iterdir())
        kept = {file: file.read_bytes() for file in segments}
        for name in git(signed.root, "diff", "--name-only", "main", "HEAD").splitlines():
            kept.setdefault(other / name, (other / name).read_bytes())
            (other / name).unlink()
        git(other, "init", "--quiet", "--initial-branch=main")
        git(other, "add", "--all", "--force")
        git(other, "commit", "--quiet", "--message", "Another beginning")
        git(other, "switch", "--quiet", "-c", "work")
        for file, content in kept.items():
            file.write_bytes(content)
        git(other, "add", "--all", "--force")
        git(other, "commit", "--quiet", "--message", "Copied")
        codes = {finding.code.value for finding in check_branch(other, ComparisonRequest("main")).findings}
        assert codes == {"SIGNATURE_REPOSITORY"}

    def test_a_signature_of_another_namespace(self, signed: SignedBranch) -> None:
        """As git makes them for commits: it is by the right key, over the right bytes."""
        name = signed.work()
        first = git(signed.root, "rev-list", "--max-parents=0", "HEAD")
        message = statement_of(first, ".", name, signed.file(name).read_bytes()).render()
        signed.put(f"{name}.sig", message + signed.ada.sign(message, "git"))
        assert signed.codes() == {"SIGNATURE_NAMESPACE"}
        signed.put(f"{name}.sig", message + signed.ada.sign(message))
        assert signed.codes() == set()

    def test_an_older_signature_replayed(self, signed: SignedBranch) -> None:
        """It covers the first two records of three."""
        name = signed.work(3)
        content = signed.file(name).read_bytes()
        older = b"".join(content.splitlines(keepends=True)[:2])
        first = git(signed.root, "rev-list", "--max-parents=0", "HEAD")
        message = statement_of(first, ".", name, older).render()
        signed.put(f"{name}.sig", message + signed.ada.sign(message))
        assert signed.codes() == {"SIGNATURE_REPLAYED"}

    def test_a_segment_swapped(self, signed: SignedBranch) -> None:
        """A signature beside another segment, and a segment under another name."""
        one, other = signed.signed_work(), signed.work()
        signed.put(f"{other}.sig", signed.file(f"{one}.sig").read_bytes())
        assert signed.codes() == {"SIGNATURE_SWAPPED"}

    def test_a_segment_under_another_name(self, signed: SignedBranch) -> None:
        name = signed.signed_work()
        new = name.replace(name[-10:-6], "0000")
        signed.file(name).rename(signed.file(new))
        signed.file(f"{name}.sig").rename(signed.file(f"{new}.sig"))
        signed.branch.commit()
        assert signed.codes() == {"SIGNATURE_SWAPPED"}

    def test_a_statement_altered_under_its_signature(self, signed: SignedBranch) -> None:
        name = signed.signed_work(2)
        text = signed.file(f"{name}.sig").read_bytes()
        forged = rechained(signed.file(name).read_bytes(), say)
        first = git(signed.root, "rev-list", "--max-parents=0", "HEAD")
        signed.file(name).write_bytes(forged)
        signed.put(f"{name}.sig", statement_of(first, ".", name, forged).render() + text[text.index(BEGIN) :])
        assert signed.codes() == {"SIGNATURE_DAMAGED"}

    @pytest.mark.parametrize("content", [b"", b"hello\n", b"intentls-segment 1\n"])
    def test_a_file_that_holds_no_signature(self, signed: SignedBranch, content: bytes) -> None:
        name = signed.work()
        signed.put(f"{name}.sig", content)
        assert "SIGNATURE_DAMAGED" in signed.codes()

    @pytest.mark.parametrize("how", ["gone", "altered"])
    def test_a_signature_of_the_base_removed(self, signed: SignedBranch, how: str) -> None:
        name = signed.signed_work()
        git(signed.root, "branch", "--force", "main", "HEAD")
        signed.file(f"{name}.sig").unlink()
        if how == "altered":
            assert signed.sign(key=signed.ben) == 0
        signed.branch.commit()
        assert signed.codes() == {"SIGNATURE_REMOVED"}

    def test_a_strangers_signature_beside_a_segment_of_the_base(self, signed: SignedBranch) -> None:
        signed.work()
        git(signed.root, "branch", "--force", "main", "HEAD")
        assert signed.sign(key=signed.mallory) == 0
        signed.branch.commit()
        assert signed.codes() == {"SIGNER_NOT_ALLOWED"}


class TestTheBaseJudges:
    """What decides is from the base as it is now, in exactly the place where it belongs."""

    def test_a_key_that_was_taken_off_the_list_since_counts_no_more(self, signed: SignedBranch) -> None:
        signed.signed_work()
        git(signed.root, "switch", "--quiet", "main")
        signed.branch.put(SIGNERS, f"ben@example.com {signed.ben.public}\n")
        signed.branch.commit("Ada left")
        git(signed.root, "switch", "--quiet", "work")
        assert signed.codes() == {"SIGNER_NOT_ALLOWED"}

    def test_a_policy_that_came_since_holds(self, signed: SignedBranch) -> None:
        branch, signed = signed.branch, SignedBranch.asking(signed, "signatures: off\n")
        signed.work()
        assert signed.codes() == set()
        git(branch.root, "switch", "--quiet", "main")
        branch.put(POLICY, branch.read(POLICY).replace("off", "require"))
        branch.commit("Sign from now on")
        git(branch.root, "switch", "--quiet", "work")
        assert signed.codes() == {"UNSIGNED_RECORDS"}

    @pytest.mark.parametrize(
        ("options", "counts"),
        [
            ('namespaces="segment@intentls"', True),
            ('namespaces="git"', False),
            ('valid-before="20200101Z"', False),
            ('valid-after="20200101Z"', True),
            ("cert-authority", False),
            ("no-such-option", False),
        ],
    )
    def test_the_options_of_a_line_hold(self, signed: SignedBranch, options: str, counts: bool) -> None:
        git(signed.root, "switch", "--quiet", "main")
        signed.branch.put(SIGNERS, f"ada@example.com {options} {signed.ada.public}\n")
        signed.branch.commit("With options")
        git(signed.root, "switch", "--quiet", "-C", "work")
        signed.signed_work()
        assert signed.codes() == (set() if counts else {"SIGNER_NOT_ALLOWED"})

    def test_a_list_that_is_a_link_allows_nobody(self, signed: SignedBranch) -> None:
        git(signed.root, "switch", "--quiet", "main")
        signed.branch.put("src/signers", signed.signers())
        (signed.root / SIGNERS).unlink()
        (signed.root / SIGNERS).symlink_to("../src/signers")
        signed.branch.commit("A link")
        git(signed.root, "switch", "--quiet", "-C", "work")
        signed.signed_work()
        assert signed.codes() == {"SIGNER_NOT_ALLOWED"}

    def test_a_signature_that_is_a_link_is_none(self, signed: SignedBranch) -> None:
        name = signed.signed_work()
        signed.branch.put("src/part0.sig", signed.file(f"{name}.sig").read_bytes())
        signed.file(f"{name}.sig").unlink()
        signed.file(f"{name}.sig").symlink_to("../../src/part0.sig")
        signed.branch.commit()
        assert {"UNSIGNED_RECORDS", "PROTECTED_PATH"} <= signed.codes()

    def test_names_that_differ_in_case_alone_are_named(self, signed: SignedBranch) -> None:
        name = signed.signed_work()
        git(signed.root, "branch", "--force", "main", "HEAD")
        signed.file(name.upper().replace(".JSONL", ".jsonl")).write_bytes(b"")
        signed.branch.commit()
        assert "SIGNATURE_SWAPPED" in signed.codes()

    def test_attributes_of_the_branch_change_nothing(self, signed: SignedBranch) -> None:
        """Neither line ends nor filters: what git keeps is what counts."""
        signed.signed_work()
        signed.branch.put(f"{TRACE}/.gitattributes", "* text eol=crlf ident filter=nothing\n")
        git(signed.root, "add", "--force", f"{TRACE}/.gitattributes")
        git(signed.root, "commit", "--quiet", "--message", "Attributes")
        assert signed.codes() == {"PROTECTED_PATH"}

    def test_a_new_list_is_judged_by_nobodys_list_but_the_bases(self, signed: SignedBranch) -> None:
        """A branch that is behind a change of the list has added nothing."""
        git(signed.root, "switch", "--quiet", "main")
        signed.branch.put(SIGNERS, signed.signers().splitlines(keepends=True)[0])
        signed.branch.commit("Only Ada")
        git(signed.root, "switch", "--quiet", "work")
        signed.signed_work()
        assert signed.codes() == set()

    def test_in_a_shallow_clone_the_first_commit_is_asked_for(
        self, signed: SignedBranch, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        signed.signed_work()
        clone = tmp_path / "clone"
        git(tmp_path, "clone", "--quiet", "--depth=4", "--branch=work", f"file://{signed.root}", str(clone))
        monkeypatch.chdir(clone)
        assert run_cli("check", "--base", "HEAD~2") == 2
        assert "fetch-depth: 0" in capsys.readouterr().err
        assert run_cli("sign", "--key", str(signed.ada.file)) == 2
        assert "fetch-depth: 0" in capsys.readouterr().err


def test_findings_have_the_shape_that_all_have(signed: SignedBranch, capsys: pytest.CaptureFixture[str]) -> None:
    signed.work()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(signed.root)
        assert run_cli("check", "--base", "main", "--json") == 1
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert finding.keys() == {"code", "level", "path", "lines", "message", "intent_id", "record_ids"}
