"""The SARIF log of the branch check: valid, and with all that code-scanning hosts ask of a log."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema

from intentls.core.branch.findings import BranchCode, BranchFinding, FindingLevel
from intentls.engine.branch_check.attested_changes import AttestationState, AttestedChange
from intentls.engine.branch_check.check import BranchReport
from intentls.engine.wire.branch_sarif import as_sarif

DATA = Path(__file__).parents[2] / "data"
PAGES = Path(__file__).parents[3] / "docs" / "reference"


def log() -> dict[str, Any]:
    """A log with a finding of each code, with and without lines, and an attestation."""
    findings = [
        BranchFinding(code, f"src/ä {number}.py", "Told.", ((3, 4), (9, 9)) if number % 2 else ())
        for number, code in enumerate(BranchCode)
    ]
    warning = BranchFinding(BranchCode.INTENT_NEW, "i.yaml", "New.", level=FindingLevel.WARNING, record_ids=("1",))
    attested = AttestedChange(
        "a.py", ((1, 2),), "Ben", "Why", "Ada", None, "2", (None, None), AttestationState.ACCEPTED
    )
    unlined = AttestedChange("b.bin", (), "Ben", "Why", "Ada", "c" * 40, "3", (None, None), AttestationState.ACCEPTED)
    report = BranchReport(
        Path("/repo"), "b" * 40, "HEAD", (".",), 3, (*findings, warning), ("A note.",), (attested, unlined)
    )
    return json.loads(json.dumps(as_sarif(report)))


def test_the_log_is_valid() -> None:
    """By the JSON schema of SARIF 2.1.0, which the log names."""
    schema = json.loads((DATA / "sarif-2.1.0.schema.json").read_bytes())
    jsonschema.Draft202012Validator(schema).validate(log())
    assert re.search(r"sarif.*2\.1\.0.*\.json$", log()["$schema"])


def test_the_program_and_each_rule_explain_themselves() -> None:
    """What the rules for GitHub of Microsoft's SARIF multitool ask for, and where a reader finds more."""
    (run,) = log()["runs"]
    driver = run["tool"]["driver"]
    assert {"name", "fullName", "semanticVersion", "informationUri"} <= driver.keys()
    assert [rule["id"] for rule in driver["rules"]] == [*BranchCode, "ATTESTED"]
    headings = re.findall(r"^## (.+)$", (PAGES / "branch-check.md").read_text("utf-8"), re.MULTILINE)
    for rule in driver["rules"]:
        assert re.fullmatch(r"([A-Z][a-z]+)+", rule["name"])
        assert rule["name"].lower() != rule["id"].lower()
        for text in (rule["shortDescription"]["text"], rule["fullDescription"]["text"]):
            assert re.fullmatch(r"[A-Z].{10,}[.?]", text)
        assert rule["help"]["text"].endswith(rule["helpUri"])
        assert rule["help"]["markdown"]
        assert rule["helpUri"].rpartition("#")[2].capitalize() in headings
    assert len({rule["name"] for rule in driver["rules"]}) == len(driver["rules"])


def test_each_result_has_a_place_that_a_host_can_show() -> None:
    """A relative URI and a line, also where the finding is about a whole file; and the rule that it names."""
    (run,) = log()["runs"]
    assert len(run["results"]) == len(BranchCode) + 3
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        (location,) = result["locations"]
        place = location["physicalLocation"]
        assert re.fullmatch(r"[\w.%/-]+", place["artifactLocation"]["uri"])
        assert 1 <= place["region"]["startLine"] <= place["region"]["endLine"]
    assert [len(result.get("relatedLocations", [])) for result in run["results"][:2]] == [0, 1]
