"""Text as lines: line ends, encodings, differences, merges, hashes of lines."""
