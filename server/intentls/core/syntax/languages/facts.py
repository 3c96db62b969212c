"""What a repository's other files prove about one of its files. Where they are not at hand, nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace


def _unproven(*_asked: object) -> bool:
    return False


def _any_version() -> tuple[int, ...]:
    return ()


def _unknown(_name: str) -> None:
    return None


class IsLoaded(Protocol):
    """Whether a file loads what it takes a name of a module from, if the `others` are all that it imports."""

    def __call__(self, module: str, name: str, others: Collection[str], *, is_before: bool) -> bool:
        """By the repository's files as they were before the change, or as they are after it."""


def _is_not_loaded(module: str, name: str, others: Collection[str], *, is_before: bool) -> bool:
    return False


class ImportedName(Struct, frozen=True):
    """A name, and where an import takes it from; `within`: the modules of the file around it, as Rust has them.

    `is_type`: it stands for a type alone, so that nothing is loaded for it.
    """

    module: str
    name: str
    within: tuple[str, ...] = ()
    is_type: bool = False


class Surroundings(Struct, frozen=True, kw_only=True):
    """`ignores_annotations`: nothing in the repository reads any. `oldest_python`: that the package still supports.

    `is_plain_class(name)`: a class of this name has no base but the repository's own. `has(module, name)`: the file
    that this one imports as `module` has this name at its top. `is_unknown(name)`: the word stands in no file of the
    repository after the change, nor does a text that could be a part of it. `is_unknown_beside(name)`: it stands in no
    other file of the directory, and nothing links to it (`go:linkname`). `is_in_no_macro(name)`: no `#define` has it.
    `is_predeclared(name)`: no file declares a name of the language again. `is_only_in(name, package)`: no file of
    another package declares a type of this name. `is_no_class(name)`: no file declares one at all, in another one
    either. `is_only_here(name)`: the word stands in no other file after the change, and in no text that could be a part
    of it. `is_named_only_here(name)`: the whole word stands in no other file, and in no text. `is_test`: only a test
    runner reads the file.

    Of Rust: `is_unused_below(name)`: no file of a module in this file's own has the word. `is_crate_alone()`: no other
    crate imports the file. `is_hidden(name)`: the module is private, and nothing exports the name again.
    `is_declared_here(name)`: no item of another file has the name. `is_taken_nowhere(module, name)`: no other file can
    have the name from a module that is called so. `is_private_module(name)`: all modules of this name are.
    `is_of_2021()`: the edition of its crate is that of 2021, or a later one. `lends(path, place, is_mut)`: each
    function that the file calls so takes a reference to one type there.

    `is_same_import(before, after)`: what an import took before the change is what another one takes after it.
    `is_same_module(before, after)`: so it is with modules of Python.

    Of C: `macros_called(name)`: the lines that define a macro so, before the change or after it; None where that can't
    be told. `is_nowhere_else(name)`: no other file has the word, but for prose. `is_included_nowhere()`: no file
    includes one of this name. `is_in_c_alone(name)`: no file has the word but those of C and prose, and no macro makes
    it, or another name of it.

    Of Java: `has_one_method(class_, name, count)`: the class, which is named by the end of its path and extends none,
    has one method of this name with so many parameters.

    Of Python: `is_loaded`: a module that the file need not import itself. `is_taken(name)`: another file imports the
    name from this one. `is_replaced_nowhere(name)`: no other file gives a name of a module another value, or has a
    text that ends with it.
    """

    ignores_annotations: Callable[[], bool] = _unproven
    oldest_python: Callable[[], tuple[int, ...]] = _any_version
    is_plain_class: Callable[[str], bool] = _unproven
    has: Callable[[str, str], bool] = _unproven
    is_unknown: Callable[[str], bool] = _unproven
    is_unknown_beside: Callable[[str], bool] = _unproven
    is_in_no_macro: Callable[[str], bool] = _unproven
    is_no_macro: Callable[[str], bool] = _unproven
    is_predeclared: Callable[[str], bool] = _unproven
    is_only_in: Callable[[str, str], bool] = _unproven
    is_no_class: Callable[[str], bool] = _unproven
    is_only_here: Callable[[str], bool] = _unproven
    is_named_only_here: Callable[[str], bool] = _unproven
    is_unused_below: Callable[[str], bool] = _unproven
    is_crate_alone: Callable[[], bool] = _unproven
    is_hidden: Callable[[str], bool] = _unproven
    is_declared_here: Callable[[str], bool] = _unproven
    is_taken_nowhere: Callable[[str, str], bool] = _unproven
    is_private_module: Callable[[str], bool] = _unproven
    is_same_import: Callable[[ImportedName, ImportedName], bool] = _unproven
    is_same_module: Callable[[str, str], bool] = _unproven
    is_of_2021: Callable[[], bool] = _unproven
    lends: Callable[[str, int, bool], bool] = _unproven
    macros_called: Callable[[str], Sequence[str] | None] = _unknown
    is_nowhere_else: Callable[[str], bool] = _unproven
    is_included_nowhere: Callable[[], bool] = _unproven
    is_in_c_alone: Callable[[str], bool] = _unproven
    has_one_method: Callable[[str, str, int], bool] = _unproven
    is_loaded: IsLoaded = _is_not_loaded
    is_taken: Callable[[str], bool] = _unproven
    is_replaced_nowhere: Callable[[str], bool] = _unproven
    is_test: bool = False


_NONE = Surroundings()


def _hoped(*_asked: object) -> bool:
    return True


def _is_loaded_anyway(module: str, name: str, others: Collection[str], *, is_before: bool) -> bool:
    return True


def hoped(facts: Surroundings) -> Surroundings:
    """As if all were proven that takes a search of the repository: what fails then is no more to be asked about."""
    if facts is _NONE:
        return facts
    return replace(
        facts,
        ignores_annotations=_hoped,
        is_plain_class=_hoped,
        has=_hoped,
        is_unknown=_hoped,
        is_unknown_beside=_hoped,
        is_predeclared=_hoped,
        is_only_in=_hoped,
        is_no_class=_hoped,
        is_only_here=_hoped,
        is_named_only_here=_hoped,
        is_unused_below=_hoped,
        is_hidden=_hoped,
        is_declared_here=_hoped,
        is_taken_nowhere=_hoped,
        is_private_module=_hoped,
        is_same_import=_hoped,
        is_same_module=_hoped,
        is_of_2021=_hoped,
        lends=_hoped,
        has_one_method=_hoped,
        is_loaded=_is_loaded_anyway,
        is_taken=_unproven,
        is_replaced_nowhere=_hoped,
    )


def noting(facts: Surroundings, asked: set[str]) -> Surroundings:
    """The same facts. `asked` gets the names of which it was asked whether they are only here."""

    def is_only_here(name: str) -> bool:
        asked.add(name)
        return facts.is_only_here(name)

    return replace(facts, is_only_here=is_only_here)


def about(facts: Surroundings, names: Collection[str]) -> Surroundings:
    """What no one asked about where only the parts that differ were read stands in both: no need to search for it."""
    return replace(facts, is_only_here=lambda name: name in names and facts.is_only_here(name))


def no_facts(_path: str) -> Surroundings:
    """Those of a file whose repository is not at hand."""
    return _NONE
