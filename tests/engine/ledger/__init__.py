"""Tests of `engine/ledger`."""
