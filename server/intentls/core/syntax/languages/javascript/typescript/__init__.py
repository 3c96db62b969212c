"""What TypeScript has beyond JavaScript: types, and what they show to others."""
