"""The tokens of a content without a tree, for what a grammar can't parse: what a compiler's lexer would hand on.

    #define F(a) \\             and        #define F(a) g(a) // why
      g(a) /* as ever */                  (one line)

have the same tokens, whatever `F` does to the code around it. So two contents that differ in comments and white space
alone are told from others even where macros, or types that are no JavaScript, keep a tree from being built. What can't
be split for certain has no tokens.
"""

from __future__ import annotations

import re

MAX_GROUPS = 100  # of `#if`, one in the other

_HEADER = r"(?<=include)[ \t]*<[^>\n]*>"
# Three groups: what stands before a token, the token, and its first sign where what follows may be a comment, or a text
# with one in it. The last token is empty.
_C_TOKENS = re.compile(
    rf"""((?:(?!{_HEADER})(?:[^\S\n]+|//[^\n]*|/\*.*?\*/))*+)({_HEADER}|\n|\Z
    |(?:u8|[uUL])?(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')(?:_\w+)?
    |\.?\d(?:[eEpP][+-]|[\w.]|'\w)*|[^\W\d][\w$]*
    |(?:(?=(["'](?=[^\n]*/[*/])|/(?=\*))))?(?:%:%:|\.\.\.|<<=|>>=|<=>|->\*|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=
    |\#\#|::|\.\*|<:|:>|<%|%>|%:|[^\s\w]))""",
    re.VERBOSE | re.DOTALL,
)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
# Trigraphs, and a space after a backslash: what only some compilers take for what they look like.
_C_UNSURE = re.compile(r"\\[ \t]+\n|\?\?/")
_RAW = frozenset({"R", "LR", "uR", "UR", "u8R"})  # before a text, in which other signs end it in C++


class _Brackets:
    """Whether round brackets are open, where no directive stands in them: there, they may be opened or closed twice."""

    def __init__(self) -> None:
        self._depth, self._is_sure = 0, True

    @property
    def are_closed(self) -> bool:
        return self._is_sure and self._depth == 0

    def read(self, token: str) -> None:
        self._depth += (token == "(") - (token == ")")

    def interrupt(self) -> None:
        self._is_sure = self._is_sure and self._depth == 0


def _without_comments(token: re.Match[str]) -> str:
    """A token, and what stands before it, but for comments between `/*` and `*/`."""
    before = _COMMENT.sub(lambda comment: " " if comment[0].startswith("/*") else comment[0], token[1])
    return before + token[2]


def lexemes_of_c(source: str) -> tuple[str, ...] | None:
    """The preprocessing tokens of C or C++, with the ends of its directives; None where they can't be told.

    White space counts in a macro's body alone, which may be made a text. The number in `#line 7` is left out.
    """
    source = source.replace("\r\n", "\n")
    # In a comment between `/*` and `*/` neither means anything.
    if _C_UNSURE.search(source) and _C_UNSURE.search(_C_TOKENS.sub(_without_comments, source)):
        return None
    source = source.replace("\\\n", "")
    tokens: list[str] = []
    directive: list[str] | None = None  # what stands in it before; None outside
    is_start, last = True, ""
    brackets = _Brackets()
    for before, token, unsure in _C_TOKENS.findall(source):
        if token in ("\n", ""):
            tokens += [] if directive is None else ["\n"]
            directive, is_start, last = None, True, ""
            continue
        if unsure or (last in _RAW and token[0] == '"' and not before):
            return None
        last = token
        if directive is not None:
            # `A (b)` and `A(b)` define two things, and so may `b + c` and `b+c`, as texts.
            tokens += [" "] if before and len(directive) > 1 and directive[0] == "define" else []
            tokens += [token.strip()] if directive != ["line"] else []
            directive.append(token)
        elif is_start and token in ("#", "%:"):
            directive = []
            brackets.interrupt()
            tokens.append("\n#")
        else:
            if token == "}" and tokens[-1:] == [","] and brackets.are_closed:
                tokens.pop()  # the last comma of a list means nothing, unless a macro is given it
            elif token in ("(", ")"):
                brackets.read(token)
            is_start = False
            tokens.append(token)
    return tuple(tokens)


