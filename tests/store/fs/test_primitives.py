"""What every module that touches files shares."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from intentls.store.fs.primitives import open_binary


def test_a_directory_in_a_files_place_leaves_no_descriptor_open(tmp_path: Path) -> None:
    """The number of the next descriptor is the same after it as before."""
    before = os.dup(0)
    os.close(before)
    with pytest.raises(IsADirectoryError):
        open_binary(tmp_path)
    after = os.dup(0)
    os.close(after)
    assert after == before
