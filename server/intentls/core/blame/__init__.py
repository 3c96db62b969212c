"""Who wrote each line: versions of a file, and the lines that records give and move."""
