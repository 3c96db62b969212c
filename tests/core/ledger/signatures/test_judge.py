"""What a signature says, and what was done to a segment or to its signature."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from intentls.core.hashing import content_hash
from intentls.core.ledger.hash_chain import line_hash, link, read_link
from intentls.core.ledger.record_json import approvers_of
from intentls.core.ledger.signatures.allowed_signers import parse_allowed_signers
from intentls.core.ledger.signatures.judge import (
    FaultCode,
    PackedLine,
    SegmentContent,
    SignatureFault,
    SignatureJudge,
)
from intentls.core.ledger.signatures.statement import (
    ChainPart,
    SignedStatement,
    Statement,
    chain_parts,
    parse_signatures,
    parse_statement,
    statement_of,
)
from tests.core.ledger.signatures.made import ed25519

ADA, EVE, MALLORY = ed25519(), ed25519(), ed25519()
REPOSITORY, NAME = "a" * 40, "w-00000001-12345678.jsonl"
NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
LIST = parse_allowed_signers(f'ada {ADA.line}\neve namespaces="git" {EVE.line}\n'.encode())
JUDGE = SignatureJudge(frozenset({REPOSITORY, "b" * 64}), ".", LIST)


def chain(writer: str, count: int, first: int = 1, salt: str = "") -> list[bytes]:
    lines: list[bytes] = []
    prev = None if first == 1 else content_hash(b"before")
    for seq in range(first, first + count):
        lines.append(link({"id": f"{salt}{seq}"}, writer, seq, prev))
        prev = line_hash(lines[-1])
    return lines


def text(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def signed(content: bytes, name: str = NAME, **change: str) -> SignedStatement:
    statement = replace(statement_of(REPOSITORY, ".", name, content), **change)
    return ADA.signed(statement.render())


def verdict(content: bytes, one: SignedStatement, judge: SignatureJudge = JUDGE) -> tuple[str, ...] | FaultCode:
    answer = judge.of_segment(one, SegmentContent(NAME, content), NOON)
    return answer.code if isinstance(answer, SignatureFault) else answer


LINES = chain("w", 3)
CONTENT = text(LINES)


def test_a_right_signature_names_its_signer() -> None:
    assert verdict(CONTENT, signed(CONTENT)) == ("ada",)
    assert verdict(CONTENT.replace(b"\n", b"\r\n"), signed(CONTENT)) == ("ada",)
    assert verdict(CONTENT, signed(CONTENT, repository="b" * 64)) == ("ada",)


def test_what_was_done_to_a_segment_is_named() -> None:
    one = signed(CONTENT)
    assert verdict(text(chain("w", 3, salt="x")), one) is FaultCode.SEGMENT_REBUILT
    assert verdict(text(chain("w", 4, salt="x")), one) is FaultCode.SEGMENT_REBUILT
    assert verdict(text(LINES[:2]), one) is FaultCode.SEGMENT_TRUNCATED
    assert verdict(b"", one) is FaultCode.SEGMENT_TRUNCATED
    assert verdict(text(chain("w", 5)), one) is FaultCode.SIGNATURE_REPLAYED
    assert verdict(text([*LINES, *chain("v", 1)]), one) is FaultCode.SEGMENT_REBUILT
    assert verdict(b"other\n", signed(b"no chain\n")) is FaultCode.SEGMENT_REBUILT


def test_what_was_done_to_a_signature_is_named() -> None:
    one = signed(CONTENT)
    assert verdict(CONTENT, signed(CONTENT, "other.jsonl")) is FaultCode.SIGNATURE_SWAPPED
    assert verdict(CONTENT, signed(CONTENT, root="services/billing")) is FaultCode.SIGNATURE_SWAPPED
    assert verdict(CONTENT, signed(CONTENT, repository="c" * 40)) is FaultCode.SIGNATURE_REPOSITORY
    assert verdict(CONTENT, ADA.signed(one.message, "git")) is FaultCode.SIGNATURE_NAMESPACE
    assert verdict(CONTENT, SignedStatement(one.message, b"nothing")) is FaultCode.SIGNATURE_DAMAGED
    assert verdict(CONTENT, ADA.signed(b"hello\n")) is FaultCode.SIGNATURE_DAMAGED
    forged = SignedStatement(one.message.replace(b" 1 3 ", b" 1 2 "), one.armour)
    assert verdict(CONTENT, forged) is FaultCode.SIGNATURE_DAMAGED


def test_a_signer_who_may_not_sign_is_named() -> None:
    message = signed(CONTENT).message
    assert verdict(CONTENT, MALLORY.signed(message)) is FaultCode.SIGNER_NOT_ALLOWED
    assert verdict(CONTENT, EVE.signed(message)) is FaultCode.SIGNER_NOT_ALLOWED
    proposed = replace(JUDGE, proposed=parse_allowed_signers(f"mallory {MALLORY.line}".encode()))
    assert verdict(CONTENT, MALLORY.signed(message), proposed) is FaultCode.SIGNER_ADDED


class TestPacked:
    def lines(self, *lines: bytes) -> dict[tuple[str, int], PackedLine]:
        links = [(read_link(line), line) for line in lines]
        return {(one.writer, one.seq): PackedLine(line_hash(line), one.prev) for one, line in links if one is not None}

    def verdict(self, one: SignedStatement, *lines: bytes) -> tuple[str, ...] | FaultCode:
        answer = JUDGE.of_packed(one, self.lines(*lines), NOON)
        return answer.code if isinstance(answer, SignatureFault) else answer

    def test_lines_that_follow_each_other_to_the_signed_one_count(self) -> None:
        assert self.verdict(signed(CONTENT), *reversed(LINES), *chain("v", 2)) == ("ada",)
        later = chain("w", 2, first=7)
        assert self.verdict(signed(text(later)), *later) == ("ada",)

    def test_other_lines_do_not(self) -> None:
        one = signed(CONTENT)
        assert self.verdict(one, *LINES[:2]) is FaultCode.SEGMENT_TRUNCATED
        assert self.verdict(one, LINES[0], LINES[2]) is FaultCode.SEGMENT_TRUNCATED
        assert self.verdict(one, *chain("w", 3, salt="x")) is FaultCode.SEGMENT_REBUILT
        assert self.verdict(one, chain("w", 1, salt="x")[0], *LINES[1:]) is FaultCode.SEGMENT_REBUILT
        part = ChainPart("w", 2, 3, None, line_hash(LINES[2]))
        cut = ADA.signed(Statement(REPOSITORY, ".", NAME, content_hash(b""), (part,)).render())
        assert self.verdict(cut, *LINES) is FaultCode.SEGMENT_REBUILT

    def test_a_signature_that_is_wrong_by_itself_does_not_count(self) -> None:
        assert self.verdict(signed(CONTENT, repository="c" * 40), *LINES) is FaultCode.SIGNATURE_REPOSITORY
        assert self.verdict(signed(CONTENT, root="else"), *LINES) is FaultCode.SIGNATURE_SWAPPED


def test_a_line_is_found_by_its_number_and_hash() -> None:
    segment = SegmentContent(NAME, b"\nnot a record\n" + CONTENT)
    assert segment.has_line(ChainPart("w", 1, 2, None, line_hash(LINES[1])))
    assert not segment.has_line(ChainPart("w", 1, 2, None, line_hash(LINES[0])))
    assert not segment.has_line(ChainPart("w", 1, 9, None, line_hash(LINES[0])))


def test_the_parts_of_several_writers_are_told_apart() -> None:
    a, b = chain("a", 2), chain("b", 1, first=7)
    parts = chain_parts([a[0], b"", b"torn", b[0] + b"\r\n", a[1]])
    assert parts == (
        ChainPart("a", 1, 2, None, line_hash(a[1])),
        ChainPart("b", 7, 7, content_hash(b"before"), line_hash(b[0])),
    )


class TestStatement:
    @pytest.mark.parametrize("root", [".", "services/billing", "with space", "ünicode", "\udcff\n%2F"])
    def test_what_is_rendered_is_read_again(self, root: str) -> None:
        statement = statement_of(REPOSITORY, root, "näme with space.jsonl", text([*LINES, *chain("v", 1)]))
        assert parse_statement(statement.render()) == statement
        assert statement.render().isascii()

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("intentls-segment 1", "intentls-segment 2"),
            ("root .", "root %2E"),
            ("\n", "\r\n"),
            (" 1 3 ", " 01 3 "),
            (".", "é"),
        ],
    )
    def test_another_spelling_is_none(self, old: str, new: str) -> None:
        message = signed(CONTENT).message.decode()
        assert parse_statement(message.replace(old, new, 1).encode()) is None

    def test_a_file_of_several_is_read(self) -> None:
        one, other = signed(CONTENT), signed(CONTENT, "other.jsonl")
        assert parse_signatures(one.text + other.text) == (one, other)
        assert parse_signatures((one.text + other.text).replace(b"\n", b"\r\n")) == (one, other)

    @pytest.mark.parametrize("junk", [b"", b"hello", b"hello\n", b"\n"])
    def test_a_file_with_anything_else_is_none(self, junk: bytes) -> None:
        assert parse_signatures(junk) is None
        assert not junk or parse_signatures(signed(CONTENT).text + junk) is None

    def test_two_signatures_of_one_key_are_unlike_for_git(self) -> None:
        """Their lines have different widths."""
        ones = [signed(CONTENT, f"{number}.jsonl") for number in range(20)]
        assert len({len(one.armour.splitlines()[1]) for one in ones}) > 10


def test_approvers_are_those_of_overrides_and_attestations() -> None:
    record = {"override": {"by": "Ada"}}
    assert approvers_of(record) == ("Ada",)
    assert approvers_of({**record, "overrides": [{"by": "Ada"}, {"by": "Ben"}, {"by": "Ada"}, 3]}) == ("Ada", "Ben")
    assert approvers_of({"tool_name": "attest", "attestation": {"by": "Eve"}}) == ("Eve",)
    assert approvers_of(json.loads('{"override": 1}')) == ()
