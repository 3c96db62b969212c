"""OpenTelemetry: log records in OTLP's JSON encoding, as its file exporter writes them: one request a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import IO, Any

import intentls
from intentls.core.ledger.hash_chain import encode
from intentls.engine.export.rows import COLUMNS, rows
from intentls.engine.ledger.queries import files_of
from intentls.store.clock import parse_timestamp

Json = dict[str, Any]

_BATCH = 500  # log records in one request
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_INFO, _WARN = (9, "INFO"), (13, "WARN")
# Attributes of a record: the conventions' own name where they have one, else under `intentls.`
_NAMES = {
    "record_id": "log.record.uid",
    "intent_id": "intentls.intent.id",
    "session_id": "session.id",
    "tool": "intentls.tool",
    "tool_name": "intentls.tool_name",
    "mutation_class": "intentls.mutation_class",
    "scope_validation": "intentls.scope_validation",
    "success": "intentls.success",
    "code": "intentls.code",
    "imported": "intentls.imported",
    "revision": "vcs.ref.head.revision",
    "contributor": "intentls.contributor",
    "model_id": "gen_ai.request.model",
    "name": "intentls.contributor.name",
    "on_behalf_of": "intentls.contributor.on_behalf_of",
    "attested_by": "intentls.contributor.attested_by",
    "override_by": "intentls.override.by",
}


def write(records: Iterable[dict[str, Any]], out: IO[bytes]) -> int:
    """Write every record; nothing is left out."""
    waiting = iter(records)
    while batch := list(islice(waiting, _BATCH)):
        out.write(encode(_request(batch)) + b"\n")
    return 0


def _request(batch: list[Json]) -> Json:
    scope = {"name": "intentls", "version": intentls.__version__}
    resource = {"attributes": [_attribute("service.name", "intentls")]}
    logs = [_log(record) for record in batch]
    return {"resourceLogs": [{"resource": resource, "scopeLogs": [{"scope": scope, "logRecords": logs}]}]}


def _log(record: Json) -> Json:
    refused = record.get("success") is False
    number, name = _WARN if refused else _INFO
    moment = _nanoseconds(record.get("timestamp"))
    return {
        "timeUnixNano": moment,
        "observedTimeUnixNano": moment,
        "severityNumber": number,
        "severityText": name,
        "eventName": "intentls.refusal" if refused else "intentls.record",
        "body": {"stringValue": _sentence(record)},
        "attributes": list(_attributes(record)),
    }


def _attributes(record: Json) -> Iterator[Json]:
    first = dict(zip(COLUMNS, next(rows(record)), strict=True))
    for column, name in _NAMES.items():
        if first[column] is not None:
            yield _attribute(name, first[column])
    files = files_of(record)
    for name, key in (("intentls.paths", "path"), ("intentls.post_hashes", "post_hash")):
        found = [file.get(key) if isinstance(file.get(key), str) else "" for file in files]
        if any(found):
            yield {"key": name, "value": {"arrayValue": {"values": [{"stringValue": each} for each in found]}}}


def _attribute(name: str, value: object) -> Json:
    if isinstance(value, bool):
        return {"key": name, "value": {"boolValue": value}}
    return {"key": name, "value": {"stringValue": str(value)}}


def _sentence(record: Json) -> str:
    if isinstance(record.get("error"), str):
        return str(record["error"])
    paths = ", ".join(str(file.get("path")) for file in files_of(record))
    return f"{record.get('tool_name') or 'change'} {paths}".rstrip()


def _nanoseconds(timestamp: object) -> str:
    """As OTLP's JSON has 64-bit numbers: text. 0 is a time that is not known."""
    try:
        since = parse_timestamp(str(timestamp)) - _EPOCH
    except ValueError:
        return "0"
    return str(max(0, since // timedelta(microseconds=1)) * 1_000)
