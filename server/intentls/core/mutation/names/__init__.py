"""Where names stand in a file, what they are bound to, and where what is imported lives."""
