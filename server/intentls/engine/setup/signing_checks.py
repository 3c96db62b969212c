"""Can a person sign the ledger on this machine? Asked only where signatures are wanted."""

from __future__ import annotations

from collections.abc import Iterator

from intentls.core.gate.policy import Signatures
from intentls.core.ledger.signatures.allowed_signers import parse_allowed_signers, parse_public_key
from intentls.core.ledger.signatures.ssh_signature import fingerprint
from intentls.core.ledger.signatures.statement import NAMESPACE
from intentls.core.patterns.protected_paths import SIGNERS_FILE
from intentls.engine.setup.check import Check, CheckLevel
from intentls.engine.workspace.workspace import Workspace
from intentls.store.clock import now
from intentls.store.fs.bounded_read import read_bounded
from intentls.store.git_segments.signing_key import SigningKey, signing_settings
from intentls.store.git_segments.ssh_keygen import MIN_VERSION, agent_keys, public_key, ssh_version
from intentls.store.layout import MAX_BYTES

_NAME = "signing"


def signing_checks(workspace: Workspace) -> Iterator[Check]:
    """The programs, the key, the agent and the list of one root."""
    settings = signing_settings(workspace.root)
    is_wanted = workspace.configuration().policy.signatures is not Signatures.OFF or settings.is_wanted is True
    signers = workspace.root / SIGNERS_FILE
    if not is_wanted and not signers.exists():
        return
    version = ssh_version()
    if version is None:
        yield Check(
            _NAME, CheckLevel.WARNING, "ssh-keygen is not installed", "Install OpenSSH: it makes the signatures."
        )
    elif version[1] < MIN_VERSION:
        wanted = ".".join(map(str, MIN_VERSION))
        yield Check(_NAME, CheckLevel.WARNING, f"{version[0]} is old", f"Signing needs OpenSSH {wanted} or newer.")
    else:
        yield Check(_NAME, CheckLevel.OK, version[0])
    try:
        listed = read_bounded(signers, MAX_BYTES)
    except OSError:
        listed = None
    if listed is None:
        advice = "Add a line for each person, and commit it by itself: `NAME ssh-ed25519 AAAA...`."
        yield Check(_NAME, CheckLevel.WARNING, f"there is no {SIGNERS_FILE}, so no signature counts", advice)
    for line in parse_allowed_signers(listed or b"").unreadable:
        yield Check(_NAME, CheckLevel.WARNING, f"{SIGNERS_FILE}, line {line}, can't be read", "It allows no signature.")
    if settings.key is None:
        yield Check(_NAME, CheckLevel.WARNING, f"nothing can be signed here: {settings.reason}")
    else:
        yield from _key(settings.key, listed)


def _key(key: SigningKey, listed: bytes | None) -> Iterator[Check]:
    line = public_key(key)
    own = parse_public_key(line or "")
    if own is None:
        advice = "Name the `.pub` file, or put it beside the key."
        yield Check(_NAME, CheckLevel.INFO, f"signs with {key.shown}, whose public key is not known", advice)
        return
    name = fingerprint(own)
    in_agent = own in {parse_public_key(held) for held in agent_keys() or ()}
    has_file = key.file is not None and (key.file.suffix != ".pub" or key.file.with_suffix("").is_file())
    if not in_agent and not has_file:
        advice = "Start an agent and add it: `ssh-add`. With `ssh-add -c` it asks you for each signature."
        yield Check(_NAME, CheckLevel.WARNING, f"no SSH agent holds the key {name}", advice)
    else:
        where = "an SSH agent holds it" if in_agent else f"{key.shown}"
        yield Check(_NAME, CheckLevel.OK, f"signs with {name} ({where})")
    if listed is None:
        return
    names = parse_allowed_signers(listed).names(own, NAMESPACE, now())
    if names:
        yield Check(_NAME, CheckLevel.OK, f"it counts as {', '.join(names)}")
    else:
        advice = f"Ask for a line in {SIGNERS_FILE}: `NAME {' '.join((line or '').split()[:2])}`."
        yield Check(
            _NAME, CheckLevel.WARNING, f"{SIGNERS_FILE} does not allow this key, so it counts for nothing", advice
        )
