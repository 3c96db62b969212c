"""How results look: columns, widths, colours, and that no name can steer a terminal."""

from __future__ import annotations

import json

import pytest

from intentls.faces.cli import output


class Terminal:
    """stdout as a terminal of 40 columns."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
        monkeypatch.setenv("COLUMNS", "40")
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.delenv("NO_COLOR", raising=False)


def test_columns_line_up(capsys: pytest.CaptureFixture[str]) -> None:
    """Each column is as wide as its widest cell, in columns of a terminal, and no line ends in blanks."""
    output.print_table([("雨雨", "b"), ("e\u0301", "d"), ("long", "")], header=("x", "y"))
    assert capsys.readouterr().out == "x     y\n雨雨  b\ne\u0301     d\nlong\n"


def test_without_rows_there_is_no_header(capsys: pytest.CaptureFixture[str]) -> None:
    """A table of nothing is nothing."""
    output.print_table([], header=("x", "y"))
    assert capsys.readouterr().out == ""


def test_only_a_terminal_cuts(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """In a pipe everything is there; on a terminal the last column ends at the edge, at 12 columns at least."""
    row = ("a" * 10, "雨" * 30)
    output.print_table([row])
    assert capsys.readouterr().out == f"{row[0]}  {row[1]}\n"
    Terminal(monkeypatch)
    output.print_table([row])
    assert output.width(capsys.readouterr().out.strip()) in (39, 40)
    output.print_table([("a" * 38, "b" * 30)])
    assert capsys.readouterr().out == "a" * 38 + "  " + "b" * 11 + "…\n"


def test_colours_are_for_terminals_that_want_them(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Never in a pipe; on a terminal unless NO_COLOR or TERM=dumb says no."""
    output.print_line(("red", output.BAD))
    assert capsys.readouterr().out == "red\n"
    Terminal(monkeypatch)
    output.print_line(("red", output.BAD), " plain")
    assert "\x1b[31m" in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    output.print_line(("red", output.BAD))
    assert capsys.readouterr().out == "red\n"
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    output.print_line(("red", output.BAD))
    assert capsys.readouterr().out == "red\n"


@pytest.mark.parametrize("evil", ["\x1b[2J", "a\nb", "a\rb", "\x9b31m", "\u2028", "\u202e", "\udcff", "\x00"])
def test_no_name_steers_a_terminal(capsys: pytest.CaptureFixture[str], evil: str) -> None:
    """Controls, line ends, text direction and half surrogates in a name are shown as U+FFFD, on one line."""
    output.print_line(evil)
    output.print_table([(evil, evil)])
    output.print_error(evil)
    printed = capsys.readouterr()
    assert evil not in printed.out + printed.err
    assert (printed.out.count("\n"), printed.err.count("\n")) == (2, 1)
    assert "\ufffd" in printed.out


def test_json_is_utf_8_and_always_json(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """Names are readable in it; one that is no Unicode is an escape."""
    document = {"name": "雨\udcff\x1b"}
    output.print_json(document)
    printed = capfdbinary.readouterr().out
    assert "雨".encode() in printed
    assert json.loads(printed) == document


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("2026-02-18T18:30:59.999Z", "2026-02-18 18:30Z"),
        ("2026-02-18T18:30:00+02:00", "2026-02-18 16:30Z"),
        ("2026-02-18T18:30:00", "2026-02-18 18:30Z"),
        ("soon", "-"),
        (None, "-"),
        (7, "-"),
    ],
)
def test_a_moment_is_shown_in_utc(given: object, shown: str) -> None:
    """To the minute, whatever zone it was written in; what is no time is a dash."""
    assert output.moment(given) == shown


@pytest.mark.parametrize(
    ("number", "shown"),
    [(0, "0 bytes"), (999, "999 bytes"), (6100, "6.1 KB"), (306_055_628, "306.1 MB"), (5e9, "5.0 GB")],
)
def test_sizes_are_for_people(number: int, shown: str) -> None:
    """Three digits and a unit."""
    assert output.size(number) == shown


def test_numbers_agree_with_their_nouns() -> None:
    """One record, two records, and commas in large numbers."""
    assert [output.count(n, "record") for n in (0, 1, 2000)] == ["0 records", "1 record", "2,000 records"]


@pytest.mark.parametrize(
    ("contributor", "shown"),
    [
        ({"type": "ai", "model_id": "anthropic/claude-opus-4-5"}, "claude-opus-4-5"),
        ({"type": "human"}, "human"),
        ({}, "unknown"),
    ],
)
def test_an_author_is_a_model_or_a_kind(contributor: dict[str, str], shown: str) -> None:
    """The model without its vendor; where it is not known, the kind of contributor."""
    assert output.author(contributor) == shown
