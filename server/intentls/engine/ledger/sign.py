"""`intentls sign`: a signature beside each segment that git has, with the key that git signs with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from intentls.core.errors import ConfigurationError, StoreError
from intentls.core.gate.policy import DEFAULT, Policy, Signatures
from intentls.core.ledger.signatures.allowed_signers import parse_public_key
from intentls.core.ledger.signatures.ssh_signature import fingerprint, parse_armour
from intentls.core.ledger.signatures.statement import (
    NAMESPACE,
    SignedStatement,
    Statement,
    parse_signatures,
    statement_of,
)
from intentls.core.patterns.protected_paths import POLICY_FILE
from intentls.engine.actions.authority import not_a_person
from intentls.store.config.declared_files import parse_policy
from intentls.store.fs.atomic_write import replace_bytes
from intentls.store.fs.bounded_read import read_bounded
from intentls.store.fs.path_resolution import because
from intentls.store.git.commits import commit_id, first_commits, merge_base, read_objects, resolve_any, work_tree
from intentls.store.git.stage_ledger import stage_files, staged_segments
from intentls.store.git_segments.history import names_at, versions_anywhere
from intentls.store.git_segments.signing_key import SigningKey, signing_settings
from intentls.store.git_segments.ssh_keygen import public_key, sign
from intentls.store.layout import MAX_BYTES, TRACE_FOLDER
from intentls.store.ledger_files.segments import is_of, read_segment, segments
from intentls.store.ledger_files.signature_files import all_signatures, free_name, writers_name

if TYPE_CHECKING:
    from intentls.engine.workspace.workspace import Workspace


class SignRequest(Struct, frozen=True):
    """What is to be signed: the segments that git has (those in the index too) and nobody has signed.

    `base`: only those that came since it. `countersign`: those too that others have signed. `key` takes the place of
    the one that git is configured with. `contents`: these segments, by name, instead of what is on the disk.
    """

    key: SigningKey | None = None
    base: str | None = None
    countersign: bool = False
    contents: Mapping[str, bytes] | None = None


class WrittenSignature(Struct, frozen=True):
    """A file that was written, by its name in `trace/`, and the segment that it is beside."""

    name: str
    segment: str


class SignResult(Struct, frozen=True):
    """What was written. `signed` is how many of the segments in question needed no signature.

    `fingerprint` is the key's; "" where that is not known, since nothing was signed.
    """

    written: tuple[WrittenSignature, ...]
    signed: int
    fingerprint: str


def sign_segments(workspace: Workspace, request: SignRequest) -> SignResult:
    """Sign them. Raises ConfigurationError without a key, for an agent and in a shallow clone; StoreError."""
    refusal = not_a_person(workspace)
    if refusal is not None:
        raise ConfigurationError(f"Not signed. {refusal}")
    key = request.key or _configured_key(workspace)
    own = parse_public_key(public_key(key) or "")
    try:
        statements = _statements(workspace, request)
        files = {name: signed or () for name, signed in all_signatures(workspace.layout)}
        present = _present(files.values())
        wanted = [
            one
            for one in statements
            if not (keys := present.get(one.render())) or (request.countersign and own not in keys)
        ]
        messages = [one.render() for one in wanted]
        armours = sign(messages, key, NAMESPACE) if messages else []
        signed = [SignedStatement.of(*pair) for pair in zip(messages, armours, strict=True)]
        written = _write(workspace, list(zip(wanted, signed, strict=True)), files)
    except OSError as error:
        raise StoreError(f"{workspace.layout.trace} can't be read or written: {because(error)}.") from error
    made = parse_armour(signed[0].armour) if signed else None
    name = fingerprint(own or b"") if made is None and own else "" if made is None else made.fingerprint
    return SignResult(tuple(written), len(statements) - len(wanted), name)


def sign_staged(top: Path, index: Path | None) -> tuple[str, ...]:
    """For a commit hook: sign the segments that the commit adds, and stage their signatures.

    Where `intentls.sign` of git's configuration asks for it, or the policy does and that does not forbid it. The
    sentences to show, of what could not be signed: that stops no commit.

    Raises ConfigurationError where git can't tell.
    """
    settings = signing_settings(top)
    if settings.is_wanted is False:
        return ()
    sentences: list[str] = []

    def is_wanted(prefix: str) -> bool:
        return settings.is_wanted is True or _policy(top / prefix).signatures is not Signatures.OFF

    for prefix, oids in staged_segments(top, index, is_wanted).items():
        # Most commits sign nothing, and this takes longer to import than the rest takes to run.
        from intentls.engine.workspace import engine, host

        workspace = engine.Engine(host.Headless("cli", (top / prefix,))).workspace(top / prefix)
        objects = read_objects(top, oids.values())
        contents = {name: objects[oid] for name, oid in oids.items() if oid in objects}
        try:
            written = sign_segments(workspace, SignRequest(contents=contents)).written
            stage_files(top, index, [f"{prefix}{TRACE_FOLDER}/{one.name}" for one in written])
            workspace.ledger.close_segment()  # unstaged, it must not grow any more
        except (ConfigurationError, StoreError) as error:
            sentences.append(str(error))
    return tuple(dict.fromkeys(sentences))


def _policy(root: Path) -> Policy:
    """The policy on the disk."""
    try:
        return parse_policy(read_bounded(root / POLICY_FILE, MAX_BYTES)).policy
    except OSError:
        return DEFAULT


def _configured_key(workspace: Workspace) -> SigningKey:
    settings = signing_settings(workspace.root)
    if settings.key is None:
        raise ConfigurationError(f"Not signed: {settings.reason}")
    return settings.key


def _statements(workspace: Workspace, request: SignRequest) -> list[Statement]:
    """What there is to say of each segment in question, by name. Raises OSError."""
    top = work_tree(workspace.root)
    tip = resolve_any(top, ("HEAD",))
    if tip is None:
        raise ConfigurationError(
            "Not signed: a signature names the repository's first commit, and there is none yet. Commit, and then run "
            "`intentls sign`."
        )
    repository, root = first_commits(top, tip)[0], workspace.root.relative_to(top).as_posix()
    contents = request.contents
    if contents is None:
        taken = workspace.segment_commits.taken()
        if request.base is not None:
            taken -= names_at(workspace.layout, merge_base(top, commit_id(top, request.base), tip))
        names = [segment.name for segment in segments(workspace.layout) if segment.name in taken]
        contents = {name: read_segment(workspace.layout.trace / name) for name in names}
    return [statement_of(repository, root, name, content) for name, content in sorted(contents.items())]


def _present(files: Iterable[Iterable[SignedStatement]]) -> dict[bytes, set[bytes]]:
    """By message, the keys of the signatures in these files. What can't be read is none."""
    present: dict[bytes, set[bytes]] = {}
    for signed in files:
        for one in signed:
            signature = parse_armour(one.armour)
            if signature is not None:
                present.setdefault(one.message, set()).add(signature.key)
    return present


