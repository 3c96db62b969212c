"""Names of C that a change set renamed in the whole repository, proven by tokens: macros hide from trees what they do.

    list.h   struct list { int len; };       struct list { int count; };
    list.c   return list->len;               return list->count;

`len` is declared in a file of the change. No token of any file is `len` afterwards, none was `count` before, no text
has either, and no macro makes a text or another name of them. So a file whose tokens are the same but for proven names
does what it did.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from posixpath import basename

from msgspec import Struct, field

from intentls.core.mutation.file_versions import FileVersions
from intentls.core.mutation.names.c_includes import Includers
from intentls.core.mutation.names.pasted_names import KnownMacros
from intentls.core.mutation.names.prose import is_for_people, may_use
from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.core.mutation.renames.c_declarations import bracket_around, declarations, places_of_word
from intentls.core.mutation.renames.kept_names import without_kept
from intentls.core.mutation.renames.namesakes import Namesakes
from intentls.core.mutation.renames.rename_candidates import candidates
from intentls.core.syntax.languages import adapter_of
from intentls.core.syntax.languages.adapter import kinds
from intentls.core.syntax.languages.c.spans import is_told

MAX_FILES = 60  # beside the change, that may have a name of it
MAX_APART = 12  # pairs that are looked for one by one where all together are in more files
Lexemes = tuple[str, ...]

_NAME = re.compile(r"[^\W\d]\w*\Z")
_WORD = re.compile(r"\w+")
_KEYWORDS = kinds(
    "auto break case char const continue default do double else enum extern float for goto if inline int long"
    " register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while"
    " bool true false"
)
# Words of C++, which are names in C.
_MORE = kinds(
    "class new delete this template typename namespace using public private protected virtual operator try catch throw"
)
# What others call, or what every program has already.
_NOT_OURS = kinds(
    "main errno stdin stdout stderr assert malloc calloc realloc free memcpy memmove memset memcmp strlen strcmp"
    " strncmp strcpy strncpy strcat strdup strchr strstr printf fprintf sprintf snprintf puts open close read write"
    " lseek socket bind listen accept connect send recv poll select exit abort signal time index rindex min max"
    " NULL EOF"
)


_SPACE = re.compile(r"\s|\\n")
_ASSEMBLES = frozenset({"asm", "__asm__", "__asm"})


class _Change:
    """The tokens of one file before and after; none where there is no file."""

    def __init__(self, edit: FileVersions) -> None:
        self.before, self.after = tokens_of(edit.path, edit.before), tokens_of(edit.path, edit.after)


class TokenRenames(Struct, frozen=True):
    """The names that all of a repository renamed, and those of one file alone, by its path."""

    everywhere: Mapping[str, str] = field(default_factory=dict)
    inside: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def of(self, path: str) -> dict[str, str]:
        """The names that the file at `path` renamed."""
        return {**self.inside.get(path, {}), **self.everywhere}


def token_renames(
    edits: Sequence[FileVersions], others: RepositoryText, max_bytes: int, macros: KnownMacros
) -> TokenRenames:
    """The names that all of the repository's files of C renamed alike, and those that one file has for itself."""
    code = [edit for edit in edits if is_c(edit.path)]
    if any(len(content) > max_bytes for edit in code for content in _contents(edit)):
        return TokenRenames()
    pairs = candidates((edit.before, edit.after) for edit in code if edit.before is not None and edit.after is not None)
    pairs = {
        old: new for old, new in pairs.items() if {old, new}.isdisjoint(_KEYWORDS | _NOT_OURS) and new not in _MORE
    }
    if not pairs:
        return TokenRenames()
    unread = [(edit.path, text) for edit in edits if edit not in code for text in _contents(edit)]
    rest = [text for path, text in unread if not is_for_people(path, text)]
    files = [_Change(edit) for edit in code]
    before = [tokens for file in files if (tokens := file.before) is not None]
    after = [tokens for file in files if (tokens := file.after) is not None]
    if len(before) + len(after) < 2 * len(files) or any(map(_is_other, (*before, *after))):
        return TokenRenames()  # one can't be split for certain, or is no C
    pairs = {
        old: new
        for old, new in pairs.items()
        if not any(
            is_told(tokens, index)
            for files, name in ((before, old), (after, new))
            for tokens in files
            for index in places_of_word(tokens, name)
        )
    }
    hidden = {
        edit.path: _hidden_alike(pairs, file, edit.path, others, macros)
        for edit, file in zip(code, files, strict=True)
        if edit.path.endswith(".c") and file.before and file.after
    }
    members = {old for old, new in pairs.items() if _are_members(old, new, before, macros)}
    pairs = {
        old: new
        for old, new in pairs.items()
        if not any(may_use(content, word) for word in (old, new) for content in rest)
        and not any(_says(tokens, old) or (new in tokens and old not in members) for tokens in before)
        and not any(
            old in without_kept(tokens, old, new) or (_says(tokens, new) and old not in members) for tokens in after
        )
    }
    pairs = _declared_alike(pairs, before, after)
    kept = {old for old in pairs if any(old in tokens for tokens in after)}
    namesakes = _namesakes(pairs, edits, list(zip(code, files, strict=True)), members, others)
    known = _known_here_alone(pairs, (*before, *after), others, macros, (kept, members), namesakes)
    pairs = _declared_alike(known, before, after)
    return TokenRenames(pairs, {path: names for path, names in hidden.items() if names})


