"""One printed reference string to its fields."""
