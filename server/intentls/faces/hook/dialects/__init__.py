"""One file an agent: what its events say, and how it wants to be answered."""