def _namesakes(
    pairs: Mapping[str, str],
    edits: Sequence[FileVersions],
    files: Sequence[tuple[FileVersions, _Change]],
    members: Collection[str],
    others: RepositoryText,
) -> Namesakes:
    """What tells the names that other files have for themselves from those of the pairs, before and after."""
    versions = [
        (path, tokens, words)
        for edit, file in files
        for path, tokens, words in (
            (edit.old_path or edit.path, file.before or (), pairs.keys()),
            (edit.path, file.after or (), pairs.values()),
        )
    ]
    homes, holders = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    linked: set[str] = set()
    for path, tokens, words in versions:
        for word in {*words} & {*tokens}:
            found = [*declarations(tokens, word)]
            holders[word].add(path)
            homes[word] |= {path} if found or path.endswith(".h") else set()
            linked |= {word} if not all(one.is_own for one in found) else set()
    for old, new in pairs.items():
        homes[old] = homes[new] = homes[old] | homes[new]
        holders[old] = holders[new] = holders[old] | holders[new]
        linked -= {old, new} if old in members else set()
    contents = [(edit.old_path or edit.path, edit.before) for edit in edits] + [
        (edit.path, edit.after) for edit in edits
    ]
    changed = [(path, text) for path, text in contents if text is not None]
    return Namesakes(homes, holders, linked, Includers(changed, others))


def _is_other(tokens: Lexemes) -> bool:
    """Whether it is C++, where methods may override those of others: its words stand where none does in C."""
    return any(
        (word in ("class", "namespace", "typename", "virtual") and _NAME.match(following) is not None)
        or (word in ("template", "namespace") and following in ("<", "{"))
        or (word in ("public", "private", "protected") and following == ":" and tokens[index - 1] != "?")
        for index, (word, following) in enumerate(pairwise(tokens))
    )


