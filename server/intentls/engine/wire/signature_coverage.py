"""How much of a ledger is signed, for clients."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, UnsetType

if TYPE_CHECKING:  # as in `answers`
    from intentls.store.ledger.ledger import SignatureSummary


class SignatureCoverage(Struct, frozen=True):
    """How many of a root's segments are signed, by whom; `note` says why that was not looked at."""

    signed: int
    segments: int
    signers: dict[str, int]
    note: str | UnsetType = UNSET

    @classmethod
    def of(cls, summary: SignatureSummary) -> SignatureCoverage:
        return cls(summary.signed, summary.segments, dict(summary.signers), summary.note or UNSET)
