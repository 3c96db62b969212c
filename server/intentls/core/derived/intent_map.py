"""intent_map.md as text: a section for each intent, an entry for each file, what people wrote around them.

A section begins at `## ID: name` (or `## ID`) and ends at the next heading of its level or above. An entry
is a bullet with a code span; what follows the span, and indented lines below it, are a person's notes on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from intentls.core.derived.intent_map_markdown import MapText, MarkdownSection
from intentls.core.derived.lesson import path_line

HEADER = "# Intent Map\n\nMaps business intents to files. Updated when INTENT_EVOLUTION occurs.\n"


class MapSection(Struct, frozen=True):
    """What the map should say of one intent: its name and its files (root-relative POSIX)."""

    name: str
    paths: tuple[str, ...] = ()


def parse(text: str) -> dict[str, list[str]]:
    """The files of each intent that has any, as the map says; intents in order of appearance."""
    files: dict[str, list[str]] = {}
    for section in MapText(text).sections():
        if section.paths:
            files.setdefault(section.intent_id, []).extend(section.paths)
    return files


def add_files(text: str | None, intent_id: str, name: str, paths: Iterable[str]) -> str:
    """The map with `paths` among the files of `intent_id`; its heading shows `name`, unless that is empty."""
    document = _document(text)
    section = document.section(intent_id, name)
    known = {path for other in document.sections(intent_id) for path in other.paths}
    missing = sorted({path_line(path) for path in paths} - known)
    if missing:
        section.add(missing)
    return document.text


def remove_files(text: str, paths: Iterable[str]) -> str:
    """The map without `paths`. A section that held nothing else disappears."""
    document, gone = MapText(text), {path_line(path) for path in paths}
    for section in document.sections():
        _keep(document, section, set(section.paths) - gone)
    return document.text


def rename(text: str, old: str, new: str) -> str:
    """The map with `old` called `new` wherever it stands; what people noted beside it stays."""
    document, before, after = MapText(text), path_line(old), path_line(new)
    for section in document.sections():
        if before in section.paths:
            section.rename(before, after)
    return document.text


def rebuild(text: str | None, sections: Mapping[str, MapSection]) -> str:
    """The map with exactly these files for these intents.

    Name every intent that is known, also those without files: sections of other names are left alone,
    since a person may have written them.
    """
    document = _document(text)
    for intent_id, target in sections.items():
        missing = {path_line(path) for path in target.paths}
        if missing:
            document.section(intent_id, target.name)
        for section in document.sections(intent_id):
            _keep(document, section, missing)
            missing -= set(section.paths)
        if missing:
            document.section(intent_id, target.name).add(sorted(missing))
    return document.text


def _document(text: str | None) -> MapText:
    return MapText(text if text and text.strip() else HEADER)


def _keep(document: MapText, section: MarkdownSection, paths: set[str]) -> None:
    """Leave only `paths` in the section; drop the section if that empties it."""
    if set(section.paths) <= paths:
        return
    section.keep(paths)
    if section.is_bare:
        document.drop(section)