def _hidden_alike(
    pairs: Mapping[str, str], file: _Change, path: str, others: RepositoryText, macros: KnownMacros
) -> dict[str, str]:
    """The names of macros, types and static functions that a file has for itself, and renamed in each place."""
    before, after = file.before or (), file.after or ()
    pairs = {
        old: new
        for old, new in pairs.items()
        if old in before
        and new in after
        and not (new in before or old in after)
        and _is_hidden(before, old)
        and _is_hidden(after, new)
        and not any(_may_show(tokens, name, macros) for tokens, name in ((before, old), (after, new)))
    }
    if not pairs:
        return {}
    names = sorted(_as_words({*pairs, *pairs.values()}))
    mentioning = others.mentioning((*names, basename(path)))
    if mentioning is None:
        return {}
    texts = {place: text for place, text in mentioning.items() if not is_for_people(place, text)}
    include = re.compile(rb"#[ \t]*include[^\n]*[\"/]" + re.escape(basename(path).encode()) + rb"\"")
    if any(include.search(text) for text in texts.values()):
        return {}
    # What is compiled for itself has names of its own, and what is no code may say what this file is to be.
    seen = {place: text for place, text in texts.items() if not place.endswith(".c")}
    headers = {place: tokens_of(place, text) for place, text in seen.items() if is_c(place)}

    def is_seen(word: str) -> bool:
        said = (headers.get(place) for place in seen)
        return any(
            may_use(text, word) if tokens is None else word in tokens
            for text, tokens in zip(seen.values(), said, strict=True)
        )

    pairs = {old: new for old, new in pairs.items() if not is_seen(old) and not is_seen(new)}
    return _declared_alike(pairs, [before], [after])


def _as_words(names: Collection[str]) -> set[str]:
    """The words to look for: the names, and as a compiler is given them (`-DNAME`)."""
    return {word for name in names for word in (name, f"D{name}")}


def _is_hidden(tokens: Lexemes, name: str) -> bool:
    """Whether a name is one of this file alone: each place that declares it says so, below all includes."""
    last = max((index for index, token in enumerate(tokens) if token == "include"), default=0)
    found = [*declarations(tokens, name)]
    return bool(found) and all(one.is_own for one in found) and name not in tokens[:last] and not name.startswith("_")


def _may_show(tokens: Lexemes, name: str, macros: KnownMacros) -> bool:
    """Whether a macro may make a text of it, or make it or another name with it."""
    return any(map(macros.shows, {*_macros_around(tokens, (name,))})) or macros.pasted().has(name)


def _declared_alike(pairs: dict[str, str], before: Sequence[Lexemes], after: Sequence[Lexemes]) -> dict[str, str]:
    """The pairs whose declarations are the same before and after, but for each other."""
    while True:  # it ends, as each round but the last takes some away
        kept: dict[str, str] = {}
        renamed = [tuple(_renamed_text(token, pairs) for token in renamed_lexemes(tokens, pairs)) for tokens in before]
        for old, new in pairs.items():
            had, has = (
                Counter(one.lexemes for tokens in files for one in declarations(tokens, new))
                for files in (renamed, after)
            )
            kept |= {old: new} if had and had == has else {}
        if kept == pairs:
            return kept
        pairs = kept


def _renamed_text(token: str, renamed: Mapping[str, str]) -> str:
    """A text for people with the new names: who calls a function does the same if only such a text of it says another.

    The file in which it stands is no refactor.
    """
    if token[-1] != '"' or _SPACE.search(token) is None:
        return token
    return _WORD.sub(lambda word: renamed.get(word[0], word[0]), token)


def renamed_lexemes(lexemes: Iterable[str], renamed: Mapping[str, str]) -> Lexemes:
    """The tokens under their new names."""
    return tuple(renamed.get(token, token) for token in lexemes)


def is_c(path: str) -> bool:
    """Whether a file is C, by its name."""
    adapter = adapter_of(path)
    return adapter is not None and adapter.name == "C"


def _contents(edit: FileVersions) -> list[bytes]:
    return [content for content in (edit.before, edit.after) if content is not None]


def tokens_of(path: str, content: bytes | None) -> Lexemes | None:
    adapter = adapter_of(path)
    assert adapter is not None
    assert adapter.lexemes is not None
    return () if content is None else adapter.lexemes(content.decode("utf-8", "surrogateescape"))


def _says(tokens: Lexemes, word: str) -> bool:
    """Whether a text may be there to find what has the name.

    A program looks for a name alone, as `dlsym` does. A text with white space in it is one for people, unless it may be
    code of another language, as in `"int len(int);"` and `"lib.len = 1"`, or for the assembler.
    """
    name = re.escape(word)
    pattern, code = re.compile(rf"(?<!\w){name}(?!\w)"), re.compile(rf"\.{name}(?!\w)|(?<!\w){name}\s*\(\s*[^\s)]")
    texts = [token for token in tokens if word in token and token[-1:] in ("'", '"') and pattern.search(token)]
    is_meant = any(_SPACE.search(text) is None or code.search(text) for text in texts)
    return is_meant or (bool(texts) and not _ASSEMBLES.isdisjoint(tokens))


