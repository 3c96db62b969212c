"""A forge's API for the comments of pull requests, over real HTTP on this machine."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

BOT = {"login": "github-actions[bot]", "type": "Bot"}
EVE = {"login": "eve", "type": "User"}
TOO_LONG = 65_536


@dataclass
class FakeForge:
    """Its comments, and who asked what. `refuses`: the methods that it answers with a status."""

    comments: list[dict[str, Any]] = field(default_factory=list)
    refuses: dict[str, int] = field(default_factory=dict)
    user: dict[str, str] | None = None  # whose the token is; None: a job's own
    requests: list[str] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)
    url: str = ""

    def say(self, body: str, user: dict[str, str]) -> None:
        """A comment by somebody."""
        self.comments.append({"id": len(self.comments) + 1, "body": body, "user": user})

    def answer(self, method: str, path: str, document: Any) -> tuple[int, Any]:
        """The status and the document of an answer."""
        parts = urlsplit(path)
        self.requests.append(f"{method} {parts.path}")
        if method in self.refuses:
            return self.refuses[method], {"message": "Resource not accessible by integration"}
        if parts.path == "/user":
            return (403, {}) if self.user is None else (200, self.user)
        if parts.path == "/repos/team/project/issues/7/comments":
            if method == "POST":
                if len(document["body"]) > TOO_LONG:
                    return 422, {"message": "body is too long"}
                self.say(document["body"], BOT if self.user is None else self.user)
                return 201, self.comments[-1]
            query = parse_qs(parts.query)
            size, page = int(query["per_page"][0]), int(query["page"][0])
            return 200, self.comments[(page - 1) * size : page * size]
        number = int(parts.path.removeprefix("/repos/team/project/issues/comments/"))
        (comment,) = [one for one in self.comments if one["id"] == number]
        if method == "DELETE":
            self.comments.remove(comment)
            return 204, None
        comment["body"] = document["body"]
        return 200, comment


@contextmanager
def fake_forge() -> Iterator[FakeForge]:
    """A forge that listens on a port of this machine."""
    forge = FakeForge()

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            forge.tokens.add(self.headers.get("Authorization", ""))
            length = int(self.headers.get("Content-Length") or 0)
            document = json.loads(self.rfile.read(length)) if length else None
            status, content = forge.answer(self.command, self.path, document)
            data = b"" if content is None else json.dumps(content).encode()
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", f"{forge.url}/elsewhere")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PATCH = do_DELETE = answer  # noqa: N815  the library looks for these names

        def log_message(self, *_: object) -> None:
            """Nothing on stderr."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    forge.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield forge
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
