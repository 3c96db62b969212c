"""Tests of `store/ledger`."""
