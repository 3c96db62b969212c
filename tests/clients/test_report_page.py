"""The page of `intentls report` in a real browser, without a network: it asks for nothing and runs nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from intentls.engine.wire.report.html import as_html
from tests.clients.installing import skip_or_fail
from tests.support.hostile_report import report_of, report_of_all
from tests.support.hostile_texts import HOSTILE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ARTIFACTS = Path(__file__).parents[1] / "artifacts" / "report"
SAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "report.html"
LIGHT, DARK = "light", "dark"
DESK, PHONE = (1100, 900), (360, 740)
_ACTIVE = "script, iframe, frame, object, embed, link, img, form, base, [style], [onload], a:not([href^='#'])"
_OPEN_ALL = "document.querySelectorAll('details').forEach(each => { each.open = true })"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The system's Chromium."""
    try:
        from playwright.sync_api import sync_playwright

        from tests.clients.vscode.provision import NotHere, find_chromium
    except ImportError as error:
        skip_or_fail(f"the page is tried on Linux, with the dev extra ({error})")
        raise
    try:
        program = find_chromium()
    except NotHere as error:
        skip_or_fail(str(error))
        raise
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with all hostile texts, each at every place where one may stand."""
    file = tmp_path_factory.mktemp("page") / "report.html"
    file.write_text(as_html(report_of_all(HOSTILE)), "utf-8")
    return file


def opened(browser: Browser, file: Path, scheme: Any = LIGHT, size: tuple[int, int] = DESK) -> tuple[Page, list[str]]:
    """The page, with all that is folded shown; and what it did beside being shown."""
    context = browser.new_context(
        color_scheme=scheme, offline=True, viewport={"width": size[0], "height": size[1]}, accept_downloads=False
    )
    page, deeds = context.new_page(), list[str]()
    page.on("request", lambda request: deeds.append(f"request {request.url}"))
    page.on("console", lambda message: deeds.append(f"console {message.text}"))
    page.on("dialog", lambda dialog: deeds.append(f"dialog {dialog.message}"))
    page.on("pageerror", lambda error: deeds.append(f"error {error}"))
    page.on("popup", lambda popup: deeds.append(f"popup {popup.url}"))
    page.goto(file.as_uri())
    assert deeds == [f"request {file.as_uri()}"]
    deeds.clear()
    page.evaluate(_OPEN_ALL)
    return page, deeds


def test_a_page_of_hostile_texts_does_nothing(browser: Browser, hostile: Path) -> None:
    """No request, no dialog, no error, no word of its policy; and no element that could."""
    page, deeds = opened(browser, hostile)
    assert page.locator(_ACTIVE).count() == 0
    assert page.locator("h1").count() == 1
    for heading in page.locator("a").all()[:4]:
        heading.click()
    page.mouse.move(300, 300)
    page.keyboard.press("Tab")
    assert deeds == []
    assert page.url.startswith(hostile.as_uri())
    page.context.close()


def test_no_text_makes_the_page_wider_than_a_phone(browser: Browser, hostile: Path) -> None:
    """However long a name is: nothing scrolls sideways but a table in its own frame."""
    page, _ = opened(browser, hostile, size=PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    page.context.close()


@pytest.mark.parametrize(("scheme", "size"), [(LIGHT, DESK), (DARK, PHONE)])
def test_the_page_is_accessible(browser: Browser, tmp_path: Path, scheme: str, size: tuple[int, int]) -> None:
    """axe-core finds no violation where every section has something: contrast, names, headings, tables, landmarks."""
    import axe_playwright_python  # only where there is a browser

    axe = Path(axe_playwright_python.__file__).parent / "axe.min.js"
    (tmp_path / "report.html").write_text(as_html(report_of("Ada Lovelace")), "utf-8")
    page, _ = opened(browser, tmp_path / "report.html", scheme, size)
    page.evaluate(axe.read_text("utf-8"))
    found = page.evaluate("axe.run()")
    assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == []
    assert len(found["passes"]) > 15
    page.context.close()


def test_pictures_of_the_sample_are_kept(browser: Browser) -> None:
    """In tests/artifacts/report, for a look: light and dark, wide and narrow."""
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    for scheme, size in ((LIGHT, DESK), (DARK, PHONE)):
        page, deeds = opened(browser, SAMPLE, scheme, size)
        page.screenshot(path=ARTIFACTS / f"{scheme}-{size[0]}.png")
        assert deeds == []
        page.context.close()
