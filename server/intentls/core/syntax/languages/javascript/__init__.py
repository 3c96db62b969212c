"""JavaScript and TypeScript: their adapters, and the forms that mean the same in them."""
