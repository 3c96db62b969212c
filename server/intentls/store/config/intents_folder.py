"""Several files of intents, parsed together: what each says, and what is wrong with them as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from intentls.core.diagnostic import Diagnostic, Related, Severity, Span
from intentls.core.hashing import content_hash
from intentls.core.intents.scope_budget import MAX_ALTERNATIVES, MAX_WEIGHT, find_excess
from intentls.store.config.declared_intents import DeclaredIntents, join
from intentls.store.config.intents_file import IntentsFile
from intentls.store.config.intents_parser import parse_intents
from intentls.store.yaml.composer import MAX_NODES

_START: Final = Span(0, 0, 0, 0)

Problems = dict[str, tuple[Diagnostic, ...]]


def parse_folder(
    listed: IntentsFile | None, contents: Mapping[str, bytes], known: Mapping[str, IntentsFile]
) -> DeclaredIntents:
    """The list and the files of single intents, by path, in their order. Never raises.

    `known` are files that were parsed before; those with the same bytes are taken as they are. Files after the one
    that is too much are not parsed: nothing in a folder makes its reading long.
    """
    files: dict[str, IntentsFile] = {} if listed is None else {listed.path: listed}
    for path, data in contents.items():
        before = known.get(path)
        is_same = before is not None and before.content_hash == content_hash(data)
        files[path] = before if before is not None and is_same else parse_intents(data, path)
        excess = _excess(files)
        if excess is not None:
            return join(files, {path: (Diagnostic(_START, Severity.ERROR, *excess),)})
    return join(files, across(files))


def across(files: Mapping[str, IntentsFile]) -> Problems:
    """What is wrong with `files` that none of them has by itself, by path."""
    problems: dict[str, list[Diagnostic]] = {}
    for path, diagnostic in (*_repeated_ids(files), *_heavy_scopes(files)):
        problems.setdefault(path, []).append(diagnostic)
    return {path: tuple(diagnostics) for path, diagnostics in problems.items()}


def _excess(files: Mapping[str, IntentsFile]) -> tuple[str, str] | None:
    """Code and message of what is too much of all files so far; a single file says so itself."""
    if len(files) == 1:
        return None
    if sum(file.weight for file in files.values()) > MAX_NODES:
        return "too-large", f"all files of intents together have more than {MAX_NODES:,} values, from here on"
    if sum(file.alternatives for file in files.values()) > MAX_ALTERNATIVES:
        message = f"all patterns together stand for more than {MAX_ALTERNATIVES:,}, from this file on"
        return "too-many-patterns", f"{message}. Write `*` for braces, or remove the intents that are finished."
    return None


def _repeated_ids(files: Mapping[str, IntentsFile]) -> Iterator[tuple[str, Diagnostic]]:
    """An id that two files declare, at both places; within one file the parser says so."""
    paths: dict[str, list[str]] = {}
    for path, file in files.items():
        for intent_id in file.spans:
            paths.setdefault(intent_id, []).append(path)
    for intent_id, (first, *others) in paths.items():
        for path in (first, *others) if others else ():
            other = others[0] if path == first else first
            span = files[other].spans[intent_id].id
            message = (
                f"the id {intent_id} is declared in {other} too (line {span.start_line + 1});"
                " give one of the two another id"
            )
            related = (Related(other, span, f"{intent_id} is declared here too."),)
            yield path, Diagnostic(files[path].spans[intent_id].id, Severity.ERROR, "duplicate-id", message, related)


def _heavy_scopes(files: Mapping[str, IntentsFile]) -> Iterator[tuple[str, Diagnostic]]:
    if len(files) == 1:
        return
    owners = {intent_id: file for file in files.values() for intent_id in file.intents}
    excess = find_excess({intent_id: file.intents[intent_id].scope for intent_id, file in owners.items()})
    if excess is None:
        return
    file = owners[excess.intent_id]
    spans = file.spans[excess.intent_id]
    message = (
        f"the scopes for {excess.directory or 'the root'} are too much for a quick decision ({excess.weight:,} of"
        f" {MAX_WEIGHT:,}), and that of {excess.intent_id} most. Write fewer patterns, or ones that begin with other"
        " directories."
    )
    yield file.path, Diagnostic(spans.scope or spans.id, Severity.ERROR, "slow-scopes", message)
