"""What programs read, on stdout: JSON, any name, a pipe that ends. Without the command line's library."""

from __future__ import annotations

import io
import json
import os
import sys


def encoded(document: object) -> bytes:
    """One JSON document in UTF-8, whatever the locale says. It may be, or hold, a type of msgspec."""
    text = json.dumps(document, indent=2, ensure_ascii=False, default=_builtins)
    # A name that is not UTF-8 holds half surrogates; as an escape they are JSON all the same.
    return text.encode("utf-8", "backslashreplace")


def _builtins(answer: object) -> object:
    import msgspec  # loaded where there is such an answer; cheap verbs do without

    return msgspec.to_builtins(answer)


def write(document: object) -> None:
    """Print the document, and wait until it is out. Raises BrokenPipeError."""
    sys.stdout.buffer.write(encoded(document) + b"\n")
    sys.stdout.flush()


def stop_writing() -> None:
    """The reader had enough (`| head`): what is still buffered would only fail again when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_any_name() -> None:
    """From now on a name that the locale can't show is printed as escapes; without it the verb would end there."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
