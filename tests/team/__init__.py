"""A team: several people with a clone each, agents, and colleagues without intentls."""
