"""Arguments of C that a function or macro takes and ignores, where the change set gives it fewer or more of them.

    tree.h   #define NEXT(name, head, x) name##_NEXT(x)      #define NEXT(name, x) name##_NEXT(x)
    a.c      return NEXT(list, &root, node);                 return NEXT(list, node);

`NEXT` is defined once, and is the same but for a parameter that it does not have in its body. So a file whose calls are
the same without what `NEXT` ignores does what it did. A function still computes what it is given: there, what it
ignores has to be a value that is only looked up.

    job.c    int run(const char *cmd) { .. }                 int run(const char *cmd, struct env *e) { .. }
    b.c      run("ls");                                      run("ls", NULL);

What `run` does now is told of job.c. A file that gives it nothing in the place of what is new follows, as does one that
gives it no more what it does not take any more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct, field
from msgspec.structs import replace

from intentls.core.mutation.moves.c_moves import CFile
from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.core.syntax.languages.c.declarations import DIRECTIVE, parts_of_file, words_of
from intentls.core.syntax.languages.c.functions import KEYWORDS, is_function
from intentls.core.syntax.languages.c.macros import macro_of
from intentls.core.syntax.languages.c.spans import Lexemes

Known = Callable[[str], bool]
"""Whether no macro of the repository has the word in what it is made of, or is called so."""

MAX_NESTED = 20  # calls of these, one in the other, that are looked into
MAX_NAMES = 20  # that a change set may give other parameters

_NAME = re.compile(r"[^\W\d]\w*\Z")
_NUMBER = re.compile(r"\d[\w.]*\Z")
_OPENS, _CLOSES = frozenset({"(", "{", "["}), frozenset({")", "}", "]"})
_BEFORE_CALLS = frozenset({"return", "else", "do", "case", "define"})
_NOTHING = (("NULL",), ("0",), ("false",))
_LOOKS = frozenset({".", "->", "&", "*", "NULL", "true", "false"})


class Callee(Struct, frozen=True):
    """A function or macro: how many arguments it takes, which it uses by place, and all else that it is.

    `parameters` are those of a function that no other file can call: its definition may lose some as well. `head` and
    `listed` are what stands before its parameters, and all of them. `is_given`: it uses the others too, so that they
    have to be nothing. `is_open`: more may follow.
    """

    count: int
    used: tuple[int, ...]
    meaning: Lexemes
    is_macro: bool
    parameters: tuple[Lexemes, ...] = ()
    head: Lexemes = ()
    listed: tuple[Lexemes, ...] = ()
    is_given: bool = False
    is_open: bool = False

    def takes(self, arguments: Sequence[Lexemes]) -> bool:
        """Whether a call may have these."""
        return len(arguments) >= self.count if self.is_open else len(arguments) == self.count


class IdleArguments(Struct, frozen=True):
    """What is called with fewer or more arguments that it ignores, by name: before the change, and after it."""

    before: Mapping[str, Callee] = field(default_factory=dict)
    after: Mapping[str, Callee] = field(default_factory=dict)

    def settle(self, old: Lexemes, new: Lexemes, is_unknown: Known) -> tuple[Lexemes, Lexemes, tuple[str, ...]]:
        """Both without arguments that are ignored, and whose these are. `is_unknown`: no macro has the name."""
        names = [name for name in self.before if name in old or name in new]
        if not names:
            return old, new, ()
        shorter = (_Calls(self.before, is_unknown).without(old), _Calls(self.after, is_unknown).without(new))
        reasons = tuple(map(self._reason, names))
        return (*shorter, reasons) if shorter != (old, new) else (old, new, ())

    def _reason(self, name: str) -> str:
        is_followed = self.before[name].meaning != self.after[name].meaning
        return f"follows what {name} takes" if is_followed else f"{name} ignores what it is no more given"


class _Calls:
    """Takes out of the calls of some functions and macros what these ignore."""

    def __init__(self, callees: Mapping[str, Callee], is_unknown: Known) -> None:
        self._callees, self._is_unknown = callees, is_unknown

    def without(self, lexemes: Lexemes, depth: int = 0) -> Lexemes:
        kept: list[str] = []
        index = 0
        while index < len(lexemes):
            callee = self._callees.get(lexemes[index])
            kept.append(lexemes[index])
            index += 1
            if callee is None or kept[-2:-1] == ["define"] or depth > MAX_NESTED:
                continue
            arguments = arguments_at(lexemes, index)
            if arguments is None or not callee.takes(arguments):
                continue
            if not self._are_idle(arguments, callee, is_declared=_is_declared(lexemes, index - 1)):
                continue
            index += sum(map(len, arguments)) + max(len(arguments) - 1, 0) + 2
            places = (*callee.used, *range(callee.count, len(arguments)))
            given = [self.without(arguments[place], depth + 1) for place in places]
            kept += ["(", *(token for argument in given for token in (*argument, ","))]
            kept[-1:] = [")"] if given else ["(", ")"]
        return tuple(kept)

    def _are_idle(self, arguments: Sequence[Lexemes], callee: Callee, *, is_declared: bool) -> bool:
        if is_declared:
            return bool(callee.parameters) and tuple(arguments) == callee.parameters
        ignored = [arguments[place] for place in range(callee.count) if place not in callee.used]
        if callee.is_given:
            return all(argument in _NOTHING for argument in ignored)
        return callee.is_macro or all(map(self._is_looked_up, ignored))

    def _is_looked_up(self, argument: Lexemes) -> bool:
        """Whether nothing happens when it is computed: names, numbers, members, addresses."""
        pairs = pairwise(argument)
        return not any(_NAME.match(one) and _NAME.match(two) for one, two in pairs) and all(
            token in _LOOKS
            or token[0] in "\"'"
            or _NUMBER.match(token)
            or (_NAME.match(token) and self._is_plain(token))
            for token in argument
        )

    def _is_plain(self, name: str) -> bool:
        return not name.isupper() and self._is_unknown(name)


def _is_declared(lexemes: Lexemes, index: int) -> bool:
    """Whether a type may stand before a name: then the function is declared there, and not called."""
    place = index - 1
    while place > 0 and lexemes[place] == "*":
        place -= 1
    return place >= 0 and _NAME.match(lexemes[place]) is not None and lexemes[place] not in _BEFORE_CALLS


def arguments_at(lexemes: Lexemes, start: int) -> list[Lexemes] | None:
    """The parts between the commas of the brackets that begin here; None if there are none, or a directive in them."""
    if lexemes[start : start + 1] != ("(",):
        return None
    depth, begin = 0, start + 1
    arguments: list[Lexemes] = []
    for position in range(start, len(lexemes)):
        token = lexemes[position]
        depth += (token in _OPENS) - (token in _CLOSES)
        if token in (DIRECTIVE, "\n"):
            return None
        if depth == 0 or (depth == 1 and token == ","):
            arguments.append(lexemes[begin:position])
            begin = position + 1
        if depth == 0:
            return arguments if arguments != [()] else []
    return None


def idle_arguments(
    files: Sequence[CFile], others: RepositoryText, is_unknown: Known, is_prose: Callable[[str], bool]
) -> IdleArguments:
    """What the change set's files in C give fewer or more parameters that it ignores."""
    before, after = ([(side(file), file.path) for file in files] for side in (_before, _after))
    had, has = _callees(before), _callees(after)
    followed = {name: pair for name in had if name in has and (pair := _followed(had[name][0], has[name][0]))}
    had |= {name: (pair[0], frozenset()) for name, pair in followed.items()}
    has |= {name: (pair[1], frozenset()) for name, pair in followed.items()}
    names = [name for name in had if name in followed or (name in has and _takes_others(had[name], has[name]))]
    names = names[:MAX_NAMES]
    proven = [name for name in names if _is_known_here_alone(name, had[name], has[name], before, after)]
    proven = [
        name
        for name in proven
        if all(is_unknown(word) for word in _parameter_names(had[name], has[name]))
        and (mentioning := others.mentioning((name,))) is not None
        and all(map(is_prose, mentioning))
    ]
    return IdleArguments({name: had[name][0] for name in proven}, {name: has[name][0] for name in proven})


