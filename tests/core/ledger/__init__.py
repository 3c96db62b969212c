"""Tests of `core/ledger`."""
