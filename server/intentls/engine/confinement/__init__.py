"""Running a command so that nothing it does leaves an intent's scope."""
