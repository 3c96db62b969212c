"""The sample of the documentation is what today's code makes of a kept report of a branch of this repository."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from intentls.core.report.content import Report
from intentls.engine.wire.report.document import as_document
from intentls.engine.wire.report.html import as_html

ROOT = Path(__file__).parents[4]
KEPT = ROOT / "tests" / "data" / "report.json"
SAMPLE = ROOT / "docs" / "examples" / "report.html"


def kept_report() -> Report:
    return msgspec.convert(json.loads(KEPT.read_bytes()), Report)


def test_the_sample_is_made_by_todays_code() -> None:
    """After a change of the page: `intentls report --base 0cb8d1ef --head 292fdbc3 -o docs/examples/report.html`.

    The same call with `--json` makes the kept report, if its keys change.
    """
    assert as_html(kept_report()) == SAMPLE.read_text("utf-8")


def test_the_document_has_all_of_a_report() -> None:
    """What `--json` prints can be read back as the same report."""
    document = as_document(kept_report())
    assert document.pop("status") == "ok"
    assert msgspec.convert(json.loads(json.dumps(document)), Report) == kept_report()
