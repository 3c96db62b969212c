"""Names of C that a change set renamed in the whole repository, proven by tokens: macros hide from trees what they do.

    list.h   struct list { int len; };       struct list { int count; };
    list.c   return list->len;               return list->count;

`len` is declared in a file of the change. No token of any file is `len` afterwards, none was `count` before, no text
has either, and no macro makes a text or another name of them. So a file whose tokens are the same but for proven names
does what it did.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from intentls.core.mutation.classes import Change, MutationClass, infer
from intentls.core.mutation.file_versions import FileVersions
from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.core.mutation.names.tree_names import parts_of
from intentls.core.mutation.renames.rename_candidates import candidates
from intentls.core.syntax.languages import adapter_of
from intentls.core.syntax.languages.adapter import kinds

MAX_FILES = 60  # beside the change, that may have a name of it
MAX_USES = 1_000  # in one file, that may declare a name
MAX_BRACKET = 20_000  # tokens that are read from one on
Lexemes = tuple[str, ...]

_NAME = re.compile(r"[^\W\d]\w*\Z")
_KEYWORDS = kinds(
    "auto break case char const continue default do double else enum extern float for goto if inline int long"
    " register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while"
    " bool true false class new delete this template typename namespace using public private protected virtual operator"
    " try catch throw"
)
# What others call, or what every program has already.
_NOT_OURS = kinds(
    "main errno stdin stdout stderr assert malloc calloc realloc free memcpy memmove memset memcmp strlen strcmp"
    " strncmp strcpy strncpy strcat strdup strchr strstr printf fprintf sprintf snprintf puts open close read write"
    " lseek socket bind listen accept connect send recv poll select exit abort signal time index rindex min max"
    " NULL EOF"
)


_NO_TYPES = kinds("return goto case extern sizeof else do")
_TAGS = (("struct",), ("union",), ("enum",))
_OPENS, _CLOSES = frozenset({"(", "{", "["}), frozenset({")", "}", "]"})
# Where methods may override those of others.
_CLASSES = kinds("class virtual template namespace typename")


class _Change:
    """The tokens of one file before and after; none where there is no file."""

    def __init__(self, edit: FileVersions) -> None:
        self.before, self.after = tokens_of(edit.path, edit.before), tokens_of(edit.path, edit.after)


def token_renames(edits: Sequence[FileVersions], others: RepositoryText, max_bytes: int) -> dict[str, str]:
    """The names that all of the repository's files in C and C++ renamed alike."""
    code = [edit for edit in edits if is_c(edit.path)]
    if any(len(content) > max_bytes for edit in code for content in _contents(edit)):
        return {}
    pairs = candidates((edit.before, edit.after) for edit in code if edit.before is not None and edit.after is not None)
    pairs = {old: new for old, new in pairs.items() if {old, new}.isdisjoint(_KEYWORDS | _NOT_OURS)}
    if not pairs:
        return {}
    rest = [content for edit in edits if edit not in code and not _is_prose(edit.path) for content in _contents(edit)]
    files = [_Change(edit) for edit in code]
    before = [tokens for file in files if (tokens := file.before) is not None]
    after = [tokens for file in files if (tokens := file.after) is not None]
    if len(before) + len(after) < 2 * len(files) or not all(map(_CLASSES.isdisjoint, (*before, *after))):
        return {}  # one can't be split for certain, or is no C
    pairs = {
        old: new
        for old, new in pairs.items()
        if not any(word.encode() in content for word in (old, new) for content in rest)
        and not any(new in tokens or _says(tokens, old) for tokens in before)
        and not any(old in tokens or _says(tokens, new) for tokens in after)
    }
    pairs = _declared_alike(pairs, before, after)
    return _declared_alike(_known_here_alone(pairs, (*before, *after), others), before, after)


def _declared_alike(pairs: dict[str, str], before: Sequence[Lexemes], after: Sequence[Lexemes]) -> dict[str, str]:
    """The pairs whose declarations are the same before and after, but for each other."""
    while True:  # it ends, as each round but the last takes some away
        kept: dict[str, str] = {}
        renamed = [renamed_lexemes(tokens, pairs) for tokens in before]
        for old, new in pairs.items():
            had, has = (
                Counter(text for tokens in files for text in _declarations(tokens, new)) for files in (renamed, after)
            )
            kept |= {old: new} if had and had == has else {}
        if kept == pairs:
            return kept
        pairs = kept


def renamed_lexemes(lexemes: Iterable[str], renamed: Mapping[str, str]) -> Lexemes:
    """The tokens under their new names."""
    return tuple(renamed.get(token, token) for token in lexemes)


def is_c(path: str) -> bool:
    """Whether a file is C, by its name."""
    adapter = adapter_of(path)
    return adapter is not None and adapter.name == "C"


def _is_prose(path: str) -> bool:
    return infer(path, Change.MODIFY) is MutationClass.DOCUMENTATION


def _contents(edit: FileVersions) -> list[bytes]:
    return [content for content in (edit.before, edit.after) if content is not None]


def tokens_of(path: str, content: bytes | None) -> Lexemes | None:
    adapter = adapter_of(path)
    assert adapter is not None
    assert adapter.lexemes is not None
    return () if content is None else adapter.lexemes(content.decode("utf-8", "surrogateescape"))