def _before(file: CFile) -> Lexemes:
    return file.before


def _after(file: CFile) -> Lexemes:
    return file.after


Found = tuple[Callee, frozenset[str]]
"""What is called, and the names of its parameters if macros could use them."""


def _takes_others(old: Found, new: Found) -> bool:
    one, other = old[0], new[0]
    is_closed = not (one.is_open or other.is_open)
    return is_closed and one.count != other.count and (one.meaning, one.is_macro) == (other.meaning, other.is_macro)


def _followed(old: Callee, new: Callee) -> tuple[Callee, Callee] | None:
    """What a function does without or takes in addition, whatever it does: all else of its head is the same."""
    if old.is_macro or new.is_macro or old.count == new.count or old.meaning == new.meaning or old.head != new.head:
        return None
    one, other = old.listed, new.listed
    places = [index for index, parameter in enumerate(one) if parameter in other]
    others = [index for index, parameter in enumerate(other) if parameter in one]
    if min(old.count, new.count) != len(places) or [one[at] for at in places] != [other[at] for at in others]:
        return None
    return (
        replace(old, used=tuple(places), parameters=()),
        replace(new, used=tuple(others), parameters=(), is_given=True),
    )


def _parameter_names(old: Found, new: Found) -> frozenset[str]:
    return old[1] | new[1]


