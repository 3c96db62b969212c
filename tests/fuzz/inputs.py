"""Where fuzzing begins: honest inputs of each entrance, and the words that mean something there."""

from __future__ import annotations

import json

from tests.support.workspaces import WEATHER_INTENTS

INTENTS = (
    WEATHER_INTENTS.encode(),
    b"active_intents: []\n",
    b"# only a comment\r\n",
    b'{"active_intents": [{"id": "A", "name": "n", "owned_scope": ["a/**"]}]}',
    b"active_intents:\n- id: A\n  description: |\n    text\n   # c\n  owned_scope:\n  - a/*.py\n  - '!a/b.py'\n",
    b"active_intents: &all\n  - &one {id: A, owned_scope: &s [a]}\n  - {id: B, owned_scope: *s}\n",
    b"x: !!python/object/apply:os.system ['true']\n",
)
YAML_TOKENS = tuple(
    token.encode()
    for token in (
        *("active_intents:", "  - id: ", "    owned_scope: ", "    status: ", "DONE", "\n", "\n  ", "\n      ", " "),
        *("- ", ": ", ", ", "[", "]", "{", "}", '"', "'", "|", "|-\n", ">+2\n", "&a ", "*a", "!", "!!str ", "!<x> "),
        *(
            "#",
            " # c\n",
            "---\n",
            "...\n",
            "%YAML 1.2\n",
            "<<: ",
            "? ",
            "~",
            "null",
            "yes",
            "0x1F",
            "1e3",
            "2026-01-01",
        ),
        *("\\u0041", "\\ud800", "\\x00", "\t", "@", "`", "**/*.py", "!src/**", "a{b,c}", "[a-", "a/../b", "INT-001"),
    )
)
POLICY = (
    b"mode: enforce\nhitl: ask\nhitl_timeout_s: 120\non_invalid: block\non_trace_failure: warn\nrequire_base: false\n"
    b"empty_scope: allow\ntrace_on_save: true\nleases: advise\nlease_ttl_s: 600\n"
    b"context: {max_tokens: 4000, recent_changes: 20}\n"
    b'linters:\n  - {name: ruff, files: ["**/*.py"], command: [ruff, "{file}"], format: sarif}\n',
    b"mode: advise\nunknown: 1\ncontext: {max_tokens: 1}\nlinters: []\n",
    b'linters:\n  - name: x\n    files: ["/abs", "a"]\n    command: []\n',
)
POLICY_TOKENS = (
    *YAML_TOKENS,
    *(
        b"mode: ",
        b"advise",
        b"hitl_timeout_s: ",
        b"99999999999999999999",
        b"-1",
        b"true",
        b"context: ",
        b"max_tokens: ",
    ),
    *(b"linters: ", b"command: ", b"files: ", b"format: ", b"text", b"lease_ttl_s: ", b"0.5", b"on_invalid: "),
)
IGNORE = (
    b"# comment\nintent: INT-003\n*.secret\n!keep.secret\n/build/\nsrc/**/gen/\n\\#x\n\\!y\ntrailing\\ \n[a-z]*.log\n",
    b"**\n!**/\n!*.py\n",
)
IGNORE_TOKENS = tuple(
    token.encode()
    for token in (
        *("intent: ", "INT-001", "\n", "/", "*", "**", "?", "[", "]", "[!", "[^", "-", "\\", "!", "#", " ", "\\ ", "a"),
        *(
            "[[:alpha:]]",
            "[[:x:]]",
            "src",
            "src/",
            "/src",
            "api",
            "weather.py",
            ".py",
            "**/",
            "/**",
            "a/**/b",
            "\u00fc",
        ),
    )
)
GLOB_TOKENS = (
    *(
        "*",
        "**",
        "?",
        "/",
        "a",
        "b",
        "src",
        ".py",
        ".",
        "..",
        "{",
        "}",
        ",",
        "{a,b}",
        "{1..3}",
        "{a..c}",
        "{01..10..2}",
    ),
    *("[", "]", "[a-z]", "[!a]", "[^a]", "[]a]", "[[:alpha:]]", "\\", "\\*", "!", "#", "+(", "@(a|b)", "|", "$", "^"),
    *("\u00fc", "\U0001f600", "~", " ", "-", "0"),
)
PATCH = (
    b"--- a/src/a.py\n+++ b/src/a.py\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
    b"diff --git a/n.py b/n.py\nnew file mode 100644\nindex 0000000..e69de29\n--- /dev/null\n+++ b/n.py\n@@ -0,0 +1 @@\n+x\n",
    b"diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n",
    b"diff --git a/d b/d\ndeleted file mode 100755\n--- a/d\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\\ No newline at end of file\n",
    b'diff --git "a/\\303\\244" "b/\\303\\244"\nold mode 100644\nnew mode 100755\n',
)
PATCH_TOKENS = tuple(
    token.encode()
    for token in (
        *(
            "--- ",
            "+++ ",
            "a/",
            "b/",
            "/dev/null",
            "\n",
            "\r\n",
            "@@ -1,3 +1,3 @@",
            "@@ -0,0 +1 @@",
            "@@ -1 +1 @@",
            "@@ ",
        ),
        *(
            " one\n",
            "-two\n",
            "+2\n",
            "+",
            "-",
            " ",
            "\\ No newline at end of file\n",
            "diff --git a/x b/x\n",
            "-- \n2.39\n",
        ),
        *(
            "new file mode 100644\n",
            "deleted file mode 100644\n",
            "rename from ",
            "rename to ",
            "index 1..2 100644\n",
            "x",
        ),
        *(
            "old mode 120000\n",
            "GIT binary patch\n",
            "Binary files a/x and b/x differ\n",
            '"',
            "\\303",
            "\\t",
            "../",
            "999999999",
        ),
    )
)
CONTENTS = (
    b"one\ntwo\nthree\n",
    b"one\r\ntwo\r\nthree",
    b"",
    b"\xef\xbb\xbfone\ntwo\n",
    "one\ntwo\n".encode("utf-16"),
    b"one\xff\ntwo\n\n\none\ntwo\n",
    b"\xff\xfea",
)
_RECORD = {
    **{
        "version": "0.1.0",
        "id": "1",
        "timestamp": "2026-02-18T18:30:00.000Z",
        "intent_id": "INT-001",
        "session_id": "s",
    },
    **{"tool_name": "write_to_file", "mutation_class": "INTENT_EVOLUTION", "success": True},
    "files": [
        {
            **{"path": "src/a.py", "change": "modify", "pre_hash": None, "post_hash": "sha256:" + "0" * 64},
            "hunks": [[0, 0, 1, 3]],
            "conversations": [
                {
                    "contributor": {"type": "ai"},
                    "ranges": [{"start_line": 1, "end_line": 3, "content_hash": "sha256:" + "0" * 64}],
                }
            ],
        }
    ],
}
_CHAIN = {"writer": "w", "seq": 1, "prev": None}
LEDGER = (
    json.dumps({**_RECORD, "chain": _CHAIN}).encode() + b"\n",
    b"\n".join(
        json.dumps({**_RECORD, "chain": {**_CHAIN, "seq": seq, "prev": "sha256:x" if seq > 1 else None}}).encode()
        for seq in (1, 3, 2, 2)
    ),
    b"{}\n[]\nnull\n\n",
)
LEDGER_TOKENS = tuple(
    token.encode()
    for token in (
        *(
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            '"',
            "\n",
            "\r\n",
            "null",
            "true",
            "1",
            "-1",
            "1e400",
            "99999999999999999999",
            "NaN",
        ),
        *(
            '"chain":',
            '"writer":"w"',
            '"seq":2',
            '"prev":null',
            '"files":',
            '"path":"src/a.py"',
            '"old_path":',
            "{}",
            "[]",
        ),
        *('"hunks":', "[[0,0,1,3]]", "[[9,9,9,9]]", "[[-1,1,1,1]]", '"conversations":', '"ranges":', '"start_line":2'),
        *(
            '"end_line":1000000000',
            '"content_hash":',
            '"pre_hash":',
            '"post_hash":',
            '"timestamp":',
            '"\\ud800"',
            '"x"',
        ),
        *('"contributor":', '"success":true', '"intent_id":"INT-001"', '"intent_id":', "[" * 50, '{"a":' * 50),
    )
)
LINTER_OUTPUT = (
    b'{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"r","rules":[{"id":"E1"}]}},"results":[{"ruleId":"E1","ruleIndex":0,'
    b'"level":"error","message":{"text":"bad {0}","arguments":["x"]},"locations":[{"physicalLocation":'
    b'{"artifactLocation":{"uri":"file:///a.py","uriBaseId":"S"},"region":{"startLine":1,"startColumn":2}}}]}]}]}',
    b'[{"filename":"a.py","code":"E1","message":"m","location":{"row":1,"column":2}}]',
    b'{"a.py":1,"messages":[{"line":1,"ruleId":"x","severity":2,"message":"m"}],"diagnostics":[]}',
    b"a.py:1:2: E501 line too long\nC:\\a.py(3,4): error TS1: x\nnote: y  [arg-type]\n",
)
LINTER_TOKENS = tuple(
    token.encode()
    for token in (
        *(
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            '"',
            "\n",
            "\r",
            "null",
            "1",
            "-1",
            "true",
            '"runs":',
            '"results":',
            '"message":',
        ),
        *(
            '"text":',
            '"ruleIndex":',
            '"rule":',
            '"index":',
            "1e400",
            "1e999",
            "99999999999999999999",
            '"level":',
            '"id":',
        ),
        *(
            '"severity":',
            '"line":',
            '"location":',
            '"Pos":',
            '"arguments":',
            "{0}",
            "{999}",
            "a.py:1:1: ",
            "(1,2): ",
            "error: ",
        ),
        *(
            '"uri":',
            '"%ff"',
            '"uriBaseId":',
            '"originalUriBaseIds":',
            "  [x]",
            " line 12",
            "\x1b[31m",
            "[" * 40,
            '{"a":' * 40,
        ),
    )
)
LESSONS = (
    b"# Notes\n\n## Lesson Learned (2026-02-21)\n\n**File:** src/api/weather.py\n**Problems:**\n"
    b"E501 line too long (101 > 100) [ruff] line 12\n- second\n\\# third\n\nProse.\n",
    b"## Lesson Learned (2026-02-21)\r\n\r\n**File:** a\r\n**Problems:**\r\nx\r\n\r\n",
)
LESSON_TOKENS = tuple(
    token.encode()
    for token in (
        *(
            "## Lesson Learned (2026-02-21)",
            "\n",
            "\r\n",
            "\r",
            "**File:** ",
            "**Problems:**",
            "- ",
            "# ",
            "## ",
            "* ",
            "\\",
        ),
        *(
            "```",
            "~~~",
            "<!--",
            "E501",
            " line 12",
            "[ruff]",
            "src/api/weather.py",
            " ",
            "\t",
            "\u2028",
            "\x1b",
            "\u200b",
            "\\\\#",
        ),
    )
)
MESSAGES = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"capabilities":{}}}',
    b'{"jsonrpc":"2.0","method":"initialized","params":{}}',
    b'{"jsonrpc":"2.0","id":2,"method":"workspace/executeCommand","params":{"command":"intent.listIntents"}}',
    b'{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a","languageId":"x","version":1,"text":"t"}}}',
    b'{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///a","version":2},'
    b'"contentChanges":[{"range":{"start":{"line":0,"character":0},"end":{"line":9,"character":9}},"text":"u"}]}}',
    b'{"jsonrpc":"2.0","id":"x","method":"textDocument/diagnostic","params":{"textDocument":{"uri":"file:///a"}}}',
    b'{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":2}}',
    b'{"jsonrpc":"2.0","id":3,"result":null}',
    b'{"jsonrpc":"2.0","id":9,"method":"shutdown"}',
)
MESSAGE_TOKENS = tuple(
    token.encode()
    for token in (
        *(
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            '"',
            "null",
            "true",
            "1",
            "-1",
            "1.5",
            '"jsonrpc":"2.0",',
            '"id":',
            '"method":',
        ),
        *(
            '"params":',
            '"result":',
            '"error":',
            '"command":',
            '"arguments":',
            '"\\ud800"',
            "99999999999999999999",
            "1e999",
        ),
        *(
            '"exit"',
            '"shutdown"',
            '"initialize"',
            '"$/x"',
            '"uri":"file:///%00"',
            '"range":',
            '"line":',
            "[" * 60,
            "NaN",
        ),
    )
)
FRAME_TOKENS = (
    *(
        b"Content-Length: ",
        b"content-length:",
        b"\r\n\r\n",
        b"\n\n",
        b"\r\n",
        b"0",
        b"2",
        b"{}",
        b"-1",
        b"99999999999",
        b":",
    ),
    *(b"Content-Type: x\r\n", b"\xb2", b" 5", b"1_0", b"0x5", b"+5", b"Content-Length: 2\r\n\r\n{}", b"null"),
)
