"""What people made easier in files of intents by hand, and vouched for afterwards: it is said, and fails no check."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.branch.findings import BranchFinding, FindingLevel
from intentls.core.branch.loosening import dropped_rules
from intentls.core.hashing import content_hash
from intentls.core.intents.intent import Intent
from intentls.core.intents.scope import widened_by
from intentls.engine.branch_check.attested_changes import AttestationState, AttestedChange
from intentls.store.config.declared_files import parse_all_intents

_Pair = tuple[Intent, Intent]


class _AttestedStep(Struct, frozen=True):
    """An attested change of one file of intents: each intent that it has before and after, and what vouches for it."""

    attestation: AttestedChange
    intents: Mapping[str, _Pair]


class AttestedDeclarations:
    """The steps of files of intents that people attested.

    An attestation holds for one step, from one content to the next, so what is made easier must come in with it:

        [src/**]   -- Ben, by hand -->   [src/**, docs/**]   -- Ben, attested by Ada -->   [src/**, docs/**, lib/**]

    Ada vouched for `lib/**`, and not for `docs/**`.
    """

    def __init__(
        self, attestations: Iterable[AttestedChange], prefix: str, versions: Iterable[tuple[str, bytes]]
    ) -> None:
        """`versions` are contents that files of intents of the root at `prefix` had, with their root-relative paths."""
        contents = {(path, content_hash(data)): data for path, data in versions}
        self._steps: list[_AttestedStep] = []
        for attestation in attestations:
            path = attestation.path.removeprefix(prefix)
            old, new = (contents.get((path, hash_ or "")) for hash_ in attestation.content)
            if old is None or new is None or attestation.state is AttestationState.DENIED:
                continue
            before, after = (parse_all_intents({path: data}).intents for data in (old, new))
            both = {id_: (before[id_], intent) for id_, intent in after.items() if id_ in before}
            self._steps.append(_AttestedStep(attestation, both))

    def widening(self, intent_id: str, pattern: str) -> AttestedChange | None:
        """Who vouched that the scope got `pattern`, or lost it where it excludes (`!...`)."""
        return self._first(intent_id, lambda pair: pattern in widened_by(pair[0].scope, pair[1].scope))

    def reopening(self, intent_id: str) -> AttestedChange | None:
        """Who vouched that a closed intent is open."""
        return self._first(intent_id, lambda pair: pair[1].is_open and not pair[0].is_open)

    def drop(self, intent_id: str, message: str) -> AttestedChange | None:
        """Who vouched that the rule is gone of which `dropped_rules` says `message`."""
        return self._first(intent_id, lambda pair: message in dropped_rules(*pair))

    def _first(self, intent_id: str, fits: Callable[[_Pair], bool]) -> AttestedChange | None:
        pairs = ((step.attestation, step.intents.get(intent_id)) for step in self._steps)
        return next((attestation for attestation, pair in pairs if pair is not None and fits(pair)), None)


def accepted(finding: BranchFinding, what: str, attestation: AttestedChange | None) -> BranchFinding:
    """`finding` as a warning that says `what` and who vouched for it; unchanged without an attestation."""
    if attestation is None:
        return finding
    message = f"{what}. Attested by {attestation.by}: {attestation.reason}"
    return replace(finding, message=message, level=FindingLevel.WARNING, record_ids=(attestation.record_id,))
