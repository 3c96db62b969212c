"""The verbs about what a branch did: one file each, loaded when it is called."""
