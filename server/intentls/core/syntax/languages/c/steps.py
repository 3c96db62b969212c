"""The steps that bring two contents of C into one form, in their order, and what each of them is a reason for."""

from __future__ import annotations

from collections.abc import Callable

from intentls.core.syntax.languages.c.extracted import SHARED_IN_HEADER
from intentls.core.syntax.languages.c.forms.attributes import ATTRIBUTES, without_attributes
from intentls.core.syntax.languages.c.forms.branches import BRANCHES, with_joined_branches, with_plain_loops
from intentls.core.syntax.languages.c.forms.casts import (
    CASTS,
    POINTERS,
    UNUSED,
    Form,
    with_plain_pointers,
    without_casts,
    without_unread,
)
from intentls.core.syntax.languages.c.forms.directives import (
    ASKED,
    EMPTY,
    with_plain_conditions,
    without_empty_conditions,
)
from intentls.core.syntax.languages.c.forms.expressions import (
    BRACKETS,
    NOTHING,
    with_sizes_in_brackets,
    without_brackets,
    without_choices,
    without_nothing,
)
from intentls.core.syntax.languages.c.forms.guards import GUARDED, without_guards
from intentls.core.syntax.languages.c.forms.locals import (
    DECLARED,
    RETURNED,
    with_names_first,
    with_one_name_each,
    without_returned_names,
    without_unused_names,
)
from intentls.core.syntax.languages.c.forms.qualifiers import (
    CONSTANTS,
    PROTOTYPES,
    TYPES,
    with_prototypes_in_order,
    without_announced_types,
    without_const,
    without_parameter_names,
    without_prototypes,
)
from intentls.core.syntax.languages.c.forms.statements import (
    BLOCKS,
    BRACES,
    ENDS,
    STEPS,
    with_braces,
    with_steps,
    without_blocks,
    without_empty_statements,
    without_last_breaks,
)
from intentls.core.syntax.languages.c.forms.types import SIZES, SPELLED, with_plain_types, with_sizes_of_types
from intentls.core.syntax.languages.c.forms.values import (
    FIRST,
    LENGTHS,
    SEMICOLONS,
    STARTED,
    ZEROS,
    with_lengths_of_texts,
    with_plain_zeros,
    without_first_zeros,
    without_idle_links,
    without_idle_values,
    without_semicolons,
)
from intentls.core.syntax.languages.c.forms.ways_out import LABELS, OUT, without_labels, without_unreached
from intentls.core.syntax.languages.c.functions import MOVED, VOID, in_order, with_void
from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.spans import Lexemes
from intentls.core.syntax.languages.c.ways.branching import with_one_way
from intentls.core.syntax.languages.c.ways.comparisons import with_constants_last
from intentls.core.syntax.languages.c.ways.named_values import NAMED, without_named_values

Pair = tuple[Lexemes, Lexemes]
PairStep = Callable[[Pair, Macros], Pair]
Step = tuple[str, PairStep | Form]
"""A reason, and what brings a whole file or, as a `Form`, one function or part of the file into one form."""


def _in_file(form: Form) -> PairStep:
    return lambda pair, macros: (form(pair[0], macros), form(pair[1], macros))


VOID_STEP: Step = (VOID, with_void)
# What stands in brackets and branches after the steps before.
_ONE_WAY: tuple[Step, ...] = (
    (BRACKETS, without_brackets),
    (BRANCHES, with_joined_branches),
    (BRANCHES, with_one_way),
    (BRANCHES, with_joined_branches),
    (BRACKETS, without_brackets),
    (STEPS, with_steps),
    (MOVED, _in_file(in_order)),
)
STEPS_OF_FILES: tuple[Step, ...] = (
    VOID_STEP,
    (ATTRIBUTES, without_attributes),
    (SPELLED, with_plain_types),
    (SEMICOLONS, without_semicolons),
    (STARTED, without_first_zeros),
    (ASKED, _in_file(with_plain_conditions)),
    (TYPES, _in_file(without_announced_types)),
    (PROTOTYPES, _in_file(without_parameter_names)),
    (PROTOTYPES, _in_file(with_prototypes_in_order)),
    (PROTOTYPES, _in_file(without_prototypes)),
    (GUARDED, _in_file(without_guards)),
    (CONSTANTS, without_const),
    (DECLARED, with_one_name_each),
    (ZEROS, with_plain_zeros),
    (FIRST, without_idle_values),
    (RETURNED, without_returned_names),
    (UNUSED, without_idle_links),
    (UNUSED, without_unread),
    (UNUSED, without_unused_names),
    (EMPTY, _in_file(without_empty_conditions)),
    (CASTS, without_casts),
    (POINTERS, with_plain_pointers),
    (BRACKETS, with_sizes_in_brackets),
    (SIZES, with_sizes_of_types),
    (LENGTHS, with_lengths_of_texts),
    (LABELS, without_labels),
    (BRACES, with_braces),
    (BLOCKS, without_empty_statements),
    (STEPS, with_plain_loops),
    (OUT, without_unreached),
    (BLOCKS, without_blocks),
    (ENDS, without_last_breaks),
    (STEPS, with_steps),
    (STEPS, with_constants_last),
    (BRACKETS, without_brackets),
    (CASTS, without_casts),
    (NOTHING, without_choices),
    (NOTHING, without_nothing),
    *_ONE_WAY,
)
IN_FUNCTIONS = frozenset(
    {
        *(CONSTANTS, DECLARED, UNUSED, CASTS, POINTERS, BRACKETS, BRACES, BLOCKS, ENDS, NOTHING, STEPS, LABELS, OUT),
        *(BRANCHES, NAMED, RETURNED, ZEROS, FIRST, SIZES, LENGTHS),
    }
)
IN_PARTS = frozenset({VOID, ATTRIBUTES, SPELLED, SEMICOLONS, STARTED})
# A header may be one of C++ too, where types choose what is called.
STEPS_OF_HEADERS: tuple[Step, ...] = (
    SHARED_IN_HEADER,
    VOID_STEP,
    (ATTRIBUTES, without_attributes),
    (SPELLED, with_plain_types),
    (ASKED, _in_file(with_plain_conditions)),
    (TYPES, _in_file(without_announced_types)),
    (PROTOTYPES, _in_file(without_parameter_names)),
    (PROTOTYPES, _in_file(with_prototypes_in_order)),
    (GUARDED, _in_file(without_guards)),
    (UNUSED, without_unread),
    (MOVED, _in_file(in_order)),
)
# Where all else leaves two versions: these take names from where they are declared, by which other steps go.
LAST_STEPS: tuple[Step, ...] = (
    (DECLARED, with_names_first),
    (BRANCHES, with_one_way),
    (NAMED, without_named_values),
    (UNUSED, without_unused_names),
    (NOTHING, without_nothing),
    *_ONE_WAY,
)
