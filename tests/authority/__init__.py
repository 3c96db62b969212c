"""Random programs of agents, people and git, judged by a model that knows who wrote what and what was allowed."""
