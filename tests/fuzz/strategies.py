"""Hostile input, made of what means something to the reader it is for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

ODD_CHARACTERS = "\0\t\r\n\x0b\x0c\x1b\x7f\x85\xa0\xad\u200c\u2028\u2029\ufeff\ufffe\ud800\udfff\udce9\U0001f600e\u0301"
_ODD_BYTES = (
    b"\0",
    b"\r\n",
    b"\r",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xff",
    b"\xed\xa0\x80",
    b"\xe2\x80\xa8",
    b"\xc2\x85",
)


@st.composite
def mutated(draw: st.DrawFn, seeds: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    """A seed with a few cuts, repeats and insertions, most of them of `tokens`; sometimes tokens alone."""
    pieces = st.sampled_from((*tokens, *_ODD_BYTES)) | st.binary(max_size=6)
    if draw(st.integers(0, 3)) == 0:
        return b"".join(draw(st.lists(pieces, max_size=30)))
    data = draw(st.sampled_from(tuple(seeds)))
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 40)))
        kind = draw(st.integers(0, 3))
        if kind == 0:
            data = data[:start] + data[end:]
        elif kind == 1:
            data = data[:end] + data[start:end] * draw(st.integers(1, 3)) + data[end:]
        else:
            data = data[:start] + draw(pieces) + data[start if kind == 2 else end :]
    return data


def texts(tokens: Sequence[str], max_size: int = 20) -> st.SearchStrategy[str]:
    """A row of tokens, odd characters and anything."""
    odd = st.sampled_from(ODD_CHARACTERS)
    return st.lists(st.sampled_from(tuple(tokens)) | odd | st.text(max_size=4), max_size=max_size).map("".join)


def json_values(names: Sequence[str] = (), texts: Sequence[str] = ()) -> st.SearchStrategy[Any]:
    """Any JSON value; objects use `names` for keys more often than not."""
    text = st.text(max_size=8) | st.sampled_from((*texts, *ODD_CHARACTERS, ""))
    scalars = (
        st.none()
        | st.booleans()
        | st.integers(-(2**65), 2**65)
        | st.floats(allow_nan=False, allow_infinity=False)
        | text
    )
    keys = st.sampled_from(tuple(names)) | text if names else text
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=5),
        max_leaves=12,
    )


def records(names: Sequence[str], chains: st.SearchStrategy[Any]) -> st.SearchStrategy[bytes]:
    """Lines of a ledger: records with some of their parts replaced by any JSON value."""
    odd = json_values(names)
    hashes = st.sampled_from((None, "sha256:" + "0" * 64, "sha256:" + "1" * 64, "")) | odd
    numbers = st.integers(-2, 9) | st.integers(-(2**70), 2**70) | odd
    where = st.fixed_dictionaries({"start_line": numbers, "end_line": numbers, "content_hash": hashes})
    conversation = st.fixed_dictionaries({"contributor": odd, "ranges": st.lists(where | odd, max_size=3) | odd})
    file = st.fixed_dictionaries(
        {
            "path": st.just("src/a.py") | odd,
            "pre_hash": hashes,
            "post_hash": hashes,
            "hunks": st.lists(st.lists(numbers, min_size=3, max_size=5) | odd, max_size=3) | odd,
            "conversations": st.lists(conversation | odd, max_size=2) | odd,
        },
        optional={"old_path": odd, "change": odd},
    )
    record = st.fixed_dictionaries(
        {"id": odd, "files": st.lists(file | odd, max_size=2) | odd, "success": st.just(True) | odd},
        optional={
            **dict.fromkeys(("session_id", "mutation_class", "tool_name", "vcs"), odd),
            "intent_id": st.just("INT-001") | odd,
            "timestamp": st.just("2026-02-18T18:30:00.000Z") | odd,
            "chain": chains | odd,
        },
    )
    line = (record | odd).map(lambda value: json.dumps(value).encode())
    return st.lists(line | st.binary(max_size=9), max_size=6).map(b"\n".join)


def chains() -> st.SearchStrategy[Any]:
    """Places in a chain: few writers and numbers, so that they meet."""
    previous = st.sampled_from((None, "sha256:" + "0" * 64))
    return st.fixed_dictionaries({"writer": st.sampled_from(("v", "w")), "seq": st.integers(1, 6), "prev": previous})
