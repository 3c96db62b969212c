"""Linters' machine-readable output: SARIF 2.1.0 and the JSON shapes of common tools."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from intentls.core.diagnostic import Severity
from intentls.core.errors import InvalidInput, shorten
from intentls.core.lint.problems import (
    SEVERITY_NAMES,
    LinterProblem,
    counted,
    from_linter_text,
    listing,
    mapping,
    name_of,
    one_line,
)

FORMATS = ("sarif", "json", "text")
Filter = Callable[[str], bool]

_SKIPPED_KINDS = frozenset({"pass", "notApplicable", "informational"})
_PLACEHOLDER = re.compile(r"\{(\d{1,3})\}")

# In each row: what tools call the same thing, the most telling name first.
_MESSAGE_KEYS = ("message", "text", "Text", "description")
_RULE_KEYS = ("ruleId", "rule", "message-id", "messageId", "code", "check_id", "symbol", "FromLinter")
_LINE_KEYS = ("line", "row", "lineNumber", "line_number", "startLine", "Line")
_COLUMN_KEYS = ("column", "col", "startColumn", "Column")
_FILE_KEYS = ("absolutePath", "filename", "filePath", "file", "path", "Filename")
_SEVERITY_KEYS = ("severity", "level", "type", "Severity")
_LOCATION_KEYS = ("location", "start", "Pos")
_GROUP_KEYS = (
    *("messages", "diagnostics", "generalDiagnostics", "results", "comments"),
    *("issues", "Issues", "problems", "warnings"),
)


def parse_output(
    text: str, form: str, *, source: str | None = None, about: Filter | None = None
) -> tuple[LinterProblem, ...]:
    """The problems in what a linter wrote; `form` is one of FORMATS. Raises InvalidInput if it can't be read.

    `source` names the tool where the output itself does not; `about` says whether the problems of a file
    that the output names are wanted. No output means no problems.
    """
    if not text.strip():
        return ()
    if form == "text":
        return from_linter_text(text, source=source, about=about)
    if form == "sarif":
        return from_sarif(text, source=source, about=about)
    return from_json(_documents(text), source=source, about=about)


def _load(text: str | bytes, subject: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{subject} is not JSON: {shorten(str(error))}") from error


def _documents(text: str) -> Any:
    """One JSON document, or (mypy and others) one on each line."""
    try:
        return _load(text, "the linter's output")
    except InvalidInput:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2 or not lines[0].lstrip().startswith("{"):
            raise
        return [_load(line, f"line {number} of the linter's output") for number, line in enumerate(lines, 1)]


# --- JSON -------------------------------------------------------------------------------------------------


def from_json(document: object, *, source: str | None = None, about: Filter | None = None) -> tuple[LinterProblem, ...]:
    """The problems of a list or object as ruff, ESLint, pylint, mypy, pyright and their like write it.

    At the least, a problem is `{message, line|row?, code?}`. Raises InvalidInput for anything else.
    """
    if not isinstance(document, list | dict):
        raise InvalidInput("a linter's JSON must be a list of problems or an object that holds one")
    try:
        return tuple(_json_problems(document, None, source, about))
    except RecursionError as error:
        raise InvalidInput("a linter's JSON is nested too deeply to be a list of problems") from error


def _json_problems(node: object, file: str | None, source: str | None, about: Filter | None) -> Iterator[LinterProblem]:
    if isinstance(node, list):
        for item in node:
            yield from _json_problems(item, file, source, about)
        return
    if not isinstance(node, dict):
        shown = shorten(repr(node), 40)
        raise InvalidInput(f"a linter's problem must be an object with a message, not {shown}")
    file = _first_name(node, _FILE_KEYS) or _first_name(_location(node), _FILE_KEYS) or file
    message = next((node[key] for key in _MESSAGE_KEYS if isinstance(node.get(key), str)), None)
    if message is not None:
        if about is None or file is None or about(file):
            yield _json_problem(node, message, source)
        return
    groups = [node[key] for key in _GROUP_KEYS if isinstance(node.get(key), list)]
    if not groups:
        keys = shorten(", ".join(node), 80) or "none"
        raise InvalidInput(f"a linter's problem has no message (its keys: {keys})")
    for group in groups:
        yield from _json_problems(group, file, source, about)


def _json_problem(node: Mapping[str, Any], message: str, source: str | None) -> LinterProblem:
    location = _location(node)
    begin = mapping(mapping(node.get("range")).get("start"))  # pyright and other LSP minds count from 0
    line = _first_number(node, _LINE_KEYS) or _first_number(location, _LINE_KEYS)
    column = _first_number(node, _COLUMN_KEYS) or _first_number(location, _COLUMN_KEYS)
    return LinterProblem(
        message if one_line(message) else "(no message)",
        rule=_first_name(node, _RULE_KEYS),
        source=source,
        line=line or counted(begin.get("line"), 1),
        column=column or counted(begin.get("character"), 1),
        severity=_json_severity(node),
    )


def _json_severity(node: Mapping[str, Any]) -> Severity | None:
    for key in _SEVERITY_KEYS:
        value = node.get(key)
        if isinstance(value, str) and value.lower() in SEVERITY_NAMES:
            return SEVERITY_NAMES[value.lower()]
        if value in (1, 2):  # ESLint: 2 is an error, 1 a warning
            return Severity.ERROR if value == 2 else Severity.WARNING
    return None


def _location(node: Mapping[str, Any]) -> dict[str, Any]:
    return next((node[key] for key in _LOCATION_KEYS if isinstance(node.get(key), dict)), {})


def _first_name(node: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    return next((name for key in keys if (name := name_of(node.get(key))) is not None), None)


def _first_number(node: Mapping[str, Any], keys: tuple[str, ...]) -> int | None:
    return next((number for key in keys if (number := counted(node.get(key))) is not None), None)


# --- SARIF ------------------------------------------------------------------------------------------------


def from_sarif(
    document: object, *, source: str | None = None, about: Filter | None = None
) -> tuple[LinterProblem, ...]:
    """The problems of a SARIF 2.1.0 log, given as JSON text, bytes or the parsed object.

    Suppressed, passed and resolved results don't count. Raises InvalidInput if it is no SARIF.
    """
    if isinstance(document, str | bytes):
        document = _load(document, "the SARIF log")
    runs = mapping(document).get("runs")
    if not isinstance(runs, list):
        raise InvalidInput("this is not a SARIF log: it has no list of runs")
    return tuple(problem for run in runs for problem in _run_problems(mapping(run), source, about))


def _run_problems(run: Mapping[str, Any], source: str | None, about: Filter | None) -> Iterator[LinterProblem]:
    driver = mapping(mapping(run.get("tool")).get("driver"))
    rules = [mapping(rule) for rule in listing(driver.get("rules"))]
    for result in listing(run.get("results")):
        if not isinstance(result, dict):
            raise InvalidInput("a SARIF result must be an object")
        if _is_settled(result):
            continue
        locations = [_physical(location) for location in listing(result.get("locations"))]
        accepted = [location for location in locations if about is None or _is_about(location, run, about)]
        if locations and not accepted:
            continue
        yield _sarif_problem(result, rules, accepted, name_of(driver.get("name")) or source)


def _is_settled(result: Mapping[str, Any]) -> bool:
    suppressed = any(
        mapping(item).get("status", "accepted") == "accepted" for item in listing(result.get("suppressions"))
    )
    return suppressed or result.get("kind") in _SKIPPED_KINDS or result.get("baselineState") == "absent"


def _physical(location: object) -> dict[str, Any]:
    return mapping(mapping(location).get("physicalLocation"))


def _is_about(location: Mapping[str, Any], run: Mapping[str, Any], about: Filter) -> bool:
    artifact = mapping(location.get("artifactLocation"))
    uri = artifact.get("uri")
    if not isinstance(uri, str):
        return True  # located, but in no named file: the one that was linted
    base = mapping(mapping(run.get("originalUriBaseIds")).get(str(artifact.get("uriBaseId")))).get("uri")
    return about(uri_path(base + uri if isinstance(base, str) else uri))


def uri_path(uri: str) -> str:
    """The path a `file:` URI (or a relative URI reference) means; forward slashes, percent signs decoded."""
    path = unquote(re.sub(r"(?i)^file:(?://[^/]*)?", "", uri))
    return path[1:] if re.match(r"/[A-Za-z]:", path) else path


def _sarif_problem(
    result: Mapping[str, Any], rules: list[dict[str, Any]], locations: list[dict[str, Any]], source: str | None
) -> LinterProblem:
    reference = mapping(result.get("rule"))
    index = reference.get("index", result.get("ruleIndex"))
    rule = rules[index] if isinstance(index, int) and 0 <= index < len(rules) else {}
    names = (result.get("ruleId"), reference.get("id"), rule.get("id"))
    level = result.get("level", mapping(rule.get("defaultConfiguration")).get("level"))
    region = mapping(locations[0].get("region")) if locations else {}
    return LinterProblem(
        _sarif_message(mapping(result.get("message")), rule),
        rule=next(filter(None, map(name_of, names)), None),
        source=source,
        line=counted(region.get("startLine")),
        column=counted(region.get("startColumn")),
        severity=SEVERITY_NAMES.get(level) if isinstance(level, str) else None,
    )


def _sarif_message(message: Mapping[str, Any], rule: Mapping[str, Any]) -> str:
    """The text itself, or the rule's message string with its arguments filled in."""
    text = message.get("text")
    if not isinstance(text, str):
        text = mapping(mapping(rule.get("messageStrings")).get(str(message.get("id")))).get("text")
    if not isinstance(text, str) or not one_line(text):
        raise InvalidInput("a SARIF result has no message text")
    arguments = listing(message.get("arguments"))
    return _PLACEHOLDER.sub(
        lambda hole: str(arguments[int(hole[1])]) if int(hole[1]) < len(arguments) else hole[0], text
    )
