"""Figures that a test wants to be seen, also when it passes and runs in a worker of pytest-xdist."""

from __future__ import annotations

from collections.abc import Callable

import pytest

_NAME = "figure"


@pytest.fixture
def figure(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """`figure("12 kill points")` shows the line at the end of the run."""
    return lambda line: record_property(_NAME, line)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The figures of all tests, in the order in which the tests ended."""
    reports = [report for found in terminalreporter.stats.values() for report in found]
    lines = [
        value
        for report in reports
        if isinstance(report, pytest.TestReport) and report.when == "call"
        for name, value in report.user_properties
        if name == _NAME
    ]
    if lines:
        terminalreporter.section("figures")
        for line in sorted(map(str, lines)):
            terminalreporter.line(line)
