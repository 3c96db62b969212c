"""Lines of the ledger: written so that nothing splits them, read back whatever is in them."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.core.ledger.hash_chain import ChainLink, encode, line_hash, link, member, parse, read_link, strip_end

ANY_TEXT = st.text(st.characters())
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner, max_size=4),
    max_leaves=12,
)
RECORDS = st.dictionaries(ANY_TEXT.filter(lambda key: key != "chain"), VALUES, min_size=1, max_size=5)


def test_a_line_is_the_record_with_its_place_in_the_chain_last() -> None:
    """The contract's form; only spaces may stand behind its commas."""
    line = link({"id": "x", "files": []}, "w", 7, "sha256:0")
    assert line.replace(b", ", b",") == b'{"id":"x","files":[],"chain":{"writer":"w","seq":7,"prev":"sha256:0"}}'


def test_the_first_line_of_a_writer_has_no_previous_one() -> None:
    """`prev` is null then."""
    assert link({"id": "x"}, "w", 1, None).endswith(b'"prev":null}}')


def test_a_record_that_was_in_another_chain_gets_only_its_new_place() -> None:
    """An export that is traced again must not end up with two."""
    record = {"chain": {"writer": "old", "seq": 1, "prev": None}, "id": "x"}
    assert link(record, "w", 2, "p") == b'{"id":"x","chain":{"writer":"w","seq":2,"prev":"p"}}'
    assert "chain" in record


@given(RECORDS, st.text(st.characters(exclude_categories=["Cs"]), min_size=1), st.integers(1, 2**53))
def test_whatever_is_in_a_record_it_is_one_line_for_every_program(
    record: dict[str, Any], writer: str, seq: int
) -> None:
    """Valid UTF-8, no separator that any program splits at, the same record when read again."""
    line = link(record, writer, seq, None)
    assert len(line.decode().splitlines()) == 1
    assert parse(line) == record | {"chain": {"writer": writer, "seq": seq, "prev": None}}
    assert json.loads(line) == parse(line)
    assert read_link(line) == ChainLink(writer, seq, None)
    assert list(json.loads(line))[-1] == "chain"


@pytest.mark.parametrize("separator", ["\n", "\r", "\f", "\v", "\x1c", "\x85", "\u2028", "\u2029"])
def test_a_line_separator_in_a_name_is_written_as_an_escape(separator: str) -> None:
    """JSON allows some of them raw; other programs split there."""
    assert len(encode({"path": f"a{separator}b"}).decode().splitlines()) == 1


def test_text_that_is_not_ascii_stays_readable() -> None:
    """Escapes only where they are needed."""
    assert encode({"path": "döc/数.md"}) == '{"path":"döc/数.md"}'.encode()


@given(ANY_TEXT)
def test_a_member_is_found_in_the_line_that_has_it(value: str) -> None:
    """The search for raw bytes knows how a value is written, if all of the line is."""
    assert member("intent_id", value) in encode({"a": 1, "intent_id": value, "b": 2})


def test_a_line_end_may_have_become_that_of_windows() -> None:
    """git may write the ledger with carriage returns; hashes don't notice."""
    assert strip_end(b"{}\n") == strip_end(b"{}\r\n") == strip_end(b"{}") == b"{}"
    assert strip_end(b"{}\n\n") == b"{}\n"


def test_a_line_is_cited_by_the_hash_of_its_bytes() -> None:
    """SHA-256, in the form of all content hashes."""
    assert line_hash(b"{}") == "sha256:" + hashlib.sha256(b"{}").hexdigest()


@pytest.mark.parametrize(
    "line",
    [b"", b" ", b'{"id":"x', b"[]", b"42", b"null", b'{"a":"\xff"}', b"{}{}", b"[" * 100_000, b'{"a":NaN'],
)
def test_what_is_no_json_object_is_no_record(line: bytes) -> None:
    """Torn, blank, damaged or nested without end: never an exception."""
    assert parse(line) is None
    assert read_link(line) is None


def test_half_a_surrogate_pair_is_read_again() -> None:
    """A file name that is not UTF-8 may contain one; strict readers refuse its escape."""
    line = link({"path": "\udcff"}, "w", 1, None)
    assert parse(line) == {"path": "\udcff", "chain": {"writer": "w", "seq": 1, "prev": None}}
    assert read_link(line) == ChainLink("w", 1, None)


@pytest.mark.parametrize(
    "chain",
    [
        None,
        {},
        [],
        {"writer": "", "seq": 1, "prev": None},
        {"writer": "w", "seq": 0, "prev": None},
        {"writer": "w", "seq": True, "prev": None},
        {"writer": "w", "seq": 1.5, "prev": None},
        {"writer": "w", "seq": 1},
        {"writer": 1, "seq": 1, "prev": None},
        {"writer": "w", "seq": 1, "prev": 5},
    ],
)
def test_a_record_whose_place_makes_no_sense_has_none(chain: object) -> None:
    """It can be read, but stands in no chain."""
    line = json.dumps({"id": "x", "chain": chain}).encode()
    assert parse(line) is not None
    assert read_link(line) is None
    assert read_link(b'{"id":"x"}') is None


@pytest.mark.parametrize("text", ["a,b", 'a",b', "\\", '\\",', ",,,", "\u2028,"])
def test_spaces_stand_between_values_never_in_them(text: str) -> None:
    """Whatever the values hold; and records that are alike get other ones."""
    records = [{"id": str(number), "values": [text] * 40, text: {text: [text]}} for number in range(8)]
    lines = [link(record, "w", 1, None) for record in records]
    assert [{**(parse(line) or {}), "chain": None} for line in lines] == [
        {**record, "chain": None} for record in records
    ]
    spaces = {tuple(part.startswith(b" ") for part in line.split(b",")) for line in lines}
    assert len(spaces) == len(lines)
