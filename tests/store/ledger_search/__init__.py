"""Tests of `store/ledger_search`."""
