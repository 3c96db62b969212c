"""A model on 127.0.0.1 that says what a script says, in the four ways in which agents talk to models.

A script is a list of turns, a turn a list of `Call` and text. The prompt names the script: `Play [main].` Each request
that offers tools takes the next turn of its script; after the last one the model says that it is done. A `{session}`
in a call's arguments becomes the session id that the agent's hooks told the model, and `"{process}"` the number of the
program that Codex said still runs.
"""

from __future__ import annotations

import gzip
import json
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any

Json = dict[str, Any]
_SCRIPT = re.compile(r"Play \[(\w+)\]\.")
_SESSION = re.compile(
    r"session(?:'|\\u0027|&#39;|&apos;)s id is ([\w.-]+\w)\.|intentls select INTENT --session ([\w.-]+\w)"
)
_PROCESS = re.compile(r"Process running with session ID (\d+)")


@dataclass(frozen=True)
class Call:
    """A tool call. Arguments that are text belong to a tool that takes plain text."""

    tool: str
    arguments: Json | str


Turn = Sequence[Call | str]


@dataclass
class ScriptedModel:
    """What it says, by the script's name, and the requests that it got: their bodies as text."""

    scripts: Mapping[str, Sequence[Turn]]
    requests: list[str] = field(default_factory=list)
    _next: dict[str, int] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, body: str, prompts: Sequence[str], *, offers_tools: bool) -> Turn:
        """The turn for a request: `body` is all of it, `prompts` are what the user said in it."""
        names = [match[1] for prompt in prompts for match in _SCRIPT.finditer(prompt)]
        with self._lock:
            self.requests.append(body)
            if not names or not offers_tools:
                return ["ok"]
            number = self._next.get(names[-1], 0)
            self._next[names[-1]] = number + 1
        turns = self.scripts.get(names[-1], [])
        ids = [first or second for first, second in _SESSION.findall(body)]
        values = {"{session}": ids[-1] if ids else "UNKNOWN", '"{process}"': (_PROCESS.findall(body) or ["0"])[-1]}
        return [_filled(part, values) for part in turns[number]] if number < len(turns) else ["Done."]

    def saw(self, text: str) -> bool:
        """Whether a request had this text in it, escaped as JSON or not."""
        return any(text in body or json.dumps(text)[1:-1] in body for body in self.requests)


def _filled(part: Call | str, values: Mapping[str, str]) -> Call | str:
    if isinstance(part, str):
        return part
    text = json.dumps(part.arguments)
    for name, value in values.items():
        text = text.replace(name, value)
    return Call(part.tool, json.loads(text))


@contextmanager
def serving(model: ScriptedModel) -> Iterator[int]:
    """The port where the model listens."""

    class Handler(_Handler):
        scripted = model

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    scripted: ScriptedModel

    def do_GET(self) -> None:
        self._json({"object": "list", "data": [{"id": "mock", "object": "model"}], "models": []})

    def do_POST(self) -> None:
        text = self._body()
        body: Json = json.loads(text or "{}")
        path = self.path.partition("?")[0]
        if path.endswith(("count_tokens", ":countTokens")):
            self._json({"input_tokens": 10, "totalTokens": 10})
        elif path.endswith("/messages"):
            self._stream(body, *_anthropic(body, self._turn(text, body, _anthropic_prompts(body))))
        elif path.endswith("/responses"):
            self._stream(body, *_responses(body, self._turn(text, body, _responses_prompts(body))))
        elif path.endswith("/chat/completions"):
            self._stream(body, *_chat(body, self._turn(text, body, _chat_prompts(body))))
        elif "enerateContent" in path:
            whole, events = _gemini(self._turn(text, body, _gemini_prompts(body)))
            self._stream({"stream": ":stream" in path}, whole, events)
        else:
            self._json({})

    def _turn(self, text: str, body: Json, prompts: Sequence[str]) -> Turn:
        return self.scripted.answer(text, prompts, offers_tools=bool(body.get("tools")))

    def _body(self) -> str:
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            data = b""
            while size := int(self.rfile.readline().split(b";")[0], 16):
                data += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        data = gzip.decompress(data) if self.headers.get("Content-Encoding") == "gzip" else data
        return data.decode("utf-8", "replace")

    def _json(self, value: Json) -> None:
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, body: Json, whole: Json, events: Sequence[tuple[str, Json | str]]) -> None:
        if not body.get("stream"):
            self._json(whole)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        for name, event in events:
            data = event if isinstance(event, str) else json.dumps(event)
            self.wfile.write(f"{f'event: {name}{chr(10)}' if name else ''}data: {data}\n\n".encode())
        self.wfile.flush()

    def log_message(self, *_: Any) -> None:
        """Not to stderr."""


_NUMBERS = count(1)


def _id(prefix: str) -> str:
    return f"{prefix}_{next(_NUMBERS):08d}"


def _texts(content: Any) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [
        str(part.get("text") or part.get("encrypted_content") or "") for part in content or [] if isinstance(part, dict)
    ]


def _anthropic_prompts(body: Json) -> list[str]:
    return [
        text for message in body.get("messages", []) if message["role"] == "user" for text in _texts(message["content"])
    ]


