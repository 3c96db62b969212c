"""Coverage-guided fuzzing of every entrance with atheris: `make fuzz SECONDS=60`.

`targets` says what is fuzzed, `child` runs one target in a process of its own, `__main__` runs all of them in a row.
"""
