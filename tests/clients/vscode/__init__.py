"""A real VS Code (code-server in a headless Chromium) with the packed extension, for test_vscode.py."""
