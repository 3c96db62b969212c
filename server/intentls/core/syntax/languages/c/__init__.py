"""C and C++: their adapters, and, for what macros hide from a tree, the forms of their tokens."""