def are_brackets_closed(lexemes: tuple[str, ...]) -> bool:
    """Whether each bracket that is opened is closed: then what seems to be a definition of C ends where it seems to.

    Where branches of `#if` open one each, they are not.
    """
    expected: list[str] = []
    for token in lexemes:
        if token in _OPENING:
            expected.append(_OPENING[token])
        elif token in (")", "]", "}") and (not expected or expected.pop() != token):
            return False
    return not expected


def without_dead_lines(lexemes: tuple[str, ...]) -> tuple[str, ...]:
    """The tokens without what stands between `#if 0` and its `#else` or `#endif`.

    They stay as they are if such a group has an `#elif`, or the directives are not in pairs.
    """
    kept: list[str] = []
    groups: list[str] = []  # which are open: live ones, dead ones, and those that began dead and live after `#else`
    index = 0
    while index < len(lexemes):
        if lexemes[index] != "\n#":
            kept += [] if "dead" in groups else [lexemes[index]]
            index += 1
            continue
        end = lexemes.index("\n", index) + 1
        directive, index = lexemes[index:end], end
        word, group = directive[1:2], groups[-1:]
        if word in (("if",), ("ifdef",), ("ifndef",)):
            is_dead = directive[2:] == ("0", "\n") and word == ("if",) and "dead" not in groups
            groups.append("dead" if is_dead else "live")
            if len(groups) > MAX_GROUPS:
                return lexemes
            group = groups[-1:]
        elif word in (("else",), ("elif",), ("elifdef",), ("elifndef",), ("endif",)):
            if not group or (word != ("endif",) and (group == ["alive"] or (group == ["dead"] and word != ("else",)))):
                return lexemes
            groups.pop()
            groups += [] if word == ("endif",) else ["alive" if group == ["dead"] else "live"]
        else:
            group = []
        kept += [] if "dead" in groups or group in (["dead"], ["alive"]) else directive
    return tuple(kept) if not groups else lexemes


_COMMENTED = re.compile(
    r""" \"{3}(?:\\.|[^\\])*?\"{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|(//[^\n]*|/\*.*?\*/)""",
    re.DOTALL | re.VERBOSE,
)


def uncommented(text: str) -> str:
    """A part of Java or JavaScript without its comments, in which a name is no use of it.

    In JavaScript a regular expression may look like the beginning of one: there it is a guess.
    """
    return _COMMENTED.sub(lambda part: " " if part[1] else part[0], text) if "//" in text or "/*" in text else text


_SCRIPT_TOKENS = re.compile(
    r"""(?P<space>[^\S\n]+)|(?P<newline>\n)|(?P<comment>//[^\n]*|/\*.*?\*/)
    |(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?P<word>[\w$\#@]+(?:(?<=\d)\.\d*)?|\.\d+)
    |(?P<sign>>>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.|\+\+|--|\*\*|<<|>>
    |[-+*%&|^]=|\{\||\|\}|[^\s\w])""",
    re.VERBOSE | re.DOTALL,
)
_TEMPLATE = re.compile(r"(?:\\.|\$(?!\{)|[^\\`$])*(\$\{|`)", re.DOTALL)
_REGEX = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/\w*")
# Markup, and comments of the first browsers.
_SCRIPT_UNSURE = re.compile(r"</|(?<!\*)/>|<!--|^[ \t]*-->", re.MULTILINE)
_EITHER_WAY = re.compile(r"""[^\n"'`/]*(/[^\n"'`/*]*)*(\n|\Z)""")  # a line in which a slash may begin or divide


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BEFORE_VALUES = _words("return typeof case in delete void throw new do else instanceof")
_UNSURE_WORDS = _words("of await yield let async get set static")
# A line break after or before one of these ends no statement.
_OPEN = _words("( [ { , ; = ? : & | && || + - . < {| =>")
_CLOSE = _words(") ] } , ; = ? : & | && || . ?. > |} == === != !==")
_OPENING, _CLOSING = {"(": ")", "[": "]", "{": "}", "{|": "|}"}, _words(") ] } |}")
_LAST = _CLOSING | {">"}


