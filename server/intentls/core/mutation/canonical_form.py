"""One key for all ways to format a content: two contents with the same key say the same in other white space.

    x = f( 'a', )   # why        and        x = f("a")  # why

have one key. `compare` says more of two contents; a key is for a content that is no longer at hand. It counts comments
and docstrings as well: a formatter leaves their words as they are.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING

from intentls.core.mutation.canonical_trees import parse
from intentls.core.syntax.canonicalize import NodeBudget, NotClassifiable, lower
from intentls.core.syntax.languages import adapter_of
from intentls.core.syntax.tree import flatten

if TYPE_CHECKING:
    from tree_sitter import Tree

    from intentls.core.syntax.languages.adapter import Adapter

_MAX_BYTES = 64 * 1024  # of a content
_MAX_NODES = 20_000  # of its tree: about a tenth of a second

_DIGEST = 18  # bytes: two contents with one key can't be searched for
# What a formatter changes in comments and strings: spaces, kinds of quotes, a prefix that says nothing.
_UNSAID = re.compile(rb"""^[uU](?=["'])|[\s"'`\\]+""")


def key_of(path: str, content: bytes) -> str | None:
    """The key of a content of the file `path`; None where its language has none, and for what is large or broken."""
    adapter = adapter_of(path)
    if adapter is None or len(content) > _MAX_BYTES or b"\0" in content:
        return None
    try:
        tree = parse(content, adapter)
        flat = flatten(lower(tree, content, adapter, (), NodeBudget(_MAX_NODES)))
    except NotClassifiable:
        return None
    digest = sha256()
    for part in (*flat.tokens, *flat.names):
        digest.update(part.encode("utf-8", "surrogateescape") + b"\0")
    for text in _prose(tree, adapter):
        digest.update(_UNSAID.sub(b"", text) + b"\1")
    return urlsafe_b64encode(digest.digest()[:_DIGEST]).decode("ascii")


def _prose(tree: Tree, adapter: Adapter) -> Iterator[bytes]:
    """The texts of comments and strings, in their order."""
    waiting = [tree.root_node]
    while waiting:
        node = waiting.pop()
        if node.type in adapter.comments or "string" in node.type:
            yield node.text or b""
        else:
            waiting.extend(reversed(node.children))
