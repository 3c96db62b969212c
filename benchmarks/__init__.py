"""What intentls costs beside what people would use instead: `make bench`, or `python -m benchmarks --help`."""