def lexemes_of_script(source: str, pragma: re.Pattern[str]) -> tuple[str, ...] | None:
    """The tokens of JavaScript, with or without types, and what ends its statements: line breaks, unless they can't.

    Comments are left out but for a `pragma`. None where tokens can't be told: in markup, and where a slash may divide
    or begin a regular expression and it matters.
    """
    source = source.replace("\r\n", "\n")
    return None if _SCRIPT_UNSURE.search(source) else _ScriptReader(source, pragma).read()


class _ScriptReader:
    """Reads one content from its beginning to its end."""

    def __init__(self, source: str, pragma: re.Pattern[str]) -> None:
        self._source, self._pragma = source, pragma
        self._tokens: list[str] = []
        self._open: list[str] = []  # what closes the brackets that are open; "`" closes what stands in a template
        self._is_broken = False  # a line ended since the last token
        self._plain_until = 0  # how far a slash is known to change nothing

    def read(self) -> tuple[str, ...] | None:
        """The tokens; None where they can't be told."""
        position = 0
        while position < len(self._source):
            match = _SCRIPT_TOKENS.match(self._source, position)
            assert match is not None  # any sign is a token
            kind, text, position = match.lastgroup, match[0], match.end()
            if kind in ("text", "word") or (kind == "comment" and self._pragma.match(text)):
                self._put(text)
            elif kind == "newline" or (kind == "comment" and "\n" in text):
                self._is_broken = True
            elif kind == "sign":
                end = self._sign(text, match.start())
                if end is None:
                    return None
                position = end
        return tuple(self._tokens) if not self._open else None

    def _sign(self, text: str, start: int) -> int | None:
        """Take a sign in, with what belongs to it; where it ends. None: that can't be told."""
        end = start + len(text)
        if text == "/":
            return self._slash(start)
        if text in ("'", '"', "\\"):
            return None
        if text == "`" or (text == "}" and self._open[-1:] == ["`"]):
            return self._template(start, is_begin=text == "`")
        if text in _CLOSING and (not self._open or self._open.pop() != text):
            return None
        if text in _LAST and self._tokens[-1:] == [","] and self._tokens[-2:-1] not in ([","], ["["]):
            self._tokens.pop()  # a last comma means nothing
        self._put(text)
        self._open += [_OPENING[text]] if text in _OPENING else []
        return end

    def _template(self, start: int, *, is_begin: bool) -> int | None:
        match = _TEMPLATE.match(self._source, start + 1)
        if match is None:
            return None
        if not is_begin:
            self._open.pop()
        if match[1] != "`":
            self._open.append("`")
        self._put(self._source[start : match.end()])
        return match.end()

    def _slash(self, start: int) -> int | None:
        if self._source.startswith("/*", start):
            return None
        last = self._tokens[-1] if self._tokens else "("
        is_member = self._tokens[-2:-1] == ["."]
        is_word = last[-1].isalnum() or last[-1] in "_$"
        if last in (")", "}", "++", "--") or last in _UNSURE_WORDS or (is_member and last in _BEFORE_VALUES):
            if start >= self._plain_until:
                match = _EITHER_WAY.match(self._source, start + 1)
                if match is None:
                    return None
                self._plain_until = match.end()
        elif (not is_word and last[-1] not in "]\"'`") or last in _BEFORE_VALUES:
            match = _REGEX.match(self._source, start)
            if match is None:
                return None
            self._put(match[0])
            return match.end()
        self._put("/")
        return start + 1

    def _put(self, text: str) -> None:
        last = self._tokens[-1] if self._tokens else ";"
        is_inside = self._open[-1:] in ([")"], ["]"])
        if self._is_broken and not is_inside and last not in _OPEN and text not in _CLOSE:
            self._tokens.append("\n")
        self._is_broken = False
        self._tokens.append(text)
