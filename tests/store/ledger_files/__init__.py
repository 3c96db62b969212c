"""Tests of `store/ledger_files`."""
