"""The plain forms of verbs that programs call often, without the command line's library."""