def _write(
    workspace: Workspace,
    pairs: list[tuple[Statement, SignedStatement]],
    files: Mapping[str, tuple[SignedStatement, ...]],
) -> list[WrittenSignature]:
    """Put each signature beside its segment; `files` are those that were there before, by name. Raises OSError."""
    layout = workspace.layout
    committed = names_at(layout, "HEAD") if pairs else frozenset[str]()
    writers = workspace.ledger.writers()
    late = [statement.segment for statement, _ in pairs if statement.segment in committed]
    elsewhere = versions_anywhere(layout, map(writers_name, late)) if late else {}
    written: list[WrittenSignature] = []
    for statement, signed in pairs:
        segment = statement.segment
        name, text = writers_name(segment), signed.text
        earlier = elsewhere.get(name, set())
        same = [one for one in earlier if _says(one, signed)]
        is_others = segment in committed and not any(is_of(segment, writer) for writer in writers)
        if same:
            text = same[0]  # on another branch; with other bytes the two would conflict
        elif earlier or is_others or statement.render() in (one.message for one in files.get(name, ())):
            name = free_name(segment, text)
        replace_bytes(layout.trace / name, text, mode=0o644)
        written.append(WrittenSignature(name, segment))
    return written


def _says(text: bytes, signed: SignedStatement) -> bool:
    """Whether a file's text is a signature of the same statement by the same key."""
    key = _keys((signed,))
    read = parse_signatures(text) or ()
    return len(read) == 1 and read[0].message == signed.message and _keys(read) == key


def _keys(signed: Iterable[SignedStatement]) -> list[bytes]:
    return [signature.key for one in signed if (signature := parse_armour(one.armour)) is not None]
