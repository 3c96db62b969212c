"""One key for all ways to format a content; see `canonical_form`, which is loaded when the first key is asked for."""

from __future__ import annotations


def form_key(path: str, content: bytes | None) -> str | None:
    """The key of a content of the file `path`; None where its language has none, and for what is large or broken."""
    if content is None:
        return None
    # Slow to load, and few records have a key: a hook must not pay for it.
    from intentls.core.mutation.canonical_form import key_of

    return key_of(path, content)
