"""Every way in that bytes take which we did not write, each as a function with its oracle built in.

A function takes the input and returns nothing. It lets documented errors pass, and fails with whatever else
happens: another exception, a broken promise (AssertionError), too much work (`bounded.TooSlow`). The hypothesis
tests feed it structured input, the atheris harnesses bytes.
"""
