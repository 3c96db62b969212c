"""intentls: a language server that makes every edit accountable to an intent."""

__version__ = "0.2.0"
