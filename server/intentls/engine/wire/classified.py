"""`intentls classify` as JSON."""

from __future__ import annotations

from intentls.engine.branch_check.classify_commit import Classification
from intentls.engine.wire.results import Json


def classified(found: Classification) -> Json:
    """The class of the whole, and of each file with its reasons; `coarse` where only the name could be judged."""
    return {
        "status": "ok",
        "mutation_class": found.mutation_class.value,
        "files": [
            {
                "path": file.path,
                "mutation_class": file.mutation_class.value,
                "reasons": list(file.reasons),
                **({"coarse": True} if file.is_coarse else {}),
            }
            for file in found.files
        ],
    }
