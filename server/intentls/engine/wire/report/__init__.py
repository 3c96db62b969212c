"""The forms of a report: one HTML page, Markdown for a comment, Markdown for a job summary, JSON."""
