"""The real agent programs, headless, against a model that only follows a script: `make agents`."""
