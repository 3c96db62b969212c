"""What the documentation shows is true: examples parse, links lead somewhere, patterns and hashes are right."""

from __future__ import annotations

import ast
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

import intentls
from intentls.core.hashing import content_hash
from intentls.core.intents.scope import Scope
from intentls.core.ledger import hash_chain, record
from intentls.core.ledger.verifier import Verifier
from intentls.core.patterns.glob import Glob
from intentls.core.patterns.protected_paths import INTENTS_FILE, INTENTS_FOLDER
from intentls.core.text.lines import split_lines
from intentls.store.config.intents_parser import parse_intents
from intentls.store.config.policy_parser import parse_policy
from tests.support.markdown import Page, code

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FILES = Page.read(ROOT / "docs" / "reference" / "files.md")


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", PAGES, ids=_name)
def test_every_link_leads_somewhere(path: Path) -> None:
    """A relative link names a file of this repository, and a heading that is there."""
    for link in Page.read(path).links:
        target, _, anchor = link.partition("#")
        if ":" in target:
            continue
        file = (path.parent / target).resolve() if target else path
        assert file.exists(), f"{_name(path)}: {link}"
        assert not anchor or anchor in Page.read(file).anchors, f"{_name(path)}: {link}"


@pytest.mark.parametrize("path", PAGES, ids=_name)
def test_every_example_parses(path: Path) -> None:
    """JSON, JSON lines and TOML in the pages are what they say they are."""
    page = Page.read(path)
    for text in page.examples("json"):
        json.loads(text)
    for text in page.examples("jsonl"):
        assert [json.loads(line) for line in text.splitlines()]
    for text in page.examples("toml"):
        tomllib.loads(text)


def test_every_policy_shown_is_one() -> None:
    """Each example of reference/policy.md can be pasted into a policy.yaml without a mark in the editor."""
    examples = Page.read(ROOT / "docs" / "reference" / "policy.md").examples("yaml")
    assert [parse_policy(text.encode()).diagnostics for text in examples] == [()] * len(examples) != []


def test_every_intent_shown_is_one() -> None:
    """Each example of reference/files.md can be pasted into a file of intents without a mark in the editor."""
    own = f"{INTENTS_FOLDER}/INT-042.yaml"
    texts = FILES.examples("yaml")
    examples = [parse_intents(text.encode(), own if text.startswith("id:") else INTENTS_FILE) for text in texts]
    assert [file.diagnostics for file in examples] == [()] * len(examples) != []
    assert all(file.intents for file in examples)


def test_every_key_of_an_intent_is_described() -> None:
    """reference/files.md has each key that the schema of active_intents.yaml knows, with its default status."""
    schema = Path(intentls.__file__).parent / "schemas" / "active_intents.schema.json"
    known = json.loads(schema.read_text("utf-8"))["$defs"]["intent"]["properties"]
    rows = FILES.section("active_intents.yaml").rows("key", "type", "default")
    assert {name for row in rows for name in code(row[0])} == set(known)


def test_every_scope_pattern_does_what_is_said() -> None:
    """Each pattern in the table of reference/files.md fits, and does not fit, the paths beside it."""
    rows = FILES.section("Scopes").rows("pattern", "fits", "does not fit")
    assert len(rows) > 5
    for pattern, fits, misses in (map(code, row) for row in rows):
        glob = Glob(pattern[0])
        assert [path for path in fits if not glob.matches(path)] == []
        assert [path for path in misses if glob.matches(path)] == []


def test_only_a_scope_that_names_the_intents_file_opens_it() -> None:
    """The exception that reference/files.md makes for `.orchestration/active_intents.yaml` is the program's."""
    named = ".orchestration/active_intents.yaml"
    assert named in code(FILES.section("Scopes").prose)
    assert Scope.parse([named]).names(named)
    assert not Scope.parse(["**"]).names(named)


def test_the_hashes_are_right() -> None:
    """The test vectors of reference/files.md hash to what is written beside them, whole files and ranges of lines."""
    section = FILES.section("Hashes")
    vectors = section.rows("content", "bytes", "hash")
    assert len(vectors) > 5
    for content, size, hash_ in vectors:
        data = json.loads(code(content)[0]).encode()
        assert (str(len(data)), f"`{content_hash(data)}`") == (size, hash_)
    lines = split_lines(b"one\ntwo\r\nthree")
    for first, last, text, hash_ in section.rows("start_line", "end_line"):
        data = b"".join(lines[int(first) - 1 : int(last)])
        assert (json.loads(code(text)[0]).encode(), f"`{content_hash(data)}`") == (data, hash_)


def _ledger() -> list[bytes]:
    (text,) = FILES.examples("jsonl")
    return [line.encode() for line in text.splitlines()]


def test_the_ledger_shown_is_whole() -> None:
    """The ledger in reference/files.md verifies, and each line cites the hash of the one before it."""
    lines = _ledger()
    verifier = Verifier()
    for number, line in enumerate(lines, start=1):
        verifier.feed(number, line)
    assert (verifier.records, verifier.finish({})) == (2, ())
    assert json.loads(lines[1])["chain"]["prev"] == content_hash(lines[0])


def test_the_record_shown_is_the_ledgers() -> None:
    """The record that reference/files.md lays out is the first line of its ledger."""
    (record,) = (json.loads(text) for text in FILES.section("A record").examples("json"))
    assert record == hash_chain.parse(_ledger()[0])


def test_every_key_of_a_record_is_described() -> None:
    """reference/files.md explains each key that a record of the ledger can have."""
    explained = set(code(FILES.section("agent_trace.jsonl").prose))
    assert _keys(_ledger()) | _written_keys() <= explained


def _keys(lines: list[bytes]) -> set[str]:
    def below(value: Any) -> set[str]:
        if isinstance(value, dict):
            return set(value).union(*map(below, value.values()))
        return set().union(*map(below, value)) if isinstance(value, list) else set()

    return set().union(*(below(json.loads(line)) for line in lines))


def _written_keys() -> set[str]:
    """The keys that core/ledger/record.py writes: of its dictionaries, and of what it adds to them."""
    found: set[str] = {"recovered"}
    for node in ast.walk(ast.parse(Path(record.__file__).read_bytes())):
        if isinstance(node, ast.Dict):
            found |= {str(key.value) for key in node.keys if isinstance(key, ast.Constant)}
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            found |= {str(node.slice.value)} if isinstance(node.slice, ast.Constant) else set()
    assert {"files", "override", "old_path"} <= found, "the search no longer finds where keys are written"
    return found
