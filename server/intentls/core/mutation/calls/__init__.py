"""What calls hand over and get back: arguments and results that a change set adds or takes away everywhere."""
