"""Any text as a patch, on any content."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz import inputs
from tests.fuzz.command_strategies import PATCHES
from tests.fuzz.entrances import patches, writes
from tests.fuzz.strategies import mutated


@settings(max_examples=250)
@given(PATCHES, mutated(inputs.CONTENTS, inputs.PATCH_TOKENS) | st.sampled_from(inputs.CONTENTS))
def test_a_patch_is_refused_or_fits_exactly_or_does_not_fit(text: str, content: bytes) -> None:
    """Reading and applying end in a result or in a documented error, and the changed lines can be told."""
    patches.patch(text, content)


@settings(max_examples=60)
@given(PATCHES)
def test_a_patch_changes_nothing_out_of_scope(text: str) -> None:
    """Applied for real, beside links that lead everywhere: only files in the scope change."""
    writes.patch(text)
