"""Tools that a host runs itself: announced before, reported after."""