def _known_here_alone(
    pairs: dict[str, str],
    changed: Sequence[Lexemes],
    others: RepositoryText,
    macros: KnownMacros,
    free: tuple[Collection[str], Collection[str]],
    namesakes: Namesakes,
) -> dict[str, str]:
    """The pairs that no file beside the change has, and that no macro makes a text or another name of.

    `free` are the old names that still stand for the new ones, so that other files may have them, and those of members,
    which may be called as something else is. A file of C may have a name for itself, as `namesakes` tell.
    """
    kept, members = free
    words_of_members = {pairs[old] for old in members if old in pairs}
    pairs = {
        old: new
        for old, new in pairs.items()
        if not any(_may_show(tokens, name, macros) for tokens in changed for name in (old, new))
    }
    pairs, mentioning = _mentioned(pairs, others)
    texts = {path: content for path, content in mentioning.items() if not is_for_people(path, content)}
    read = {path: tokens_of(path, content) if is_c(path) else None for path, content in texts.items()}
    unread = [texts[path] for path, tokens in read.items() if tokens is None]
    split = [(path, tokens) for path, tokens in read.items() if tokens is not None]

    def is_free(word: str) -> bool:
        if any(_says(tokens, word) for _, tokens in split) or any(may_use(text, word) for text in unread):
            return False
        had = [(path, tokens) for path, tokens in split if word in tokens]
        had = [(path, tokens) for path, tokens in had if not (path.endswith(".c") and _is_hidden(tokens, word))]
        return word in kept or namesakes.are_others(word, had)

    return {old: new for old, new in pairs.items() if is_free(old) and (new in words_of_members or is_free(new))}


def _mentioned(pairs: dict[str, str], others: RepositoryText) -> tuple[dict[str, str], Mapping[str, bytes]]:
    """The pairs whose names not too many files have, and these files by path."""
    mentioning = others.mentioning(sorted(_as_words({*pairs, *pairs.values()}))) if pairs else {}
    if mentioning is not None and len(mentioning) <= MAX_FILES:
        return pairs, mentioning
    apart = {old: others.mentioning(sorted(_as_words({old, pairs[old]}))) for old in [*pairs][:MAX_APART]}
    known: dict[str, str] = {}
    texts: dict[str, bytes] = {}
    for old, found in sorted(apart.items(), key=lambda item: len(item[1] or ())):
        more = {**texts, **(found or {})}
        if found is not None and len(more) <= MAX_FILES:
            texts, known = more, {**known, old: pairs[old]}
    return known, texts


def _are_members(old: str, new: str, before: Sequence[Lexemes], macros: KnownMacros) -> bool:
    """Whether an old name is one of members alone: then only a macro can take the new one for something else."""
    places = [(tokens, index) for tokens in before for index in places_of_word(tokens, old)]
    are_own = all(tokens[index - 1] in (".", "->") or _is_in_type(tokens, index) for tokens, index in places)
    return bool(places) and are_own and macros.called(new) == []


def _is_in_type(tokens: Lexemes, index: int) -> bool:
    """Whether the innermost brace around a token is that of a `struct` or a `union`, and no bracket stands between."""
    place = bracket_around(tokens, index)
    return tokens[place] == "{" and not {"struct", "union"}.isdisjoint(tokens[max(place - 2, 0) : place])


def _macros_around(tokens: Lexemes, words: Collection[str]) -> Iterator[str]:
    """What is called with one of the words, functions or macros."""
    around: list[str] = []
    last = ""
    for token in tokens:
        if token in words:
            yield from (name for name in around if _NAME.match(name))
        elif token == "(":
            around.append(last)
        elif token == ")":
            del around[-1:]
        last = token