_chat_prompts = _anthropic_prompts


def _responses_prompts(body: Json) -> list[str]:
    given = body.get("input", [])
    if isinstance(given, str):
        return [given]
    own = [item for item in given if item.get("role") == "user" or item.get("type") == "agent_message"]
    return [text for item in own for text in _texts(item.get("content"))]


def _gemini_prompts(body: Json) -> list[str]:
    contents = [content for content in body.get("contents", []) if content.get("role") == "user"]
    return [part.get("text", "") for content in contents for part in content.get("parts", [])]


def _anthropic(body: Json, turn: Turn) -> tuple[Json, list[tuple[str, Json | str]]]:
    blocks: list[Json] = [
        {"type": "text", "text": part}
        if isinstance(part, str)
        else {"type": "tool_use", "id": _id("toolu"), "name": part.tool, "input": part.arguments}
        for part in turn
    ]
    stop = "tool_use" if any(block["type"] == "tool_use" for block in blocks) else "end_turn"
    usage = {"input_tokens": 10, "output_tokens": 5, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    message: Json = {"id": _id("msg"), "type": "message", "role": "assistant", "model": body.get("model", "mock")}
    message |= {"content": blocks, "stop_reason": stop, "stop_sequence": None, "usage": usage}
    events: list[Json] = [{"type": "message_start", "message": message | {"content": [], "stop_reason": None}}]
    for index, block in enumerate(blocks):
        is_text = block["type"] == "text"
        start = block | ({"text": ""} if is_text else {"input": {}})
        delta = (
            {"type": "text_delta", "text": block["text"]}
            if is_text
            else {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        )
        events.append({"type": "content_block_start", "index": index, "content_block": start})
        events.append({"type": "content_block_delta", "index": index, "delta": delta})
        events.append({"type": "content_block_stop", "index": index})
    ends = {"stop_reason": stop, "stop_sequence": None}
    events += [{"type": "message_delta", "delta": ends, "usage": {"output_tokens": 5}}, {"type": "message_stop"}]
    return message, [(event["type"], event) for event in events]


def _responses(body: Json, turn: Turn) -> tuple[Json, list[tuple[str, Json | str]]]:
    items: list[Json] = []
    for part in turn:
        if isinstance(part, str):
            content = [{"type": "output_text", "text": part, "annotations": []}]
            items.append({"type": "message", "id": _id("msg"), "role": "assistant", "content": content})
            continue
        space, _, name = part.tool.rpartition(".")
        item: Json = {"id": _id("call"), "call_id": _id("call"), "name": name} | ({"namespace": space} if space else {})
        if isinstance(part.arguments, str):
            items.append(item | {"type": "custom_tool_call", "input": part.arguments})
        else:
            items.append(item | {"type": "function_call", "arguments": json.dumps(part.arguments)})
    items = [item | {"status": "completed"} for item in items]
    usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
    usage_details: Json = {
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    response: Json = {"id": _id("resp"), "object": "response", "created_at": 0, "model": body.get("model", "mock")}
    response |= {"status": "completed", "output": items, "usage": usage | usage_details, "error": None}
    events: list[Json] = [{"type": "response.created", "response": response | {"status": "in_progress", "output": []}}]
    for index, item in enumerate(items):
        for kind in ("added", "done"):
            events.append({"type": f"response.output_item.{kind}", "output_index": index, "item": item})
    events.append({"type": "response.completed", "response": response})
    return response, [(event["type"], event) for event in events]


def _chat(body: Json, turn: Turn) -> tuple[Json, list[tuple[str, Json | str]]]:
    text = "".join(part for part in turn if isinstance(part, str))
    calls = [
        {
            "index": index,
            "id": _id("call"),
            "type": "function",
            "function": {"name": call.tool, "arguments": json.dumps(call.arguments)},
        }
        for index, call in enumerate(part for part in turn if isinstance(part, Call))
    ]
    end = "tool_calls" if calls else "stop"
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    base = {"id": _id("chat"), "created": 0, "model": body.get("model", "mock")}
    message: Json = {"role": "assistant", "content": text or None} | ({"tool_calls": calls} if calls else {})
    choice = {"index": 0, "message": message, "finish_reason": end}
    whole = base | {"object": "chat.completion", "choices": [choice], "usage": usage}
    deltas: list[tuple[Json, str | None]] = [({"role": "assistant", "content": text}, None)]
    deltas += [({"tool_calls": [call]}, None) for call in calls]
    deltas.append(({}, end))
    chunk = base | {"object": "chat.completion.chunk"}
    events: list[tuple[str, Json | str]] = [
        ("", chunk | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}) for delta, finish in deltas
    ]
    return whole, [*events, ("", chunk | {"choices": [], "usage": usage}), ("", "[DONE]")]


def _gemini(turn: Turn) -> tuple[Json, list[tuple[str, Json | str]]]:
    parts = [
        {"text": part}
        if isinstance(part, str)
        else {
            "functionCall": {"id": _id("call"), "name": part.tool, "args": part.arguments},
            "thoughtSignature": "c2ln",
        }
        for part in turn
    ]
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    whole: Json = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "mock"}
    return whole, [("", whole)]
