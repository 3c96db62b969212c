"""The private members of pygls that the server uses: each is named here, and is what the server takes it for.

A private member may change in any release of pygls. So `pyproject.toml` allows one minor version, and this test says
what to look at before it allows the next.
"""

from __future__ import annotations

import ast
import importlib
import importlib.metadata
import inspect
import pkgutil
import textwrap
import tomllib
from collections.abc import Iterator
from concurrent.futures import Future
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import cattrs
import pygls
import pytest
from pygls.lsp.server import LanguageServer
from pygls.server import JsonRPCServer
from pygls.workspace import TextDocument, Workspace

import intentls.faces.lsp as face

PYPROJECT = Path(__file__).parents[3] / "pyproject.toml"

# What each method takes, and why the server needs it.
METHODS = {
    "JsonRPCProtocol._execute_handler": (
        "self, msg_id, handler, callback, args=None, kwargs=None",
        "overridden: the table of running handlers forgets each one that has ended",
    ),
    "JsonRPCProtocol._get_handler": (
        "self, feature_name",
        "called: the handler of a method, or JsonRpcMethodNotFound",
    ),
    "JsonRPCProtocol._handle_cancel_notification": (
        "self, msg_id",
        "overridden: only a request of the client can be cancelled, and keeps its place until it has ended",
    ),
    "JsonRPCProtocol._send_data": (
        "self, data",
        "overridden: pygls's own requests and notifications leave through our writer",
    ),
    "JsonRPCProtocol._serialize_message": (
        "self, data",
        "passed to the encoder: makes JSON of lsprotocol's types inside a result",
    ),
    "JsonRPCServer._report_server_error": (
        "self, error, source",
        "called: an error that no request waits for, and an error of the report itself",
    ),
    "Workspace._create_text_document": (
        "self, doc_uri, source=None, version=None, language_id=None",
        "overridden: pygls's workspace holds our documents",
    ),
}

# What each attribute holds, and why the server needs it.
ATTRIBUTES = {
    "JsonRPCProtocol._converter": (cattrs.Converter, "makes lsprotocol's types of JSON, and JSON of them"),
    "JsonRPCProtocol._ctx_msg_id": (ContextVar, "set to a request's id, which `msg_id` gives to its handler"),
    "JsonRPCProtocol._request_futures": (dict, "running handlers by id: ours are added, awaited and cancelled there"),
    "JsonRPCProtocol._server": (JsonRPCServer, "the server that a connection belongs to"),
    "TextDocument._source": (str, "the text, which our document replaces when it is edited"),
}

SERVER = LanguageServer("test", "1")
EXAMPLES = {
    "JsonRPCProtocol": SERVER.protocol,
    "JsonRPCServer": SERVER,
    "TextDocument": TextDocument("file:///a.py", "text"),
    "Workspace": Workspace(None),
}


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def _modules(package: ModuleType) -> Iterator[ModuleType]:
    """A package's modules, at any depth, but for those that run when they are imported."""
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith("__main__"):
            yield importlib.import_module(module.name)


def _classes(package: ModuleType) -> Iterator[type]:
    """Each class that a package defines."""
    for module in _modules(package):
        for value in vars(module).values():
            if inspect.isclass(value) and value.__module__ == module.__name__:
                yield value


@cache
def _tree(source_of: type | ModuleType) -> ast.Module:
    return ast.parse(textwrap.dedent(inspect.getsource(source_of)))


def _private_names(tree: ast.AST) -> set[str]:
    """Private attributes, methods and class variables that some code reads, sets or defines."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            names.add(node.attr)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Name):
            names.add(node.id)
    return set(filter(_is_private, names))


def _own_members(cls: type) -> set[str]:
    """The private members that a class defines itself or sets on `self`."""
    members = {name for name in vars(cls) if _is_private(name)}
    for node in ast.walk(_tree(cls)):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == "self":
            members |= {node.attr} if _is_private(node.attr) else set()
    return members


def _own_functions(module: ModuleType) -> set[str]:
    """The private functions that a module defines."""
    functions = (value for value in vars(module).values() if inspect.isfunction(value))
    return {
        value.__name__ for value in functions if value.__module__ == module.__name__ and _is_private(value.__name__)
    }


# The server is no client, so it can't use the members of pygls's.
MEMBERS_OF_CLASSES = {cls: _own_members(cls) for cls in _classes(pygls) if "client" not in cls.__module__}
MEMBERS = {
    **{cls.__name__: members for cls, members in MEMBERS_OF_CLASSES.items()},
    **{module.__name__: _own_functions(module) for module in _modules(pygls)},
}


def _used_by_subclasses() -> Iterator[str]:
    """What our subclasses of pygls's classes share with them: overridden, read or set, on purpose or by chance."""
    for cls in _classes(face):
        for base in cls.__mro__:
            for name in _private_names(_tree(cls)) & MEMBERS_OF_CLASSES.get(base, set()):
                yield f"{base.__name__}.{name}"


def _used_from_outside() -> Iterator[str]:
    """Members of modules and of objects other than `self` that are named as a private member of pygls."""
    for module in _modules(face):
        for node in ast.walk(_tree(module)):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) not in {"self", "cls"}:
                yield from (f"{owner}.{node.attr}" for owner, members in MEMBERS.items() if node.attr in members)


def _imported() -> Iterator[str]:
    """Private modules, functions and classes of pygls that are imported."""
    for module in _modules(face):
        for node in ast.walk(_tree(module)):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            for name in names:
                package, *rest = name.split(".")
                if package == "pygls" and any(map(_is_private, rest)):
                    yield name


def test_each_private_member_that_is_used_is_named_here() -> None:
    """A new use needs a line with its reason; a line without a use goes."""
    used = {*_used_by_subclasses(), *_used_from_outside(), *_imported()}
    assert used == METHODS.keys() | ATTRIBUTES.keys()


@pytest.mark.parametrize("member", METHODS)
def test_a_method_takes_what_the_server_passes(member: str) -> None:
    """The parameters have the same names, order and defaults."""
    parameters, _reason = METHODS[member]
    owner, name = member.split(".")
    signature = inspect.signature(getattr(type(EXAMPLES[owner]), name))
    plain = [parameter.replace(annotation=parameter.empty) for parameter in signature.parameters.values()]
    assert ", ".join(map(str, plain)) == parameters


@pytest.mark.parametrize("member", ATTRIBUTES)
def test_an_attribute_holds_what_the_server_expects(member: str) -> None:
    """A new object of pygls has it, with a value of the type."""
    kind, _reason = ATTRIBUTES[member]
    owner, name = member.split(".")
    assert isinstance(getattr(EXAMPLES[owner], name), kind)


def test_a_handler_that_runs_is_in_the_table_of_futures() -> None:
    """Under the id of its request, as a future; `shutdown` and cancelling rely on it."""
    protocol: Any = LanguageServer("test", "1").protocol
    seen: list[Any] = []

    def handler() -> Iterator[Any]:
        seen.append(protocol._request_futures["id"])
        yield (lambda: None), (), None

    protocol._execute_handler("id", handler, lambda future: None)
    assert [type(future) for future in seen] == [Future]


def test_only_the_minor_version_that_is_tested_is_allowed() -> None:
    """The requirement begins with the installed major and minor version, and `~=` keeps to them."""
    requirements = tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]["dependencies"]
    major, minor, _ = importlib.metadata.version("pygls").split(".")
    (requirement,) = (line for line in requirements if line.startswith("pygls"))
    assert requirement.startswith(f"pygls~={major}.{minor}.")
