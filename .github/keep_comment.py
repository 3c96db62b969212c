"""Keeps one comment with the report in a pull request: made once, edited in place afterwards. Standard library alone.

Environment: TOKEN, PULL_REQUEST, BODY (a file), and the runner's GITHUB_API_URL and GITHUB_REPOSITORY. It always ends
with 0: a report that cannot be shown is no reason to fail a job, and the job's summary has it, too.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MARKER = "<!-- intentls report -->"
_PER_PAGE = 100
_MAX_PAGES = 50
_TIMEOUT_S = 30
_NOT_ALLOWED = (401, 403, 404)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would take the token elsewhere."""

    def redirect_request(self, *_arguments: Any, **_more: Any) -> None:
        """Follow none."""


class Forge:
    """The comments of one pull request."""

    def __init__(self, api: str, repository: str, number: str, token: str) -> None:
        self._api, self._comments, self._token = api, f"repos/{repository}/issues", token
        self._number = number
        self._opener = urllib.request.build_opener(_NoRedirects)

    def own(self) -> list[dict[str, Any]]:
        """The comments that begin with the marker and that this token may have written, oldest first.

        Anybody can begin a comment with the marker, and would own what we write there: so the writer counts.
        """
        login = self._login()
        return [
            comment
            for comment in self._all()
            if str(comment.get("body", "")).startswith(MARKER) and _is_ours(comment.get("user") or {}, login)
        ]

    def create(self, body: str) -> None:
        """Write the comment."""
        self._ask("POST", f"{self._comments}/{self._number}/comments", {"body": body})

    def edit(self, comment: dict[str, Any], body: str) -> None:
        """Replace its text, if it is another one."""
        if str(comment["body"]).replace("\r\n", "\n").strip() != body.strip():
            self._ask("PATCH", f"{self._comments}/comments/{int(comment['id'])}", {"body": body})

    def remove(self, comment: dict[str, Any]) -> None:
        """Take away one too many, of two jobs that began at once."""
        self._ask("DELETE", f"{self._comments}/comments/{int(comment['id'])}")

    def _login(self) -> str | None:
        """Whose token it is; None for that of a job or an app, which is a bot."""
        try:
            return str(self._ask("GET", "user")["login"])
        except urllib.error.HTTPError as error:
            if error.code in _NOT_ALLOWED:
                return None
            raise

    def _all(self) -> Iterator[dict[str, Any]]:
        for page in range(1, _MAX_PAGES + 1):
            query = f"?per_page={_PER_PAGE}&page={page}"
            comments = self._ask("GET", f"{self._comments}/{self._number}/comments{query}")
            yield from comments
            if len(comments) < _PER_PAGE:
                return

    def _ask(self, method: str, path: str, document: object = None) -> Any:
        headers = {
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {self._token}",
            "User-Agent": "intentls",
            "X-GitHub-Api-Version": "2022-11-28",
        }
        data = None if document is None else json.dumps(document).encode()
        request = urllib.request.Request(f"{self._api}/{path}", data, headers, method=method)
        with self._opener.open(request, timeout=_TIMEOUT_S) as answer:
            content = answer.read()
        return json.loads(content) if content else None


def _is_ours(user: dict[str, Any], login: str | None) -> bool:
    return user.get("login") == login if login is not None else user.get("type") == "Bot"


def keep(forge: Forge, body: str) -> None:
    """Have exactly one comment, with this text."""
    first, *others = forge.own() or [None]
    if first is None:
        forge.create(body)
        return
    forge.edit(first, body)
    for other in others:
        if other is not None:
            forge.remove(other)


def main() -> None:
    """Keep the comment, and say on a line for the job's log where that cannot be."""
    token = os.environ.get("TOKEN", "")
    if not token:
        _say("notice", "There is no token, so there is no comment. The report is in the job's summary.")
        return
    names = ("GITHUB_API_URL", "GITHUB_REPOSITORY", "PULL_REQUEST")
    try:
        body = Path(os.environ["BODY"]).read_text("utf-8")
        keep(Forge(*(os.environ[name] for name in names), token), body)
    except urllib.error.HTTPError as error:
        if error.code in _NOT_ALLOWED:
            _say(
                "notice",
                "The token may not comment, as in a pull request from a fork or without `pull-requests: write`. "
                "The report is in the job's summary.",
            )
        else:
            _say("warning", f"The comment could not be written: the forge answered {error.code}.")
    except (OSError, ValueError, KeyError, TypeError) as error:
        _say("warning", f"The comment could not be written: {type(error).__name__}.")


def _say(level: str, sentence: str) -> None:
    sys.stdout.write(f"::{level} title=intentls::{sentence}\n")


if __name__ == "__main__":
    main()
