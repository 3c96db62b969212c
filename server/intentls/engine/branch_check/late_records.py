"""Records that the base has, of changes that no commit up to the base has used: a file came later than its record.

A commit of one file takes the ledger's segments in with the records of all that is still to be committed.
"""

from __future__ import annotations

from intentls.core.hashing import hash_of
from intentls.engine.branch_check.branch_ledgers import BranchLedgers, Entry
from intentls.engine.branch_check.comparison import Comparison
from intentls.store.git.commit_changes import committed_versions
from intentls.store.git.commits import read_objects


def late_entries(comparison: Comparison, ledgers: BranchLedgers, prefix: str, path: str) -> list[Entry]:
    """Such records of root-relative `path` in the root at `prefix`. Raises ConfigurationError if git can't tell."""
    base = comparison.base_id
    if base is None or not ledgers.older(path):
        return []
    versions = committed_versions(comparison.top, None, base, [prefix + path]).get(prefix + path, ())
    oids = {oid for version in versions for oid in (version.oid, *version.parents) if oid is not None}
    passed: set[str | None] = {hash_of(content) for content in read_objects(comparison.top, oids).values()}
    passed |= {None for version in versions if version.oid is None}
    return ledgers.late(path, passed)