def _says(tokens: Lexemes, word: str) -> bool:
    """Whether a text has the word."""
    pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
    return any(word in token and token[-1:] in ("'", '"') and pattern.search(token) is not None for token in tokens)


def _known_here_alone(pairs: dict[str, str], changed: Sequence[Lexemes], others: RepositoryText) -> dict[str, str]:
    """The pairs that no file beside the change has, and that no macro makes a text or another name of."""
    if not pairs:
        return pairs
    parts = {pair: {*parts_of(pair[0]), *parts_of(pair[1])} for pair in pairs.items()}
    macros = {pair: {name for tokens in changed for name in _macros_around(tokens, pair)} for pair in pairs.items()}
    words = {word for pair in pairs.items() for word in (*pair, *parts[pair], *macros[pair])}
    mentioning = others.mentioning(sorted(words))
    if mentioning is None or len(mentioning) > MAX_FILES:
        return {}
    texts = {path: content for path, content in mentioning.items() if not _is_prose(path)}
    read = {path: tokens_of(path, content) if is_c(path) else None for path, content in texts.items()}
    unread = [texts[path] for path, tokens in read.items() if tokens is None]
    split = [tokens for tokens in read.values() if tokens is not None]
    return {
        old: new
        for old, new in pairs.items()
        if not any(word.encode() in text for text in unread for word in (old, new))
        and not any(word in tokens or _says(tokens, word) for tokens in split for word in (old, new))
        and not any(_is_made(tokens, parts[old, new], macros[old, new]) for tokens in (*changed, *split))
    }


def _macros_around(tokens: Lexemes, words: Collection[str]) -> Iterator[str]:
    """The macros, as far as their names tell, whose arguments have one of the words."""
    around: list[str] = []
    last = ""
    for token in tokens:
        if token in words:
            yield from (name for name in around if name.isupper())
        elif token == "(":
            around.append(last)
        elif token == ")":
            del around[-1:]
        last = token


def _is_made(tokens: Lexemes, parts: Collection[str], macros: Collection[str]) -> bool:
    """Whether `#` or `##` stands in one of these macros, or beside one of these parts of a name."""
    for index, token in enumerate(tokens):
        if token == "##" and not {*tokens[index - 2 : index], *tokens[index + 1 : index + 3]}.isdisjoint(parts):
            return True
        if token == "\n#" and tokens[index + 1] == "define" and tokens[index + 2] in macros:
            body = tokens[index : tokens.index("\n", index)]
            if "#" in body or "##" in body:
                return True
    return False


def _declarations(tokens: Lexemes, word: str) -> Iterator[Lexemes]:
    """What declares the name, as tokens: a macro, a type, a function with its body, a variable, a field, a constant."""
    for index in [index for index, token in enumerate(tokens) if token == word][:MAX_USES]:
        start = _start(tokens, index)
        head, following = tokens[start:index], tokens[index + 1 : index + 2]
        if head == ("define",) and tokens[start - 1] == "\n#":
            yield tokens[start : tokens.index("\n", index)]
        elif head[-1:] in _TAGS:
            yield from [(*head, *_bracket(tokens, index + 1))] if following == ("{",) else []
        elif _is_type(head) and following == ("(",):
            parameters = _bracket(tokens, index + 1)
            body = _bracket(tokens, index + 1 + len(parameters))
            yield from [(*head, *parameters, *body)] if body[:1] == ("{",) else []
        elif _is_type(head) and following in ((";",), ("=",), ("[",), (",",), (":",)):
            yield (*head, word)
        elif following in ((",",), ("=",), ("}",)) and _is_constant(tokens, index):
            yield ("enum", word)


def _start(tokens: Lexemes, index: int) -> int:
    """Where the statement or directive begins in which a token stands."""
    while index and tokens[index - 1] not in (";", "{", "}", "\n", "\n#"):
        index -= 1
    return index


def _bracket(tokens: Lexemes, start: int) -> Lexemes:
    """The bracket that begins here, with all that is in it; none if there is none, or it is too long."""
    depth = 0
    for position in range(start, min(start + MAX_BRACKET, len(tokens))):
        depth += (tokens[position] in _OPENS) - (tokens[position] in _CLOSES)
        if depth <= 0:
            return tokens[start : position + 1] if position > start else ()
    return ()


def _is_type(head: Lexemes) -> bool:
    """Whether it is words and stars alone, as before the name in a declaration."""
    words = [token for token in head if token != "*"]
    return bool(words) and all(_NAME.match(word) for word in words) and _NO_TYPES.isdisjoint(words)


def _is_constant(tokens: Lexemes, index: int) -> bool:
    """Whether it is the first or a later name in the braces of an `enum`."""
    depth = 0
    for position in range(index - 1, max(index - MAX_BRACKET, 0), -1):
        depth += (tokens[position] in _CLOSES) - (tokens[position] in _OPENS)
        if depth < 0:
            is_enum = tokens[position] == "{" and "enum" in tokens[max(position - 2, 0) : position]
            return is_enum and tokens[index - 1] in ("{", ",")
    return False
