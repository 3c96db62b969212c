"""The use cases, without a protocol."""
