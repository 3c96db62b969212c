"""What a search in a workspace knows of its intents."""

from __future__ import annotations

from pathlib import Path

from intentls.engine.ledger.search import search
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from tests.support.workspaces import WEATHER_INTENTS, make_workspace


def test_an_intent_is_found_once_it_is_closed_and_no_more_when_it_is_opened_again(tmp_path: Path) -> None:
    """The texts of intents are kept from one search to the next, as long as the declarations are the same."""
    root = make_workspace(tmp_path / "w")
    engine = Engine(Headless("test", (root,), own_session="own"))
    file = root / ".orchestration/active_intents.yaml"

    def found() -> list[str]:
        return [hit.id for hit in search(engine, "weather api", 10)]

    assert (found(), found()) == ([], [])
    file.write_text(WEATHER_INTENTS.replace("status: IN_PROGRESS", "status: COMPLETED", 1))
    assert (found(), found()) == (["INT-001"], ["INT-001"])
    file.write_text(WEATHER_INTENTS)
    assert found() == []
