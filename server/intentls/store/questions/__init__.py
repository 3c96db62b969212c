"""Questions to a person, as files that every process of a root sees: who asks, who listens, who answered."""
