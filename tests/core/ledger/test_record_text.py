"""What of a record is searched, and the words of a query: whatever a record holds, and none of it is syntax."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.core.ledger.record_text import (
    MAX_PATHS,
    RecordText,
    author_of,
    split_names,
    symbols_of,
    text_of_record,
    words_in,
)

AGENT = {"type": "ai", "model_id": "anthropic/claude-opus-4-5", "on_behalf_of": "Ada"}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec=None, exclude_categories=()), max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=3),
    max_leaves=12,
)


def test_files_definitions_authors_and_reasons_are_searched() -> None:
    """Each once; a file that was renamed by both names."""
    conversation = {"contributor": AGENT, "symbols": ["City.parse", "LIMIT"]}
    record = {
        "reason": "the  unit\nwas wrong",
        "files": [
            {"path": "b.py", "old_path": "a  b.py", "conversations": [conversation, conversation]},
            {"path": "b.py"},
        ],
    }
    text = text_of_record(record)
    assert text == RecordText(
        ("b.py", "a  b.py"), ("City.parse", "LIMIT"), ("claude-opus-4-5 for Ada",), ("the unit was wrong",)
    )


@pytest.mark.parametrize(
    ("conversation", "author"),
    [
        ({"contributor": {"type": "human", "name": "Ada"}}, "Ada"),
        ({"contributor": {"type": "ai"}}, "ai"),
        ({"contributor": {}}, "unknown"),
        ({"contributor": "Ada"}, "unknown"),
        ({}, "unknown"),
    ],
)
def test_an_author_is_called_as_everywhere(conversation: dict[str, Any], author: str) -> None:
    """By name, by model, by kind."""
    assert author_of(conversation) == author


def test_what_is_searched_of_a_record_is_bounded() -> None:
    """However many files it names, and however long their names are; half surrogates are marked."""
    files = [{"path": f"{number}.py"} for number in range(2 * MAX_PATHS)]
    assert len(text_of_record({"files": files}).paths) == MAX_PATHS
    assert text_of_record({"files": [{"path": "a" * 5_000}, {"path": "\ud800"}]}).paths == ("?",)
    (note,) = text_of_record({"error": "e" * 5_000}).notes
    assert len(note) == 300


@given(st.dictionaries(st.sampled_from(["files", "reason", "error", "code"]), JSON), JSON)
def test_no_record_is_too_odd(record: dict[str, Any], files: Any) -> None:
    """Another program may have written it."""
    text = text_of_record(record | {"files": [{"path": "a", "conversations": files}, files]})
    for line in (*text.paths, *text.symbols, *text.authors, *text.notes):
        assert line.encode()


@given(st.text())
def test_the_words_of_a_text_have_no_syntax(text: str) -> None:
    """Letters and digits alone, each word once."""
    words = words_in(text)
    assert all(word.isalnum() for word in words)
    assert len(words) == len(set(words)) <= 64


def test_names_are_found_by_their_parts() -> None:
    """In camel case and with underscores; a text without such names stays as it is."""
    assert words_in('Fix readFile() AND "parse_url" HTTPServer') == [
        *("fix", "readfile", "and", "parse", "url", "httpserver", "read", "file", "http", "server")
    ]
    assert split_names("plain text") == "plain text"


def test_definitions_of_older_records_are_searched_too() -> None:
    """They stand in the ranges there; what has no name is passed over, since other programs may have written it."""
    ranges = [
        {"symbol": {"name": "City.parse"}, "definitions": [{"name": "City.parse"}, {"name": "LIMIT"}]},
        {"symbol": {"kind": "function"}, "definitions": [{"name": "read"}]},
    ]
    assert list(symbols_of({"ranges": ranges})) == ["City.parse", "City.parse", "LIMIT", "read"]
    assert list(symbols_of({"symbols": [7, "read"], "ranges": []})) == ["read"]
    assert list(symbols_of({"symbols": "read"})) == []
