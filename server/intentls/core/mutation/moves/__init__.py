"""What went elsewhere: files, definitions that went to another file, and the imports and includes that follow."""