def _is_known_here_alone(
    name: str, old: Found, new: Found, before: Sequence[tuple[Lexemes, str]], after: Sequence[tuple[Lexemes, str]]
) -> bool:
    """Whether each call has as many arguments as are taken, and a function is only called."""
    for callee, files in ((old[0], before), (new[0], after)):
        for lexemes, _ in files:
            for index, token in enumerate(lexemes):
                if token != name:
                    continue
                arguments = arguments_at(lexemes, index + 1)
                is_called = arguments is not None and callee.takes(arguments)
                is_defined = callee.is_macro and lexemes[index - 1 : index] == ("define",)
                if not (is_called or is_defined or (arguments == [("void",)] and callee.count == 0)):
                    return False
    return True


def _callees(files: Sequence[tuple[Lexemes, str]]) -> dict[str, Found]:
    """The functions and macros that are defined once, by name."""
    found: dict[str, list[Found]] = {}
    for lexemes, path in files:
        for part in parts_of_file(lexemes):
            for name, callee in _defined(part.lexemes, is_in_header=not path.endswith(".c")):
                found.setdefault(name, []).append(callee)
    return {name: callees[0] for name, callees in found.items() if len(callees) == 1}


def _defined(chunk: Lexemes, *, is_in_header: bool) -> Iterator[tuple[str, Found]]:
    if chunk[:1] == (DIRECTIVE,):
        macro = macro_of(chunk)
        names = None if macro is None else macro.parameters
        if names is not None and "..." not in names:
            body = chunk[chunk.index(")") + 1 : -1]
            used = tuple(place for place, name in enumerate(names) if name in body)
            holes = {names[place]: f"\0{number}" for number, place in enumerate(used)}
            meaning = tuple(holes.get(token, token) for token in (body[1:] if body[:1] == (" ",) else body))
            yield chunk[2], (Callee(len(names), used, meaning, is_macro=True), frozenset())
    elif is_function(chunk):
        yield from _function(chunk, is_in_header=is_in_header)


def _function(chunk: Lexemes, *, is_in_header: bool) -> Iterator[tuple[str, Found]]:
    head, body = chunk[: chunk.index("{")], chunk[chunk.index("{") :]
    start = head.index("(")
    parameters = arguments_at(head, start)
    if parameters is None or start == 0 or head.count("(") > 1 or not _NAME.match(head[start - 1]):
        return
    parameters = [] if parameters == [("void",)] else parameters
    is_open = parameters[-1:] == [("...",)]
    parameters = parameters[:-1] if is_open else parameters
    # Which of its words is the parameter's name can't always be told, so none of them may stand in the body.
    words = [words_of(parameter) - KEYWORDS for parameter in parameters]
    used = tuple(place for place, known in enumerate(words) if len(parameters[place]) < 2 or not known.isdisjoint(body))
    taken = tuple(token for place in used for token in (*parameters[place], ","))
    own = tuple(parameters) if "static" in head and not is_in_header else ()
    callee = Callee(
        len(parameters),
        used,
        (*head[: start - 1], "(", *taken, ")", *body),
        is_macro=False,
        parameters=own,
        head=head[: start - 1],
        listed=tuple(parameters),
        is_open=is_open,
    )
    ignored = (words[place] for place in range(len(words)) if place not in used)
    yield head[start - 1], (callee, frozenset[str]().union(*ignored))
